"""Breakthrough: who reaches the last row wins.  With bounds and an order of moves, for `solve`."""

from collections.abc import Iterator
from typing import NamedTuple

from attrs import frozen

from games import MAXIE, MINNIE, U64, Game, Status, win_in


class Move(NamedTuple):
    start: int
    end: int


@frozen
class Men:
    """Sets of squares as bits, seen by the player to move: bit 0 is the left square of the first
    row, from which this player's men advance."""

    own: int
    other: int
    player: int = MAXIE


@frozen
class Breakthrough(Game[Men, Move]):
    """Men move one square ahead, straight or diagonally, and take diagonally.

    Requires: at most 30 squares.
    """

    width: int = 5
    height: int = 5
    rows: int = 2

    def start(self) -> Men:
        men = (1 << self.rows * self.width) - 1
        return Men(men, self.turned(men))

    def row(self, number: int) -> int:
        """Return the squares of a row."""
        return (1 << self.width) - 1 << number * self.width

    def turned(self, men: int) -> int:
        """Return a set of squares as the other player sees it."""
        seen = 0
        for number in range(self.height):
            seen = seen << self.width | (men & self.row(number)) >> number * self.width
        return seen

    def attacked(self, own: int) -> int:
        """Return the squares that men attack."""
        left = sum(1 << number * self.width for number in range(self.height))
        right = left << self.width - 1
        return (own & ~left) << self.width - 1 | (own & ~right) << self.width + 1

    def player(self, state: Men) -> int:
        return state.player

    def status(self, state: Men) -> Status:
        if state.other & self.row(0) or not state.own:
            return Status.MINNIE_WINS if state.player == MAXIE else Status.MAXIE_WINS
        return Status.IN_PLAY

    def ends(self, state: Men, men: int) -> int:
        """Return the squares to which these of the player's men may move."""
        ahead = men << self.width & ~state.other
        return (self.attacked(men) | ahead) & ~state.own

    def moves(self, state: Men) -> Iterator[Move]:
        if self.status(state) != Status.IN_PLAY:
            return
        for start in range(self.width * self.height - 1, -1, -1):  # the foremost men first
            ends = self.ends(state, state.own & 1 << start)
            while ends:
                end = ends & -ends
                yield Move(start, end.bit_length() - 1)
                ends ^= end

    def make_move(self, state: Men, move: Move) -> Men:
        own = state.own ^ 1 << move.start | 1 << move.end
        other = state.other & ~(1 << move.end)
        next_player = MINNIE if state.player == MAXIE else MAXIE
        return Men(self.turned(other), self.turned(own), next_player)

    def bounds(self, state: Men) -> tuple[int, int]:
        """Return the value if a player is about to arrive, else what it is at best and at worst."""
        mine = state.player == MAXIE
        free = state.other & ~self.attacked(state.own)
        takes_the_last = not free and state.other.bit_count() == 1
        if takes_the_last or self.ends(state, state.own) & self.row(self.height - 1):
            return (win_in(1), win_in(1)) if mine else (-win_in(1), -win_in(1))
        near = state.other & self.row(1)
        if near & free or near.bit_count() > 1:
            return (-win_in(2), -win_in(2)) if mine else (win_in(2), win_in(2))
        return (-win_in(2), win_in(3)) if mine else (-win_in(3), win_in(2))

    def promise(self, child: Men) -> int:
        """Order moves by how many men the player who moved is ahead."""
        return child.other.bit_count() - child.own.bit_count()

    def key(self, state: Men) -> U64:
        squares = self.width * self.height
        return U64(state.own | state.other << squares | state.player << 2 * squares)

    def estimate(self, state: Men) -> float:
        ahead = state.own.bit_count() - state.other.bit_count()
        return ahead if state.player == MAXIE else -ahead

    def move_text(self, state: Men, move: Move) -> str:
        return "".join(self.name(state, square) for square in move)

    def name(self, state: Men, square: int) -> str:
        """Return the name of a square, from a1 at the left of Maxie."""
        row, column = divmod(square, self.width)
        return "abcdefghij"[column] + str(row + 1 if state.player == MAXIE else self.height - row)
