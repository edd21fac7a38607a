"""Speed-ups on fixed sets of positions, as the field measures them, beside published ones.

    python -m benchmarks sets
    python -m benchmarks.sets NAME …        # some of the sets, each with its whole table

Each position of a set is searched to a fixed depth by `pvs`, alone and under a strategy, on two
workers and, simulated, on more.  The speed-up in time to depth is the geometric mean of the
positions' speed-ups, beside it that of the total time; the time to solution is the time until a
search has the solution and keeps it.  Simulated speed-ups are in processor time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import frozen

from benchmarks.finding import Finding, seconds
from benchmarks.positional_chess import PositionalChess
from benchmarks.usage import own_arguments
from games import Game, find_game

FOLDER = Path(__file__).parent / "fixed"
WORKERS = (2, 4, 8, 16, 32)
PUBLISHED = {
    "ABDADA, to solution": (1.60, 2.93, 5.41, 8.73, 13.15),
    "DTS, Cray": (2.0, 3.7, 6.6, 11.1),
}
"""Speed-ups on 2, 4, 8, … cores: simplified ABDADA in the engine of T. Kerrigan on nine hard
positions; DTS on 24 positions of one game, by R. Hyatt.

Source: Kerrigan, Parallel Search, tckerrigan.com; Hyatt, The Dynamic Tree-Splitting Parallel Search
Algorithm, ICCA Journal 20 (1997)."""


@frozen
class Set:
    """A set of positions, and how it is searched."""

    game: Game[Any, Any]
    depth: int
    using: str = "young_brothers_wait.everywhere"


SETS = {
    "connect_four": Set(find_game("connect_four"), 21),
    "othello": Set(find_game("othello"), 16),
    "riskless": Set(find_game("riskless:islands"), 15),
    "chess": Set(PositionalChess(), 6),
}


def studied(name: str, quick: bool = False) -> Any:
    """Return the study of a set."""
    from strategies import pvs, study
    from strategies.studies import read_positions

    asked = SETS[name]
    positions = read_positions(asked.game, FOLDER / f"{name}.txt")
    depth = min(5, asked.depth) if quick else asked.depth
    return study(
        asked.game, pvs(depth, table="64MB"), asked.using,
        positions=positions[: 2 if quick else None],
        workers=WORKERS[:2] if quick else WORKERS, simulate=True, repeat=1,
    )  # fmt: skip


def lines(name: str, found: Any) -> list[list[str]]:
    """Return the speed-ups of a set by workers: to the depth, and to the solution."""
    alone, *rows = found.rows
    to = f"{name}, {alone.depth} plies"
    return [
        [f"{to}: to depth, mean", *(_cell(r, r.mean) for r in rows)],
        [f"{to}: to depth, in total", *(_cell(r, r.speedup) for r in rows)],
        [f"{to}: to solution, mean of {alone.solution_clear}",
         *(_cell(r, r.solution_mean) for r in rows)],
        [f"{to}: to solution, total of {alone.solved}",
         *(_cell(r, r.solution_speedup) for r in rows)],
    ]  # fmt: skip


def _cell(row: Any, speedup: float | None) -> str:
    mark = " (s)" if row.how == "simulated" else ""
    return "-" if speedup is None else f"{speedup:.2f}{mark}"


def table(found: dict[str, Any]) -> str:
    """Return the speed-ups of all sets beside the published ones, in Markdown."""
    rows = [["speed-up on so many workers", *map(str, WORKERS)]]
    rows += [[name, *(f"{x:g}" for x in row)] for name, row in PUBLISHED.items()]
    for name, study in found.items():
        rows += lines(name, study)
    wide = len(rows[0])
    texts = [f"| {' | '.join([*row, *['-'] * (wide - len(row))])} |" for row in rows]
    return "\n".join([texts[0], "|" + "---|" * wide, *texts[1:], "", "(s): simulated"])


def run(quick: bool) -> list[Finding]:
    """Study all sets; print their table."""
    names = ("connect_four",) if quick else tuple(SETS)
    found = {name: studied(name, quick) for name in names}
    print(f"\n{table(found)}\n", flush=True)
    return [_finding(name, found[name]) for name in names]


def _finding(name: str, found: Any) -> Finding:
    """Return the speed-up of a set on two workers."""
    alone, two, *_ = found.rows
    bar, *_ = PUBLISHED["ABDADA, to solution"]
    kernels = "" if two.kernels is None else f"; independent searches {two.kernels:.2f}"
    return Finding(
        f"{name}, {len(found.positions)} positions to {alone.depth} plies: mean speed-up to depth "
        "on 2 workers", two.mean or 0.0, bar, f"simplified ABDADA on 2 cores{kernels}",
        f"{two.nodes / alone.nodes:.2f} times the nodes of sequential pvs, {alone.nodes:,}",
        seconds(two.seconds), seconds(alone.seconds),
    )  # fmt: skip


if __name__ == "__main__":
    chosen = {name: studied(name) for name in own_arguments(__doc__)}
    for study_of_set in chosen.values():
        print(study_of_set, end="\n\n")
    print(table(chosen))
