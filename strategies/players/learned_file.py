"""Files of learned weights: NumPy's .npz, whose arrays can be mapped into memory.

A file has the text ``about.json``, the array ``values.npy`` and, with coherent rates, ``sums.npy``
and ``sizes.npy``.  Nothing is compressed, and each array begins at a multiple of 64 bytes, so that
it can be mapped directly.

A run of learning may begin with the weights of a file, stage by stage.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from attrs import evolve

from games.networks.dense import Dense
from games.networks.learned import Network, plain, practice_of, with_network
from games.networks.ntuples import NTuples
from games.networks.trainee import Rows
from games.networks.weights import Row, Weights, digest_of
from graphs.arguments import path_of
from graphs.errors import JamboreeError
from strategies.support.mapped_rows import (
    ABOUT,
    CHUNK,
    UNREADABLE,
    description,
    mapped,
    opened,
    write_rows,
)

VERSION: Final = 1
ENDS: Final = 1 << 10

About = dict[str, Any]
FORM: Final[dict[str, type]] = {"game": str, "network": dict, "digest": str}
"""The entries of ``about.json`` in every file, with their types."""


class LearnedFileError(JamboreeError, ValueError):
    """Raised for a file without learned weights or of another game; the message says what to do."""


def write_learned(path: Path, about: Mapping[str, Any], rows: Mapping[str, Row]) -> None:
    """Write learned weights to a file, whole or not at all.

    Raises: OSError; an earlier file is then unchanged.
    """
    write_rows(Path(path), {"version": VERSION, **about}, rows)


def read_about(path: Path | str) -> About:
    """Read the description of a file, and check that its parts are complete.

    Raises: LearnedFileError, one line.
    """
    path = path_of("path", path)
    try:
        with opened(path) as archive:
            about: About = description(archive)
    except UNREADABLE as error:
        if _names_about(path):
            raise damaged(path, "its parts cannot be read") from None
        why = getattr(error, "strerror", None) or "it has no learned weights"
        raise LearnedFileError(f"cannot read {path}: {why}; make one with jamboree learn") from None
    if not isinstance(about, dict):
        raise damaged(path, f"{ABOUT} is not an object")
    if about.get("version") != VERSION:
        raise LearnedFileError(f"{path} is of another version of Jamboree; learn it again")
    for name, kind in FORM.items():
        if not isinstance(about.get(name), kind):
            raise damaged(path, f"{ABOUT} has no valid {name}")
    try:
        network_in(about)
    except (TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise damaged(path, f"its network cannot be made, {error}") from None
    return about


def _names_about(path: Path | str) -> bool:
    """Return whether a file names its description, as `write_learned` does at both ends."""
    try:
        with open(path, "rb") as file:
            ends = file.read(ENDS)
            file.seek(max(0, os.fstat(file.fileno()).st_size - ENDS))
            ends += file.read()
    except OSError:
        return False
    return ABOUT.encode() in ends


def check_members(path: Path | str) -> None:
    """Compare all parts of a file with their checksums.

    Raises: LearnedFileError, one line.
    """
    try:
        with opened(path) as archive:
            wrong = archive.testzip()
    except UNREADABLE:
        wrong = "a part"
    if wrong is not None:
        raise damaged(path, f"{wrong} does not match its checksum")


def check_digest(path: Path | str, network: Network, row: Row, digest: str) -> Row:
    """Return the weights that a network uses; check that they have the digest of the file.

    Raises: LearnedFileError, one line.
    """
    values = network.settled(row)
    if digest_of(values) != digest:
        raise damaged(path, "its weights do not match their digest")
    return values


def damaged(path: Path | str, why: str) -> LearnedFileError:
    """Return the error for a damaged file."""
    return LearnedFileError(f"{path} is damaged: {why}; delete it, and learn it again")


def map_row(path: Path | str, name: str) -> Row:
    """Map an array of a file into memory, where it is read on access.

    Raises: LearnedFileError, one line, if the file has no such array.
    """
    try:
        row: Row = mapped(path, name)
    except UNREADABLE as error:
        fault = "is missing" if isinstance(error, KeyError) else "cannot be read"
        raise damaged(path, f"{name}.npy {fault}") from None
    if row.dtype != np.float32:
        raise damaged(path, f"{name}.npy has numbers of another kind")
    return row


def read_weights(path: str) -> Weights:
    """Map the weights of a file into memory, and settle them if their network needs it.

    Raises: LearnedFileError, one line.
    """
    about = read_about(path)
    network, row = network_in(about), map_row(path, "values")
    check_row(path, "values", row, network.size)
    values = check_digest(path, network, row, about["digest"])
    return Weights(values, about["digest"], (read_weights, path))


def check_row(path: Path | str, name: str, row: Row, size: int) -> None:
    """Check that an array has the right size, and that all its weights are finite numbers.

    Raises: LearnedFileError, one line.
    """
    if row.size != size:
        raise damaged(path, f"{name}.npy has {row.size:,} numbers, not {size:,}")
    for start in range(0, size, CHUNK):
        if not np.isfinite(row[start : start + CHUNK]).all():
            raise damaged(path, f"{name}.npy has weights that are not numbers")


def network_in(about: About) -> Network:
    """Return the network of a file."""
    network: Network = (Dense if "hidden" in about["network"] else NTuples)(**about["network"])
    return network


def with_estimate(game: Any, path: Path | str) -> Any:
    """Return the game with the learned estimate of a file.

    Raises: LearnedFileError, one line, unless it was learned in this game or in its ``practice()``.
    """
    about = read_about(path)
    own = plain(game)
    if about["game"] not in (repr(own), repr(practice_of(own))):
        raise LearnedFileError(f"{path} was learned in {about['game']}, not in {own!r}")
    return with_network(own, network_in(about), read_weights(str(Path(path).resolve())))


ROWS: Final = "values", "sums", "sizes"
"""The names of the rows of a file, as those of `Rows`."""


def check_begin(path: Path, game: Any, network: Network) -> About:
    """Read the description of the file to begin with; its network may have other stages.

    Raises: LearnedFileError, one line.
    """
    about = read_about(path)
    if about["game"] != repr(game):
        raise LearnedFileError(f"{path} was learned in {about['game']}, not in {game!r}")
    if of_one_stage(network_in(about)) != of_one_stage(network):
        raise LearnedFileError(f"{path} has another network; begin with a file of the same tuples")
    return about


def of_one_stage(network: Network) -> Network:
    """Return a network without its stages.

    >>> of_one_stage(NTuples(3, ((0,),), stages=2)) == NTuples(3, ((0,),))
    True
    """
    return evolve(network, stages=1) if isinstance(network, NTuples) else network


def stages_of(network: Network) -> int:
    """Return the number of stages of a network."""
    return network.stages if isinstance(network, NTuples) else 1


def begin_with(rows: Rows, network: Network, path: Path) -> None:
    """Copy the weights of a file into those of a run; its last stage also begins later ones.

    With coherent rates, the sums of updates are copied, too, if the file has them.
    Raises: LearnedFileError, one line.
    """
    check_members(path)
    other = network_in(read_about(path))
    size = other.size // stages_of(other)
    for name in ROWS:
        given, row = map_row(path, name), getattr(rows, name)
        check_row(path, name, given, other.size if name == "values" or given.size else 0)
        if not (given.size and row.size):
            continue
        for stage in range(stages_of(network)):
            last = min(stage, stages_of(other) - 1)
            row[stage * size : (stage + 1) * size] = given[last * size : (last + 1) * size]
