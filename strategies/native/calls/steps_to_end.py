"""Counts the plies in which best moves lead to the end, where other moves of the same value go on.

In a game of scores that returns to positions, a move may keep the value and go round in a circle,
which is worth what endless play is.
"""

from __future__ import annotations

from typing import Any

from games.game import WIN
from strategies.native.calls.position_graph import PositionGraph
from strategies.native.kernels import position_graph as kernels


def steps_to_end(graph: PositionGraph, values: Any, endless: float) -> Any:
    """Return for each position the plies until play ends at its value, if the side to which this is
    worth more than endless play hurries, and the other one puts it off; None if there is nothing to
    choose, because each move that keeps a value leads nearer to the end.

    Requires: the exact values of a game without chance; `endless` is what endless play is worth.
    Ensures: 0 if play is over, or its value is that of endless play, or a win, which counts plies.
    From any other position, each move that keeps the value leads to fewer steps, if it is one of
    those that make progress.
    Cost: some microseconds for each position and branch.
    """
    import numpy as np

    first, leads = graph.branch_rows()
    going = (graph.kinds != kernels.OVER) & (np.abs(values) < WIN) & (values != endless)
    if not going.any():
        return None
    hurries = (values > endless) == (graph.kinds == kernels.MAX)
    source = np.repeat(np.arange(graph.count), np.diff(first))
    kept = going[source] & (values[source] == values[leads])
    source, target = source[kept], leads[kept]
    order = np.argsort(target, kind="stable")
    before = source[order]
    begins = np.searchsorted(target[order], np.arange(graph.count + 1))
    waits = np.bincount(source, minlength=graph.count)
    steps = np.where(going, -1, 0)
    reached, step = np.flatnonzero(graph.kinds == kernels.OVER), 0
    while len(reached):
        step += 1
        sizes = begins[reached + 1] - begins[reached]
        places = np.repeat(begins[reached] - np.cumsum(sizes) + sizes, sizes)
        above = before[places + np.arange(len(places))]
        np.subtract.at(waits, above, 1)
        reached = np.unique(above[(hurries[above] | (waits[above] == 0)) & (steps[above] < 0)])
        steps[reached] = step
    round_and_round = (steps[target] < 0) | (steps[target] >= steps[source])
    return steps if round_and_round.any() else None
