"""Deepened strategies on 2, 8 and 64 virtual workers: what limits them on many workers?

Tasks really run, but time is counted: `NODE` for each node, `TASK` for each task, nothing for
planning.  So only counts matter, not other programs on the machine.  Speed-ups are over sequential
`pvs`; on many workers `mtdf` is also tried, and the better one is listed first.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time
from typing import Any

from benchmarks.deepened import POSITIONS, Question
from benchmarks.finding import Finding, seconds

NODE, TASK = 75e-9, 60e-6
"""Seconds: what a node takes, and what a task adds to its search."""
USING = "young_brothers_wait.everywhere"
ON_MANY = "by_type(pv=young_brothers_wait, cut=young_brothers_wait, all=par_list.live()).everywhere"
"""At all-nodes nobody waits, as all branches are to be searched."""
WAYS = {
    2: (("pvs", USING),),
    8: (("pvs", USING), ("mtdf", ON_MANY)),
    64: (("pvs", ON_MANY), ("mtdf", ON_MANY)),
}
"""Algorithms and strategies that are tried on so many workers."""
BARS = {2: 1.6, 8: 6.0, 64: 20.0}
"""Speed-ups wanted on so many workers."""


def run(quick: bool) -> list[Finding]:
    chosen = POSITIONS[:1] if quick else (POSITIONS[0], POSITIONS[2])
    asked = [Question(game, moves, 6 if quick else depth) for game, moves, depth in chosen]
    return [found for question in asked for found in speed_ups(question)]


def speed_ups(question: Question) -> Iterator[Finding]:
    """Measure a position on more and more workers."""
    alone = question.answer().compute(num_workers=1).nodes
    for workers, bar in BARS.items():
        start = process_time()
        tried = {way: simulated(question, *way, workers) for way in WAYS[workers]}
        best, *others = sorted(tried, key=lambda way: tried[way].seconds)
        made, found = tried[best], tried[best].result
        beside = "".join(f", `{way[0]}` {alone * NODE / tried[way].seconds:.3g}" for way in others)
        yield Finding(
            f"{question}, `{best[0]}`, `{best[1]}`, {workers} virtual workers",
            alone * NODE / made.seconds, bar, "sequential `pvs`, by its nodes",
            f"{found.nodes / alone:.2f} times the nodes, {len(found.records):,} tasks, longest "
            f"chain {seconds(found.span)}, busy {made.busy:.0%}{beside}; simulated in "
            f"{seconds(process_time() - start)} of processor time",
            seconds(made.seconds), seconds(alone * NODE),
        )  # fmt: skip


def simulated(question: Question, algorithm: str, using: str, workers: int) -> Any:
    """Run a search on virtual workers."""
    from strategies.insight.analysis.simulate import simulate
    from strategies.insight.analysis.simulation import Burden

    return simulate(question.answer(using, algorithm), workers, Burden(task=TASK), node=NODE)
