"""The iterations of a deepening search: one record for each graph of the row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from games import Game
from strategies.algorithms.fold import Interval
from strategies.algorithms.positions import branch_text, kind_of
from strategies.support.tables import columns

Waits = tuple[tuple[tuple[str, tuple[Any, ...]], tuple[int, ...]], ...]


@frozen
class GraphRecord:
    """One graph of a row: its search, the order of the root's moves, and its result."""

    number: int
    """Its place in the row, from 1, as in the records of its tasks."""
    depth: int
    window: Interval
    """The window of the root."""
    order: tuple[Any, ...]
    """The moves of the root in the order of search; empty if the whole search was one task."""
    leftmost: bool
    """Whether it searched for the leftmost best move, with the value known."""
    found: Interval
    """The bounds that it found on the value."""
    tasks: int
    nodes: int
    seconds: float
    waits: Waits = field(repr=False, eq=False)
    """The kind and place of each task, in order, and the numbers of the tasks it waited for."""
    joins: int = 0
    """How often a worker without a task joined a running one."""


def table(graphs: Sequence[GraphRecord], game: Game[Any, Any], state: Any) -> str:
    """Return the row of graphs as a table of text: the result and the cost of each, with the joins
    if there are any.

    Requires: the game and the position of the search.
    """
    kind = kind_of(game, state)
    some = any(g.joins for g in graphs)
    more = ("joins",) if some else ()
    rows = [("graph", "depth", "result", "tasks", *more, "nodes", "seconds", "order of the root")]
    for g in graphs:
        low, high = g.found
        goal = "leftmost move" if g.leftmost else "value"
        got = f"{goal}: {low:g}" if low == high else f"{goal}: {low:g} to {high:g}"
        order = " ".join(branch_text(game, state, kind, m) for m in g.order) or "one task"
        more = (f"{g.joins:,}",) if some else ()
        row = str(g.number), str(g.depth), got, f"{g.tasks:,}", *more, f"{g.nodes:,}"
        rows.append((*row, f"{g.seconds:.3g}", order))
    return "\n".join(columns(rows, left=(2, 6 + some)))
