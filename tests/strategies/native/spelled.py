"""Tic-tac-toe as beginners write it: with boards, positions and moves that are texts."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from games import Game, Status

LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6)),
    *((1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)),
)


@frozen
class Nine(Game[str, int]):
    """The board is a text of nine letters."""

    def start(self) -> str:
        return "." * 9

    def status(self, state: str) -> Status:
        for i, j, k in LINES:
            if state[i] == state[j] == state[k] != ".":
                return Status.MAXIE_WINS if state[i] == "X" else Status.MINNIE_WINS
        return Status.IN_PLAY if "." in state else Status.DRAW

    def estimate(self, state: str) -> int:
        return "-OX".index(state[4].replace(".", "-"))

    def player(self, state: str) -> int:
        return (9 - state.count(".")) % 2

    def moves(self, state: str) -> Any:
        if self.status(state) == Status.IN_PLAY:
            return [i for i, mark in enumerate(state) if mark == "."]
        return []

    def make_move(self, state: str, move: int) -> str:
        return state[:move] + "XO"[self.player(state)] + state[move + 1 :]


@frozen
class Named(Game[str, str]):
    """A position is the player and the rows, as X:.../.X./..., and a move is a text such as b2."""

    def start(self) -> str:
        return "X:" + "/".join(["..."] * 3)

    def lines(self, state: str) -> Any:
        a, b, c = state[2:].split("/")
        yield from (a, b, c)
        for x, y, z in zip(a, b, c, strict=True):
            yield x + y + z
        yield f"{a[0]}{b[1]}{c[2]}"
        yield "".join((c[0], b[1], a[2]))

    def status(self, state: str) -> Status:
        for line in self.lines(state):
            match line:
                case "XXX":
                    return Status.MAXIE_WINS
                case "OOO":
                    return Status.MINNIE_WINS
        return Status.IN_PLAY if "." in state else Status.DRAW

    def estimate(self, state: str) -> int:
        return sum(
            {"XX": 2, "OO": -2}.get("".join(sorted(line))[1:], 0) for line in self.lines(state)
        )

    def player(self, state: str) -> int:
        return {"X": 0, "O": 1}[state[0]]

    def moves(self, state: str) -> Any:
        if self.status(state) == Status.IN_PLAY:
            for r, row in enumerate(state.partition(":")[2].split("/")):
                for name, mark in zip("abc", row, strict=True):
                    if mark == ".":
                        yield f"{name}{r + 1}"

    def make_move(self, state: str, move: str) -> str:
        player, rows = state[0], state[2:].split("/")
        c, r = "abc".index(move[0]), int(move[1:]) - 1
        rows[r] = rows[r][:c] + player + rows[r][c + 1 :]
        return f"{'O' if player == 'X' else 'X'}:{'/'.join(rows)}"
