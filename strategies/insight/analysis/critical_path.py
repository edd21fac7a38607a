"""The critical path of a run: the longest chain of tasks that wait for each other."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import TopologicalSorter

from strategies.insight.analysis.utilisation import Utilisation
from strategies.notation.wording import plural
from strategies.running.records.wording import seconds


def critical_path(found: Utilisation) -> tuple[int, ...]:
    """Return the numbers of the bars on the critical path, in order; none if no task waits.

    Ensures: each task waits for the one before; no such chain takes longer in all.
    Cost: linear in the tasks and in what they wait for.
    Source: the critical-path method (Kelley and Walker, 1959).

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, par_list, search
    >>> from strategies.insight.analysis.utilisation import utilisation
    >>> answer = search(HANDOUT_SMALL, alphabeta(depth=2), using=par_list)
    >>> found = utilisation(answer.compute(num_workers=1))
    >>> [found.bars[i].record.role for i in critical_path(found)][0]
    'spark'
    """
    bars = found.bars
    if not any(bar.after for bar in bars):
        return ()
    ends = [0.0] * len(bars)
    order: Iterable[int] = range(len(bars))  # by their starts: a task starts after its inputs
    if any(d >= i for i, bar in enumerate(bars) for d in bar.after):  # by clocks that disagree
        order = TopologicalSorter({i: bar.after for i, bar in enumerate(bars)}).static_order()
    for i in order:
        ends[i] = bars[i].record.seconds + max((ends[d] for d in bars[i].after), default=0.0)
    path = [max(range(len(bars)), key=ends.__getitem__)]
    while bars[path[-1]].after:
        path.append(max(bars[path[-1]].after, key=ends.__getitem__))
    return tuple(reversed(path))


def path_line(found: Utilisation, path: tuple[int, ...]) -> str:
    """Return what to say of a critical path: its tasks, the sum of their times, its share."""
    spent = sum(found.bars[i].record.seconds for i in path)
    share = 100 * spent / (found.seconds or 1.0)
    tasks = f"{plural(len(path), 'task')}, {seconds(spent)} together"
    return f"critical path: {tasks}, {share:.0f}% of the run's time"
