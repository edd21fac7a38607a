"""Graph colouring: each vertex gets a colour, and no edge joins two vertices of the same colour."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import frozen

from games.problems.problem import Assignment, Cells
from graphs.arguments import shown
from graphs.errors import MalformedError
from graphs.limits import MOST_COLORED


def is_edge(edge: Any) -> bool:
    """Return whether something is a pair of two different vertices.

    >>> is_edge((0, 1)), is_edge((1, 1)), is_edge("01")
    (True, False, False)
    """
    if not isinstance(edge, (tuple, list)) or len(edge) != 2 or edge[0] == edge[1]:
        return False
    return all(type(v) is int and 0 <= v < MOST_COLORED for v in edge)


@frozen
class Coloring(Assignment):
    """The graph colouring problem; the value is the number of edges between equal colours.

    `adjacent` has the neighbours of each vertex; `of_edges` makes it.

    Requires: at least one vertex and two colours; every edge is listed at both of its ends, or
    ValueError.
    Cost: O(1) to change, O(degree) to assign.

    >>> ring = Coloring.of_edges([(0, 1), (1, 2), (2, 3), (3, 0)], colors=2)
    >>> ring.value((0, 1, 0, 1)), ring.value((0, 0, 1, 1))
    (0, 2)
    """

    adjacent: tuple[tuple[int, ...], ...]
    colors: int = 3

    def __attrs_post_init__(self) -> None:
        if not self.adjacent or type(self.colors) is not int or self.colors < 2:
            raise MalformedError("there are one vertex or more, and two colours or more")
        ends = {(v, w) for v, others in enumerate(self.adjacent) for w in others}
        wrong = [(v, w) for v, w in ends if v == w or (w, v) not in ends]
        if wrong or len(ends) != sum(map(len, self.adjacent)):
            raise MalformedError(f"not the two ends of an edge: {wrong[:1] or 'one is told twice'}")

    @classmethod
    def of_edges(cls, edges: Iterable[tuple[int, int]], colors: int = 3) -> Coloring:
        """Return the problem for a graph with these edges and vertices 0, 1, … up to the largest.

        Raises: ValueError for an invalid edge, with its number in the list.
        """
        ends: set[tuple[int, int]] = set()
        for number, edge in enumerate(edges, 1):
            if not is_edge(edge):
                raise MalformedError(
                    f"edge {number}: {shown(edge)} is not two different vertices, 0 to "
                    f"{MOST_COLORED - 1}"
                )
            ends |= {(edge[0], edge[1]), (edge[1], edge[0])}
        adjacent: list[list[int]] = [[] for _ in range(max((v for v, _ in ends), default=-1) + 1)]
        for v, w in sorted(ends):
            adjacent[v].append(w)
        return cls(tuple(map(tuple, adjacent)), colors)

    @property
    def variables(self) -> int:
        return len(self.adjacent)

    @property
    def choices(self) -> int:
        return self.colors

    @property
    def counters(self) -> int:
        """Return the number of counters: one for each vertex and colour of its neighbours."""
        return len(self.adjacent) * self.colors

    def value(self, state: tuple[int, ...]) -> int:
        same = sum(state[v] == state[w] for v, others in enumerate(self.adjacent) for w in others)
        return same // 2

    def load(self, cells: Cells) -> int:
        value = 0
        for vertex in range(self.variables):
            self.count(cells, vertex, cells[vertex], 1)
        for vertex in range(self.variables):
            value += self.conflicts(cells, vertex)
        return value // 2

    def place(self, vertex: int, color: int) -> int:
        """Return the cell that counts the neighbours of a vertex with a colour."""
        return self.variables + vertex * self.colors + color

    def count(self, cells: Cells, vertex: int, color: int, more: int) -> None:
        """Add `more` to the counters of the neighbours of a vertex for a colour."""
        for other in self.adjacent[vertex]:
            cell = self.place(other, color)
            cells[cell] = cells[cell] + more

    def change(self, cells: Cells, variable: int, choice: int) -> int:
        found: int = cells[self.place(variable, choice)] - self.conflicts(cells, variable)
        return found

    def conflicts(self, cells: Cells, variable: int) -> int:
        found: int = cells[self.place(variable, cells[variable])]
        return found

    def assign(self, cells: Cells, variable: int, choice: int) -> None:
        self.count(cells, variable, cells[variable], -1)
        self.count(cells, variable, choice, 1)
        cells[variable] = choice
