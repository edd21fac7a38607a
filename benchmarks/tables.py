"""Do tables of a module cost a task anything?  A game that reads lists against one that reads
tuples."""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from benchmarks.finding import Finding, seconds
from benchmarks.measure import interleaved, ratio
from benchmarks.tasks import Node, Uniform
from games.u64 import U64

LISTS: Final = [U64(number) for number in range(5000)]
TUPLES: Final = tuple(LISTS[:16])


@frozen
class OfLists(Uniform):
    """Rules that read a list, which could change between two searches."""

    def estimate(self, state: Node) -> int:
        return int(LISTS[state.plies] & U64(1))


@frozen
class OfTuples(Uniform):
    """Rules that read a tuple."""

    def estimate(self, state: Node) -> int:
        return int(TUPLES[state.plies] & U64(1))


def run(quick: bool) -> list[Finding]:
    return [cost(*(4, 2, 3) if quick else (10, 3, 7))]


def cost(width: int, plies: int, rounds: int) -> Finding:
    """Run a plan of nearly empty tasks for each of the two games."""
    from strategies import minimax, par_list, search
    from strategies.native.kept_engines import engine_for

    def searched(game: Uniform) -> Any:
        engine_for(game).warm()
        answer = search(game, minimax(plies), using=par_list.to_ply(plies))
        return lambda: answer.compute(num_workers=2)

    ours, theirs = searched(OfLists(width)), searched(OfTuples(width))
    tasks = len(ours().records)
    a, b = interleaved(ours, theirs, rounds=rounds)
    return Finding(
        "a task of rules that read a list of 5,000 numbers", 1 / ratio(a, b), 1.2,
        "the same with a tuple", f"{tasks:,} tasks, 2 workers",
        f"{seconds(min(a) / tasks)} a task", f"{seconds(min(b) / tasks)} a task",
        at_most=True,
    )  # fmt: skip
