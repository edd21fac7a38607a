"""Deepened strategies on two workers: as fast as two independent searches, and as drivers?

    python -m benchmarks deepened                        # all positions: an hour
    python -m benchmarks.deepened NUMBER [STRATEGY …]    # one of them, with some ways only

Each round runs, one after the other, the best sequential search, two of it at once, each driver and
each strategy, all with separate tables.  The ceiling of a round is the throughput of the two at
once; the share of a method is its speed-up over the round's sequential search, divided by that.
Rows are medians of the rounds; a method is also compared with the better driver of each round.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from benchmarks.finding import Finding, seconds
from benchmarks.measure import at_once, timed
from benchmarks.usage import own_arguments
from strategies.native.memory.transposition_table import parse_size

POSITIONS = (
    ("connect_four(pairs=1)", "4444", 21),
    ("connect_four(pairs=1)", "4453", 21),
    ("riskless:continents", "", 15),
    ("riskless:continents", "", 16),
    ("othello", "d3 c5 d6 e3", 16),
    ("connect_four(width=8,height=7,pairs=1)", "", 17),
    ("riskless:islands", "", 21),
)
"""A game, the moves so far, the plies to search: none is won within them."""
DRIVERS = ("abdada(workers=2)", "lazy_smp(workers=2)")
STRATEGIES = (
    "seq.joined()",
    "young_brothers_wait.everywhere.joined()",
    "young_brothers_wait.everywhere",
    "pv_split.everywhere",
    "scout.everywhere",
    "jamboree(0.5).live().to_ply(2)",
)
HEADER = """\
| using | nodes, sequential = 1 | time | speed-up | share of the ceiling | best driver = 1 |
|---|---|---|---|---|---|"""


@frozen
class Question:
    """One position, and the best sequential search of it."""

    game: str
    moves: str
    depth: int
    memory: str = "256MB"

    def __str__(self) -> str:
        return f"{self.game} after {self.moves or 'no move'}, {self.depth} plies"

    def answer(self, using: str = "seq", algorithm: str = "pvs") -> Any:
        """Return the search, as a lazy collection."""
        from games import find_game
        from strategies import mtdf, parse_using, pvs, search

        game: Any = find_game(self.game)
        state = game.parse_state(self.moves) if self.moves else game.start()
        asked = {"pvs": pvs, "mtdf": mtdf}[algorithm](self.depth, table=self.memory)
        return search(game, asked, state=state, using=parse_using(using))


@frozen
class Way:
    """One way to share a search: what it took in each round."""

    using: str
    nodes: list[float] = field(factory=list)
    times: list[float] = field(factory=list)
    speedups: list[float] = field(factory=list)
    shares: list[float] = field(factory=list)
    against: list[float] = field(factory=list)
    """Its speed, that of the best driver of the round being 1."""

    def __str__(self) -> str:
        cells = f"{median(self.nodes):.2f}", seconds(median(self.times))
        ratios = (f"{median(row):.2f}" for row in (self.speedups, self.shares, self.against))
        return f"| `{self.using}` | {' | '.join((*cells, *ratios))} |"


def ready(question: Question, tables: int = 1) -> None:
    """Use the memory of some tables once.

    A virtual machine returns free memory to its host.  To get it back takes up to 0.3 s for 256 MB,
    in the first plies of a search, where most workers wait.
    """
    np.ones(tables * parse_size(question.memory), np.uint8)


def measured(question: Question, using: str) -> tuple[float, int, Any]:
    """Return the seconds, nodes, value and move of a search on two workers."""
    ready(question)
    found: list[Any] = []
    time = timed(lambda: found.append(question.answer(using).compute(num_workers=2)))
    return time, found[0].nodes, (found[0].value, found[0].move)


def ways(question: Question, strategies: Sequence[str], rounds: int) -> tuple[Way, list[Way]]:
    """Return the sequential search, and every way to share it.

    Raises: AssertionError if one of them has another value or move.
    """
    for using in ("seq", *DRIVERS, *strategies):  # compile what will run
        measured(evolve(question, depth=4, memory="1MB"), using)
    alone, rest = Way("seq"), [Way(using) for using in (*DRIVERS, *strategies)]
    for _ in range(rounds):
        one, nodes, answer = measured(question, "seq")

        def again() -> None:
            question.answer().compute(num_workers=2)

        ready(question, 2)
        ceiling = 2 * one / at_once(again, again)
        taken = [(way, *measured(question, way.using)) for way in rest]
        best = min(time for way, time, *_ in taken if way.using in DRIVERS)
        for way, time, visited, found in [(alone, one, nodes, answer), *taken]:
            assert found == answer, f"{way.using} found {found}, seq {answer}"
            way.nodes.append(visited / nodes)
            way.times.append(time)
            way.speedups.append(one / time)
            way.shares.append(one / time / ceiling)
            way.against.append(best / time)
    return alone, rest


def best(
    question: Question, quick: bool, strategies: Sequence[str] = STRATEGIES, rounds: int = 5
) -> Finding:
    """Print the table of a position; the best strategy is what was found."""
    print(f"\n{question}, `{question.answer().plan.algorithm!r}`:\n\n{HEADER}", flush=True)
    alone, rest = ways(question, strategies, 1 if quick else rounds)
    for way in (alone, *rest):
        print(way, flush=True)
    print(flush=True)
    top = max((way for way in rest if way.using not in DRIVERS), key=lambda w: median(w.shares))
    return Finding(
        f"{question}: `{top.using}`, speed-up as a share", median(top.shares), 0.95,
        f"two independent searches; best driver = 1: {median(top.against):.2f}",
        f"{median(top.nodes):.2f} times the nodes of sequential pvs", seconds(median(top.times)),
        seconds(median(alone.times)),
    )  # fmt: skip


def asked(quick: bool) -> tuple[Question, ...]:
    """Return all positions; small ones if `quick`."""
    if quick:
        return tuple(Question(game, moves, 8, "1MB") for game, moves, _ in POSITIONS[:2])
    return tuple(Question(*position) for position in POSITIONS)


def run(quick: bool) -> list[Finding]:
    """Return all positions."""
    return [best(question, quick) for question in asked(quick)]


if __name__ == "__main__":
    chosen, *some = own_arguments(__doc__, numbers=1)
    print(best(asked(False)[int(chosen)], False, some or STRATEGIES).row())
