"""Othello on bitboards, with 4, 6 or 8 rows; lines of discs are found by filling, not by loops."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from attrs import field, frozen

from games.board import Board
from games.board_text import EMPTY, MAXIES, MINNIES, is_board_text, read_board_text
from games.features import Weighted, plain
from games.game import Status
from games.networks.ntuples import NTuples, distinct, lines, turned, windows
from games.u64 import U64, nth_bit
from graphs.arguments import check_text, shown
from graphs.errors import MalformedError

PASS: Final = 64
"""The move of a player who cannot turn a disc, if the other player can."""
FAR: Final = 12
"""From so many empty squares on, a learned estimate orders the moves of a proof."""
FARTHER: Final = 16
"""From so many empty squares on, it is the estimate after the best reply, which costs more; with
fewer, that of the position itself."""
NEAR: Final = 4
"""With so many empty squares or fewer, a proof needs no table and no move ordering."""
REPLY: Final = 1.25
"""How many discs a reply less is worth there, from `FARTHER` on: few replies make a small tree."""
REPLY_AT_ONCE: Final = 4.0
"""The same from `FAR` up to there."""
STABLE: Final = 0.5
"""The share of the discs up to which a proof counts those that are stable."""
SIZES: Final = (4, 6, 8)
COLUMNS: Final = "abcdefgh"
EMPTIES: Final = "nobody", "winner"
"""For whom the squares that stay empty can count."""


@frozen
class Disks:
    """The bitboards of Othello: bit ``8 * row + column`` from the top left, on any board size."""

    mover: U64
    """The discs of the player to move."""
    other: U64
    turn: int
    places: U64 = field(eq=False)
    """The squares where the player to move turns a disc."""


def reached(start: U64, over: U64, d: int) -> U64:
    """Return the mask of the squares of `over` in lines from `start`, up to six steps of `d`."""
    found = (start << d) & over
    found = found | ((found << d) & over)
    pairs = over & (over << d)
    found = found | ((found << (2 * d)) & pairs)
    return found | ((found << (2 * d)) & pairs)


def reached_back(start: U64, over: U64, d: int) -> U64:
    """Return the mask of the same squares downwards."""
    found = (start >> d) & over
    found = found | ((found >> d) & over)
    pairs = over & (over >> d)
    found = found | ((found >> (2 * d)) & pairs)
    return found | ((found >> (2 * d)) & pairs)


def beyond(own: U64, over: U64, d: int) -> U64:
    """Return the mask of the squares one step past the lines of `over` beside `own`, both ways."""
    return (reached(own, over, d) << d) | (reached_back(own, over, d) >> d)


def between(place: U64, own: U64, over: U64, d: int) -> U64:
    """Return the mask of the lines of `over` from `place` to a square of `own`, both ways."""
    ahead, behind = reached(place, over, d), reached_back(place, over, d)
    turned = ahead if (ahead << d) & own != 0 else U64(0)
    return turned | behind if (behind >> d) & own != 0 else turned


def open_lines(empty: U64, over: U64, d: int) -> U64:
    """Return the mask of the lines with an empty square; `over` has all squares but their ends."""
    ahead, behind = reached(empty, over, d), reached_back(empty, over, d)
    inside = empty & over
    return empty | ahead | behind | ((inside | ahead) << d) | ((inside | behind) >> d)


def check_size(rows: int) -> int:
    """Check the number of rows, and returns it."""
    if rows not in SIZES:
        raise MalformedError(f"size must be one of {', '.join(map(str, SIZES))}, not {shown(rows)}")
    return int(rows)


@frozen
class Othello(Weighted[Disks, int]):
    """Othello; a move is a square, ``8 * row + column`` (written d3), or `PASS` (written pass).

    Dark (X) is Maxie and begins.  A player places a disc where it turns at least one disc of the
    other side, and turns all discs in unbroken lines between it and discs of the same side.  A
    player who cannot turn a disc passes; when neither can, the game is over and more discs win.

    Requires: `size` is 4, 6 or 8, and `empties` "nobody" or "winner", or ValueError.
    Ensures: the utility is Maxie's discs minus Minnie's, so that a search plays for the score; the
    status says who has won.  Squares that stay empty count for `empties`: as tournaments count,
    for the winner.  The estimate is the weighted sum of the features, Maxie's minus
    Minnie's: discs, mobility (the squares where a player may place a disc) and corners.
    Source: the parallel-prefix fill of chess and Othello programs, on both sides of a square.

    >>> game = Othello()
    >>> print(game.show(game.parse_state("d3 c5")))
    . . . . . . . . 1
    . . . . . . . . 2
    . . . X . . . . 3
    . . . X X . . . 4
    . . O O O . . . 5
    . . . . . . . . 6
    . . . . . . . . 7
    . . . . . . . . 8
    a b c d e f g h
    X moves
    """

    feature_names = ("discs", "mobility", "corners")
    max_plies = 120

    size: int = field(default=8, converter=check_size)
    weights: tuple[float, ...] = field(default=(0, 1, 12), converter=plain)
    empties: str = field(default="nobody")
    value_range: tuple[float, float] = field(init=False, eq=False, repr=False)
    squares: U64 = field(init=False, eq=False, repr=False)
    inner: U64 = field(init=False, eq=False, repr=False)
    corners: U64 = field(init=False, eq=False, repr=False)
    end_columns: U64 = field(init=False, eq=False, repr=False)
    end_rows: U64 = field(init=False, eq=False, repr=False)
    quarters: tuple[U64, ...] = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if len(self.weights) != len(self.feature_names):
            raise MalformedError(f"one weight each for {', '.join(self.feature_names)}")
        if self.empties not in EMPTIES:
            names = " or ".join(map(repr, EMPTIES))
            raise MalformedError(f"empties must be {names}, not {shown(self.empties)}")

    @value_range.default
    def _value_range(self) -> tuple[float, float]:
        most = sum(abs(w) * n for w, n in zip(self.weights, (64, 64, 4), strict=False))
        return (-max(64, most), max(64, most))

    @squares.default
    def _squares(self) -> U64:
        return self.rectangle(0, self.size)

    @inner.default
    def _inner(self) -> U64:
        return self.rectangle(1, self.size - 1)

    @corners.default
    def _corners(self) -> U64:
        last = self.size - 1
        return U64(sum(1 << square for square in (0, last, 8 * last, 9 * last)))

    @end_columns.default
    def _end_columns(self) -> U64:
        return self.squares & ~self.inner

    @end_rows.default
    def _end_rows(self) -> U64:
        rims = U64(sum(1 << square for square in range(64) if square // 8 in (0, self.size - 1)))
        return rims & self.squares

    @quarters.default
    def _quarters(self) -> tuple[U64, ...]:
        half = self.size // 2
        corner = U64(sum(1 << (8 * r + c) for r in range(half) for c in range(half)))
        return (corner, corner << half, corner << (8 * half), corner << (9 * half))

    def rectangle(self, first: int, stop: int) -> U64:
        """Return the mask of the squares of the columns `first` up to `stop`."""
        return U64(sum(1 << (8 * r + c) for r in range(self.size) for c in range(first, stop)))

    def start(self) -> Disks:
        half = self.size // 2
        dark = U64(sum(1 << (8 * r + c) for r, c in ((half - 1, half), (half, half - 1))))
        light = U64(sum(1 << (8 * r + c) for r, c in ((half - 1, half - 1), (half, half))))
        return self.position(dark, light, 0)

    def position(self, mover: U64, other: U64, turn: int) -> Disks:
        """Return the position of these discs, with its derived field."""
        return Disks(mover, other, turn, self.places(mover, other))

    def places(self, mover: U64, other: U64) -> U64:
        """Return the mask of the empty squares where `mover` turns a disc of `other`."""
        inner = other & self.inner
        sideways = beyond(mover, inner, 1) | beyond(mover, inner, 7) | beyond(mover, inner, 9)
        return (sideways | beyond(mover, other, 8)) & self.squares & ~(mover | other)

    def status(self, state: Disks) -> Status:
        if not self.over(state):
            return Status.IN_PLAY
        lead = self.lead(state)
        if lead == 0:
            return Status.DRAW
        return Status.MAXIE_WINS if lead > 0 else Status.MINNIE_WINS

    def over(self, state: Disks) -> bool:
        """Return whether neither player can turn a disc."""
        return state.places == 0 and self.places(state.other, state.mover) == 0

    def player(self, state: Disks) -> int:
        return state.turn

    def lead(self, state: Disks) -> int:
        """Return Maxie's discs minus Minnie's."""
        more = state.mover.bit_count() - state.other.bit_count()
        return more if state.turn == 0 else -more

    def moves(self, state: Disks) -> Iterator[int]:
        if not self.over(state):
            yield from self.candidates(state)

    def count_moves(self, state: Disks) -> int:
        """Count the moves of a position in play."""
        return max(1, state.places.bit_count())

    def nth_move(self, state: Disks, n: int) -> int:
        """Return the n-th move, counted from 0."""
        return PASS if state.places == 0 else nth_bit(state.places, n)

    def make_move(self, state: Disks, move: int) -> Disks:
        mover, other = state.mover, state.other
        if move != PASS:
            place = U64(1) << move
            turned = self.turned(mover, other, place)
            mover, other = mover | place | turned, other & ~turned
        return self.position(other, mover, 1 - state.turn)

    def turned(self, mover: U64, other: U64, place: U64) -> U64:
        """Return the discs of `other` that `mover` turns by a disc on `place`."""
        inner = other & self.inner
        sideways = between(place, mover, inner, 1) | between(place, mover, inner, 7)
        return sideways | between(place, mover, inner, 9) | between(place, mover, other, 8)

    def features(self, state: Disks) -> tuple[int, ...]:
        mover, other = state.mover, state.other
        mobility = state.places.bit_count() - self.places(other, mover).bit_count()
        corners = (mover & self.corners).bit_count() - (other & self.corners).bit_count()
        sign = 1 - 2 * state.turn
        return self.lead(state), sign * mobility, sign * corners

    def prior(self, state: Disks, move: int) -> float:
        """Weigh a move: a corner most, a square next to an empty corner least."""
        row, column, last = move // 8, move % 8, self.size - 1
        if move == PASS or min(row, last - row) > 1 or min(column, last - column) > 1:
            return 1.0
        corner = 8 * (0 if row <= 1 else last) + (0 if column <= 1 else last)
        if move == corner:
            return 8.0
        return 1.0 if ((state.mover | state.other) >> corner) & 1 else 0.25

    def bounds(self, state: Disks) -> tuple[int, int]:
        """Return bounds of the score, the number of squares."""
        most = self.size * self.size
        return -most, most

    def candidates(self, state: Disks) -> Iterator[int]:
        """Generate the moves of a position in play."""
        left = state.places
        if left == 0:
            yield PASS
        while left != 0:
            yield left.lowest()
            left = left & (left - 1)

    def candidate_bounds(self, state: Disks) -> tuple[int, int]:
        """Return bounds of the score: the score itself if the game is over or one square is empty.

        The last square is tested before `places` is read, so that compiled code need not find it.
        """
        most, empty, score = self.size * self.size, self.empty(state), self.utility(state)
        if empty & (empty - 1) == 0:
            gain = self.gain(state.mover, state.other, empty)
            if gain == 0:
                gain = -self.gain(state.other, state.mover, empty)
            if gain != 0:
                score = self.lead(state) + (gain if state.turn == 0 else -gain)
            return score, score
        if self.over(state):
            return score, score
        return -most, most

    def gain(self, mover: U64, other: U64, place: U64) -> int:
        """Return how much a disc on `place` adds to the lead of `mover`; 0 if it is no move."""
        turned = self.turned(mover, other, place)
        return 0 if turned == 0 else 2 * turned.bit_count() + 1

    def empty(self, state: Disks) -> U64:
        """Return the empty squares."""
        return self.squares & ~(state.mover | state.other)

    def window_bounds(self, state: Disks, low: float, high: float) -> tuple[int, int]:
        """Return bounds of the score by the discs that the player who just moved keeps for good.

        They are counted only where few of them would settle the window.
        """
        most, other = self.size * self.size, state.other
        needed = (most - (low if state.turn == 0 else -high)) / 2
        discs = (state.mover | other).bit_count()
        if needed > STABLE * discs or needed > other.bit_count():
            return -most, most
        reach = most - 2 * self.stable(other, self.empty(state)).bit_count()
        return (-most, reach) if state.turn == 0 else (-reach, most)

    def stable(self, own: U64, empty: U64) -> U64:
        """Return discs of `own` that can never be turned, most of those that there are.

        A disc is turned along a line, between two discs of the other side.  That cannot happen if
        the line is full, if it ends with this disc, or if the next disc is stable and `own`, too.
        """
        squares, inner, edges = self.squares, self.inner, self.end_columns | self.end_rows
        across = self.end_columns | squares & ~open_lines(empty, inner, 1)
        down = self.end_rows | squares & ~open_lines(empty, squares, 8)
        falling = edges | squares & ~open_lines(empty, inner, 9)
        rising = edges | squares & ~open_lines(empty, inner, 7)
        found = U64(0)
        while True:
            kept = own & (across | (found << 1) | (found >> 1))
            kept = kept & (down | (found << 8) | (found >> 8))
            kept = kept & (falling | (found << 9) | (found >> 9))
            kept = kept & (rising | (found << 7) | (found >> 7))
            if kept == found:
                return found
            found = kept

    def near_end(self, state: Disks) -> bool:
        """Return whether so few squares are empty that a proof needs no table."""
        return self.empty(state).bit_count() <= NEAR

    def promise(self, child: Disks) -> int:
        """Rate a move for move ordering: few replies, none of them a corner, and an even number of
        empty squares in each quarter of the board, so that the last move there is the mover's own.
        """
        empty, odd = self.empty(child), 0
        for quarter in self.quarters:
            odd += (empty & quarter).bit_count() & 1
        replies = child.places.bit_count() + (child.places & self.corners).bit_count()
        return -4 * replies - 2 * odd

    def learned_promise(self, child: Disks) -> float:
        """Rate a move as `promise`; far from the end, by the estimate less the worth of each reply,
        and farther from it, by the estimate after the best reply.
        """
        empty, replies = self.empty(child).bit_count(), child.places.bit_count()
        if empty < FAR:
            return float(self.promise(child))
        sign, left = 1 - 2 * child.turn, child.places
        if empty < FARTHER or left == 0:
            return -float(sign * self.estimate(child)) - REPLY_AT_ONCE * replies
        best = -math.inf
        while left != 0:
            best = max(best, float(sign * self.estimate(self.make_move(child, left.lowest()))))
            left = left & (left - 1)
        return -best - REPLY * replies

    # For networks -------------------------------------------------------------------------------

    def cell(self, state: Disks, k: int) -> int:
        """Return the content of square k, row by row: 1 a disc of the mover, 2 the other's."""
        bit = 8 * (k // self.size) + k % self.size
        return int((state.mover >> bit) & 1) + 2 * int((state.other >> bit) & 1)

    def network(self) -> NTuples:
        """Return rows, long diagonals and two windows in the corners, with all symmetries."""
        size = self.size
        sides = turned(size, size)
        cells = lines(size, size, size)
        cells += windows(size, size, 3, 3)[:1] + windows(size, size, 2, min(5, size))[:1]
        return NTuples(3, distinct(cells, sides), sides)

    def utility(self, state: Disks) -> int:
        lead = self.lead(state)
        if self.empties == "nobody" or lead == 0:
            return lead
        left = self.empty(state).bit_count()
        return lead + left if lead > 0 else lead - left

    # For people ---------------------------------------------------------------------------------

    def rows(self, state: Disks) -> list[str]:
        """Return the board as texts, one per row."""
        dark, light = (state.mover, state.other) if state.turn == 0 else (state.other, state.mover)
        cells = "".join(
            MAXIES if (dark >> k) & 1 else MINNIES if (light >> k) & 1 else EMPTY for k in range(64)
        )
        return [cells[8 * r : 8 * r + self.size] for r in range(self.size)]

    def label(self, state: Disks) -> str:
        dark, light = (state.mover, state.other) if state.turn == 0 else (state.other, state.mover)
        return f"{int(dark):x}/{int(light):x}/{'XO'[state.turn]}"

    def show(self, state: Disks) -> str:
        rows = [" ".join([*row, str(r)]) for r, row in enumerate(self.rows(state), 1)]
        return "\n".join([*rows, " ".join(COLUMNS[: self.size]), f"{'XO'[state.turn]} moves"])

    def picture(self, state: Disks) -> Board:
        rows, names = self.rows(state), COLUMNS[: self.size]
        return Board(rows, "discs", names, [str(r) for r in range(1, self.size + 1)])

    def move_text(self, state: Disks, move: int) -> str:
        return "pass" if move == PASS else f"{COLUMNS[move % 8]}{move // 8 + 1}"

    def parse_state(self, text: str) -> Disks:
        """Read a position: a board as `show` draws it, or moves from the start (``d3 c5``).

        With a line ``O moves``, Minnie moves; else Maxie does.

        Raises: ValueError, with line and column, for an impossible board; IllegalMove for a move
        that is not legal in its position.
        """
        check_text(text)
        if not is_board_text(text):
            return super().parse_state(text)
        lines = text.split("\n")
        words = [line.lower().split() for line in lines]
        turn = 1 if ["o", "moves"] in words else 0
        besides = (["x", "moves"], ["o", "moves"], list(COLUMNS[: self.size]))
        board = [" " if w in besides else line for line, w in zip(lines, words, strict=True)]
        drawn = read_board_text("\n".join(board), self.size, self.size)
        squares = [
            (8 * r + c, mark) for r, row in enumerate(drawn.rows) for c, mark in enumerate(row)
        ]
        dark, light = (
            U64(sum(1 << k for k, mark in squares if mark == who)) for who in (MAXIES, MINNIES)
        )
        begun = self.start()
        middle = ~(dark | light) & (begun.mover | begun.other)
        if middle != 0:
            place = drawn.places[middle.lowest() // 8][middle.lowest() % 8]
            raise MalformedError(f"{place}: the four squares in the middle are never empty")
        return self.position(light, dark, 1) if turn else self.position(dark, light, 0)
