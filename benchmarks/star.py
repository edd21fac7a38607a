"""How many leaves do Star1 and Star2 prune?

    python -m benchmarks.star

Prints the table of docs/algorithms.md: leaves, which are the same on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from benchmarks.usage import own_arguments
from games import CHANCE, MAXIE, MINNIE, ExplicitGame, Pig, Tree
from strategies import expectimax, search

ORDER = (MAXIE, CHANCE, MINNIE, CHANCE)
PLIES, WIDTH, MOST = 7, 3, 9
WAYS: tuple[dict[str, Any], ...] = (
    {},
    {"pruning": "star1"},
    {"pruning": "star1", "table": "4MB"},
    {"pruning": "star2"},
    {"pruning": "star2", "table": "4MB"},
)


def tree(seed: int, best_first: bool) -> ExplicitGame:
    """Return a uniform tree; with `best_first`, each player's branches from the best on."""
    draw = random.Random(seed)

    def build(ply: int) -> tuple[float, Tree]:
        if ply == PLIES:
            leaf = draw.randint(-MOST, MOST)
            return leaf, Tree(value=leaf)
        player = ORDER[ply % len(ORDER)]
        below = [build(ply + 1) for _ in range(WIDTH)]
        values = [value for value, _ in below]
        chances: tuple[float, ...] = ()
        if player == CHANCE:
            chances = (1 / WIDTH,) * WIDTH
            value = sum(values) / WIDTH
        else:
            value = max(values) if player == MAXIE else min(values)
            if best_first:
                below.sort(key=lambda pair: pair[0], reverse=player == MAXIE)
        return value, Tree("", player, tuple(t for _, t in below), 0, chances)

    return ExplicitGame.from_tree(build(0)[1])


def leaves(games: Iterable[tuple[Any, Any]], depth: int) -> list[int]:
    """Return the leaves of all the searches, each way."""
    asked = list(games)
    return [
        sum(
            search(game, expectimax(depth, **way), state=state, engine="interpreted")
            .compute(num_workers=1)
            .leaves
            for game, state in asked
        )
        for way in WAYS
    ]


def main() -> None:
    """Print the table."""
    for name, best_first in (("random order", False), ("best branch first", True)):
        trees = [tree(seed, best_first) for seed in range(10)]
        show(f"ten trees, {name}", leaves([(t, t.start()) for t in trees], PLIES))
    pig = Pig(20)
    show("Pig(20) at 8 to 12, 12 plies", leaves([(pig, pig.parse_state("8 12"))], 12))


def show(name: str, counts: list[int]) -> None:
    print(f"| {name} | " + " | ".join(f"{n:,}" for n in counts) + " |", flush=True)


if __name__ == "__main__":
    own_arguments(__doc__, least=0)
    main()
