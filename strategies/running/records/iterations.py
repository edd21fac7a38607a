"""The iterations of a deepening search: one record for each graph of the row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from strategies.algorithms.fold import Interval
from strategies.support.tables import columns

Waits = tuple[tuple[tuple[str, tuple[Any, ...]], tuple[int, ...]], ...]


@frozen
class GraphRecord:
    """One graph of a row: what it was asked, in which order, and what it found."""

    number: int
    """Its place in the row, from 1; its tasks' records bear it."""
    depth: int
    window: Interval
    """In which the root was searched."""
    order: tuple[Any, ...]
    """The moves of the root, best guess first; empty where the whole search was one task."""
    leftmost: bool
    """Whether it asked for the leftmost move, when the value was known."""
    found: Interval
    """What it found of the value."""
    tasks: int
    nodes: int
    seconds: float
    waits: Waits = field(repr=False, eq=False)
    """Kind and place of each task, in order, and the numbers of those that it waited for."""


def table(graphs: Sequence[GraphRecord]) -> str:
    """The row of graphs as a table of text: what each was asked, and what it took."""
    rows = [("graph", "depth", "asked for", "tasks", "nodes", "seconds", "order of the root")]
    for g in graphs:
        low, high = g.found
        asked = "leftmost move" if g.leftmost else "value"
        got = f"{asked}: {low:g}" if low == high else f"{asked}: {low:g} to {high:g}"
        order = " ".join(str(move) for move in g.order) or "one task"
        row = str(g.number), str(g.depth), got, f"{g.tasks:,}", f"{g.nodes:,}"
        rows.append((*row, f"{g.seconds:.3g}", order))
    return "\n".join(columns(rows, left=(2, 6)))
