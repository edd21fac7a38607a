"""Make the fixed sets of positions: seeded random play to a fixed ply, with proven solutions.

    python -m benchmarks.make_sets NAME …

Position number n of a game comes from the n-th seed whose position qualifies, so that a set is the
same on every run.  Values and best moves are proven by `solve`; a position that is not solved in
time has no solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

from attrs import frozen

from benchmarks.usage import own_arguments

FOLDER = Path(__file__).parent / "fixed"
COUNT = 24
SECONDS = 20.0
"""The limit of a proof."""


@frozen
class Recipe:
    """How the positions of a set are made."""

    game: str
    plies: int
    """The random plies from the start."""
    solution: Callable[[Any, Any], str | None]
    """Returns the columns of the solution; None if the position does not qualify."""
    about: str


def forced_win(nearest: int, farthest: int) -> Callable[[Any, Any], str | None]:
    """Return the solution of positions that are a forced win in a number of plies."""

    def solution(game: Any, state: Any) -> str | None:
        from strategies import solve

        found = solve(game, state, time=SECONDS, line=0)
        if not found.exact or found.plies is None or not nearest <= found.plies <= farthest:
            return None
        return f"value {'Maxie' if found.value > 0 else 'Minnie'}"

    return solution


def best_moves(game: Any, state: Any) -> str | None:
    """Return the best moves by the exact scores of all moves, unless all are best."""
    from strategies import solve

    moves = list(game.moves(state))
    after = [solve(game, game.make_move(state, m), time=SECONDS, line=0) for m in moves]
    if len(moves) < 2 or not all(found.exact for found in after):
        return None
    values = [found.value for found in after]
    value = max(values) if game.player(state) == 0 else min(values)
    best = [m for m, v in zip(moves, values, strict=True) if v == value]
    if len(best) == len(moves):
        return None
    return f"best {', '.join(game.move_text(state, m) for m in best)}"


RECIPES = {
    "connect_four": Recipe(
        "connect_four", 14, forced_win(13, 21), "a forced win in 13 to 21 plies, none nearer"
    ),
    "othello": Recipe(
        "othello", 44, best_moves, "16 empty squares, and a move that is not best; all moves solved"
    ),
    "riskless": Recipe(
        "riskless:islands", 8, forced_win(11, 19), "a forced win in 11 to 19 plies, none nearer"
    ),
}


def positions(recipe: Recipe) -> Iterator[str]:
    """Yield the lines of the positions that qualify."""
    from games import Status, find_game

    game: Any = find_game(recipe.game)
    for seed in count():
        random, state, turns = Random(f"{recipe.game}/{seed}"), game.start(), list[str]()
        for _ in range(recipe.plies):
            if game.status(state) == Status.IN_PLAY:
                move = random.choice(list(game.moves(state)))
                turns.append(game.move_text(state, move))
                state = game.make_move(state, move)
        if len(turns) < recipe.plies or game.status(state) != Status.IN_PLAY:
            continue
        solution = recipe.solution(game, state)
        if solution is not None:
            yield f"{' '.join(turns)} | {solution} | name {seed}"


def make(name: str) -> None:
    """Write the file of a set, line by line."""
    recipe = RECIPES[name]
    with (FOLDER / f"{name}.txt").open("w", encoding="utf-8") as file:
        print(f"# {recipe.game} after {recipe.plies} random plies: {recipe.about}.", file=file)
        print("# Made by python -m benchmarks.make_sets; the name is the seed.", file=file)
        for line in islice(positions(recipe), COUNT):
            print(line, file=file, flush=True)


if __name__ == "__main__":
    for chosen in own_arguments(__doc__, numbers=0):
        make(chosen)
