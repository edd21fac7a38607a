"""Files of learned weights: NumPy's .npz, whose arrays can be mapped into memory.

A file has the text ``about.json``, the array ``values.npy`` and, with coherent rates, ``sums.npy``
and ``sizes.npy``.  Nothing is compressed, and each array begins at a multiple of 64 bytes, so that
it can be mapped directly.

A run of learning may begin with the weights of a file, stage by stage.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, Final
from zipfile import ZipFile

import numpy as np
from attrs import evolve, frozen

from games.networks.dense import Dense
from games.networks.learned import Network, plain, practice_of, with_network
from games.networks.ntuples import NTuples
from games.networks.trainee import Rows
from games.networks.weights import Row, Weights, digest_of
from graphs.arguments import path_of
from graphs.errors import JamboreeError
from strategies.native.fingerprint import fingerprint
from strategies.players.readings import reading_of
from strategies.support.journal import RULE_DIGESTS
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
READING: Final = "reading"
"""The entry with what the network read of some positions; files of earlier versions lack it."""
ROWS: Final = "values", "sums", "sizes"
"""The names of the rows of a file, as those of `Rows`."""


class LearnedFileError(JamboreeError, ValueError):
    """Raised for a file without learned weights or of another game; the message says what to do."""


def write_learned(path: Path, about: Mapping[str, Any], rows: Mapping[str, Row]) -> None:
    """Write learned weights to a file, whole or not at all.

    Raises: OSError; an earlier file is then unchanged.
    """
    write_rows(Path(path), {"version": VERSION, **about}, rows)


@frozen
class LearnedFile:
    """An open file of learned weights.

    All its parts are of one file, also if another has taken its name meanwhile.
    """

    path: Path
    archive: ZipFile
    about: About

    @property
    def network(self) -> Network:
        """Return the network of the file."""
        return network_in(self.about)

    def check_members(self) -> None:
        """Compare all parts with their checksums.

        Raises: LearnedFileError, one line.
        """
        try:
            wrong = self.archive.testzip()
        except UNREADABLE:
            wrong = "a part"
        if wrong is not None:
            raise damaged(self.path, f"{wrong} does not match its checksum")

    def row(self, name: str, size: int) -> Row:
        """Map a row of so many numbers into memory, where it is read on access.

        Raises: LearnedFileError, one line, if the file has no such row, or not all are finite.
        """
        try:
            row: Row = mapped(self.archive, name)
        except UNREADABLE as error:
            fault = "is missing" if isinstance(error, KeyError) else "cannot be read"
            raise damaged(self.path, f"{name}.npy {fault}") from None
        if row.dtype != np.float32:
            raise damaged(self.path, f"{name}.npy has numbers of another kind")
        if row.size != size:
            raise damaged(self.path, f"{name}.npy has {row.size:,} numbers, not {size:,}")
        for start in range(0, size, CHUNK):
            if not np.isfinite(row[start : start + CHUNK]).all():
                raise damaged(self.path, f"{name}.npy has weights that are not numbers")
        return row

    def rows(self, coherent: bool) -> dict[str, Row]:
        """Map the weights into memory and, with coherent rates, the sums of their updates, after
        all have been checked.

        Raises: LearnedFileError, one line.
        """
        self.check_members()
        size = self.network.size
        found = {n: self.row(n, size if n == "values" or coherent else 0) for n in ROWS}
        self.settled(found["values"])
        return found

    def settled(self, values: Row) -> Row:
        """Return the weights that the network uses; check that they have the digest of the file.

        Raises: LearnedFileError, one line.
        """
        found = self.network.settled(values)
        if digest_of(found) != self.about["digest"]:
            raise damaged(self.path, "its weights do not match their digest")
        return found

    def weights(self) -> Weights:
        """Return the weights, mapped into memory, and settled if the network needs it.

        Raises: LearnedFileError, one line.
        """
        values = self.settled(self.row("values", self.network.size))
        return Weights(values, self.about["digest"], (read_weights, str(self.path.resolve())))


@contextmanager
def open_learned(path: Path | str) -> Iterator[LearnedFile]:
    """Open a file during the block, after reading its description.

    Raises: LearnedFileError, one line.
    """
    path, named = path_of("path", path), False
    with ExitStack() as opening:
        try:
            file = opening.enter_context(path.open("rb"))
            named = _names_about(file)
            archive = opened(file)
            about = description(archive)
        except UNREADABLE as error:
            if named:
                raise damaged(path, "its parts cannot be read") from None
            why = getattr(error, "strerror", None) or "it has no learned weights"
            raise LearnedFileError(
                f"cannot read {path}: {why}; make one with jamboree learn"
            ) from None
        _check_about(path, about)
        yield LearnedFile(path, archive, about)


def _names_about(file: IO[bytes]) -> bool:
    """Return whether a file names its description, as `write_learned` does at both ends."""
    ends = file.read(ENDS)
    file.seek(max(0, os.fstat(file.fileno()).st_size - ENDS))
    return ABOUT.encode() in ends + file.read(ENDS)


def _check_about(path: Path, about: Any) -> None:
    """Check that the parts of a description are complete.

    Raises: LearnedFileError, one line.
    """
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


def damaged(path: Path | str, why: str) -> LearnedFileError:
    """Return the error for a damaged file."""
    return LearnedFileError(f"{path} is damaged: {why}; delete it, and learn it again")


def read_weights(path: Path | str) -> Weights:
    """Map the weights of a file into memory, and settle them if their network needs it.

    Raises: LearnedFileError, one line.
    """
    with open_learned(path) as file:
        return file.weights()


def network_in(about: About) -> Network:
    """Return the network of a file."""
    network: Network = (Dense if "hidden" in about["network"] else NTuples)(**about["network"])
    return network


def with_estimate(game: Any, path: Path | str) -> Any:
    """Return the game with the learned estimate of a file.

    Raises: LearnedFileError, one line, unless it was learned in this game or in its ``practice()``,
    by rules of which a network reads the same.
    """
    own = plain(game)
    with open_learned(path) as file:
        made = file.about["game"]
        played = own if made == repr(own) else practice_of(own)
        if made != repr(played):
            raise LearnedFileError(f"{path} was learned in {made}, not in {own!r}")
        if _reads_another(file, played):
            raise LearnedFileError(
                f"{path} was learned in {made}, whose rules have changed since; learn it again"
            )
        return with_network(own, file.network, file.weights())


def _reads_another(file: LearnedFile, game: Any) -> bool:
    """Return whether a network reads other numbers of positions by the rules of a game than by
    those that a file was learned by.

    Other changes of rules are not noticed, nor any for a file that does not say what was read.
    """
    was = file.about.get(READING)
    if was is None or file.about.get(RULE_DIGESTS) == fingerprint(game):
        return False
    return bool(reading_of(game, file.network) != was)


@contextmanager
def open_begin(
    path: Path | str | None, game: Any, network: Network
) -> Iterator[LearnedFile | None]:
    """Open the file to begin with, if there is one; its network may have other stages.

    Raises: LearnedFileError, one line.
    """
    if path is None:
        yield None
        return
    with open_learned(path_of("begin", path)) as file:
        made = file.about["game"]
        if made != repr(game):
            raise LearnedFileError(f"{path} was learned in {made}, not in {game!r}")
        if of_one_stage(file.network) != of_one_stage(network):
            raise LearnedFileError(
                f"{path} has another network; begin with a file of the same tuples"
            )
        yield file


def of_one_stage(network: Network) -> Network:
    """Return a network without its stages.

    >>> of_one_stage(NTuples(3, ((0,),), stages=2)) == NTuples(3, ((0,),))
    True
    """
    return evolve(network, stages=1) if isinstance(network, NTuples) else network


def stages_of(network: Network) -> int:
    """Return the number of stages of a network."""
    return network.stages if isinstance(network, NTuples) else 1


def begin_with(rows: Rows, network: Network, file: LearnedFile) -> None:
    """Copy the weights of a file into those of a run; its last stage also begins later ones.

    With coherent rates, the sums of updates are copied, too, if the file has them.
    Raises: LearnedFileError, one line.
    """
    other = file.network
    size = other.size // stages_of(other)
    for name, given in file.rows(file.about.get("coherent") is True).items():
        row = getattr(rows, name)
        if not (given.size and row.size):
            continue
        for stage in range(stages_of(network)):
            last = min(stage, stages_of(other) - 1)
            row[stage * size : (stage + 1) * size] = given[last * size : (last + 1) * size]
