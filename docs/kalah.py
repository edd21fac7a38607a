"""Kalah: two players sow the seeds of one of their pits; the one with more seeds in store wins.

>>> game = Kalah(pits=4, seeds=3)
>>> print(game.show(game.parse_state("2 1")))
   3 3 3 3
 0         1   Minnie to move
   0 1 5 5
"""

from collections.abc import Iterator

from attrs import frozen

from games import MAXIE, Game, NTuples, Status


@frozen
class Board:
    """Maxie's pits and store, then Minnie's, in the order of sowing."""

    seeds: tuple[int, ...]
    turn: int


@frozen
class Kalah(Game[Board, int]):
    """Kalah. A move is the number of one of the player's pits, from 0.

    A player whose last seed lands in the player's own store moves again.  If it lands in an empty
    pit of the player's own, the player captures it and the seeds opposite; if there are none
    opposite, nothing is captured, or with `empty_capture` the seed itself.  When the pits of one
    player are empty, the other player's seeds go to that player's own store.
    """

    pits: int = 6
    seeds: int = 4
    empty_capture: bool = False

    def start(self) -> Board:
        half = [self.seeds for _ in range(self.pits)] + [0]
        return Board(tuple(half + half), MAXIE)

    def side(self, state: Board, player: int) -> int:
        """Return the number of seeds in a player's pits."""
        first = player * (self.pits + 1)
        return sum(state.seeds[first : first + self.pits])

    def status(self, state: Board) -> Status:
        left = self.side(state, 0) > 0 and self.side(state, 1) > 0
        return Status.IN_PLAY if left else Status.OVER

    def player(self, state: Board) -> int:
        return state.turn

    def moves(self, state: Board) -> Iterator[int]:
        if self.status(state) == Status.IN_PLAY:
            for pit in range(self.pits):
                if state.seeds[state.turn * (self.pits + 1) + pit] > 0:
                    yield pit

    def make_move(self, state: Board, move: int) -> Board:
        around = 2 * self.pits + 2
        first = state.turn * (self.pits + 1)
        store, other = first + self.pits, (first + 2 * self.pits + 1) % around
        seeds = list(state.seeds)
        place = first + move
        hand = seeds[place]
        seeds[place] = 0
        while hand > 0:
            place = (place + 1) % around
            if place != other:
                seeds[place] += 1
                hand -= 1
        if place == store:
            return Board(tuple(seeds), state.turn)
        facing = 2 * self.pits - place
        takes = first <= place < store and seeds[place] == 1
        if takes and (self.empty_capture or seeds[facing] > 0):
            seeds[store] += seeds[facing] + 1
            seeds[place] = seeds[facing] = 0
        return Board(tuple(seeds), 1 - state.turn)

    def lead(self, state: Board) -> int:
        """Return Maxie's store minus Minnie's."""
        return state.seeds[self.pits] - state.seeds[2 * self.pits + 1]

    def estimate(self, state: Board) -> int:
        return self.lead(state)

    def utility(self, state: Board) -> int:
        return self.lead(state) + self.side(state, 0) - self.side(state, 1)

    # For networks -------------------------------------------------------------------------------

    def cell(self, state: Board, k: int) -> int:
        """Return the seeds of pit k, at most 7; the pits of the player to move come first."""
        first = (state.turn * self.pits + k) % (2 * self.pits)
        return min(state.seeds[first + first // self.pits], 7)

    def secured(self, state: Board) -> int:
        return self.lead(state)

    def network(self) -> NTuples:
        """Return tuples of adjacent pits, and of pits with those opposite."""
        n, around = self.pits, 2 * self.pits
        rows = [tuple((k + i) % around for i in range(min(4, n))) for k in range(around)]
        faced = [(k, k + 1, around - 2 - k, around - 1 - k) for k in range(n - 1)]
        return NTuples(8, (*rows, *faced))

    # For people ---------------------------------------------------------------------------------

    def show(self, state: Board) -> str:
        n, seeds = self.pits, state.seeds
        other = " ".join(str(seeds[k]) for k in range(2 * n, n, -1))
        mine = " ".join(map(str, seeds[:n]))
        who = ("Maxie", "Minnie")[state.turn]
        middle = f"{seeds[-1]:2} {' ' * max(len(other), len(mine))} {seeds[n]}   {who} to move"
        return f"   {other}\n{middle}\n   {mine}"

    def move_text(self, state: Board, move: int) -> str:
        return str(move + 1)
