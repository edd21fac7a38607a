"""Lines of play: their moves, and how the game writes them."""

from __future__ import annotations

from itertools import islice
from typing import Any

from games import CHANCE, Game, SearchTree, Status


def no_move(game: Game[Any, Any], state: Any, otherwise: str = "depth 0 searches no moves") -> str:
    """Return why a search has no move at a position; `otherwise` where a player moves.

    >>> from games import Twenty48
    >>> no_move(Twenty48(), Twenty48().start())
    'chance moves'
    """
    if game.status(state) != Status.IN_PLAY:
        return "the node is a leaf" if isinstance(game, SearchTree) else "the game is over"
    return "chance moves" if game.player(state) == CHANCE else otherwise


def line_texts(game: Game[Any, Any], state: Any, line: tuple[Any, ...]) -> list[str]:
    """Return the moves of a line as the game writes them, and as users enter them.

    >>> from games import ConnectFour
    >>> game = ConnectFour()
    >>> line_texts(game, game.start(), (0, 6))
    ['1', '7']
    """
    texts = []
    for move in line:
        texts.append(game.move_text(state, move))
        state = game.make_move(state, move)
    return texts


def moves_of(game: Game[Any, Any], state: Any, line: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the moves of the game along a line of branch numbers, up to a chance node."""
    moves = []
    for index in line:
        if game.player(state) == CHANCE:
            break
        move = next(islice(game.moves(state), index, None))
        moves.append(move)
        state = game.make_move(state, move)
    return tuple(moves)
