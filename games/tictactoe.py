"""Tic-tac-toe, three in a row on nine cells: the smallest complete game, to read first."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from games.board_text import EMPTY, MAXIES, MINNIES, is_board_text, read_board_text
from games.game import WIN, Game, Status
from games.networks.ntuples import NTuples, distinct, lines, turned
from games.text_places import placed_digits
from games.u64 import U64
from graphs.arguments import check_text
from graphs.errors import MalformedError

LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
FULL = 0o777


@frozen
class Marks:
    """The bitboards of Tic-tac-toe: bit k of a word is cell k, row by row from the top left."""

    maxies: U64
    minnies: U64


@frozen
class TicTacToe(Game[Marks, int]):
    """Tic-tac-toe; a move is a cell, 0 to 8 (written 1 to 9).

    Ensures: 255,168 different games; a draw with optimal play.

    >>> game = TicTacToe()
    >>> print(game.show(game.parse_state("5 1 9")))
    O . .
    . X .
    . . X
    """

    value_range = (-WIN, WIN)
    max_plies = 9

    def start(self) -> Marks:
        return Marks(U64(0), U64(0))

    def status(self, state: Marks) -> Status:
        for line in LINES:
            if state.maxies & line == line:
                return Status.MAXIE_WINS
            if state.minnies & line == line:
                return Status.MINNIE_WINS
        if state.maxies | state.minnies == FULL:
            return Status.DRAW
        return Status.IN_PLAY

    def player(self, state: Marks) -> int:
        return (state.maxies | state.minnies).bit_count() & 1

    def moves(self, state: Marks) -> Iterator[int]:
        if self.status(state) == Status.IN_PLAY:
            taken = state.maxies | state.minnies
            for cell in range(9):
                if (taken >> cell) & 1 == 0:
                    yield cell

    def make_move(self, state: Marks, move: int) -> Marks:
        mark = U64(1) << move
        if self.player(state) == 0:
            return Marks(state.maxies | mark, state.minnies)
        return Marks(state.maxies, state.minnies | mark)

    def cell(self, state: Marks, k: int) -> int:
        """Return the content of cell k: 0 empty, 1 the mark of the player to move, 2 the other's.

        It is the input of networks that learn the game.
        """
        maxie, minnie = int((state.maxies >> k) & 1), int((state.minnies >> k) & 1)
        return maxie + 2 * minnie if self.player(state) == 0 else minnie + 2 * maxie

    def network(self) -> NTuples:
        """Return the network of the eight lines, with all symmetries."""
        return NTuples(3, distinct(lines(3, 3, 3), turned(3, 3)), turned(3, 3))

    def estimate(self, state: Marks) -> int:
        """Return the number of lines still open to Maxie minus those still open to Minnie."""
        open_lines = 0
        for line in LINES:
            if state.minnies & line == 0:
                open_lines += 1
            if state.maxies & line == 0:
                open_lines -= 1
        return open_lines

    # For people ---------------------------------------------------------------------------------

    def label(self, state: Marks) -> str:
        cells = (
            MAXIES if (state.maxies >> k) & 1 else MINNIES if (state.minnies >> k) & 1 else EMPTY
            for k in range(9)
        )
        text = "".join(cells)
        return "/".join(text[k : k + 3] for k in (0, 3, 6))

    def show(self, state: Marks) -> str:
        return "\n".join(" ".join(row) for row in self.label(state).split("/"))

    def move_text(self, state: Marks, move: int) -> str:
        return str(move + 1)

    def split_turns(self, text: str, blanks: str = "", start: int = 0) -> list[tuple[str, str]]:
        """Split a text of turns as other games do, and ``159`` into three."""
        return placed_digits(text, blanks, start)

    def parse_state(self, text: str) -> Marks:
        """Read a position: a board (three rows of X, O and dots), or moves from the start.

        Raises: ValueError, with line and column, for an impossible board.
        """
        check_text(text)
        if not is_board_text(text):
            return self.read_turns(text)
        drawn = read_board_text(text, 3, 3)
        drawn.check_turns()
        cells = "".join(drawn.rows)
        maxies, minnies = (
            U64(sum(1 << k for k, c in enumerate(cells) if c == mark)) for mark in (MAXIES, MINNIES)
        )
        state = Marks(maxies, minnies)
        place = drawn.first_line((MAXIES, MINNIES)[self.player(state)], 3)
        if place:
            raise MalformedError(f"{place}: the player to move already has three in a row")
        return state
