"""Helpers of several tests of games: random positions, counts, a comparison of the engines."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from games import CHANCE, MAXIE, MINNIE, Game, Map, Riskless, Status
from graphs import from_edge_seq
from strategies.native.kept_engines import engine_for
from strategies.native.verification.parity import checked, compare_rules


def ring(size: int) -> Riskless:
    """Return Riskless on a ring; the largest map uses all bits of the words."""
    edges = [(v, (v + 1) % size) for v in range(size)]
    return Riskless(
        Map(
            names=tuple(f"v{v}" for v in range(size)),
            owners=(MAXIE, *(-1 for _ in range(size - 2)), MINNIE),
            armies=(30, *(0 for _ in range(size - 2)), 31),
            roads=from_edge_seq([*edges, *((v, u) for u, v in edges)], size),
            cap=31,
            target=31 * size,
            max_plies=200,
        )
    )


def children(game: Game[Any, Any], state: Any) -> list[Any]:
    """Return the positions after one move, in the game's order; none if the game is over."""
    if game.status(state) != Status.IN_PLAY:
        return []
    if game.player(state) == CHANCE:
        return [child for _, child in game.outcomes(state)]
    return [game.make_move(state, move) for move in game.moves(state)]


def perft(game: Game[Any, Any], state: Any, depth: int) -> int:
    """Count the lines of `depth` moves."""
    if depth == 0:
        return 1
    return sum(perft(game, child, depth - 1) for child in children(game, state))


@st.composite
def positions(draw: st.DrawFn, game: Game[Any, Any], longest: int = 30) -> Any:
    """Draw a position that at most `longest` legal moves reach from the start."""
    state = game.start()
    for choice in draw(st.lists(st.integers(0, 255), max_size=longest)):
        options = children(game, state)
        if not options:
            break
        state = options[choice % len(options)]
    return state


def rules_agree(game: Game[Any, Any], plays: int = 3, max_plies: int = 100) -> bool:
    """Compare every rule on both engines in the positions of random plays.

    `parity` also compares searches, whose machine code takes seconds per game to compile.
    """
    engine, twin, random = engine_for(game, "native"), checked(game), Random(0)
    for _ in range(plays):
        state = game.start()
        for _ in range(max_plies):
            branches = compare_rules(engine, twin, state)
            if branches == 0:
                break
            state = engine.branch(state, random.randrange(branches))
    return engine.native
