"""Connect Four: does a learned estimate find the best move more often than a hand-made one?

Positions are random, with 16 to 28 discs, in which nobody wins by the next move or must stop a win.
They are solved, and exactly one move leads to the best result.  Both players search four plies; a
player is right if it chooses that move.

    python -m benchmarks.learned_connect_four connect_four.npz 500

tests the file that `jamboree learn connect_four` wrote on 500 positions; the benchmark itself
learns for three minutes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.finding import HEADER, Finding
from benchmarks.usage import own_arguments

DEPTH = 4
DISCS = 16, 28
SEED = 2026
SECONDS = 180.0
POSITIONS = 400
BITS = 22
"""The table of the solver has so many index bits."""
BY_HAND = 1
"""The weight of pairs in the estimate made by hand: any other above 0 orders positions alike."""


def run(quick: bool) -> list[Finding]:
    from games import ConnectFour
    from strategies import learn

    if quick:
        small = ConnectFour(5, 4, 3)
        found = learn(small, games=20, engine="interpreted")
        return [shares(found.game, 3, (4, 8), "interpreted")]
    return [shares(learn(ConnectFour(), time=SECONDS).game, POSITIONS, DISCS)]


def shares(
    learned: Any, positions: int, discs: tuple[int, int] = DISCS, engine: str = "auto"
) -> Finding:
    """Return how often each player is right."""
    from games.networks.learned import plain
    from strategies.native.kept_engines import engine_for

    game = plain(learned)
    by_hand = type(game)(game.width, game.height, game.connect, BY_HAND)
    engines = [engine_for(each, engine) for each in (learned, by_hand)]
    right = [0, 0]
    for count, (state, best) in enumerate(with_one_best_move(game, discs, engine), 1):
        for k, each in enumerate(engines):
            right[k] += each.search(state, DEPTH).line[0] == best
        if count == positions:
            break
    mine, theirs = (n / positions for n in right)
    return Finding(
        "Connect Four: the one best move found, learned", mine, theirs, "the estimate `pairs`",
        f"{positions} positions solved, depth {DEPTH}",
        f"{right[0]}, {mine:.1%} ± {wide(mine, positions):.1%}",
        f"{right[1]}, {theirs:.1%} ± {wide(theirs, positions):.1%}",
    )  # fmt: skip


def wide(share: float, count: int) -> float:
    """Return half the width of the 95 % interval of a share."""
    spread: float = 1.96 * (share * (1 - share) / count) ** 0.5
    return spread


def with_one_best_move(game: Any, discs: tuple[int, int], engine: str) -> Iterator[tuple[Any, int]]:
    """Return random positions with the branch of their one best move, the same on every run."""
    from strategies import solve
    from strategies.native.memory.transposition_table import Table

    random, table = Random(SEED), Table(8 << (BITS if engine == "auto" else 12))
    while True:
        state = game.start()
        for _ in range(random.randint(*discs)):
            if game.status(state) != 0:
                break
            state = game.make_move(state, random.choice(list(game.moves(state))))
        if game.status(state) != 0 or decided(game, state):
            continue
        sign = 1 if game.player(state) == 0 else -1
        results = []
        for move in game.moves(state):
            child = game.make_move(state, move)
            over = game.status(child) != 0
            value = game.utility(child) if over else solve(
                game, child, memory=table, line=0, engine=engine
            ).value  # fmt: skip
            results.append(sign * ((value > 0) - (value < 0)))
        if results.count(max(results)) == 1:
            yield state, results.index(max(results))


def decided(game: Any, state: Any) -> bool:
    """Return whether the next move wins, or must stop the other player from winning by theirs."""
    cells = game.playable(state)
    threats = game.open_to(state.mover, state.all) | game.open_to(
        state.all ^ state.mover, state.all
    )
    return bool(threats & cells != 0)


if __name__ == "__main__":
    from games import ConnectFour
    from strategies import with_estimate

    file, *count = own_arguments(__doc__)
    print(HEADER)
    judged = with_estimate(ConnectFour(), Path(file))
    print(shares(judged, int(count[0]) if count else POSITIONS).row())
