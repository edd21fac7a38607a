"""The interface of a game: rules over immutable states, written once.

A game is a frozen attrs class, or a frozen dataclass, derived from `Game`; its fields are, for
example, the board, the map or the target.  A state is a value that does not change: a frozen attrs
class, a frozen dataclass, a NamedTuple or a tuple, of numbers, texts, None, and tuples or
frozensets of them.  The same source of the rules runs interpreted and as machine code, so rules are
plain Python: they never change a state, and depend only on their arguments and the game's fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import EnumType, IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from attrs import frozen

from games.board import Board
from games.fields import WithFields
from games.text_places import placed_turns
from graphs.arguments import check_integers, check_text, shown
from graphs.errors import ArgumentError, JamboreeError, unstyled

S = TypeVar("S")
M = TypeVar("M")

WIN: Final = 10**15
"""The value of Maxie's win (Minnie's is ``-WIN``).  A value at or beyond it is a forced win."""

WIN_PLIES: Final = 500
"""The most plies to a forced win that `win_in` can represent."""
SEARCH_PLIES: Final = 1_000_000
"""The most plies of a search, which adds the plies that are left to a win."""


def win_in(plies: int) -> int:
    """Return the value of a win of Maxie in `plies` plies (Minnie's wins are negative).

    Requires: a whole number from 0 to `WIN_PLIES`; this is not checked, because machine code calls
    the function.

    >>> win_in(1) > win_in(3) > WIN
    True
    """
    return WIN + WIN_PLIES - plies


def in_range(value: Any) -> bool:
    """Return whether a number is a valid value of a search: neither infinite nor NaN.

    >>> in_range(WIN), in_range(-3.5), in_range(float("inf")), in_range(float("nan"))
    (True, True, False, False)
    """
    return bool(-WIN - SEARCH_PLIES <= value <= WIN + SEARCH_PLIES)


OUTCOMES_NAMED, LABEL = 12, 40
"""The most outcomes of chance that a message names, and the most characters of a label there."""


class Player(IntEnum):
    """The player who moves, as an index.  Players after the second are the plain ints 2, 3, …"""

    MAXIE = 0
    MINNIE = 1
    CHANCE = -1

    def __repr__(self) -> str:
        return f"Player.{self.name}"


def player_name(player: int) -> str:
    """Return the name of a player.

    >>> player_name(MINNIE), player_name(2)
    ('Minnie', 'Player 2')
    """
    return Player(player).name.capitalize() if player in list(Player) else f"Player {player}"


MAXIE: Final = Player.MAXIE
MINNIE: Final = Player.MINNIE
CHANCE: Final = Player.CHANCE


class _Names(EnumType):
    """The metaclass of an enumeration that lists its names when an unknown one is used."""

    if not TYPE_CHECKING:  # type checkers know the names themselves

        def __getattr__(cls, name: str) -> Any:
            members = cls.__dict__.get("_member_map_", {})
            if name in members:
                return members[name]
            raise AttributeError(f"{cls.__name__} has no {name}; it has {', '.join(members)}")


class Status(IntEnum, metaclass=_Names):
    """The status of a position: in play, won, or drawn.  `OVER`: terminal, see `utility`.

    Return `MAXIE_WINS` and `MINNIE_WINS`, not `OVER` with utilities of 1 and -1, for searches to
    prefer the nearer of two wins, and the later of two losses.
    """

    IN_PLAY = 0
    MAXIE_WINS = 1
    MINNIE_WINS = 2
    DRAW = 3
    OVER = 4

    def __repr__(self) -> str:
        return f"Status.{self.name}"


class IllegalMove(JamboreeError, ValueError):
    """Raised for a move that the rules do not allow, or a text that is not a move."""


class NoEstimate(JamboreeError, ValueError):
    """Raised for a position that has no estimate by the rules; searches must not stop there."""


def has_chance(game: Any) -> bool:
    """Return whether chance moves in a game, or in the games of a class: whether the class has
    `outcomes` of its own, unless the attribute `has_chance` of the game says no.

    >>> from games import HANDOUT_SMALL, TicTacToe, Twenty48
    >>> has_chance(TicTacToe()), has_chance(Twenty48())
    (False, True)
    >>> has_chance(HANDOUT_SMALL), has_chance(type(HANDOUT_SMALL))
    (False, True)
    """
    kind = game if isinstance(game, type) else type(game)
    own = getattr(kind, "outcomes", Game.outcomes) is not Game.outcomes
    return own and getattr(game, "has_chance", True) is not False


class Game(WithFields, Generic[S, M]):
    """The rules of a game: initial position, legal moves, transitions and values.

    Required: `start`, `status`, `player`, `moves`, `make_move`, `estimate`.
    With chance: `outcomes`.  With a numeric result: `utility`, `value_range`.
    For texts: `show`, `label`, `move_text`, `parse_move`, `parse_outcome`, `parse_state`.
    For pictures: `picture`.
    """

    players: ClassVar[int] = 2
    """The number of players, without chance."""

    value_range: tuple[float, float] | None = None
    """Finite bounds of `estimate` and `utility`, if known."""

    value_sum: ClassVar[float | None] = None
    """The greatest sum of the values of all players, in a game with a value for each."""

    native: ClassVar[bool] = True
    """Whether the rules can be compiled.  False: they always run interpreted."""

    ply_limit: ClassVar[int] = 10_000
    """The plies, outcomes of chance included, after which a whole play ends without a result of the
    rules: as a draw, if there are two players or more.  A game whose plays are longer sets more."""

    repetition_limit: ClassVar[int | None] = 3
    """A whole play is drawn when one of its positions occurs for so many times, without an outcome
    of chance in between.  None: positions may recur.  Searches do not read it; in the game of
    `with_repetition`, they do see the first repetition."""

    def start(self) -> S:
        """Return the initial position."""
        raise NotImplementedError("a game needs start()")

    def status(self, state: S) -> Status:
        """Return whether `state` is in play or terminal, and who has won."""
        raise NotImplementedError("a game needs status(state)")

    def player(self, state: S) -> int:
        """Return the player to move in `state`: a player's index, or `CHANCE`.

        Values are from Maxie's side: a node is a maximum if Maxie moves, a minimum if Minnie moves,
        and a mean if chance moves, at any depth.
        """
        raise NotImplementedError("a game needs player(state)")

    def moves(self, state: S) -> Iterator[M]:
        """Yield the legal moves in a fixed order; none exactly when `state` is terminal."""
        raise NotImplementedError("a game needs moves(state)")

    def make_move(self, state: S, move: M) -> S:
        """Return the position after `move`.

        Requires: `move` is legal in `state` (the referee checks it, a search does not).
        """
        raise NotImplementedError("a game needs make_move(state, move)")

    def outcomes(self, state: S) -> Iterator[tuple[float, S]]:
        """Yield the probability and position of each outcome, where `player(state)` is `CHANCE`.

        Ensures: probabilities are above 0 and sum to 1.
        """
        raise NotImplementedError("a game whose player(state) returns CHANCE needs outcomes(state)")

    def estimate(self, state: S) -> float:
        """Return the estimate of `state` from Maxie's side, strictly between the values of wins.

        Without this rule, no position has an estimate: searches that reach the ends need none.
        Raises: NoEstimate for a position without one.
        """
        raise NoEstimate("a search that stops above the ends of plays needs estimate(state)")

    def utility(self, state: S) -> float:
        """Return the value of a terminal position: a win is `WIN`, a loss ``-WIN``, else 0."""
        status = self.status(state)
        if status == Status.MAXIE_WINS:
            return WIN
        if status == Status.MINNIE_WINS:
            return -WIN
        return 0

    # For people ---------------------------------------------------------------------------------

    def show(self, state: S) -> str:
        """Return the position as text, possibly of several lines."""
        return repr(state)

    def picture(self, state: S) -> Board | None:
        """Return the board of the position, to be drawn; None if it is shown as text.

        By default, it is the board that the text of `show` has in its first lines, if any.
        """
        return Board.of_text(unstyled(self.show(state)))

    def metrics(self, first: S, last: S, drawn: int) -> dict[str, float]:
        """Return measurements of a play besides its result, by name, for tables of games.

        `first` and `last` are its first and last position, `drawn` the number of chance outcomes
        between them.
        """
        return {}

    def label(self, state: S) -> str:
        """Return the position in a few characters, for traces and pictures."""
        return repr(state)

    def move_text(self, state: S, move: M) -> str:
        """Return the text of a legal move of `state`, without blanks."""
        return str(move).replace(" ", "")

    def parse_move(self, state: S, text: str) -> M:
        """Return the legal move of `state` that `text` names; blanks in it count for nothing.

        Raises: `IllegalMove`, with the legal moves, if it names none.
        """
        legal = {"".join(self.move_text(state, move).split()): move for move in self.moves(state)}
        word = "".join(text.split())
        if word not in legal:
            raise IllegalMove(
                f"{shown(text.strip())} is not a legal move; legal moves: "
                f"{' '.join(legal) or 'none'}"
            )
        return legal[word]

    def parse_outcome(self, state: S, text: str) -> S:
        """Return the position after the outcome of chance that `text` names.

        A text is the number of the outcome, from 0, with or without ``#``, or the label of the
        position after it.

        Raises: `IllegalMove`, with the outcomes, if it names none, or several.
        """
        after = [child for _, child in self.outcomes(state)]
        labels = ["".join(self.label(child).split()) for child in after]
        word = "".join(text.split())
        number = word.removeprefix("#")
        found = [child for label, child in zip(labels, after, strict=True) if label == word]
        if number.isascii() and number.isdecimal() and len(number) < 10:
            found += after[int(number) :][:1]
        if found and all(child == found[0] for child in found):
            return found[0]
        names = [
            f"{k} ({label if len(label) <= LABEL else label[:LABEL] + '…'})"
            for k, label in enumerate(labels[:OUTCOMES_NAMED])
        ]
        more = [f"… {len(labels) - 1}"] if len(labels) > len(names) else []
        wrong = (
            "names several outcomes of chance; write # before a number"
            if found
            else f"is none of the {len(labels)} outcomes of chance"
        )
        raise IllegalMove(f"{shown(word)} {wrong}: {' '.join(names + more)}")

    def parse_state(self, text: str) -> S:
        """Read a position from `text`; by default, the turns from the start, as `read_turns` does.

        Raises: `IllegalMove`, with line and column, if a turn is not legal in its position.
        """
        check_text(text)
        return self.read_turns(text)

    def read_turns(self, text: str, state: S | None = None, start: int = 0) -> S:
        """Play the turns of `text`, from index `start` on, as `played` does.

        Blanks separate turns or, if the text cannot be read so, commas, too; inside brackets,
        neither does.  Numbers of turns, as in ``1. e4 e5 2. Nf3``, are left out if the text cannot
        be read with them.

        Raises: `IllegalMove`, with line and column, if a turn is not legal in its position.
        """
        try:
            return self.played(self.split_turns(text, start=start), state)
        except IllegalMove:
            turns = TURN_NUMBER.sub(lambda number: " " * len(number[0]), text[start:])
            plain = text[:start] + turns
            if plain == text and "," not in text:
                raise
        if plain != text:
            return self.read_turns(plain, state, start)
        return self.played(self.split_turns(text, ",", start), state)

    def split_turns(self, text: str, blanks: str = "", start: int = 0) -> list[tuple[str, str]]:
        """Split a text of turns, from index `start` on, into turns, each with its place.

        Blanks and the characters of `blanks` separate turns, except inside brackets.
        """
        return placed_turns(text, blanks, start)

    def played(self, words: Iterable[tuple[str, str]], state: S | None = None) -> S:
        """Play turns, each with its place in a text, from `state` on, by default the start.

        A turn is a move, for `parse_move`, or an outcome of chance, for `parse_outcome`.

        Raises: `IllegalMove`, with the place, if a turn is not legal in its position.
        """
        state = self.start() if state is None else state
        for word, place in words:
            chance = self.status(state) == Status.IN_PLAY and self.player(state) == CHANCE
            try:
                if chance:
                    state = self.parse_outcome(state, word)
                else:
                    state = self.make_move(state, self.parse_move(state, word))
            except IllegalMove as error:
                raise IllegalMove(f"{place}: {error}") from None
        return state


TURN_NUMBER: Final = re.compile(r"(?<!\S)\d+\.+(?=\s|[^\W\d]|$)")
"""The number of a turn: alone, or before a letter, as in ``1.e4``."""


def check_game(game: Any, instead: str = "") -> Game[Any, Any]:
    """Check that an argument is a game, and return it.

    `instead` is the hint for a `Position`.

    Raises: ArgumentError, also if it has not at least one player.

    >>> check_game("tictactoe")
    Traceback (most recent call last):
        ...
    graphs.errors.ArgumentError: a game is needed, not 'tictactoe'; write find_game('tictactoe')
    """
    if isinstance(game, Game):
        check_integers(1, **{f"{type(game).__name__}.players": game.players})
        return game
    hint = ""
    if isinstance(game, type) and issubclass(game, Game):
        hint = f"; write {game.__name__}()"
    elif isinstance(getattr(game, "game", None), Game):
        hint = instead or ": write p.game"
    elif isinstance(game, str) and game:
        hint = f"; write find_game({shown(game)})"
    raise ArgumentError(f"a game is needed, not {shown(game)}{hint}")


@frozen(order=True)
class Estimate:
    """A heuristic value from Maxie's side, ordered like its numbers.

    >>> print(Estimate(-WIN), Estimate(3), Estimate(WIN), sep=", ")
    Minnie wins!, Guess: 3, Maxie wins!
    >>> Estimate(-WIN) < Estimate(-99) < Estimate(2.5) < Estimate(WIN)
    True
    """

    value: Any
    """A number, or a tuple with a number for each of several players."""

    def __str__(self) -> str:
        if isinstance(self.value, tuple):
            return f"Guess: {self.value}"
        if self.value >= WIN:
            return "Maxie wins!"
        if self.value <= -WIN:
            return "Minnie wins!"
        return f"Guess: {self.value}"


MINNIE_WINS = Estimate(-WIN)
MAXIE_WINS = Estimate(WIN)
