"""The signature of a game: rules over immutable states, written once.

A game is a frozen attrs class derived from `Game`; its fields are the board, the map, the target.
A state is a frozen attrs class of ints, words (`U64`) and fixed-length tuples of them.  The same
source of the rules runs interpreted and as machine code, so rules are plain Python: no state is
ever changed, and a rule depends on nothing but its arguments and the game's fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import EnumType, IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar
from warnings import warn

from games.text_places import placed_words
from graphs.errors import JamboreeError

S = TypeVar("S")
M = TypeVar("M")

WIN: Final = 10**15
"""The value of Maxie's win (Minnie's is ``-WIN``).  A value at or beyond it is a forced win."""

LONGEST: Final = 500
"""The most plies to a forced win that a value can tell."""


def win_in(plies: int) -> int:
    """Computes the value of a win of Maxie's in so many plies (Minnie's wins are negative).

    >>> win_in(1) > win_in(3) > WIN
    True
    """
    return WIN + LONGEST - plies


def in_range(value: Any) -> bool:
    """Return whether a number is one that a search compares; an infinite one and NaN are not.

    >>> in_range(WIN), in_range(-3.5), in_range(float("inf")), in_range(float("nan"))
    (True, True, False, False)
    """
    return bool(-WIN - LONGEST <= value <= WIN + LONGEST)


class Player(IntEnum):
    """Player who moves: an index.  Players beyond the second are the plain ints 2, 3, …"""

    MAXIE = 0
    MINNIE = 1
    CHANCE = -1

    def __repr__(self) -> str:
        return f"Player.{self.name}"


def player_name(player: int) -> str:
    """Names a player.

    >>> player_name(MINNIE), player_name(2)
    ('Minnie', 'Player 2')
    """
    return Player(player).name.capitalize() if player in list(Player) else f"Player {player}"


MAXIE: Final = Player.MAXIE
MINNIE: Final = Player.MINNIE
CHANCE: Final = Player.CHANCE


class _Names(EnumType):
    """Tells which names there are, where another one is asked for."""

    if not TYPE_CHECKING:  # type checkers know the names themselves

        def __getattr__(cls, name: str) -> Any:
            members = cls.__dict__.get("_member_map_", {})
            if name in members:
                return members[name]
            raise AttributeError(f"{cls.__name__} has no {name}: there are {', '.join(members)}")


class Status(IntEnum, metaclass=_Names):
    """Status of a position: in play, or terminal and who won.  `OVER`: it ended, see `utility`."""

    IN_PLAY = 0
    MAXIE_WINS = 1
    MINNIE_WINS = 2
    DRAW = 3
    OVER = 4

    def __repr__(self) -> str:
        return f"Status.{self.name}"


class IllegalMove(JamboreeError, ValueError):
    """Error of a move that the rules do not allow, or of a text that names no move."""


class NoEstimate(JamboreeError, ValueError):
    """Error of a position without a value, by the game's nature: searches may not stop there."""


class Game(Generic[S, M]):
    """Rules of a game: its initial position, legal moves, transitions and values.

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
        """Returns the initial position."""
        raise NotImplementedError

    def status(self, state: S) -> Status:
        """Return whether `state` is in play or terminal, and who has won."""
        raise NotImplementedError

    def player(self, state: S) -> int:
        """Returns the player to move in `state`: a player's index, or `CHANCE`.

        Values are from Maxie's side: a node is a maximum where Maxie moves, a minimum where
        Minnie moves, a mean where chance moves, whatever its depth.
        """
        raise NotImplementedError

    def moves(self, state: S) -> Iterator[M]:
        """Generates the legal moves, in a fixed order; none exactly when `state` is terminal."""
        raise NotImplementedError

    def make_move(self, state: S, move: M) -> S:
        """Makes `move`: returns the position after it.

        Requires: `move` is legal in `state` (the referee checks it, a search does not).
        """
        raise NotImplementedError

    def outcomes(self, state: S) -> Iterator[tuple[float, S]]:
        """Generates each outcome, its probability and position, where `player(state)` is `CHANCE`.

        Ensures: probabilities are above 0 and sum to 1.
        """
        raise NotImplementedError("where player gives CHANCE, a game needs outcomes(state)")

    def estimate(self, state: S) -> float:
        """Evaluates `state` from Maxie's side: strictly between Minnie's win and Maxie's win."""
        raise NotImplementedError

    def utility(self, state: S) -> float:
        """Values a terminal position: a win is `WIN`, a loss ``-WIN``, else 0."""
        status = self.status(state)
        if status == Status.MAXIE_WINS:
            return WIN
        if status == Status.MINNIE_WINS:
            return -WIN
        return 0

    # For people ---------------------------------------------------------------------------------

    def show(self, state: S) -> str:
        """Draws the position as text; may take several lines."""
        return repr(state)

    def metrics(self, first: S, last: S, drawn: int) -> dict[str, float]:
        """Measures a play beside its result, for a table of games: names and numbers.

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
        """Labels the position in a few characters, as search logs and pictures name it."""
        return repr(state)

    def move_text(self, state: S, move: M) -> str:
        """Writes a legal move of `state` as a person would, without blanks."""
        return str(move).replace(" ", "")

    def parse_move(self, state: S, text: str) -> M:
        """Reads the legal move of `state` that `text` names.

        Raises: `IllegalMove`, with the legal moves, if it names none.
        """
        legal = {self.move_text(state, move): move for move in self.moves(state)}
        word = text.strip().replace(" ", "")
        if word not in legal:
            raise IllegalMove(
                f"{text.strip()!r} is not a legal move; legal moves: {' '.join(legal) or 'none'}"
            )
        return legal[word]

    def parse_state(self, text: str) -> S:
        """Reads a position from `text`: here, the moves played from the start, in blanks.

        Raises: `IllegalMove`, with line and column, if one is not legal where it is played.
        """
        return self.played(placed_words(text, blanks=","))

    def played(self, words: Iterable[tuple[str, str]]) -> S:
        """Plays moves from the start, each with the place where it stands; returns the position.

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
