"""Othello endgames of the FForum set: are the scores right, and how many nodes do they take?

The anchor is the number of nodes that Egaroucid 7.6 visits.  There as here, a learned evaluation
orders the moves; ours first learns from 100,000 games against itself, which takes some 15 seconds.
Edax 4.5.2 visits twice as many nodes as Egaroucid over problems 40 to 59, as its author published.

    python -m benchmarks.fforum 40 59 --workers 2 --memory 2GB

solves these problems, of 40 to 59; `python -m benchmarks fforum` solves 40 to 44.
"""

from __future__ import annotations

import csv
from argparse import ArgumentParser
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.finding import HEADER, Finding, Skipped, a_node, seconds

PROBLEMS = Path(__file__).parent / "fforum.csv"
USUAL, TINY = (40, 41, 42, 43, 44), (2, 5)
LONGEST = 600
"""The most seconds for a problem."""


def run(quick: bool) -> list[Finding]:
    return [solved(number) for number in (TINY if quick else USUAL)]


def solved(number: int, workers: int = 1, memory: str = "512MB", line: int = 1) -> Finding:
    """Solve a problem, and compare the nodes with those of Egaroucid; without `line`, prove the
    score, and not which move is the leftmost best."""
    from strategies import abdada, seq, solve

    row, game = problem(number), learned()
    cells = row["board"].replace("-", ".")
    rows = (" ".join(cells[at : at + 8]) for at in range(0, 64, 8))
    state = game.parse_state("\n".join(rows) + f"\n{row['to_move']} moves")
    using = seq if workers == 1 else abdada(workers=workers)
    solve(game, state, using=using, memory="1MB", time=0.01)  # compiles the rules
    begun = perf_counter()
    found = solve(game, state, using=using, memory=memory, time=LONGEST, line=line)
    took = perf_counter() - begun
    if not found.exact or (line and found.move is None):
        raise Skipped(f"problem {number}, after {LONGEST} s: {found}, {found.nodes:,} nodes")
    score = found.value if row["to_move"] == "X" else -found.value
    assert score == int(row["score"]), (number, score)
    if line:
        assert game.move_text(state, found.move) in row["moves"].split(), (number, found.move)
    asked = "nodes" if line else "nodes for the score"
    theirs = int(row["nodes"] or found.nodes)
    return Finding(
        f"problem {number}, {cells.count('.')} empty squares: {asked}", found.nodes / theirs, 2.0,
        "Egaroucid 7.6", f"score {score:+}; {seconds(took)}, {a_node(took, found.nodes)}",
        f"{found.nodes:,} nodes", f"{theirs:,} nodes" if row["nodes"] else "unknown", at_most=True,
    )  # fmt: skip


@cache
def learned() -> Any:
    """Return the game with an estimate that it has learned."""
    from games import Othello
    from strategies import learn

    return learn(Othello(empties="winner"), games=100_000, seed=1).game


def problem(number: int) -> dict[str, str]:
    """Return the row of a problem."""
    with PROBLEMS.open(encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return next(row for row in rows if row["number"] == str(number))


def main() -> None:
    """Solve the problems that the command line names."""
    parser = ArgumentParser(prog="python -m benchmarks.fforum", description=__doc__)
    parser.add_argument("numbers", type=int, nargs="+", help="problems, 1 to 8 and 40 to 59")
    parser.add_argument("--workers", type=int, default=1, help="threads that search together")
    parser.add_argument("--memory", default="512MB", help="size of the transposition table")
    parser.add_argument(
        "--score", action="store_true", help="prove scores only, not the leftmost best moves"
    )
    options = parser.parse_args()
    print(HEADER)
    for number in options.numbers:
        try:
            found = solved(number, options.workers, options.memory, line=0 if options.score else 1)
            print(found.row(), flush=True)
        except Skipped as missed:
            print(missed, flush=True)


if __name__ == "__main__":
    main()
