"""The tree of numerical semigroups: sets of numbers that hold 0 and all sums of their members."""

from collections.abc import Iterator

from attrs import frozen

from games import SearchTree

LARGEST = 60
"""The largest number that is looked at: enough up to a genus of 20."""


@frozen
class Semigroup:
    """The members up to `LARGEST`, as bits, and the largest number that is missing."""

    members: int
    missing: int


@frozen
class Semigroups(SearchTree[Semigroup, int]):
    """Remove a generator that is larger than all missing numbers; each ply adds 1 to the genus."""

    def start(self) -> Semigroup:
        return Semigroup((1 << LARGEST + 1) - 1, -1)

    def moves(self, state: Semigroup) -> Iterator[int]:
        least = 1
        while not state.members >> least & 1:
            least += 1
        for number in range(max(1, state.missing + 1), state.missing + least + 2):
            if state.members >> number & 1 and not self.is_sum(state.members, number):
                yield number

    def is_sum(self, members: int, number: int) -> bool:
        for part in range(1, number // 2 + 1):
            if members >> part & 1 and members >> (number - part) & 1:
                return True
        return False

    def make_move(self, state: Semigroup, move: int) -> Semigroup:
        return Semigroup(state.members ^ 1 << move, move)
