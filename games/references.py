"""What a count of positions is compared with by first move: a table, or a second game."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from games.first_difference import ByMove, Divide, Reference, branches
from games.game import Game
from games.position_text import read_position
from games.published_counts import Published
from graphs.arguments import shown
from graphs.errors import ArgumentError


def same_moves(moves: ByMove, row: Published) -> bool:
    """Return whether counts by the first move are those of a table."""
    return len(moves) == len(row.moves) and dict(moves) == dict(row.moves)


def placed(game: Game[Any, Any], row: Published) -> Any:
    """Return the position of a row.

    Raises: `ArgumentError`, with its place in the table, if the game cannot read it.
    """
    try:
        return read_position(game, row.position)
    except (ValueError, NotImplementedError) as error:  # the latter if it reads no text
        raise ArgumentError(f"{row.place}: {shown(row.position)}: {error}") from None


def of_table(rows: Iterable[tuple[Published, Any]]) -> Reference:
    """Return the counts by first move of the rows of a table, each with its position; a move may
    lead there, too."""
    found: dict[tuple[Any, int], ByMove] = {}
    for row, state in rows:
        if row.moves:
            with suppress(TypeError):  # a state without a hash, which another law reports
                found[state, row.depth] = row.moves

    def by_move(_: tuple[str, ...], state: Any, depth: int) -> ByMove | None:
        with suppress(TypeError):
            return found.get((state, depth))
        return None

    return by_move


def of_game(game: Game[Any, Any], position: str, divide: Divide) -> Reference:
    """Return the counts of a second game with the same texts of positions and moves."""

    def by_move(turns: tuple[str, ...], _: Any, depth: int) -> ByMove:
        here = read_position(game, position)
        for text in turns:
            here = dict(branches(game, here))[text]
        return divide(game, here, depth)

    return by_move
