"""Coins: two players alternately take one or two coins from either end of a row; more coins win.

>>> game = Coins((5, 1, 8, 2, 9))
>>> print(game.show(game.parse_state("+2 -1")))
8 2   Minnie leads by 3
"""

from collections.abc import Iterator

from attrs import field, frozen

from games import MAXIE, Game, Status
from games.fields import TUNED


@frozen
class Row:
    """A position: coins `left` to `right - 1` are still in the row."""

    left: int
    right: int
    turn: int
    lead: int
    """Maxie's coins minus Minnie's."""


@frozen
class Coins(Game[Row, int]):
    """A row of coins. The move n takes n coins from the left end, -n takes n from the right end."""

    coins: tuple[int, ...] = (5, 1, 8, 2, 9, 4, 7, 3, 6, 2, 8, 1)

    def start(self) -> Row:
        return Row(0, len(self.coins), MAXIE, 0)

    def status(self, state: Row) -> Status:
        return Status.IN_PLAY if state.left < state.right else Status.OVER

    def player(self, state: Row) -> int:
        return state.turn

    def moves(self, state: Row) -> Iterator[int]:
        for n in range(1, min(2, state.right - state.left) + 1):
            yield n
            yield -n

    def make_move(self, state: Row, move: int) -> Row:
        left, right = state.left + max(move, 0), state.right + min(move, 0)
        taken = 0
        for i in range(state.left, left):
            taken += self.coins[i]
        for i in range(right, state.right):
            taken += self.coins[i]
        gain = taken if state.turn == MAXIE else -taken
        return Row(left, right, 1 - state.turn, state.lead + gain)

    def estimate(self, state: Row) -> int:
        return state.lead

    def utility(self, state: Row) -> int:
        return state.lead

    # For people ---------------------------------------------------------------------------------

    def label(self, state: Row) -> str:
        return f"{state.left}-{state.right}:{state.lead}"

    def show(self, state: Row) -> str:
        who = "Maxie" if state.lead > 0 else "Minnie" if state.lead < 0 else "nobody"
        row = " ".join(str(coin) for coin in self.coins[state.left : state.right])
        return f"{row or 'no coins'}   {who} leads by {abs(state.lead)}"

    def move_text(self, state: Row, move: int) -> str:
        return f"{move:+d}"


@frozen
class KeenCoins(Coins):
    """The same game with another estimate: it adds the coins at both ends, times a weight."""

    ends: int = field(default=1, metadata={TUNED: True})

    def estimate(self, state: Row) -> int:
        near = self.coins[state.left] + self.coins[state.right - 1]
        return 10 * state.lead + self.ends * (near if state.turn == MAXIE else -near)
