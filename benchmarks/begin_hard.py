"""Connect Four's hardest class in pieces: positions solved one after the other, each in a journal.

Positions are drawn at random after 8 to 14 stones; those more than 28 plies from the end are of the
class.  Each is solved by one thread, by two searches at once with separate tables, and by two
threads together.  After any interruption, the same command continues after the last position in the
journal, which has one line per position:

    python -m benchmarks.begin_hard begin-hard.jsonl 20

solves 20 positions in all, and prints their results; with `--seconds 600`, no position is started
after that time.  `--using 'seq.joined()'` lets the second worker join each proof of the
first; under `par_list.live().everywhere`, proofs are divided into tasks instead.
"""

from __future__ import annotations

import argparse
import ctypes
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from math import inf
from random import Random
from statistics import mean, median
from time import perf_counter
from typing import Any

from benchmarks.measure import at_once, timed
from benchmarks.solver import BITS
from games import ConnectFour
from strategies import parse_using, solve
from strategies.native.memory.transposition_table import Table
from strategies.support.journal import Entry, Journal

SEED = "begin-hard"
STONES = 8, 14
HARD = 28
"""A position that lasts more plies is hard."""
USING = "abdada(workers=2)"


def positions(game: Any) -> Iterator[Any]:
    """Draw positions in play, the same on every run."""
    random = Random(SEED)
    while True:
        state, stones = game.start(), random.randint(*STONES)
        for _ in range(stones):
            moves = list(game.moves(state))
            state = game.make_move(state, random.choice(moves)) if moves else state
        if state.all.bit_count() == stones and game.status(state) == 0:
            yield state


def measured(game: Any, state: Any, tables: Sequence[Table], using: str, hard: int) -> Entry:
    """Solve a position: how far the end is away, and what each way took where it is hard."""
    answers: list[Any] = []

    def solved(table: Table, **how: Any) -> None:
        ctypes.memset(table.cells, 0, 1 << table.bits)
        answers.append(solve(game, state, memory=table, line=0, **how))

    one = timed(partial(solved, tables[0]))
    value, nodes = answers[0].value, answers[0].nodes
    left = answers[0].plies or game.width * game.height - state.all.bit_count()
    entry = {"position": game.label(state), "left": left, "value": value, "nodes": nodes}
    if left <= hard:
        return entry
    two = at_once(*(partial(solved, table) for table in tables))
    ours = timed(partial(solved, tables[0], using=parse_using(using), workers=2))
    assert all(found.value == value for found in answers), f"{game.label(state)}: {answers}"
    more = {"one": one, "two": two, "ours": ours, "nodes of ours": answers[-1].nodes}
    return entry | more


def go_on(
    journal: Journal, game: Any, count: int, *, bits: int = BITS, using: str = USING,
    hard: int = HARD, seconds: float = inf,
) -> list[Entry]:  # fmt: skip
    """Solve positions until `count` hard ones are in the journal; return these."""
    tables, end = (Table(8 << bits), Table(8 << bits)), perf_counter() + seconds

    def of_class() -> list[Entry]:
        return [entry for entry in journal.entries if "ours" in entry]

    measured(game, next(positions(game)), tables, using, hard=0)  # compiled, its threads started
    for state in islice(positions(game), len(journal.entries), None):
        if len(of_class()) >= count or perf_counter() >= end:
            return of_class()
        journal.add(measured(game, state, tables, using, hard))
    raise AssertionError("positions do not end")


def told(rows: Sequence[Entry]) -> str:
    """Say what the positions tell; the share is the speed-up over that of two searches at once."""
    if not rows:
        return "no position of the class is solved yet"
    shares = sorted(row["two"] / 2 / row["ours"] for row in rows)
    speedups = [row["one"] / row["ours"] for row in rows]
    nodes = [row["nodes of ours"] / max(1, row["nodes"]) for row in rows]
    times = [row["one"] for row in rows]
    whole = sum(row["two"] for row in rows) / 2 / sum(row["ours"] for row in rows)
    return "\n".join(
        [
            f"{len(rows)} positions; one thread: {mean(times):.3f} s, median {median(times):.3f} s",
            f"speed-up: median {median(speedups):.2f}",
            f"share of the ceiling: median {median(shares):.2f}, {shares[0]:.2f} to "
            f"{shares[-1]:.2f}; of all seconds together {whole:.2f}",
            f"nodes, one thread = 1: median {median(nodes):.2f}",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Continue a journal, and print its results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.begin_hard")
    parser.add_argument("journal", help="the file; made if it is not there")
    parser.add_argument("count", type=int, help="how many positions of the class")
    parser.add_argument(
        "--using", default=USING, help=f"how two threads solve; {USING} if not said"
    )
    parser.add_argument("--seconds", type=float, default=inf, help="begin none after so many")
    asked = parser.parse_args(arguments)
    header = {"work": SEED, "using": asked.using, "bits": BITS, "stones": list(STONES)}
    with Journal(asked.journal, header, resume=True) as journal:
        print(
            told(
                go_on(journal, ConnectFour(), asked.count, using=asked.using, seconds=asked.seconds)
            )
        )


if __name__ == "__main__":
    main()
