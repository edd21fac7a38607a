"""How a play ends that the rules do not end: by repetition of a position, or by a limit of plies.

Such a play counts as a draw between two or more players.  A draw between two is worth 0; among
more, each player gets an equal part of `Game.value_sum`, or 0 without it.  A play of one player has
no draw: its value is the estimate of its last position.
"""

from __future__ import annotations

from typing import Any, Final

from games.failed import RuleFailed, failures_named, wrong_player, wrong_status
from games.game import CHANCE, Game, Status
from graphs.arguments import check_integers

RULES: Final = "rules"
LEFT: Final = "left"
REPETITION: Final = "repetition"
PLIES: Final = "limit of plies"
ENDINGS: Final = RULES, LEFT, REPETITION, PLIES
"""What may end a play: its rules, an agent that leaves, or one of the two limits."""


def check_limits(game: Game[Any, Any]) -> None:
    """Check the limits of plays that a game declares.

    Raises: ArgumentError, which names the limit, unless `ply_limit` and `max_plies` are whole
    numbers above 0, and `repetition_limit` one above 1; the last two may be None.
    """
    kind = type(game).__name__
    check_integers(1, **{f"{kind}.ply_limit": game.ply_limit})
    if (most := getattr(game, "max_plies", None)) is not None:
        check_integers(1, **{f"{kind}.max_plies": most})
    if game.repetition_limit is not None:
        check_integers(2, **{f"{kind}.repetition_limit": game.repetition_limit})


def ply_limit_of(game: Game[Any, Any], ply_limit: int | None = None) -> int:
    """Return the limit of plies of a play: the given one, or that of the game.

    A game that declares `max_plies` ends by its rules within so many plies.
    Raises: ValueError unless the limit is a whole number above 0, and for other limits of the game
    as `check_limits`.

    >>> from games import TicTacToe
    >>> ply_limit_of(TicTacToe()), ply_limit_of(TicTacToe(), 4)
    (10000, 4)
    """
    check_limits(game)
    if ply_limit is not None:
        check_integers(1, ply_limit=ply_limit)
        return ply_limit
    return max(game.ply_limit, getattr(game, "max_plies", None) or 0)


class Ending:
    """The end of one play: it counts the plies, and how often each position occurred.

    `ended` says what ended the play, `player` who moves in its last position.

    >>> from games import TicTacToe
    >>> game = TicTacToe()
    >>> ending, start = Ending(game, 7), game.start()
    >>> [ending.goes_on(start) for _ in range(3)], ending.ended
    ([True, True, False], 'repetition')
    """

    def __init__(self, game: Game[Any, Any], ply_limit: int | None = None) -> None:
        self.game, self.plies = game, ply_limit_of(game, ply_limit)
        self.ended, self.player, self._passed = "", 0, 0
        self._times: dict[Any, int] = {}
        self._unhashed: list[Any] = []

    def goes_on(self, state: Any) -> bool:
        """Return whether the play goes on at `state`.  Call it once for each position in order.

        Raises: RuleFailed for a status or a player that is none.
        """
        status = self.game.status(state)
        if why := wrong_status(status):
            raise RuleFailed("status", (), state, why)
        if status != Status.IN_PLAY:
            self.ended = RULES
            return False
        self.ended = self.reached(state, self._passed, by_chance=self.player == CHANCE)
        self.player, self._passed = self.game.player(state), self._passed + 1
        if why := wrong_player(self.game, self.player):
            raise RuleFailed("player", (), state, why)
        return not self.ended

    def reached(self, state: Any, plies: int, *, by_chance: bool = False) -> str:
        """Return which limit ends the play at `state`, in play after `plies` plies; "" if it goes
        on.

        This is for loops that do not see each position; call it once for each that they see, in
        order.  Before an outcome of chance no position counts as repeated, because other outcomes
        lead out of a cycle.
        """
        if by_chance:
            self._times.clear()
            self._unhashed.clear()
        most = self.game.repetition_limit
        if most is not None and self._count(state) >= most:
            return REPETITION
        return PLIES if plies >= self.plies else ""

    def _count(self, state: Any) -> int:
        """Return how often a position has occurred, by ``==``; by `key` where it has no hash."""
        try:
            hash(state)
            times = self._times[state] = self._times.get(state, 0) + 1
        except TypeError:
            word = self.game.key(state) if getattr(self.game, "key", None) else state  # type: ignore[attr-defined]
            self._unhashed.append(word)
            times = self._unhashed.count(word)
        return times


def status_of(game: Game[Any, Any], last: Any, ended: str) -> Status:
    """Return the status of a play that ended at `last`: `DRAW` by a limit, `OVER` of one player."""
    if ended in (REPETITION, PLIES):
        return Status.DRAW if game.players > 1 else Status.OVER
    return game.status(last)


def utility_of(game: Game[Any, Any], last: Any, ended: str) -> Any:
    """Return the value of a play that ended at `last`; None if an agent left it.

    Raises: RuleFailed if a rule raises an error.

    >>> from games import TicTacToe
    >>> utility_of(TicTacToe(), TicTacToe().start(), "repetition")
    0
    """
    with failures_named(game, last, ()):
        if ended in (REPETITION, PLIES):
            if game.players == 1:
                return game.estimate(last)
            share = (game.value_sum or 0) / game.players
            return 0 if game.players == 2 else (share,) * game.players
        return None if game.status(last) == Status.IN_PLAY else game.utility(last)
