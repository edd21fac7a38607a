"""Files of endgame tables, whose rows are mapped into memory; and of those not finished."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, Final

from attrs import define, field

from games import Game
from graphs.arguments import excerpt, path_of
from graphs.errors import ArgumentError
from graphs.limits import FILE_GAME_LETTERS
from strategies.native.calls.position_graph import PositionGraph
from strategies.native.calls.settling import MARKS, SETTLING
from strategies.native.fingerprint import fingerprint
from strategies.native.hooks import hash_of
from strategies.native.kernels import position_graph as kernels
from strategies.native.kernels.position_graph import BRANCHES, COUNT, DONE
from strategies.native.memory.cells import Stop, cells

if TYPE_CHECKING:
    from zipfile import ZipFile

VERSION: Final = 4
FORM: Final = "endgame table"


def write_table(
    path: str | Path, game: Game[Any, Any], rows: dict[str, Any], is_normalized: bool
) -> Path:
    """Write the rows of a table to a file, whole or not at all, and whether a win counts 1.

    A row that is None, and upper bounds that equal the lower ones, are left out.

    Raises: OSError.
    """
    import numpy as np

    from strategies.support.mapped_rows import write_rows

    about = {
        "form": FORM, "version": VERSION, "game": repr(game), "rules": fingerprint(game),
        "normalized": is_normalized,
    }  # fmt: skip
    given = {name: row for name, row in rows.items() if row is not None}
    if np.array_equal(given["low"], given["high"]):
        del given["high"]
    write_rows(path_of("path", path), about, given)
    return Path(path)


def read_table(path: str | Path, game: Game[Any, Any]) -> tuple[tuple[Any, ...], bool]:
    """Map the rows of a table into memory: the hashes, lower and upper bounds, and the steps to the
    end or None; return whether a win counts 1, too.

    Ensures: every part of the file has been compared with its checksum.
    Raises: ArgumentError, one line, for a damaged file or one of another game; OSError.
    """
    from strategies.support.mapped_rows import UNREADABLE, description, opened

    with path_of("path", path).open("rb") as file:
        try:
            archive = opened(file)
            about = description(archive)
            if not isinstance(about, dict) or about.get("form") != FORM:
                raise ValueError
            wrong = archive.testzip()
        except UNREADABLE:
            raise ArgumentError(
                f"{path} is no endgame table, such as `solve --endgame` and `save` write, or it is "
                "damaged"
            ) from None
        if wrong is not None:
            raise damaged(path, f"{wrong} does not match its checksum")
        if about.get("version") != VERSION:
            raise ArgumentError(f"{path} is of another version of Jamboree: make it again")
        check_rules(path, about, game)
        try:
            return _rows(archive), about.get("normalized") is True
        except UNREADABLE:
            raise damaged(path, "its rows cannot be read") from None


def check_rules(path: str | Path, about: dict[str, Any], game: Game[Any, Any]) -> None:
    """Check that a file was made for the same rules.

    Raises: ArgumentError, which says whether it is another game, or the rules have changed.
    """
    if about.get("rules") == fingerprint(game):
        return
    made = str(about.get("game"))
    if made == repr(game):
        raise ArgumentError(
            f"{path} was made with other rules of {game!r}, which have changed since: make it again"
        )
    raise ArgumentError(
        f"{path} is the endgame table of another game, {excerpt(made, FILE_GAME_LETTERS)}, "
        f"not of {game!r}"
    )


def damaged(path: str | Path, why: str) -> ArgumentError:
    """Return the error for a damaged file."""
    return ArgumentError(f"{path} is damaged: {why}; delete it, and make it again")


def _rows(archive: ZipFile) -> tuple[Any, ...]:
    """Return the four rows.

    Raises: ValueError unless they belong together.
    """
    import numpy as np

    words, low = _row(archive, "words"), _row(archive, "low")
    high, steps = _row(archive, "high", low), _row(archive, "steps", None)
    if words.dtype != np.uint64 or {low.dtype, high.dtype} != {np.dtype("float64")}:
        raise ValueError("numbers of another kind")
    if steps is not None and steps.dtype != np.int64:
        raise ValueError("steps of another kind")
    if not len(words) == len(low) == len(high) == len(low if steps is None else steps) > 0:
        raise ValueError("rows of different lengths")
    return words, low, high, steps


def _row(archive: ZipFile, name: str, *otherwise: Any) -> Any:
    """Map a row of a file, or return what it is `otherwise`, if the file does not have it."""
    import numpy as np

    from strategies.support.mapped_rows import mapped

    try:
        return np.asarray(mapped(archive, name))
    except KeyError:
        if not otherwise:
            raise
        return otherwise[0]


UNFINISHED: Final = "unfinished endgame table"
UNFINISHED_VERSION: Final = 2
EVERY: Final = 60.0
"""The seconds from one writing to the next, at least."""
SHARE: Final = 10
"""How many times as long as the writing itself the work between two writings takes, at least."""


@define(eq=False)
class Partial:
    """What is known of a table so far, kept in a file; without a path nothing is kept.

    While positions are being found, only those that machine code stores as numbers can be written.
    """

    path: Path | None
    game: Game[Any, Any]
    state: Any
    endless: float
    precision: float
    graph: PositionGraph | None = None
    marks: Any = field(factory=lambda: cells(MARKS))
    written: bool = False
    due: float = field(factory=lambda: monotonic() + EVERY)

    def begin(self, graph: PositionGraph) -> None:
        """Fill a graph with what the file has, if it exists.

        Raises: ArgumentError, one line, for a damaged file or one of another table; OSError.
        """
        self.graph = graph
        if self.path is not None and self.path.exists():
            with self.path.open("rb") as file:
                self._read(graph, self.path, file)

    def pause(self) -> None:
        """Write the file if that is due."""
        if self.path is not None and monotonic() >= self.due:
            self.write()

    def write(self) -> None:
        """Write the file, whole or not at all.

        Raises: OSError.
        """
        graph, begun = self.graph, monotonic()
        if self.path is None or graph is None or not (self.marks[SETTLING] or _stores(graph)):
            return
        from strategies.support.mapped_rows import write_rows

        done, branches = int(graph.control[DONE]), int(graph.control[BRANCHES])
        about = {**self._about(), "marks": list(self.marks), "done": done, "branches": branches}
        rows = _rows_of(graph, graph.count, done, branches, not self.marks[SETTLING])
        write_rows(self.path, about, rows)
        self.written = True
        self.due = monotonic() + max(EVERY, SHARE * (monotonic() - begun))

    def remove(self) -> None:
        """Delete the file, when the table is finished."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def _about(self) -> dict[str, Any]:
        return {
            "form": UNFINISHED, "version": UNFINISHED_VERSION, "game": repr(self.game),
            "rules": fingerprint(self.game), "state": f"{int(hash_of(self.game, self.state)):x}",
            "endless": self.endless, "precision": self.precision,
        }  # fmt: skip

    def _read(self, graph: PositionGraph, path: Path, file: IO[bytes]) -> None:
        import numpy as np

        from strategies.support.mapped_rows import UNREADABLE, description, mapped, opened

        try:
            archive = opened(file)
            about = description(archive)
            wrong = archive.testzip()
            if (
                wrong is not None
                or about["form"] != UNFINISHED
                or about["version"] != UNFINISHED_VERSION
            ):
                raise ValueError
            done, branches, marks = int(about["done"]), int(about["branches"]), about["marks"]
            count = len(mapped(archive, "words"))
        except UNREADABLE:
            raise damaged(path, "it is no unfinished endgame table") from None
        try:
            check_rules(path, about, self.game)
        except ArgumentError as error:
            raise ArgumentError(
                f"{error} (it is an unfinished table: delete it, or name another file)"
            ) from None
        for name, value in self._about().items():
            if about.get(name) != value:
                raise ArgumentError(
                    f"{path} was begun with another {name}: continue it with the same, or delete it"
                )
        if count > graph.most or branches > graph.branches:
            raise ArgumentError(f"{path} has {count:,} positions so far: give more memory")
        exploring = not marks[SETTLING]
        if exploring and not _stores(graph):
            return
        for name, row in _rows_of(graph, count, done, branches, exploring).items():
            stored = mapped(archive, name)
            if stored.shape != row.shape:
                return  # positions are stored otherwise now: begin again
            row[:] = stored
        begun = graph.count > 0
        self.marks[:] = marks
        graph.control[COUNT], graph.control[DONE] = count, done
        graph.control[BRANCHES] = branches
        if exploring:
            if begun:
                graph.row(0, graph.slots)[:] = np.int64(0)
            graph.run(kernels.find_again, graph.slots, stop=Stop())


def _stores(graph: PositionGraph) -> bool:
    """Return whether positions are stored as numbers that mean the same in another process."""
    return graph.width > 0 and graph.engine.native


def _rows_of(
    graph: PositionGraph, count: int, done: int, branches: int, exploring: bool
) -> dict[str, Any]:
    """Return the rows of a graph that are kept, by name."""
    first = graph.slots + 4 * graph.most
    leads = first + graph.most + 1
    kept = {
        "words": (graph.slots, count),
        "kinds": (graph.slots + graph.most, done),
        "low": (graph.slots + 2 * graph.most, done),
        "first": (first, done + 1),
        "leads": (leads, branches),
    }
    if graph.engine.has_chance:
        kept["odds"] = leads + graph.branches, branches
        kept["high"] = graph.slots + 3 * graph.most, done
    if exploring:
        kept["states"] = graph.states, count * graph.width
    return {name: graph.row(*place) for name, place in kept.items()}
