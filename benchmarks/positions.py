"""Deepened strategies on random positions of real games: do they agree with plain alpha-beta?

    python -m benchmarks.positions COUNT [FIRST]

Position number n is the same on every run, and so are its strategy (at nodes of some size, or at
all nodes; half of the strategies are joined), its number of workers (1 to 8), its table (4 kB to
64 MB), and whether tasks may be split.  A wrong value or move is printed with the code that
reproduces it, and ends the run with status 1.  A line for each hundred positions shows the number
to continue from.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random
from time import perf_counter
from typing import Any
from unittest.mock import patch

from attrs import frozen

from benchmarks.finding import Finding, seconds
from benchmarks.usage import own_arguments

GAMES = (
    ("connect_four(pairs=1)", 20, 6),
    ("connect_four", 20, 6),
    ("riskless:continents", 12, 4),
    ("riskless:islands", 12, 4),
    ("othello", 30, 4),
)
"""A game, how many random moves lead to a position at most, the plies to search."""
STRATEGIES = (
    "young_brothers_wait", "pv_split", "scout", "jamboree(0.5)", "jamboree(0.5).live()", "par_list",
    "par_list.live()", "critical", "par_buffer(2)", "par_list_chunk(2).live()",
    "by_type(pv=young_brothers_wait, cut=young_brothers_wait, all=par_list.live())",
)  # fmt: skip
TABLES = ("4kB", "64kB", "1MB", "64MB")


@frozen
class Case:
    """What is asked of one position."""

    game: Any
    state: Any
    depth: int
    algorithm: str
    using: str
    workers: int
    table: str
    room: float | None
    """How far a task may outgrow its size before it becomes more; None if it never does."""

    def right(self) -> bool:
        """Return whether the strategy finds the value and the leftmost move of plain alpha-beta."""
        from strategies import alphabeta, mtdf, parse_strategy, pvs, search
        from strategies.running.execution import iteration
        from strategies.running.plans import grain, growth, iterations

        algorithm = {"pvs": pvs, "mtdf": mtdf}[self.algorithm](self.depth, table=self.table)
        many, room = (grain.ENOUGH, grain.ROOM) if self.room is None else (1, self.room)
        with (
            patch.object(grain, "ENOUGH", many),
            patch.object(grain, "ROOM", room),
            patch.object(growth, "SHALLOW", 1),
            patch.multiple(grain, LEAST=500, SMALLEST=500),
            patch.multiple(iteration, ALONE=2, SMALL=0),
            patch.object(iterations, "WHOLE", 0 if self.room is None else 1000),
        ):
            using = parse_strategy(self.using)
            answer = search(self.game, algorithm, state=self.state, using=using)
            found = answer.compute(num_workers=self.workers)
        plain = search(self.game, alphabeta(self.depth), state=self.state).compute(num_workers=1)
        return (found.value, found.move) == (plain.value, plain.move)


def case(number: int, games: Sequence[tuple[str, int, int]] = GAMES) -> Case:
    """Return the case of a number, in one of the games."""
    from games import find_game

    random = Random(number)
    text, most, depth = random.choice(games)
    game: Any = find_game(text)
    state = game.start()
    for _ in range(random.randrange(most)):
        moves = list(game.moves(state))
        after = game.make_move(state, random.choice(moves))
        if not list(game.moves(after)):
            break
        state = after
    size = random.choice((0, 5, 50, 500))
    plies, algorithm = random.randint(2, depth), random.choice(("pvs", "mtdf"))
    using, workers, table = random.choice(STRATEGIES), random.randint(1, 8), random.choice(TABLES)
    room = random.choice((None, 0.0, 1.0))
    where = random.choice((f"to_size({size})", "everywhere")) + random.choice(("", ".joined()"))
    return Case(game, state, plies, algorithm, f"{using}.{where}", workers, table, room)


def campaign(count: int, first: int = 0, games: Sequence[tuple[str, int, int]] = GAMES) -> int:
    """Try cases, print the wrong ones, and return their number."""
    wrong, start = 0, perf_counter()
    for number in range(first, first + count):
        asked = case(number, games)
        if not asked.right():
            wrong += 1
            print(f"wrong: {number}, {asked}", flush=True)
        if number % 100 == 99:
            taken = seconds(perf_counter() - start)
            print(f"numbers {first} to {number}: {wrong} wrong, {taken}", flush=True)
    return wrong


def run(quick: bool) -> list[Finding]:
    """Try enough cases to see that the program works; run thousands by hand."""
    count, start = 5 if quick else 500, perf_counter()
    wrong = campaign(count, games=GAMES[:1] if quick else GAMES)  # compiled by other tests, too
    return [
        Finding(
            "deepened strategies on random positions: wrong values or moves", wrong, 0,
            "plain alpha-beta", f"{count} positions", seconds(perf_counter() - start), "",
            at_most=True,
        )
    ]  # fmt: skip


if __name__ == "__main__":
    asked, begin, *_ = (*map(int, own_arguments(__doc__, numbers=2)), 0)
    sys.exit(campaign(asked, begin) > 0)
