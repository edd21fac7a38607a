"""Nim: players in turn take from one heap; taking the last object wins, or in misère loses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from attrs import field, frozen

from games.game import WIN, Game, Status
from games.text_places import count_at, end_of, placed_words
from games.tuples import put, zeros_of
from graphs.arguments import check_flags, check_integers, check_text, row_of, shown
from graphs.errors import MalformedError
from graphs.limits import MOST_HEAPS

MARKS: Final = "XOYZUVWT"
"""The marks of the players, in order."""


def check_heaps(heaps: tuple[int, ...]) -> tuple[int, ...]:
    """Check the heaps, and returns them as plain ints."""
    heaps = row_of("heaps", heaps, "whole numbers, such as (3, 4, 5)")
    check_integers(**{f"heap {number}": heap for number, heap in enumerate(heaps, 1)})
    return tuple(int(heap) for heap in heaps)


@frozen
class Heaps:
    """A position of Nim: the number of objects in each heap."""

    heaps: tuple[int, ...]
    turn: int


@frozen
class Nim(Game[Heaps, tuple[int, int]]):
    """Nim; a move is (heap, objects to take), written ``heap:take``, heaps from 1.

    Requires: 1 to 64 heaps of 0 to 64 objects, not all of them 0; or ValueError.
    Ensures: the estimate is 0.  `mover_wins` returns who wins, without a search.
    Source: C. L. Bouton, Nim, a game with a complete mathematical theory (1901).

    >>> game = Nim((3, 4, 5))
    >>> print(game.show(game.parse_state("1:2")))
    1  |
    4  ||||
    5  |||||
    O moves
    """

    value_range = (-WIN, WIN)

    heaps: tuple[int, ...] = field(default=(3, 4, 5), converter=check_heaps)
    misere: bool = False

    def __attrs_post_init__(self) -> None:
        check_flags(misere=self.misere)
        if not 1 <= len(self.heaps) <= MOST_HEAPS or not all(
            0 <= heap <= MOST_HEAPS for heap in self.heaps
        ):
            raise MalformedError(f"there are 1 to {MOST_HEAPS} heaps of 0 to {MOST_HEAPS} objects")
        if not any(self.heaps):
            raise MalformedError("every heap is empty; at least one needs an object")

    @classmethod
    def of(cls, heaps: str = "3-4-5", misere: bool = False, players: int = 2) -> Nim:
        """Return the game with heaps written ``3-4-5``, for `players` players.

        >>> Nim.of("1-2", misere=True), Nim.of("1-2", players=3)
        (Nim(heaps=(1, 2), misere=True), NimForMany(heaps=(1, 2), misere=False, players=3))
        """
        words = placed_words(str(heaps), blanks="-")
        if len(words) != len(str(heaps).split("-")):
            raise MalformedError(f"heaps are numbers with - between, as 3-4-5, not {shown(heaps)}")
        counted = tuple(count_at(*word, MOST_HEAPS) for word in words)
        return Nim(counted, misere) if players == 2 else NimForMany(counted, misere, players)

    @property
    def max_plies(self) -> int:
        """Return the number of objects, which may be taken one by one."""
        return sum(self.heaps)

    def start(self) -> Heaps:
        return Heaps(self.heaps, 0)

    def status(self, state: Heaps) -> Status:
        for heap in state.heaps:
            if heap > 0:
                return Status.IN_PLAY
        last = 1 - state.turn
        winner = state.turn if self.misere else last
        return Status.MAXIE_WINS if winner == 0 else Status.MINNIE_WINS

    def player(self, state: Heaps) -> int:
        return state.turn

    def moves(self, state: Heaps) -> Iterator[tuple[int, int]]:
        for heap in range(len(state.heaps)):
            for take in range(1, state.heaps[heap] + 1):
                yield heap, take

    def make_move(self, state: Heaps, move: tuple[int, int]) -> Heaps:
        heap, take = move
        left = put(state.heaps, heap, state.heaps[heap] - take)
        return Heaps(left, (state.turn + 1) % self.players)

    def estimate(self, state: Heaps) -> int:
        return 0

    def nim_sum(self, state: Heaps) -> int:
        """Return the nim-sum: the exclusive or of the heaps."""
        total = 0
        for heap in state.heaps:
            total ^= heap
        return total

    def mover_wins(self, state: Heaps) -> bool:
        """Return whether the player to move wins, by the theory of the game of two players.

        In both kinds of play, a sum other than 0 wins; but in misère with only heaps of one object,
        their number decides.

        >>> Nim((3, 4, 5)).mover_wins(Heaps((1, 4, 5), 1))
        False
        """
        if self.players > 2:
            raise MalformedError("the theory of Nim is for two players, not for more")
        if self.misere and max(state.heaps) <= 1:
            return self.nim_sum(state) == 0
        return self.nim_sum(state) != 0

    # For people ---------------------------------------------------------------------------------

    def label(self, state: Heaps) -> str:
        return "-".join(map(str, state.heaps)) + f"/{MARKS[state.turn]}"

    def show(self, state: Heaps) -> str:
        wide = len(str(max(self.heaps)))
        rows = [f"{heap:{wide}}  {'|' * heap}".rstrip() for heap in state.heaps]
        return "\n".join([*rows, f"{MARKS[state.turn]} moves"])

    def move_text(self, state: Heaps, move: tuple[int, int]) -> str:
        return f"{move[0] + 1}:{move[1]}"

    def parse_state(self, text: str) -> Heaps:
        """Read a position: a picture, a label (``1-4-5/O``), or moves from the start.

        Raises: ValueError, with line and column, for heaps that the game cannot reach; IllegalMove
        for a move that is not legal in its position.
        """
        check_text(text)
        if ":" in text or not text.strip():
            return super().parse_state(text)
        words = placed_words(text, blanks="|-/")
        if words and words[-1][0].lower() == "moves":
            words.pop()
        marks = MARKS[: self.players]
        mover = words.pop()[0].upper() if words and words[-1][0].upper() in tuple(marks) else "X"
        many = len(self.heaps)
        if len(words) != many:
            place = words[many][1] if len(words) > many else end_of(text)
            raise MalformedError(f"{place}: {len(words)} heaps where the game has {many}")
        each = zip(words, self.heaps, strict=True)
        return Heaps(tuple(count_at(*word, most) for word, most in each), marks.index(mover))


@frozen
class NimForMany(Nim):
    """Nim for more than two players, who take in turn.

    Requires: as `Nim`, and 3 to 8 players; or ValueError.
    Ensures: a value is a number for each player, and they sum to 1.  The player who takes the last
    object gets 1; in misère that player gets 0, and the others share equally.  The estimate gives
    all players the same.

    >>> game = NimForMany((1, 2))
    >>> game.utility(game.parse_state("1:1 2:1 2:1"))
    (0.0, 0.0, 1.0)
    """

    value_range = (0, 1)
    value_sum = 1

    players: int = 3  # type: ignore[misc]

    def __attrs_post_init__(self) -> None:
        Nim.__attrs_post_init__(self)
        check_integers(players=self.players)
        if not 3 <= self.players <= len(MARKS):
            raise MalformedError(f"players must be 2 to {len(MARKS)}, not {self.players}")

    def status(self, state: Heaps) -> Status:
        for heap in state.heaps:
            if heap > 0:
                return Status.IN_PLAY
        return Status.OVER

    def estimate(self, state: Heaps) -> Any:
        return self.shared(-1, 0.0)

    def utility(self, state: Heaps) -> Any:
        last = (state.turn + self.players - 1) % self.players
        return self.shared(last, 0.0 if self.misere else 1.0)

    def shared(self, player: int, part: float) -> Any:
        """Return shares of 1: `part` for `player` (-1 for none), equal shares for the others."""
        found = zeros_of(self)
        others = self.players - 1 if player >= 0 else self.players
        for other in range(self.players):
            found = put(found, other, part if other == player else (1.0 - part) / others)
        return found
