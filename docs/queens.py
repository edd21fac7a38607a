"""All ways to place n queens on a board of n by n fields, so that none attacks another."""

from collections.abc import Iterator

from attrs import frozen

from games import SearchTree, Status


@frozen
class Placed:
    """The queens in the first rows, as the columns and diagonals that they attack in the next."""

    rows: int = 0
    columns: int = 0
    left: int = 0
    right: int = 0


@frozen
class Queens(SearchTree[Placed, int]):
    """Place a queen in each row; the sum over all nodes counts the boards with n queens."""

    size: int

    def start(self) -> Placed:
        return Placed()

    def status(self, state: Placed) -> Status:
        return Status.IN_PLAY if self.free(state) else Status.OVER

    def free(self, state: Placed) -> int:
        """Return the fields of the next row that no queen attacks, as bits."""
        return (1 << self.size) - 1 & ~(state.columns | state.left | state.right)

    def moves(self, state: Placed) -> Iterator[int]:
        free = self.free(state)
        while free:
            field = free & -free
            free ^= field
            yield field

    def make_move(self, state: Placed, move: int) -> Placed:
        left, right = (state.left | move) << 1, (state.right | move) >> 1
        return Placed(state.rows + 1, state.columns | move, left, right)

    def measure(self, state: Placed) -> int:
        return int(state.rows == self.size)
