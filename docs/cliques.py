"""The largest clique of a graph: the most vertices that are all joined to each other."""

from collections.abc import Iterator
from typing import Self

from attrs import frozen

from games import U64, SearchTree, Status

WORD = 64


@frozen
class Clique:
    """A clique: its size, its candidates as words of bits, and an upper bound."""

    size: int
    candidates: tuple[U64, ...]
    most: int


@frozen
class Cliques(SearchTree[Clique, int]):
    """Add vertices one by one; the candidates are the vertices that are joined to all members.

    Candidates are coloured greedily, so that joined vertices differ.  A clique has at most one
    vertex of each colour, so the colours count how much it can grow.
    Source: Tomita and others, A simple and faster branch-and-bound algorithm for finding a maximum
    clique (2010); San Segundo and others, An exact bit-parallel algorithm (2011).
    """

    neighbours: tuple[tuple[U64, ...], ...]
    """For each vertex, those joined to it, as words of bits."""

    sorted_bounds = True

    @classmethod
    def of_edges(cls, count: int, edges: list[tuple[int, int]]) -> Self:
        """Return the tree of the cliques of a graph with `count` vertices."""
        words = -(-count // WORD)
        rows = [[0] * words for _ in range(count)]
        for a, b in edges:
            rows[a][b // WORD] |= 1 << b % WORD
            rows[b][a // WORD] |= 1 << a % WORD
        return cls(tuple(tuple(map(U64, row)) for row in rows))

    def start(self) -> Clique:
        count = len(self.neighbours)
        whole = [U64((1 << min(WORD, count - at)) - 1) for at in range(0, count, WORD)]
        return Clique(0, tuple(whole), count)

    def status(self, state: Clique) -> Status:
        for word in state.candidates:
            if word:
                return Status.IN_PLAY
        return Status.OVER

    def moves(self, state: Clique) -> Iterator[int]:
        for vertex, _ in self.coloured(state.candidates):
            yield vertex

    def make_move(self, state: Clique, move: int) -> Clique:
        for vertex, child in self.children(state):
            if vertex == move:
                return child
        return state

    def children(self, state: Clique) -> Iterator[tuple[int, Clique]]:
        """Yield the highest colour first; later branches leave out the vertices of earlier ones."""
        left = list(state.candidates)
        for vertex, colour in self.coloured(state.candidates):
            joined = self.neighbours[vertex]
            left[vertex // WORD] ^= U64(1) << U64(vertex % WORD)
            both = tuple([a & b for a, b in zip(left, joined, strict=True)])
            yield vertex, Clique(state.size + 1, both, state.size + colour)

    def coloured(self, candidates: tuple[U64, ...]) -> list[tuple[int, int]]:
        """Return each candidate with its colour, from 1; those of the highest colour first."""
        order = []
        left = list(candidates)
        colour = 0
        while any(left):
            colour += 1
            free = list(left)
            for at in range(len(free)):
                while free[at]:
                    bit = free[at].bit_length() - 1
                    vertex = at * WORD + bit
                    order.append((vertex, colour))
                    left[at] ^= U64(1) << U64(bit)
                    free[at] ^= U64(1) << U64(bit)
                    joined = self.neighbours[vertex]
                    for k in range(at, len(free)):
                        free[k] &= ~joined[k]
        return order[::-1]

    def utility(self, state: Clique) -> int:
        return state.size

    def bounds(self, state: Clique) -> tuple[int, int]:
        return state.size, state.most
