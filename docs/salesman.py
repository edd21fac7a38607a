"""The travelling salesman: the shortest tour through all cities, by branch and bound."""

from collections.abc import Iterator

from attrs import frozen

from games import SearchTree, Status

BURMA14 = (
    (0, 153, 510, 706, 966, 581, 455, 70, 160, 372, 157, 567, 342, 398),
    (153, 0, 422, 664, 997, 598, 507, 197, 311, 479, 310, 581, 417, 376),
    (510, 422, 0, 289, 744, 390, 437, 491, 645, 880, 618, 374, 455, 211),
    (706, 664, 289, 0, 491, 265, 410, 664, 804, 1070, 768, 259, 499, 310),
    (966, 997, 744, 491, 0, 400, 514, 902, 990, 1261, 947, 418, 635, 636),
    (581, 598, 390, 265, 400, 0, 168, 522, 634, 910, 593, 19, 284, 239),
    (455, 507, 437, 410, 514, 168, 0, 389, 482, 757, 439, 163, 124, 232),
    (70, 197, 491, 664, 902, 522, 389, 0, 154, 406, 133, 508, 273, 355),
    (160, 311, 645, 804, 990, 634, 482, 154, 0, 276, 43, 623, 358, 498),
    (372, 479, 880, 1070, 1261, 910, 757, 406, 276, 0, 318, 898, 633, 761),
    (157, 310, 618, 768, 947, 593, 439, 133, 43, 318, 0, 582, 315, 464),
    (567, 581, 374, 259, 418, 19, 163, 508, 623, 898, 582, 0, 275, 221),
    (342, 417, 455, 499, 635, 284, 124, 273, 358, 633, 315, 275, 0, 247),
    (398, 376, 211, 310, 636, 239, 232, 355, 498, 761, 464, 221, 247, 0),
)
"""The distances of 14 cities in Burma, from TSPLIB."""


@frozen
class Tour:
    """The cities visited, as bits; the last one; and the length so far."""

    visited: int
    city: int
    length: int


@frozen
class Salesman(SearchTree[Tour, int]):
    """Visit each city once and come back; a tour is worth its length, negative."""

    distances: tuple[tuple[int, ...], ...] = BURMA14
    value_range = (-20_000, 0)

    def start(self) -> Tour:
        return Tour(1, 0, 0)

    def status(self, state: Tour) -> Status:
        whole = (1 << len(self.distances)) - 1
        return Status.OVER if state.visited == whole else Status.IN_PLAY

    def moves(self, state: Tour) -> Iterator[int]:
        for city in range(len(self.distances)):
            if not state.visited >> city & 1:
                yield city

    def make_move(self, state: Tour, move: int) -> Tour:
        length = state.length + self.distances[state.city][move]
        return Tour(state.visited | 1 << move, move, length)

    def estimate(self, state: Tour) -> int:
        return -state.length

    def utility(self, state: Tour) -> int:
        return -state.length - self.distances[state.city][0]

    def promise(self, child: Tour) -> int:
        return -child.length

    def bounds(self, state: Tour) -> tuple[int, int]:
        """Bound all tours that begin so: each city is left by its shortest way that is open."""
        cities = range(len(self.distances))
        whole = state.length
        for city in cities:
            if city == state.city or not state.visited >> city & 1:
                least = 20_000
                for to in cities:
                    if to != city and (to == 0 or not state.visited >> to & 1):
                        least = min(least, self.distances[city][to])
                whole += least
        return -20_000, -whole
