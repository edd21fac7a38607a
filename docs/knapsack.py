"""The knapsack problem: the most valuable set of items that can be carried, by branch and bound."""

from collections.abc import Iterator
from typing import NamedTuple

from attrs import frozen

from games import SearchTree


class Packed(NamedTuple):
    """The next item, and the weight and the value of those that were taken."""

    item: int
    weight: int
    value: int


@frozen
class Knapsack(SearchTree[Packed, bool]):
    """Take the next item, or leave it; items that are worth more for their weight come first."""

    weights: tuple[int, ...]
    values: tuple[int, ...]
    capacity: int

    def start(self) -> Packed:
        return Packed(0, 0, 0)

    def moves(self, state: Packed) -> Iterator[bool]:
        if state.item < len(self.weights):
            if state.weight + self.weights[state.item] <= self.capacity:
                yield True
            yield False

    def make_move(self, state: Packed, move: bool) -> Packed:
        item, weight, value = state
        if move:
            return Packed(item + 1, weight + self.weights[item], value + self.values[item])
        return Packed(item + 1, weight, value)

    def utility(self, state: Packed) -> int:
        return state.value

    def bounds(self, state: Packed) -> tuple[int, int]:
        """Bound the leaves below a node: the last item that fits may be taken in part."""
        most, left = state.value, self.capacity - state.weight
        for item in range(state.item, len(self.weights)):
            part = min(left, self.weights[item])
            most += -(-self.values[item] * part // self.weights[item])
            left -= part
        return state.value, most
