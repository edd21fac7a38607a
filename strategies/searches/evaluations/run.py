"""The run of an evaluation with every task recorded."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from strategies.algebra.strategy import Strategy
from strategies.notation.evaluations import calls
from strategies.running.records.run import Run
from strategies.running.records.wording import shortened, value_shown
from strategies.searches.drawing import drawn
from strategies.values.planned import Planned

if TYPE_CHECKING:
    from strategies.insight.pictures.picture import Picture

SHOWN = 1000
"""The most characters of a value that are printed."""
CALL_LETTERS = 40
"""The most characters of the names of calls."""


@frozen
class CallNames:
    """Names of tasks: each is named after the functions that it calls."""

    planned: Planned

    def move(self, path: tuple[Any, ...], index: int) -> str:
        return shortened(calls(self.planned.tasks[index]), CALL_LETTERS)

    def to(self, place: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.move((), index) for index in place)


@frozen(eq=False, repr=False)
class EvaluatedRun(Run):
    """A computed value, and what became of every spark; times are in seconds."""

    value: Any
    planned: Planned = field(repr=False)
    strategy: Strategy | None = None
    workers: int | None = None

    def draw(self, what: str = "timeline") -> Picture:
        """Draw the run: its "timeline", or its task "graph".

        Raises: ArgumentError, one line, for any other picture.
        """
        from strategies.insight.pictures.evaluation import draw_evaluation, draw_lanes

        told = self.planned, self.strategy, self.records
        return drawn(
            what,
            {
                "timeline": lambda: draw_lanes(*told, self.workers),
                "graph": lambda: draw_evaluation(*told),
            },
        )

    def report(self, path: str | Path) -> Path:
        """Write one HTML page about the run, for a browser: value, timeline, ledger and graph.

        Returns: the path.
        Raises: OSError if it cannot be written; an earlier file is then unchanged.
        """
        from strategies.insight.report.document import write_page
        from strategies.insight.report.evaluation_page import evaluation_page

        return write_page(path, lambda: evaluation_page(self))

    def _names(self) -> CallNames:
        return CallNames(self.planned)

    def __str__(self) -> str:
        return f"{value_shown(self.value, SHOWN)}\n{self.sparks}"

    def _repr_html_(self) -> str:
        """Show the value, the ledger and the timeline in a notebook."""
        from strategies.insight.pictures.cards import worded

        return worded(str(self), self.draw().svg)
