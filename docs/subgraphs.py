"""Subgraph isomorphism: the ways in which a pattern occurs in a graph."""

from collections.abc import Iterator

from attrs import frozen

from games import SearchTree

PETERSEN = (50, 69, 138, 276, 521, 385, 770, 548, 104, 208)
"""The Petersen graph: for each vertex, those joined to it, as bits."""


@frozen
class Subgraphs(SearchTree[tuple[int, ...], int]):
    """Map the vertices of the pattern one by one, so that joined vertices stay joined."""

    pattern: tuple[int, ...]
    """For each vertex of the pattern, the vertices joined to it, as bits."""
    target: tuple[int, ...] = PETERSEN

    def start(self) -> tuple[int, ...]:
        return ()

    def moves(self, state: tuple[int, ...]) -> Iterator[int]:
        if len(state) < len(self.pattern):
            joined = self.pattern[len(state)]
            for vertex in range(len(self.target)):
                if vertex not in state and self.fits(state, joined, vertex):
                    yield vertex

    def fits(self, state: tuple[int, ...], joined: int, vertex: int) -> bool:
        for k, image in enumerate(state):
            if joined >> k & 1 and not self.target[vertex] >> image & 1:
                return False
        return True

    def make_move(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def utility(self, state: tuple[int, ...]) -> int:
        return len(state)

    def measure(self, state: tuple[int, ...]) -> int:
        return int(len(state) == len(self.pattern))
