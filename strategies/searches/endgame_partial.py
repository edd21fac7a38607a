"""Files of endgame tables that are not finished, from which a run continues."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Any, Final

from attrs import define, field

from games import Game
from graphs.errors import ArgumentError
from strategies.native.calls.position_graph import PositionGraph
from strategies.native.calls.settling import MARKS, SETTLING
from strategies.native.fingerprint import fingerprint
from strategies.native.hooks import hash_of
from strategies.native.kernels import position_graph as kernels
from strategies.native.kernels.position_graph import BRANCHES, COUNT, DONE
from strategies.native.memory.cells import Stop, cells
from strategies.searches.endgame_file import check_rules, damaged

FORM: Final = "unfinished endgame table"
VERSION: Final = 1
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
            self._read(graph, self.path)

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
        rows = _rows(graph, graph.count, done, branches, not self.marks[SETTLING])
        write_rows(self.path, about, rows)
        self.written = True
        self.due = monotonic() + max(EVERY, SHARE * (monotonic() - begun))

    def remove(self) -> None:
        """Delete the file, when the table is finished."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def _about(self) -> dict[str, Any]:
        return {
            "form": FORM, "version": VERSION, "game": repr(self.game),
            "rules": fingerprint(self.game), "state": f"{int(hash_of(self.game, self.state)):x}",
            "endless": self.endless, "precision": self.precision,
        }  # fmt: skip

    def _read(self, graph: PositionGraph, path: Path) -> None:
        import numpy as np

        from strategies.support.mapped_rows import UNREADABLE, description, mapped, opened

        path.open("rb").close()  # a file that cannot be opened has an error of its own
        try:
            with opened(path) as archive:
                about = description(archive)
                wrong = archive.testzip()
            if wrong is not None or about["form"] != FORM or about["version"] != VERSION:
                raise ValueError
            done, branches, marks = int(about["done"]), int(about["branches"]), about["marks"]
            count = len(mapped(path, "words"))
        except UNREADABLE:
            raise damaged(path, "it is no unfinished endgame table") from None
        check_rules(path, about, self.game)
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
        for name, row in _rows(graph, count, done, branches, exploring).items():
            stored = mapped(path, name)
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


def _rows(
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
