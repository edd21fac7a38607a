"""Pig: roll a die as often as you dare; a one loses the points of the turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from attrs import frozen

from games.game import Game, Status
from games.text_places import count_at, end_of, placed_words
from games.tuples import floats_of, put
from graphs.arguments import check_integers, check_text, shown
from graphs.errors import MalformedError

ROLL, HOLD = 0, 1
ACTIONS: Final = ("roll", "hold")
MOST_BROUGHT: Final = 1_000_000


@frozen
class Turn:
    """A position of Pig: all points, the points of the turn of `mover`, whether the die rolls."""

    totals: tuple[int, ...]
    mover: int
    brought: int
    rolling: bool


@frozen
class Pig(Game[Turn, int]):
    """Pig for two players; a move is `ROLL` or `HOLD`.

    A player rolls until holding, which adds the rolled points, or until rolling a one, which adds
    nothing.  Then it is the next player's turn.  The first player with `target` points wins.

    Requires: a target of 1 to 10,000 and a die of 2 to 100 sides, or ValueError.
    Ensures: Maxie's win is worth 1, Minnie's -1, so that a value v is a probability of (v + 1) / 2
    of Maxie's win.  The estimate is Maxie's lead divided by the target, including the points of the
    turn.  The length of a game is unbounded, but it ends with probability 1 if both hold at times.
    Source: T. W. Neller and C. G. M. Presser, Optimal play of the dice game Pig (2004).

    >>> game = Pig()
    >>> state = game.parse_state("40 52, Minnie has brought 7")
    >>> game.show(game.make_move(state, HOLD))
    '40 59, Maxie has brought 0'
    """

    value_range = (-1, 1)

    target: int = 100
    sides: int = 6

    def __attrs_post_init__(self) -> None:
        check_integers(1, 10_000, target=self.target)
        check_integers(2, 100, sides=self.sides)
        check_integers(2, 8, players=self.players)

    @classmethod
    def of(cls, players: int = 2, target: int = 100, sides: int = 6) -> Pig:
        """Return the game for `players` players.

        >>> Pig.of(2, target=20), Pig.of(3)
        (Pig(target=20, sides=6), PigForMany(target=100, sides=6, players=3))
        """
        return Pig(target, sides) if players == 2 else PigForMany(target, sides, players)

    def start(self) -> Turn:
        return Turn((0,) * self.players, 0, 0, False)

    def status(self, state: Turn) -> Status:
        for player in range(len(state.totals)):
            if state.totals[player] >= self.target:
                if player > 1:
                    return Status.OVER
                return Status.MAXIE_WINS if player == 0 else Status.MINNIE_WINS
        return Status.IN_PLAY

    def player(self, state: Turn) -> int:
        return -1 if state.rolling else state.mover

    def moves(self, state: Turn) -> Iterator[int]:
        if not state.rolling and self.status(state) == Status.IN_PLAY:
            yield ROLL
            yield HOLD

    def make_move(self, state: Turn, move: int) -> Turn:
        if move == ROLL:
            return Turn(state.totals, state.mover, state.brought, True)
        held = state.totals[state.mover] + state.brought
        return self.passed(put(state.totals, state.mover, held), state.mover)

    def passed(self, totals: tuple[int, ...], mover: int) -> Turn:
        """Return the position with the turn passed to the next player."""
        return Turn(totals, (mover + 1) % len(totals), 0, False)

    def outcomes(self, state: Turn) -> Iterator[tuple[float, Turn]]:
        yield 1 / self.sides, self.passed(state.totals, state.mover)
        for points in range(2, self.sides + 1):
            brought = state.brought + points
            yield 1 / self.sides, Turn(state.totals, state.mover, brought, False)

    def points(self, state: Turn, player: int) -> int:
        """Return the points of a player if the turn were held, at most the target."""
        more = state.brought if player == state.mover else 0
        return min(self.target, state.totals[player] + more)

    def estimate(self, state: Turn) -> float:
        return (self.points(state, 0) - self.points(state, 1)) / self.target

    def utility(self, state: Turn) -> float:
        return 1.0 if state.totals[0] >= self.target else -1.0

    # For people ---------------------------------------------------------------------------------

    def name(self, player: int) -> str:
        """Return the name of a player: Maxie, Minnie, Player2, …"""
        return ("Maxie", "Minnie")[player] if player < 2 else f"Player{player}"

    def label(self, state: Turn) -> str:
        totals = "-".join(map(str, state.totals))
        return f"{totals}/{state.mover}+{state.brought}" + ("?" if state.rolling else "")

    def show(self, state: Turn) -> str:
        totals = " ".join(map(str, state.totals))
        rolls = " and rolls" if state.rolling else ""
        return f"{totals}, {self.name(state.mover)} has brought {state.brought}{rolls}"

    def move_text(self, state: Turn, move: int) -> str:
        return ACTIONS[move]

    def parse_state(self, text: str) -> Turn:
        """Read a position: a text as `show` writes it, or only points, when Maxie's turn starts.

        Raises: ValueError, with line and column, for another text, or for points that would have
        ended the game.
        """
        check_text(text)
        if not text.strip():
            return self.start()
        words = placed_words(text, blanks=",")
        many = self.players
        if len(words) < many:
            raise MalformedError(
                f"{end_of(text)}: expected {many} numbers, the points of the players"
            )
        totals = tuple(count_at(*word, self.target - 1) for word in words[:many])
        if len(words) == many:
            return Turn(totals, 0, 0, False)
        names = [self.name(player) for player in range(many)]
        (who, place), rest = words[many], [word for word, _ in words[many + 1 :]]
        if who not in names:
            raise MalformedError(f"{place}: {shown(who)} is not one of {' '.join(names)}")
        rolling = rest[-2:] == ["and", "rolls"]
        if rest[:2] != ["has", "brought"] or len(rest) != (5 if rolling else 3):
            raise MalformedError(f"{place}: expected '{who} has brought 5' or '… 5 and rolls'")
        brought = count_at(*words[many + 3], MOST_BROUGHT)
        return Turn(totals, names.index(who), brought, rolling)


@frozen
class PigForMany(Pig):
    """Pig for more than two players.

    Requires: 3 to 8 players, or ValueError.
    Ensures: a value has a number for each player, the probability of winning: 1 for the winner,
    else 0.  The estimate divides 1 in proportion to the points.

    >>> game = PigForMany(target=20)
    >>> game.estimate(game.parse_state("0 7 4, Player2 has brought 5"))
    (0.0, 0.4375, 0.5625)
    """

    value_range = (0, 1)
    value_sum = 1

    players: int = 3  # type: ignore[misc]

    def estimate(self, state: Turn) -> Any:
        shares, total = floats_of(state.totals), 0.0
        for player in range(len(state.totals)):
            total += self.points(state, player)
        for player in range(len(state.totals)):
            share = self.points(state, player) / total if total > 0 else 1.0 / len(state.totals)
            shares = put(shares, player, share)
        return shares

    def utility(self, state: Turn) -> Any:
        won = floats_of(state.totals)
        for player in range(len(state.totals)):
            won = put(won, player, 1.0 if state.totals[player] >= self.target else 0.0)
        return won
