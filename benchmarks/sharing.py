"""Two workers on one search: which method pays, and how close is it to the possible speed-up?

    python -m benchmarks sharing                      # all positions: ten minutes
    python -m benchmarks.sharing NUMBER [STRATEGY …]  # one of them, with some ways only

The anchor is the best sequential search; the possible speed-up is that of two independent kernels
in the same minute.  A strategy that takes 1.5 times as long as the sequential search is abandoned.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

from attrs import evolve, frozen

from benchmarks.finding import Finding, seconds
from benchmarks.measure import kernel, scaling, timed
from benchmarks.usage import own_arguments

POSITIONS = (
    ("Connect Four", "4444", 21),
    ("Connect Four", "4453", 22),
    ("Riskless, 12 territories", "acre>alba bard>borea", 14),
    ("Riskless, 12 territories", "", 16),
)
"""A game, the moves so far, the plies to search: none is won within them."""
DRIVERS = ("abdada(workers=2)", "lazy_smp(workers=2)")
STRATEGIES = (
    "pv_split.to_ply(8)",
    "young_brothers_wait.to_ply(2)",
    "young_brothers_wait.to_ply(3)",
    "scout.to_ply(3)",
    "by_type(pv=scout).to_ply(8)",
    "jamboree(0.5).to_ply(2)",
    "critical.to_ply(2)",
    "root_split",
    "par_list.to_ply(2)",
)
HEADER = """\
| using | nodes, sequential = 1 | time | speed-up | share of the ceiling |
|---|---|---|---|---|"""
PATIENCE = 1.5


@frozen
class Row:
    """One way to share a search, on one position."""

    using: str
    nodes: float
    """Against the sequential search."""
    time: float
    speedup: float
    ceiling: float

    @property
    def share(self) -> float:
        """Of what two independent kernels reach."""
        return self.speedup / self.ceiling

    def __str__(self) -> str:
        cells = f"{self.nodes:.2f}", seconds(self.time), f"{self.speedup:.2f}", f"{self.share:.2f}"
        return f"| `{self.using}` | {' | '.join(cells)} |"


@frozen
class Question:
    """One position, and the best sequential search of it."""

    name: str
    moves: str
    depth: int
    memory: str

    def __str__(self) -> str:
        return f"{self.name} after {self.moves or 'no move'}, {self.depth} plies"

    def answer(self, using: str = "seq") -> Any:
        from games import ConnectFour, Riskless
        from strategies import parse_using, pvs, search

        game: Any = (
            ConnectFour(pairs=1) if self.name == "Connect Four" else Riskless.on("continents")
        )
        algorithm = pvs(self.depth, table=self.memory)
        return search(game, algorithm, state=game.parse_state(self.moves), using=parse_using(using))


def rows(question: Question, ways: Sequence[str], rounds: int, quick: bool) -> Iterator[Row | str]:
    """Return the sequential search, then every way to share it: drivers in several rounds."""
    calibrate = kernel(quick)
    calibrate()
    for using in ("seq", *ways):  # compile what will run
        measured(evolve(question, depth=4, memory="1MB"), using)
    first, nodes = measured(question, "seq")
    alone = [first]
    yield Row("seq", 1.0, first, 1.0, scaling(calibrate))
    for using in [way for way in ways if way in DRIVERS]:
        taken = []
        for i in range(rounds):
            ceiling = scaling(calibrate)
            time, visited = measured(question, using)
            if i:
                alone.append(measured(question, "seq")[0])
            taken.append(Row(using, visited / nodes, time, alone[-1] / time, ceiling))
        yield sorted(taken, key=lambda r: r.share)[len(taken) // 2]
    usual = median(alone)
    for using in [way for way in ways if way not in DRIVERS]:
        ceiling = scaling(calibrate)
        try:
            with interrupted(after=PATIENCE * usual + 0.5):
                time, visited = measured(question, using)
        except KeyboardInterrupt:
            yield f"| `{using}` | | > {seconds(PATIENCE * usual)} | < {1 / PATIENCE:.2f} | |"
        else:
            yield Row(using, visited / nodes, time, usual / time, ceiling)


def measured(question: Question, using: str) -> tuple[float, int]:
    """Return the seconds and nodes of a search on two workers."""
    found: list[Any] = []
    time = timed(lambda: found.append(question.answer(using).compute(num_workers=2)))
    return time, found[0].nodes


@contextmanager
def interrupted(after: float) -> Iterator[None]:
    """Return the block is interrupted after so many seconds, as by Ctrl-C."""
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, usual)


def asked(quick: bool) -> tuple[Question, ...]:
    return tuple(
        Question(name, moves, 7 if quick else depth, "1MB" if quick else "256MB")
        for name, moves, depth in POSITIONS
    )


def run(quick: bool) -> list[Finding]:
    return [best(question, quick) for question in asked(quick)[: 2 if quick else None]]


def best(question: Question, quick: bool, ways: Sequence[str] = DRIVERS + STRATEGIES) -> Finding:
    """Print the table of a position; the best row is what was found."""
    print(f"\n{question}, `{question.answer().plan.algorithm!r}`:\n\n{HEADER}", flush=True)
    every = []
    for row in rows(question, ways, 1 if quick else 3, quick):
        print(row, flush=True)
        every += [row] if isinstance(row, Row) else []
    print(flush=True)
    top = max(every[1:], key=lambda row: row.share)
    return Finding(
        f"{question}: `{top.using}`, speed-up as a share", top.share, 0.85,
        f"two independent kernels, which scaled {top.ceiling:.2f}",
        f"{top.nodes:.2f} times the nodes of sequential pvs", seconds(top.time),
        seconds(every[0].time),
    )  # fmt: skip


if __name__ == "__main__":
    chosen, *some = own_arguments(__doc__, numbers=1)
    print(best(asked(False)[int(chosen)], False, some or DRIVERS + STRATEGIES).row())
