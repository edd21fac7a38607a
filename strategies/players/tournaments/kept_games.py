"""Checks games of a tournament that were kept in a journal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from games import Game, Record
from games.endings import LEFT, RULES
from games.referee import check_ending
from graphs.arguments import shown
from strategies.players.tournaments.pairings import result_of
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
    game, ended = games[entry["game"]], entry.get("ended", RULES)
    if ended == LEFT:
        raise ValueError("no player leaves a game of a tournament")
    last = check_ending(Record(game, tuple(entry["turns"]), ended=ended))[-1]
    told = entry["status"], entry["score"]
    if told != result_of(game, last, ended):
        raise ValueError(f"its moves do not lead to {told[0]} with a score of {told[1]}")
