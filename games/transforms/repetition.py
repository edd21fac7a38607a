"""Games in which a position that occurs again is a draw, in searches as in whole plays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final, Generic, TypeVar

from attrs import evolve, field, frozen

from games.board import Board
from games.game import CHANCE, Game, IllegalMove, Status, check_game, has_chance
from games.transforms.transform import Transform
from graphs.arguments import check_integers, shown
from graphs.errors import ArgumentError
from graphs.limits import PLIES_REMEMBERED

S = TypeVar("S")
M = TypeVar("M")
AGAIN: Final = "the position occurs again: a draw"


@frozen
class Walk(Generic[S]):
    """A position, and those before it in the play."""

    position: S
    past: tuple[S, ...]
    """The positions before it, the last one first; only the first `known` of them count."""
    known: int
    repeated: bool = False
    """Whether the position is among those before it, so that the game is drawn."""


@frozen
class WithRepetition(Transform[Any, Any]):
    """A game in which a position that occurs again is a draw; built by `with_repetition`."""

    plies: int

    value_range: tuple[float, float] | None = field(init=False, eq=False, repr=False)

    repetition_limit = None
    """The rules themselves end such a play, at the second time."""

    @value_range.default
    def _value_range(self) -> tuple[float, float] | None:
        known = check_game(self.game).value_range
        return None if known is None else (min(0, known[0]), max(0, known[1]))

    def __attrs_post_init__(self) -> None:
        check_integers(1, PLIES_REMEMBERED, plies=self.plies)

    def __repr__(self) -> str:
        return f"with_repetition({self.game!r}, {self.plies})"

    def first(self, position: Any) -> Walk[Any]:
        """Return a position as the first one of a walk."""
        return Walk(position, (position,) * self.plies, 0)

    def after(self, positions: Iterable[Any]) -> Walk[Any]:
        """Return the last of the positions of a play, with those before it, to search from there.

        Requires: one position or more, each a move or an outcome after the one before it.
        Ensures: it is in play even if it occurred before, because a play goes on to a third time.

        >>> from games import TicTacToe
        >>> game, plays = with_repetition(TicTacToe(), 4), TicTacToe()
        >>> walk = game.after([plays.start(), plays.parse_state("5"), plays.parse_state("5 1")])
        >>> walk.known, walk.position == plays.parse_state("5 1")
        (2, True)
        """
        every = list(positions)
        if not every:
            raise ArgumentError("a play has a position or more")
        walk: Walk[Any] = self.first(every[0])
        for before, position in pairwise(every):
            chance = self.game.player(before) == CHANCE
            walk = self.forgotten(walk, position) if chance else self.step(walk, position)
        return Walk(walk.position, walk.past, walk.known)

    def step(self, state: Walk[Any], position: Any) -> Walk[Any]:
        """Return the walk after a move to a position."""
        past = (state.position, *state.past[:-1])
        known = min(state.known + 1, self.plies)
        repeated = False
        for k in range(known):
            if past[k] == position:
                repeated = True
        return Walk(position, past, known, repeated)

    def forgotten(self, state: Walk[Any], position: Any) -> Walk[Any]:
        """Return the walk after an outcome of chance: another one would have left the cycle."""
        return Walk(position, state.past, 0)

    def start(self) -> Walk[Any]:
        return self.first(self.game.start())

    def status(self, state: Walk[Any]) -> Status:
        found = self.game.status(state.position)
        return Status.DRAW if state.repeated and found == Status.IN_PLAY else found

    def player(self, state: Walk[Any]) -> int:
        return int(self.game.player(state.position))

    def moves(self, state: Walk[Any]) -> Iterator[Any]:
        if not state.repeated:
            yield from self.game.moves(state.position)

    def make_move(self, state: Walk[Any], move: Any) -> Walk[Any]:
        return self.step(state, self.game.make_move(state.position, move))

    def estimate(self, state: Walk[Any]) -> float:
        return self.game.estimate(state.position)

    def utility(self, state: Walk[Any]) -> float:
        if state.repeated and self.game.status(state.position) == Status.IN_PLAY:
            return 0
        return self.game.utility(state.position)

    # For people ---------------------------------------------------------------------------------

    def show(self, state: Walk[Any]) -> str:
        text = self.game.show(state.position)
        return f"{text}\n{AGAIN}" if state.repeated else text

    def picture(self, state: Walk[Any]) -> Board | None:
        found = self.game.picture(state.position)
        if found is None or not state.repeated:
            return found
        below = "\n".join(filter(None, (found.below, AGAIN)))
        return evolve(found, below=below)

    def metrics(self, first: Walk[Any], last: Walk[Any], drawn: int) -> dict[str, float]:
        return self.game.metrics(first.position, last.position, drawn)

    def label(self, state: Walk[Any]) -> str:
        return self.game.label(state.position) + "=" * state.repeated

    def move_text(self, state: Walk[Any], move: Any) -> str:
        return self.game.move_text(state.position, move)

    def parse_move(self, state: Walk[Any], text: str) -> Any:
        if state.repeated:
            raise IllegalMove(f"{shown(text.strip())} is not a legal move; the game is drawn here")
        return self.game.parse_move(state.position, text)

    def parse_outcome(self, state: Walk[Any], text: str) -> Walk[Any]:
        return self.forgotten(state, self.game.parse_outcome(state.position, text))

    def parse_state(self, text: str) -> Walk[Any]:
        """Read a position: turns from the start, or what else the game reads, without a past."""
        if type(self.game).parse_state is Game.parse_state:
            read: Walk[Any] = self.read_turns(text)
            return read
        alone = self.first(self.game.parse_state(text))
        with suppress(IllegalMove):
            read = self.read_turns(text)
            if read.position == alone.position:
                return read
        return alone


@frozen(repr=False)
class WithRepetitionAndChance(WithRepetition):
    """The same for a game with chance."""

    def outcomes(self, state: Walk[Any]) -> Iterator[tuple[float, Walk[Any]]]:
        for probability, position in self.game.outcomes(state.position):
            yield probability, self.forgotten(state, position)


def with_repetition(game: Game[S, M], plies: int = 16) -> WithRepetition:
    """Return the game in which a position that is one of the last `plies` of its play is a draw.

    The play is that of the game and, inside a search, the moves to the position.  Positions are
    compared by ``==``, back to the last outcome of chance.  A position in the new game is a `Walk`:
    it has those before it, so that a task of a parallel search has them, too, and a table keeps
    apart what different pasts are worth.

    Requires: a game of two players; `plies` is 1 to 64, the depth of the search or more, so that it
    sees all repetitions inside it.
    Ensures: values are those of minimax on plays that end at the first repetition, under every
    strategy.  Hooks that only make searches faster are not used.
    Raises: ValueError for a game of other players.
    Cost: `plies` comparisons and copies of positions for each move.

    >>> from games import TicTacToe
    >>> game = with_repetition(TicTacToe(), plies=9)
    >>> game.start().known, game.status(game.start())
    (0, Status.IN_PLAY)
    """
    plain = not has_chance(check_game(game))
    if game.players != 2:
        raise ArgumentError(
            f"repetition is a draw between two players, and {type(game).__name__} has "
            f"{game.players}"
        )
    return (WithRepetition if plain else WithRepetitionAndChance)(game, plies)
