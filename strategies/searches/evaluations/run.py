"""The run of an evaluation with every task recorded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.algebra.strategy import Strategy
from strategies.running.records.clocks import Call
from strategies.running.records.record import Record
from strategies.running.records.sparks import Sparks, audited, ledger
from strategies.running.records.wording import value_shown
from strategies.support.brief import brief
from strategies.values.planned import Planned

if TYPE_CHECKING:
    from strategies.insight.pictures.picture import Picture

SHOWN = 1000
"""The most characters of a value that are printed."""


@frozen(eq=False)
class EvaluatedRun:
    """A computed value, and what became of every spark; times are in seconds."""

    value: Any
    planned: Planned = field(repr=False)
    records: tuple[Record, ...] = field(repr=False)
    """One record a task."""
    call: Call = field(repr=False)
    """When the call began and returned."""
    strategy: Strategy | None = None
    workers: int | None = None

    @property
    def sparks(self) -> Sparks:
        """Return the ledger of sparks, with the fates of sparks of a search.

        A spark is a dud if what it would call was known or is called elsewhere; it is garbage if
        nothing needs its value, so that it never runs.
        """
        plan = self.planned
        found = ledger(
            plan.asked - plan.opened, self.records, plan.opened,
            known=plan.dud, garbage=plan.garbage,
        )  # fmt: skip
        return audited(found)

    @property
    def seconds(self) -> float:
        """Return the wall time from the call to the value."""
        return self.call.seconds

    @property
    def work(self) -> float:
        """Return the seconds spent in all tasks."""
        return sum(r.seconds for r in self.records)

    @property
    def cpu(self) -> float:
        """Return the processor time of all tasks in seconds."""
        return sum(r.cpu for r in self.records)

    def draw(self, what: str = "timeline") -> Picture:
        """Draw the run: its "timeline", or its task "graph"."""
        from strategies.insight.pictures.evaluation import draw_evaluation, draw_lanes

        if what == "graph":
            return draw_evaluation(self.planned, self.strategy, self.records)
        if what == "timeline":
            return draw_lanes(self.planned, self.strategy, self.records, self.workers)
        raise ArgumentError(f"what must be timeline or graph, not {shown(what)}")

    def report(self, path: str | Path) -> Path:
        """Write one HTML page about the run, for a browser: value, timeline, ledger and graph.

        Returns: the path.
        Raises: OSError if it cannot be written; an earlier file is then unchanged.
        """
        from strategies.insight.report.document import write_page
        from strategies.insight.report.evaluation_page import evaluation_page

        return write_page(path, lambda: evaluation_page(self))

    __repr__ = brief

    def __str__(self) -> str:
        return f"{value_shown(self.value, SHOWN)}\n{self.sparks}"

    def _repr_html_(self) -> str:
        """Show the value, the ledger and the timeline in a notebook."""
        from strategies.insight.pictures.cards import worded

        return worded(str(self), self.draw().svg)
