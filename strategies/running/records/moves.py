"""The moves of a game, by their place in the tree or along a line, and their texts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from games import CHANCE, Game, SearchTree, Status
from strategies.algorithms.positions import branch_text, children, kind_of
from strategies.running.records.record import branch_numbers


class Moves:
    """The moves to places in the tree, as text; each position is computed once."""

    def __init__(self, game: Game[Any, Any], state: Any) -> None:
        self.game = game
        self.states: dict[tuple[int, ...], Any] = {(): state}
        self.texts: dict[tuple[int, ...], list[str]] = {}

    def to(self, place: Iterable[Any]) -> tuple[str, ...]:
        """Return the moves from the root to a place; fewer if a fold's number is not a branch."""
        path = branch_numbers(place)
        moves = []
        for k, branch in enumerate(path):
            texts = self.open(path[:k])
            if branch >= len(texts):
                break
            moves.append(texts[branch])
        return tuple(moves)

    def move(self, path: tuple[Any, ...], index: int) -> str:
        """Return the move from a place to one of its branches, or the branch's number."""
        place = branch_numbers((*path, index))
        texts = self.to(place)
        return texts[-1] if len(texts) == len(place) else str(index)

    def open(self, path: tuple[int, ...]) -> list[str]:
        """Return the moves of the branches at a path."""
        if path not in self.texts:
            state = self.states[path]
            kind = kind_of(self.game, state)
            below = children(self.game, state, kind)
            for i, (_, _, child) in enumerate(below):
                self.states[(*path, i)] = child
            self.texts[path] = [branch_text(self.game, state, kind, m) for m, _, _ in below]
        return self.texts[path]


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
