"""Checks games of a tournament that were kept in a journal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from games import Game, Record, Status
from games.referee import check_ending
from graphs.arguments import shown
from strategies.support.journal import Entry

FIELDS: Final[dict[str, type | tuple[type, ...]]] = {
    "game": int, "round": int, "maxie": str, "minnie": str, "turns": list, "status": str,
    "score": (int, float),
}  # fmt: skip
"""The fields of an entry, with their types."""


def check_kept(entry: Entry, games: Sequence[Game[Any, Any]], players: Collection[str]) -> None:
    """Check that an entry is a game of this tournament, played by the rules to its result.

    Raises: ValueError, one line; IllegalMove, with the number of the turn.

    >>> from games import TicTacToe
    >>> entry = {"game": 0, "round": 0, "maxie": "a", "minnie": "b", "turns": ["5", "5"],
    ...          "status": "DRAW", "score": 0.5}
    >>> check_kept(entry, [TicTacToe()], ["a", "b"])
    Traceback (most recent call last):
    games.game.IllegalMove: turn 2: ...
    """
    for name, kind in FIELDS.items():
        if isinstance(entry.get(name), bool) or not isinstance(entry.get(name), kind):
            raise ValueError(f"it has no valid {name}")
    seats = entry["maxie"], entry["minnie"]
    if not set(seats) <= set(players) or seats[0] == seats[1]:
        raise ValueError(f"{shown(seats[0])} and {shown(seats[1])} are not two of the players")
    if not 0 <= entry["game"] < len(games) or entry["round"] < 0:
        raise ValueError(f"there is no game {entry['game']} in round {entry['round']}")
    if any(type(turn) not in (int, str) for turn in entry["turns"]):
        raise ValueError("a turn is neither a text nor a whole number")
    game = games[entry["game"]]
    record = Record(game, tuple(entry["turns"]), ended=entry.get("ended", "rules"))
    check_ending(record)
    last = record.replay()[-1]
    told = entry["status"], entry["score"]
    if game.status(last) == Status.IN_PLAY:  # a limit has ended the game
        right = told == (Status.DRAW.name, 0.5)
    else:
        value = game.utility(last)
        right = told == (game.status(last).name, 0.5 + (value > 0) / 2 - (value < 0) / 2)
    if not right:
        raise ValueError(f"its moves do not lead to {told[0]} with a score of {told[1]}")
