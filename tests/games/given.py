"""What several tests of games need: positions reached by random play, and counts of positions."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from games import CHANCE, MAXIE, MINNIE, Game, Map, Riskless, Status
from graphs import from_edge_seq


def ring(size: int) -> Riskless:
    """Riskless on a ring, the last territory against the first: the largest map fills the words."""
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
    """The positions one turn on, in the game's order; none when the game is over."""
    if game.status(state) != Status.IN_PLAY:
        return []
    if game.player(state) == CHANCE:
        return [child for _, child in game.outcomes(state)]
    return [game.make_move(state, move) for move in game.moves(state)]


def perft(game: Game[Any, Any], state: Any, depth: int) -> int:
    """How many lines of `depth` moves there are."""
    if depth == 0:
        return 1
    return sum(perft(game, child, depth - 1) for child in children(game, state))


@st.composite
def positions(draw: st.DrawFn, game: Game[Any, Any], longest: int = 30) -> Any:
    """A position reached from the start by at most `longest` legal moves."""
    state = game.start()
    for choice in draw(st.lists(st.integers(0, 255), max_size=longest)):
        options = children(game, state)
        if not options:
            break
        state = options[choice % len(options)]
    return state
