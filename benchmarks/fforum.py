"""Othello endgames of the FForum set: are the scores right, and how many nodes do they take?

The anchor is the number of nodes that Egaroucid 7.6 visits.  There as here, a learned evaluation
orders the moves; ours first learns from 100,000 games against itself, which takes some 15 seconds.
Edax 4.5.2 visits twice as many nodes as Egaroucid over problems 40 to 59, as its author published.

    python -m benchmarks.fforum 40 41

solves these problems, of 40 to 49; `python -m benchmarks fforum` solves 40 to 44.
"""

from __future__ import annotations

import csv
import sys
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.finding import HEADER, Finding, a_node, seconds

PROBLEMS = Path(__file__).parent / "fforum.csv"
USUAL, TINY = (40, 41, 42, 43, 44), (2, 5)


def run(quick: bool) -> list[Finding]:
    return [solved(number) for number in (TINY if quick else USUAL)]


def solved(number: int) -> Finding:
    """Solve a problem, and compare the nodes with those of Egaroucid."""
    from strategies import solve

    row, game = problem(number), learned()
    cells = row["board"].replace("-", ".")
    rows = (" ".join(cells[at : at + 8]) for at in range(0, 64, 8))
    state = game.parse_state("\n".join(rows) + f"\n{row['to_move']} moves")
    solve(game, state, memory="1MB", time=0.01)  # compiles the rules
    begun = perf_counter()
    found = solve(game, state, memory="512MB", line=1)
    took = perf_counter() - begun
    score = found.value if row["to_move"] == "X" else -found.value
    assert score == int(row["score"]), (number, score)
    assert game.move_text(state, found.move) in row["moves"].split(), (number, found.move)
    theirs = int(row["nodes"] or found.nodes)
    return Finding(
        f"problem {number}, {cells.count('.')} empty squares: nodes", found.nodes / theirs, 2.0,
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


if __name__ == "__main__":
    print(HEADER)
    for number in map(int, sys.argv[1:]):
        print(solved(number).row(), flush=True)
