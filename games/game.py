"""The signature of a game: rules over immutable states, written once.

A game is a frozen attrs class derived from `Game`; its fields are the board, the map, the target.
A state is a frozen attrs class of ints, words (`U64`) and fixed-length tuples of them.  The same
source of the rules runs interpreted and as machine code, so rules are plain Python: no state is
ever changed, and a rule depends on nothing but its arguments and the game's fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Any, ClassVar, Final, Generic, TypeVar
from warnings import warn

from games.text_places import placed_words

S = TypeVar("S")
M = TypeVar("M")

WIN: Final = 10**15
"""The value of Maxie's win (Minnie's is ``-WIN``).  A value at or beyond it is a forced win."""

LONGEST: Final = 500
"""The most plies to a forced win that a value can tell."""


def win_in(plies: int) -> int:
    """The value of a position that Maxie wins in so many plies (Minnie's wins are negative).

    >>> win_in(1) > win_in(3) > WIN
    True
    """
    return WIN + LONGEST - plies


class Player(IntEnum):
    """Who moves: an index.  Players beyond the second are the plain ints 2, 3, …"""

    MAXIE = 0
    MINNIE = 1
    CHANCE = -1

    def __repr__(self) -> str:
        return f"Player.{self.name}"


def called(player: int) -> str:
    """The name of a player.

    >>> called(MINNIE), called(2)
    ('Minnie', 'Player 2')
    """
    return Player(player).name.capitalize() if player in list(Player) else f"Player {player}"


MAXIE: Final = Player.MAXIE
MINNIE: Final = Player.MINNIE
CHANCE: Final = Player.CHANCE


class Status(IntEnum):
    """Whether a position is in play, and who has won.  `OVER`: it ended, see `utility`."""

    IN_PLAY = 0
    MAXIE_WINS = 1
    MINNIE_WINS = 2
    DRAW = 3
    OVER = 4

    def __repr__(self) -> str:
        return f"Status.{self.name}"


class IllegalMove(ValueError):
    """A move that the rules do not allow, or a text that names no move."""


class NoEstimate(ValueError):
    """A position that the game gives no value, by its nature: searches may not stop there."""


class Game(Generic[S, M]):
    """The rules of a game.

    Required: `start`, `status`, `player`, `moves`, `make_move`, `estimate`.
    With chance: `outcomes`.  With a result that is a number: `utility`, `value_range`.
    For people: `show`, `label`, `move_text`, `parse_move`, `parse_state`.
    """

    players: ClassVar[int] = 2
    """How many players there are, chance not counted."""

    value_range: tuple[float, float] | None = None
    """Finite bounds of `estimate` and `utility`, where they are known."""

    value_sum: ClassVar[float | None] = None
    """What the values of all players sum to at most, in a game that gives each of them one."""

    native: ClassVar[bool] = True
    """Whether the rules are meant to be compiled.  False: they always run interpreted."""

    def start(self) -> S:
        """The first position."""
        raise NotImplementedError

    def status(self, state: S) -> Status:
        """Whether `state` is in play, and who has won if it is not."""
        raise NotImplementedError

    def player(self, state: S) -> int:
        """Who moves in `state`: a player's index, or `CHANCE`.

        Values are from Maxie's side: a node is a maximum where Maxie moves, a minimum where
        Minnie moves, a mean where chance moves, whatever its depth.
        """
        raise NotImplementedError

    def moves(self, state: S) -> Iterator[M]:
        """The legal moves, in a fixed order; none exactly when `state` is not in play."""
        raise NotImplementedError

    def make_move(self, state: S, move: M) -> S:
        """The position after `move`.

        Requires: `move` is legal in `state` (the referee checks it, a search does not).
        """
        raise NotImplementedError

    def outcomes(self, state: S) -> Iterator[tuple[float, S]]:
        """The probability and position of each outcome, where `player(state)` is `CHANCE`.

        Ensures: probabilities are above 0 and sum to 1.
        """
        raise NotImplementedError("where player gives CHANCE, a game needs outcomes(state)")

    def estimate(self, state: S) -> float:
        """How good `state` looks to Maxie: strictly between Minnie's win and Maxie's win."""
        raise NotImplementedError

    def utility(self, state: S) -> float:
        """The value of a position that is not in play: a win is `WIN`, a loss ``-WIN``, else 0."""
        status = self.status(state)
        if status == Status.MAXIE_WINS:
            return WIN
        if status == Status.MINNIE_WINS:
            return -WIN
        return 0

    # For people ---------------------------------------------------------------------------------

    def show(self, state: S) -> str:
        """The position as a picture in text; may take several lines."""
        return repr(state)

    def metrics(self, first: S, last: S, drawn: int) -> dict[str, float]:
        """What a table of games tells of one beside its result: names and numbers.

        `first` and `last` are its first and last position, `drawn` the outcomes of chance between.
        """
        return {}

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if "measures" in vars(cls) and "metrics" not in vars(cls):
            message = f"{cls.__name__}.measures: the hook is now called metrics"
            warn(message, DeprecationWarning, stacklevel=2)
            cls.metrics = cls.measures  # type: ignore[method-assign]

    def measures(self, first: S, last: S, drawn: int) -> dict[str, float]:
        """Calls `metrics`, as it is named now; deprecated.

        A class that still defines `measures` is passed over, for it may have called its base's.
        """
        warn("Game.measures is now Game.metrics", DeprecationWarning, stacklevel=2)
        kinds = (kind for kind in type(self).__mro__ if "metrics" in vars(kind))
        kind = next(kind for kind in kinds if kind is Game or "measures" not in vars(kind))
        found: dict[str, float] = kind.metrics(self, first, last, drawn)  # type: ignore[attr-defined]
        return found

    def label(self, state: S) -> str:
        """The position in a few characters, as traces and pictures name it."""
        return repr(state)

    def move_text(self, state: S, move: M) -> str:
        """A legal move of `state` as a person would write it, without blanks."""
        return str(move).replace(" ", "")

    def parse_move(self, state: S, text: str) -> M:
        """The legal move of `state` that `text` names.

        Raises: `IllegalMove`, with the legal moves, if it names none.
        """
        legal = {self.move_text(state, move): move for move in self.moves(state)}
        found = legal.get(text.strip().replace(" ", ""))
        if found is None:
            raise IllegalMove(
                f"{text.strip()!r} is not a legal move; legal moves: {' '.join(legal) or 'none'}"
            )
        return found

    def parse_state(self, text: str) -> S:
        """The position that `text` describes: here, the moves played from the start, in blanks.

        Raises: `IllegalMove`, with line and column, if one is not legal where it is played.
        """
        return self.played(placed_words(text, blanks=","))

    def played(self, words: Iterable[tuple[str, str]]) -> S:
        """The position after these moves from the start, each with the place where it stands.

        Raises: `IllegalMove`, with the place, if one of them is not legal where it is played.
        """
        state = self.start()
        for word, place in words:
            try:
                move = self.parse_move(state, word)
            except IllegalMove as error:
                raise IllegalMove(f"{place}: {error}") from None
            state = self.make_move(state, move)
        return state
