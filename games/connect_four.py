"""Connect Four on bitboards, on any board that fits into 64 bits."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, frozen

from games.board import Board
from games.board_text import EMPTY, MAXIES, MINNIES, is_board_text, read_board_text
from games.features import check_weight
from games.fields import TUNED
from games.game import WIN, Game, Status, win_in
from games.networks.ntuples import NTuples, distinct, mirrored, windows
from games.text_places import placed_digits, placed_words
from games.u64 import U64
from graphs.arguments import check_integers, check_text
from graphs.errors import MalformedError


@frozen
class Discs:
    """The bitboards: bit ``column * (height + 1) + row``, rows from the bottom, a spare on top."""

    mover: U64
    """The discs of the player to move."""
    all: U64


@frozen
class ConnectFour(Game[Discs, int]):
    """Connect Four; a move is a column, 0 to width - 1 (written 1 to width).

    Requires: ``width * (height + 1) <= 64``, or ValueError; `connect` of 2 or more.
    Ensures: the estimate is `pairs` times (Maxie's neighbouring pairs minus Minnie's), in all
    directions; by default it is 0, so that measurements measure only the search.
    Source: the bitboards of J. Tromp's Fhourstones and P. Pons's solver.

    >>> game = ConnectFour()
    >>> print(game.show(game.parse_state("4453")))
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . O . . .
    . . O X X . .
    1 2 3 4 5 6 7
    """

    width: int = 7
    height: int = 6
    connect: int = 4
    pairs: int = field(default=0, metadata={TUNED: True})
    bottom: U64 = field(init=False, eq=False, repr=False)
    """The mask of the lowest cell of each column."""
    board: U64 = field(init=False, eq=False, repr=False)
    """The mask of all cells, without the spare row."""

    value_range = (-WIN, WIN)

    def __attrs_post_init__(self) -> None:
        check_integers(1, width=self.width, height=self.height)
        check_integers(2, connect=self.connect)
        check_weight("pairs", self.pairs)
        if self.width * (self.height + 1) > 64:
            raise MalformedError(
                f"a board of {self.width} columns and {self.height} rows needs "
                f"{self.width * (self.height + 1)} bits (width * (height + 1)); there are 64"
            )
        bottom = U64(sum(1 << (column * (self.height + 1)) for column in range(self.width)))
        object.__setattr__(self, "bottom", bottom)
        object.__setattr__(self, "board", bottom * ((1 << self.height) - 1))

    @property
    def max_plies(self) -> int:
        """Return the number of moves that fill the board."""
        return self.width * self.height

    def start(self) -> Discs:
        return Discs(U64(0), U64(0))

    def aligned(self, discs: U64) -> bool:
        """Return whether `connect` of these discs are in line."""
        up = self.height + 1
        for step in (1, up - 1, up, up + 1):
            run, length = discs, 1
            while length < self.connect:
                more = min(length, self.connect - length)
                run = run & (run >> (more * step))
                length += more
            if run != 0:
                return True
        return False

    def status(self, state: Discs) -> Status:
        if self.aligned(state.all ^ state.mover):
            return Status.MINNIE_WINS if self.player(state) == 0 else Status.MAXIE_WINS
        if state.all.bit_count() == self.width * self.height:
            return Status.DRAW
        return Status.IN_PLAY

    def player(self, state: Discs) -> int:
        return state.all.bit_count() & 1

    def moves(self, state: Discs) -> Iterator[int]:
        if self.status(state) == Status.IN_PLAY:
            yield from self.moves_in_play(state)

    def moves_in_play(self, state: Discs) -> Iterator[int]:
        """Yield the moves of a position in play: columns with room."""
        top = U64(1) << (self.height - 1)
        for column in range(self.width):
            if state.all & top == 0:
                yield column
            top = top << (self.height + 1)

    def playable(self, state: Discs) -> U64:
        """Return the mask of the lowest empty cell of each column with room."""
        return (state.all + self.bottom) & self.board

    def children(self, state: Discs) -> Iterator[tuple[int, Discs]]:
        """Yield the moves of a position in play, columns with room, each with its child."""
        other = state.all ^ state.mover
        cells = self.playable(state)
        while cells != 0:
            cell = cells & -cells
            yield cell.lowest() // (self.height + 1), Discs(other, state.all | cell)
            cells = cells ^ cell

    def make_move(self, state: Discs, move: int) -> Discs:
        bottom = U64(1) << (move * (self.height + 1))
        return Discs(state.all ^ state.mover, state.all | (state.all + bottom))

    def estimate(self, state: Discs) -> int:
        if self.pairs == 0:
            return 0
        mover, other = state.mover, state.all ^ state.mover
        more, up = 0, self.height + 1
        for step in (1, up - 1, up, up + 1):
            more += (mover & (mover >> step)).bit_count() - (other & (other >> step)).bit_count()
        return self.pairs * (more if self.player(state) == 0 else -more)

    # For searches that play to the end ------------------------------------------------------------

    def open_to(self, discs: U64, all: U64) -> U64:
        """Return the mask of the empty cells where one more of these discs completes a line.

        No disc is above an empty cell, so in a column only the discs below it count.
        """
        up = self.height + 1
        found = self.gaps(discs, up - 1) | self.gaps(discs, up) | self.gaps(discs, up + 1)
        pile = ~U64(0)
        for k in range(1, self.connect):
            pile = pile & (discs << k)
        return (found | pile) & ~all & self.board

    def gaps(self, discs: U64, step: int) -> U64:
        """Return the mask of the cells with enough discs on both sides, in steps, for a line."""
        found = U64(0)
        for behind in range(self.connect):
            line = ahead = ~U64(0)
            for k in range(1, behind + 1):
                line = line & (discs << (k * step))
            for k in range(1, self.connect - behind):
                ahead = ahead & (discs >> (k * step))
            found = found | (line & ahead)
        return found

    def safe(self, state: Discs) -> U64:
        """Return the mask of playable cells after which the other player cannot win at once."""
        threats = self.open_to(state.all ^ state.mover, state.all)
        cells = self.playable(state)
        forced = cells & threats
        if forced != 0:
            cells = forced if forced & (forced - 1) == 0 else U64(0)
        return cells & ~(threats >> 1)

    def key(self, state: Discs) -> U64:
        """Return the transposition key of a position, which is unique (J. Tromp's)."""
        return state.mover + state.all

    def bounds(self, state: Discs) -> tuple[int, int]:
        """Return bounds of the value, exact if a player wins within two plies."""
        if self.open_to(state.mover, state.all) & self.playable(state) != 0:
            win = win_in(1) if self.player(state) == 0 else -win_in(1)
            return win, win
        return self.later_wins(state)

    def candidate_bounds(self, state: Discs) -> tuple[int, int]:
        """Return bounds of the value, given that nobody has won or can win by the next move."""
        return self.later_wins(state)

    def later_wins(self, state: Discs) -> tuple[int, int]:
        """Return bounds of the value, given that nobody can win at once, or the board is full."""
        left = self.max_plies - state.all.bit_count()
        low, high = -win_in(4) if left > 3 else 0, win_in(3) if left > 2 else 0
        # Safe cells first: compiled code shares values that are always computed with `candidates`.
        if self.safe(state) == 0 and left > 0:
            low = high = -win_in(2)
        return (low, high) if self.player(state) == 0 else (-high, -low)

    def candidates(self, state: Discs) -> Iterator[int]:
        """Yield the safe moves; all moves if there are none."""
        cells = self.safe(state)
        if cells == 0:
            cells = self.playable(state)
        while cells != 0:
            cell = cells & -cells
            yield cell.lowest() // (self.height + 1)
            cells = cells ^ cell

    def rollout_moves(self, state: Discs) -> Iterator[int]:
        """Yield the moves of a rollout: an immediate win, else one that stops a win, else any."""
        cells = self.playable(state)
        urgent = self.open_to(state.mover, state.all) & cells
        if urgent == 0:
            urgent = self.open_to(state.all ^ state.mover, state.all) & cells
        if urgent != 0:
            cells = urgent
        while cells != 0:
            cell = cells & -cells
            yield cell.lowest() // (self.height + 1)
            cells = cells ^ cell

    def prior(self, state: Discs, move: int) -> float:
        """Weigh a move: a win most, then one that stops a win, then by nearness to the middle; one
        that lets the other player win above it, least."""
        column = ((U64(1) << self.height) - 1) << (move * (self.height + 1))
        cell = self.playable(state) & column
        threats = self.open_to(state.all ^ state.mover, state.all)
        if cell & self.open_to(state.mover, state.all) != 0:
            return 64.0
        if cell & threats != 0:
            return 16.0
        if (cell << 1) & threats != 0:
            return 0.1
        return 1.0 + min(move, self.width - 1 - move)

    def promise(self, child: Discs) -> int:
        """Return the move-ordering score of a child: open cells for the mover, then the middle."""
        discs = child.all ^ child.mover
        near = 0
        for edge in range(1, (self.width + 1) // 2):
            inner = (U64(1) << ((self.width - 2 * edge) * (self.height + 1))) - 1
            near += (discs & (inner << (edge * (self.height + 1)))).bit_count()
        return self.width * self.open_to(discs, child.all).bit_count() + near

    # For networks -------------------------------------------------------------------------------

    def cell(self, state: Discs, k: int) -> int:
        """Return the content of cell k, row by row from the lowest: 1 a disc of the player to move,
        2 the other's, 3 an empty cell that can be played, 0 any other empty cell."""
        bit = (k % self.width) * (self.height + 1) + k // self.width
        taken = int((state.all >> bit) & 1)
        own = int((state.mover >> bit) & 1)
        return 2 * taken - own + 3 * int((self.playable(state) >> bit) & 1)

    def network(self) -> NTuples:
        """Return all windows of two by four and four by two cells, with mirror symmetry."""
        mirror = mirrored(self.height, self.width)
        high, wide = self.height, self.width
        cells = windows(high, wide, min(2, high), min(4, wide))
        cells += windows(high, wide, min(4, high), min(2, wide))
        return NTuples(4, distinct(cells, mirror), mirror)

    # For people ---------------------------------------------------------------------------------

    def show(self, state: Discs) -> str:
        mover, other = (MAXIES, MINNIES) if self.player(state) == 0 else (MINNIES, MAXIES)

        def cell(column: int, row: int) -> str:
            bit = column * (self.height + 1) + row
            if not (state.all >> bit) & 1:
                return EMPTY
            return mover if (state.mover >> bit) & 1 else other

        rows = [[cell(c, r) for c in range(self.width)] for r in reversed(range(self.height))]
        numbers = [str(c + 1)[-1] for c in range(self.width)]
        return "\n".join(" ".join(row) for row in [*rows, numbers])

    def picture(self, state: Discs) -> Board:
        rows = [line.split() for line in self.show(state).split("\n")[:-1]]
        return Board(rows, "discs", columns=[str(c + 1) for c in range(self.width)])

    def label(self, state: Discs) -> str:
        return f"{int(state.mover):x}/{int(state.all):x}"

    def move_text(self, state: Discs, move: int) -> str:
        return str(move + 1)

    def split_turns(self, text: str, blanks: str = "", start: int = 0) -> list[tuple[str, str]]:
        """Split a text of turns as other games do, and ``4453`` into four if all columns are
        digits."""
        split = placed_digits if self.width < 10 else placed_words
        return split(text, blanks, start)

    def parse_state(self, text: str) -> Discs:
        """Read a position: a board as `show` draws it, or moves from the start.

        Moves are columns: numbers with blanks or commas between or, with nine columns at most,
        digits without (``4453``).

        Raises: ValueError, with line and column, for an impossible board; IllegalMove for a move
        that is not legal in its position.
        """
        check_text(text)
        if not is_board_text(text):
            return self.read_turns(text)
        drawn = read_board_text(text, self.width, self.height)
        drawn.check_turns()
        words_of = {MAXIES: U64(0), MINNIES: U64(0)}
        for column in range(self.width):
            pile = "".join(row[column] for row in reversed(drawn.rows)).rstrip(EMPTY)
            if EMPTY in pile:
                place = drawn.places[self.height - len(pile)][column]
                raise MalformedError(f"{place}: a disc hangs over an empty cell")
            for row, c in enumerate(pile):
                words_of[c] |= U64(1) << (column * (self.height + 1) + row)
        discs = words_of[MAXIES] | words_of[MINNIES]
        mover = words_of[MINNIES if discs.bit_count() & 1 else MAXIES]
        line = drawn.first_line((MAXIES, MINNIES)[discs.bit_count() & 1], self.connect)
        if line:
            raise MalformedError(f"{line}: the player to move already has {self.connect} in line")
        return Discs(mover, discs)
