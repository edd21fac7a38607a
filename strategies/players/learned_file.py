"""Files of what was learned: a .npz of NumPy's, whose weights can be mapped into memory.

The file holds the text ``about.json``, the row ``values.npy``, and where rates are coherent
``sums.npy`` and ``sizes.npy``.  Nothing is compressed, and each row begins at a multiple of 64
bytes, so that it can be mapped as it lies.
"""

from __future__ import annotations

import io
import json
import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Final
from zipfile import BadZipFile, ZipFile, ZipInfo

import numpy as np

from games.networks.dense import Dense
from games.networks.learned import Network, plain, practice_of, with_network
from games.networks.ntuples import NTuples
from games.networks.weights import Row, Weights
from graphs.arguments import path_of
from graphs.errors import JamboreeError
from strategies.support.files import whole_file

VERSION: Final = 1
ABOUT: Final = "about.json"
LINE: Final = 64
LOCAL: Final = 30
"""Bytes of a member's header in the file, before its name and its extra fields."""
LARGE: Final = 20
"""Bytes of the extra field that says how large a member of more than 4 GB is; always there."""
PADDING: Final = 0xD935
"""The kind of the extra field that pads, as Android's zipalign writes it."""
CHUNK: Final = 1 << 24

About = dict[str, Any]
FORM: Final[dict[str, type]] = {"game": str, "network": dict, "digest": str}
"""What every file tells, and of which type."""


class LearnedFileError(JamboreeError, ValueError):
    """A file that holds nothing learned, or not of this game, and what to do instead."""


def write_learned(path: Path, about: Mapping[str, Any], rows: Mapping[str, Row]) -> None:
    """Writes what was learned, whole or not at all.

    Raises: OSError; a file that was there before is then still whole.
    """
    text = json.dumps({"version": VERSION, **about}, ensure_ascii=False)
    with whole_file(Path(os.path.realpath(path))) as file:
        with ZipFile(file, "w") as archive:
            archive.writestr(ABOUT, text)
            for name, row in rows.items():
                _add(archive, file, f"{name}.npy", row)
        file.flush()
        os.fsync(file.fileno())


def _add(archive: ZipFile, file: IO[bytes], name: str, row: Row) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(row))
    member = ZipInfo(name)
    pad = -(file.tell() + LOCAL + len(name) + LARGE + 4) % LINE
    member.extra = struct.pack("<HH", PADDING, pad) + bytes(pad)
    content = row.view(np.uint8).data
    with archive.open(member, "w", force_zip64=True) as inner:
        inner.write(header.getvalue())
        for start in range(0, len(content), CHUNK):
            inner.write(content[start : start + CHUNK])


def read_about(path: Path | str) -> About:
    """Reads what a file says of itself, and checks that all of it is there.

    Raises: LearnedFileError, one line.
    """
    path = path_of("path", path)
    try:
        with ZipFile(path) as archive:
            about: About = json.loads(archive.read(ABOUT))
    except (OSError, BadZipFile, KeyError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it holds nothing that was learned"
        raise LearnedFileError(f"cannot read {path}: {why}; make one with jamboree learn") from None
    if not isinstance(about, dict):
        raise damaged(path, f"{ABOUT} tells nothing by name")
    if about.get("version") != VERSION:
        raise LearnedFileError(f"{path} is of another version of Jamboree: learn it anew")
    for name, kind in FORM.items():
        if not isinstance(about.get(name), kind):
            raise damaged(path, f"{ABOUT} has no {name}, or one of another form")
    try:
        network_in(about)
    except (TypeError, ValueError) as error:
        raise damaged(path, f"its network cannot be made, {error}") from None
    return about


def damaged(path: Path | str, why: str) -> LearnedFileError:
    """Makes the error of a file that is damaged inside."""
    return LearnedFileError(f"{path} is damaged: {why}; delete it, and learn it anew")


def map_row(path: Path | str, name: str) -> Row:
    """Maps a row of a file into memory: it is read where it is looked at.

    Raises: LearnedFileError, one line, if the file has no such row.
    """
    try:
        row = _mapped(path, name)
    except (OSError, BadZipFile, KeyError, ValueError, IndexError, struct.error) as error:
        told = "is not there" if isinstance(error, KeyError) else "cannot be read"
        raise damaged(path, f"{name}.npy {told}") from None
    if row.dtype != np.float32:
        raise damaged(path, f"{name}.npy has numbers of another kind")
    return row


def _mapped(path: Path | str, name: str) -> Row:
    with ZipFile(path) as archive, open(path, "rb") as file:
        member = archive.getinfo(f"{name}.npy")
        file.seek(member.header_offset)
        sizes = struct.unpack("<HH", file.read(LOCAL)[-4:])
        file.seek(member.header_offset + LOCAL + sum(sizes))
        np.lib.format.read_magic(file)
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
        start = file.tell()
    if not shape[0]:
        return np.zeros(0, dtype)
    if start % dtype.itemsize:
        return np.fromfile(path, dtype, shape[0], offset=start)
    return np.memmap(path, dtype, "r", start, shape)


def read_weights(path: str) -> Weights:
    """Maps the weights of a file, and settles them where their network asks for it.

    Raises: LearnedFileError, one line.
    """
    about = read_about(path)
    network, row = network_in(about), map_row(path, "values")
    check_row(path, "values", row, network.size)
    values = network.settled(row)
    return Weights(values, about["digest"], (read_weights, path))


def check_row(path: Path | str, name: str, row: Row, size: int) -> None:
    """Checks that a row has all numbers, and that each is one.

    Raises: LearnedFileError, one line.
    """
    if row.size != size:
        raise damaged(path, f"{name}.npy has {row.size:,} numbers, not {size:,}")
    for start in range(0, size, CHUNK):
        if not np.isfinite(row[start : start + CHUNK]).all():
            raise damaged(path, f"{name}.npy has weights that are no numbers")


def network_in(about: About) -> Network:
    """Reads the network of a file."""
    network: Network = (Dense if "hidden" in about["network"] else NTuples)(**about["network"])
    return network


def with_estimate(game: Any, path: Path | str) -> Any:
    """Makes the same game with the estimate that was learned into a file.

    Raises: LearnedFileError, one line, if it was learned in another game, which is not the one
    that this one is learned by either.
    """
    about = read_about(path)
    own = plain(game)
    if about["game"] not in (repr(own), repr(practice_of(own))):
        raise LearnedFileError(f"{path} was learned in {about['game']}, not in {own!r}")
    return with_network(own, network_in(about), read_weights(str(Path(path).resolve())))
