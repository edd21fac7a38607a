"""What a page says about a moment: the line of the trace, or a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from strategies.insight.analysis.replays.moments import Inside, Turned, What
from strategies.insight.analysis.trace_steps import (
    Candidate,
    Cut,
    Estimated,
    Inlined,
    Led,
    Path,
    Place,
)
from strategies.notation.wording import plural
from strategies.running.records.wording import SPARKS, bound

FATES: Final = {
    "created": "created: any worker can start it now",
    "started": "running",
    **{fate: text.removeprefix("spark, ") for fate, text in SPARKS.items()},
    "dud": "dud: its value is known without a search",
    "opened": "opened: its own branches become tasks",
    "inlined": "inlined: searched inside a task",
    "cut": "cut off: never searched",
}
"""What becomes of branches, and what it means."""


@frozen
class Words:
    """Names of positions, and sentences about moments."""

    names: Mapping[Path, str]
    boards: bool = False
    """Whether positions are shown beside the lines, so that lines only name them."""

    def name(self, path: Path) -> str:
        """Return the name of a position, or where it is folded."""
        if path in self.names:
            return self.names[path]
        while path not in self.names:
            path = path[:-1]
        return f"a position below {self.names[path]}"

    def listed(self, path: Path, branches: tuple[int, ...]) -> str:
        """Return the names of branches of a node; of the node itself if there are none."""
        if not branches:
            return self.name(path)
        first, *rest = (self.name((*path, i)) for i in branches)
        return f"{first} and {plural(len(rest), 'other')}" if len(rest) > 2 else " and ".join(
            [first, *rest]
        )  # fmt: skip

    def says(self, what: What) -> str:
        """Return the line or the sentence about a moment."""
        if isinstance(what, Led):
            name, mean = self.name(what.place.path), what.place.letter == "H"
            so_far = bound(what.best.value)
            if mean and what.between is not None:
                low, high = map(bound, what.between)
                return f"Mean of {name} so far: {so_far}; in the end from {low} to {high}"
            if mean:
                return f"Mean of {name} so far: {so_far}"
            by = "" if what.best.move is None else f", by branch {what.best.move}"
            return f"Best of {name} so far: {so_far}{by}"
        if isinstance(what, Cut):
            return f"Cut: {self.listed(what.place.path, what.branches)}. {self.why(what)}"
        if isinstance(what, Inlined):
            where = self.name(what.place.path)
            return f"{plural(what.count, 'spark')} at {where} inlined: searched in this task"
        if isinstance(what, Turned):
            return self.turned(what)
        if isinstance(what, Inside):
            return (
                f"{plural(what.nodes, 'position')} at and below "
                f"{self.listed(what.place.path, what.branches)}, not shown one by one; leaves among "
                f"them: {what.leaves:,}"
            )
        if isinstance(what, Estimated) and self.boards:
            return f"Estimating state {self.name(what.place.path)}"
        return self.renamed(what.line, what.place)

    def renamed(self, text: str, place: Place) -> str:
        """Return lines of a trace with the name that the page gives a position."""
        return text.replace(str(place), self.name(place.path))

    def why(self, cut: Cut) -> str:
        """Return why branches are left out: whose bounds meet."""
        name = self.name(cut.place.path)
        if cut.best is None:
            mean = f"Whatever they are worth, the mean of {name} stays outside its window"
            return mean if cut.place.letter == "H" else f"The window of {name} is closed"
        if isinstance(cut.best.value, tuple):
            return (
                f"Whoever moves at {name} has enough by branch {cut.best.move}: nobody can have "
                "more, or the player before avoids this position"
            )
        side = "at most" if cut.place.letter == "G" else "at least"
        found = f"{name} is worth {side} {bound(cut.best.value)}"
        return f"{found}, but {self.source(cut.by)}"

    def source(self, by: Candidate | None) -> str:
        """Return whose bound a candidate is."""
        if by is None:
            return "its window ends there"
        if by.at is None:
            return f"its window ends at {bound(by.value)}"
        return f"{self.name(by.at)} has {bound(by.value)} already, by branch {by.move}"

    def turned(self, what: Turned) -> str:
        """Return what became of a task."""
        names = self.listed(what.place.path, what.branches)
        worker = (what.worker or 0) + 1
        if what.fate == "started":
            return f"Worker {worker} starts {'the spark ' if what.spark else ''}{names}"
        if what.fate == "done":
            return f"Worker {worker} is done with {names}"
        why = "" if what.why is None else f". {self.why(what.why)}"
        return f"Spark {names} {FATES[what.fate]}{why}"
