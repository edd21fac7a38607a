"""King and rook against king: plays return to positions, so that no search to a depth solves it."""

from collections.abc import Iterator

from attrs import evolve, frozen

from games import MAXIE, MINNIE, Game, Status


@frozen
class Men:
    """The squares of the men, from 0 at the top left, and whether black is to move."""

    king: int
    rook: int
    other: int
    """Black's king."""
    black: bool


@frozen
class RookEndgame(Game[Men, tuple[int, int]]):
    """King and rook against king, on a board of `size` rows; white is Maxie."""

    size: int = 8

    def start(self) -> Men:
        n = self.size
        return Men(0, n - 1, (n // 2) * n + n // 2, False)

    def far(self, a: int, b: int) -> int:
        n = self.size
        return max(abs(a // n - b // n), abs(a % n - b % n))

    def sees(self, men: Men, square: int) -> bool:
        """Return whether the rook attacks a square; the white king may stand between."""
        n, rook, king = self.size, men.rook, men.king
        if rook == square:
            return False
        if rook // n == square // n:
            return not (king // n == rook // n and min(rook, square) < king < max(rook, square))
        if rook % n == square % n:
            return not (king % n == rook % n and min(rook, square) < king < max(rook, square))
        return False

    def steps(self, square: int) -> Iterator[int]:
        n = self.size
        for row in range(max(0, square // n - 1), min(n, square // n + 2)):
            for column in range(max(0, square % n - 1), min(n, square % n + 2)):
                if (row, column) != (square // n, square % n):
                    yield row * n + column

    def escapes(self, state: Men) -> Iterator[tuple[int, int]]:
        for to in self.steps(state.other):
            if self.far(to, state.king) > 1 and not self.sees(state, to):
                yield state.other, to

    def status(self, state: Men) -> Status:
        if state.rook < 0:
            return Status.DRAW
        if state.black and not any(True for _ in self.escapes(state)):
            return Status.MAXIE_WINS if self.sees(state, state.other) else Status.DRAW
        return Status.IN_PLAY

    def player(self, state: Men) -> int:
        return MINNIE if state.black else MAXIE

    def moves(self, state: Men) -> Iterator[tuple[int, int]]:
        if state.black:
            yield from self.escapes(state)
            return
        for to in self.steps(state.king):
            if self.far(to, state.other) > 1 and to != state.rook:
                yield state.king, to
        n = self.size
        for step_row, step_column in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            row, column = state.rook // n + step_row, state.rook % n + step_column
            while 0 <= row < n and 0 <= column < n:
                to = row * n + column
                if to in (state.king, state.other):
                    break
                yield state.rook, to
                row, column = row + step_row, column + step_column

    def make_move(self, state: Men, move: tuple[int, int]) -> Men:
        start, to = move
        if state.black:
            return evolve(state, other=to, rook=-1 if to == state.rook else state.rook, black=False)
        if start == state.king:
            return evolve(state, king=to, black=True)
        return evolve(state, rook=to, black=True)

    def estimate(self, state: Men) -> int:
        return 0

    def move_text(self, state: Men, move: tuple[int, int]) -> str:
        start, to = move
        man = "K" if state.black or start == state.king else "R"
        return f"{man}{chr(97 + to % self.size)}{self.size - to // self.size}"

    def show(self, state: Men) -> str:
        men = {state.king: "K", state.rook: "R", state.other: "k"}
        rows = range(0, self.size**2, self.size)
        return "\n".join(
            " ".join(men.get(square, ".") for square in range(row, row + self.size)) for row in rows
        )
