"""Directed graphs with vertices 0 … n-1, as compressed adjacency rows.

Queries find neighbours, and whether a graph is directed, simple or connected.  Each takes a
`Graph`, with or without weights, or adjacency rows like `from_adjacency`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import Any, Generic, TypeVar

import numpy as np
from attrs import field, frozen
from numpy.typing import ArrayLike, NDArray

from graphs.arguments import check_integers, check_kind, row_of, shown
from graphs.errors import ArgumentError, JamboreeError, MalformedError
from graphs.limits import MOST_VERTICES
from graphs.seq import Seq

Ints = NDArray[np.int64]
Pairs = Iterable[tuple[int, int]] | NDArray[np.integer]


_WORD = re.compile(r"\S+")


class NotInGraph(JamboreeError, ValueError):
    """Raised for a vertex that the graph does not have."""


def _read_only(values: ArrayLike) -> Ints:
    array = np.array(_integers(values, "offsets and targets"))
    if array.ndim != 1:
        raise ArgumentError("offsets and targets must be rows of integers; use from_edge_seq(…)")
    array.flags.writeable = False
    return array


@frozen(eq=False, repr=False)
class Graph:
    """A directed graph: the neighbours of vertex v are ``targets[offsets[v]:offsets[v + 1]]``.

    Requires: made by `from_edge_seq`, `from_adjacency` or `from_text`.
    Ensures: neighbours are in ascending order, and repeated edges are kept, so that two graphs are
    equal exactly when they have the same vertices and edges, in any order.  A graph is undirected
    if it has each of its edges in both directions.

    >>> graph = Graph.from_adjacency([[1], [2, 0], [1]])
    >>> graph
    Graph.from_adjacency([[1], [0, 2], [1]])
    >>> len(graph), graph.edges
    (3, Seq([(0, 1), (1, 0), (1, 2), (2, 1)]))
    """

    offsets: Ints = field(converter=_read_only)
    targets: Ints = field(converter=_read_only)

    def __attrs_post_init__(self) -> None:
        if not len(self.offsets) or self.offsets[-1] != len(self.targets):
            raise ArgumentError("offsets must end with the number of targets; use from_edge_seq(…)")

    @staticmethod
    def from_adjacency(rows: Sequence[Iterable[int]]) -> Graph:
        """Return the graph in which the neighbours of vertex v are those of ``rows[v]``.

        Raises: `NotInGraph` if a neighbour has no row.

        >>> Graph.from_adjacency(Seq([Seq([1]), Seq([0])])).edges
        Seq([(0, 1), (1, 0)])
        """
        meant = "rows of neighbours, such as [[1], [0]]"
        lists = [list(row_of("a row", row, "vertices")) for row in row_of("graph", rows, meant)]
        sources = np.repeat(np.arange(len(lists)), [len(row) for row in lists])
        targets = _integers(list(chain.from_iterable(lists)), "vertices")
        return from_edge_seq(np.column_stack((sources, targets)), len(lists))

    @staticmethod
    def from_text(text: str) -> Graph:
        """Return the graph of an edge list: a line ``u v`` for each edge.

        A first line ``vertices n`` has the number of vertices; without it, the last vertex is the
        highest one in an edge.  Blank lines are skipped, and so is the rest of a line after ``#``.

        Raises: ValueError, with line and column, for an invalid edge; `NotInGraph`, with line and
        column, for a vertex that the graph does not have.

        >>> Graph.from_text("vertices 3  # one has no edge").adjacency
        Seq([Seq([]), Seq([]), Seq([])])
        """
        count: int | None = None
        edges: list[tuple[int, int]] = []
        for number, line in enumerate(text.splitlines(), start=1):
            found = list(_WORD.finditer(line.partition("#")[0]))
            at = [f"line {number}, column {word.start() + 1}" for word in found]
            match [word.group() for word in found]:
                case []:
                    pass
                case ["vertices", n] if count is None and not edges and _is_number(n):
                    count = int(n)
                case [u, v] if _is_number(u) and _is_number(v):
                    edge = int(u), int(v)
                    for vertex, place in zip(edge, at, strict=True):
                        if count is not None and vertex >= count:
                            raise NotInGraph(f"{place}: {missing(vertex, count)}")
                    edges.append(edge)
                case _:
                    expected = "an edge as two vertices, as in '0 1'"
                    if count is None and not edges:
                        expected += ", or the number of vertices first, as in 'vertices 4'"
                    raise MalformedError(f"{at[0]}: expected {expected}, not {shown(line.strip())}")
        return from_edge_seq(edges, count if count is not None else _one_past_highest(edges))

    def to_text(self) -> str:
        """Return the graph as an edge list for `from_text`.

        >>> print(Graph.from_adjacency([[1], []]).to_text(), end="")
        vertices 2
        0 1
        """
        return f"vertices {len(self)}\n" + "".join(f"{u} {v}\n" for u, v in self.edges)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def sources(self) -> Ints:
        """Return the source of each edge, parallel to `targets`; shape (m,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    @property
    def edges(self) -> Seq[tuple[int, int]]:
        """Return the edges as pairs (source, target) in ascending order."""
        return Seq(zip(self.sources.tolist(), self.targets.tolist(), strict=True))

    @property
    def adjacency(self) -> Seq[Seq[int]]:
        """Return the neighbours of each vertex; all rows are windows into the same storage."""
        row, ends = Seq(self.targets.tolist()), self.offsets.tolist()
        return Seq(row[start:stop] for start, stop in pairwise(ends))

    def transpose(self) -> Graph:
        """Return the graph with every edge reversed.

        O(m log m) work for m edges.

        >>> Graph.from_adjacency([[1], []]).transpose()
        Graph.from_adjacency([[], [0]])
        """
        return _compress(self.targets, self.sources, len(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return bool(
            np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.targets, other.targets)
        )

    def __hash__(self) -> int:
        return hash((self.offsets.tobytes(), self.targets.tobytes()))

    def __repr__(self) -> str:
        if len(self) + len(self.targets) > 1000:
            return f"<Graph of {len(self)} vertices and {len(self.targets)} edges>"
        return f"Graph.from_adjacency({[list(row) for row in self.adjacency]})"

    def __reduce__(self) -> tuple[type[Graph], tuple[Ints, Ints]]:
        return Graph, (self.offsets, self.targets)  # by the constructor: read-only again


def from_edge_seq(edges: Pairs, n: int) -> Graph:
    """Return the graph of n vertices with the given edges, each a pair (source, target).

    Requires: `edges` is a sequence of pairs, or an array of integers of shape (m, 2).
    Ensures: neighbours are in ascending order, for any order of the edges; repeated edges are kept,
    so that `is_simple` can find them.  O(n + m log m) work.
    Raises: `NotInGraph` if an end of an edge is not one of 0 … n-1.

    >>> from_edge_seq([(0, 1), (1, 0), (1, 2), (2, 1)], 3).adjacency
    Seq([Seq([1]), Seq([0, 2]), Seq([1])])
    """
    check_integers(0, MOST_VERTICES, vertices=n)
    if not isinstance(edges, np.ndarray):
        edges = row_of("edges", edges, "pairs of vertices, such as [(0, 1), (1, 0)]")
    pairs = _integers(edges, "pairs of vertices")
    if pairs.shape == (0,):
        pairs = pairs.reshape(0, 2)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise MalformedError(
            f"edges must be pairs of vertices, shape (m, 2), not shape {pairs.shape}"
        )
    outside = np.flatnonzero((pairs < 0).any(axis=1) | (pairs >= n).any(axis=1))
    if outside.size:
        u, v = pairs[outside[0]].tolist()
        raise NotInGraph(f"edge ({u}, {v}): {missing(v if 0 <= u < n else u, n)}")
    return _compress(pairs[:, 0], pairs[:, 1], n)


def _compress(sources: Ints, targets: Ints, n: int) -> Graph:
    """Return the graph of parallel rows of sources and targets, sorted as one row of numbers."""
    keys = np.sort(sources * n + targets)
    offsets = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(sources, minlength=n), out=offsets[1:])
    return Graph(offsets, keys % n if n else keys)


def _integers(values: object, what: str) -> Ints:
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):  # rows of different lengths
        raise MalformedError(f"expected {what}, not {shown(values)}") from None
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise ArgumentError(f"expected {what} as integers, not {array.dtype}")
    if array.dtype.kind == "u" and array.max() > np.iinfo(np.int64).max:
        raise ArgumentError(f"expected {what} below 2**63, not {array.max()}")
    return array.astype(np.int64, copy=False)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 19  # within 64 bits


def _one_past_highest(edges: list[tuple[int, int]]) -> int:
    return 1 + max(chain.from_iterable(edges), default=-1)


def missing(vertex: int, n: int) -> str:
    """Return the message for a vertex that a graph of n vertices does not have."""
    has = f"vertices 0 to {n - 1}" if n else "no vertices"
    return f"vertex {vertex} is not in the graph, which has {has}"


W = TypeVar("W")


@frozen
class WeightedGraph(Generic[W]):
    """A graph with a weight of any type for each of its vertices.

    Requires: as many weights as vertices.
    Ensures: equal and hashable by value, if the weights are.
    Raises: ValueError for another number of weights.

    >>> roads = WeightedGraph(Graph.from_adjacency([[1], [0]]), ["Alaska", "Kamchatka"])
    >>> roads.nodes
    Seq([('Alaska', Seq([1])), ('Kamchatka', Seq([0]))])
    """

    graph: Graph
    weights: Seq[W] = field(converter=Seq)

    def __attrs_post_init__(self) -> None:
        check_kind(Graph, "a Graph, such as Graph.from_adjacency([[1], [0]])", graph=self.graph)
        if len(self.weights) != len(self.graph):
            raise MalformedError(
                f"a graph of {len(self.graph)} vertices needs as many weights,"
                f" not {len(self.weights)}"
            )

    @staticmethod
    def from_nodes(nodes: Iterable[tuple[W, Iterable[int]]]) -> WeightedGraph[W]:
        """Return the graph whose vertex v has the weight and the neighbours of the v-th node.

        Raises: `NotInGraph` if a neighbour is not among the nodes.

        >>> WeightedGraph.from_nodes([("a", [1]), ("b", [])]).weights
        Seq(['a', 'b'])
        """
        rows = list(nodes)
        graph = Graph.from_adjacency([neighbors for _, neighbors in rows])
        return WeightedGraph(graph, Seq(weight for weight, _ in rows))

    @property
    def nodes(self) -> Seq[tuple[W, Seq[int]]]:
        """Return the weight and the neighbours of each vertex."""
        return Seq(zip(self.weights, self.graph.adjacency, strict=True))


GraphLike = Graph | WeightedGraph[Any] | Sequence[Iterable[int]] | Sequence[tuple[Any, Seq[int]]]


def as_graph(graph: GraphLike) -> Graph:
    """Return the graph without weights, or the graph of adjacency rows."""
    if isinstance(graph, WeightedGraph):
        return graph.graph
    if isinstance(graph, Graph):
        return graph
    rows: Any = graph
    if isinstance(graph, Iterable):
        rows = [_neighbours(row) for row in graph]
    return Graph.from_adjacency(rows)


def _neighbours(row: Any) -> Any:
    """Return the neighbours in a row: in a node of a weighted graph, after its weight."""
    weighed = isinstance(row, tuple) and len(row) == 2 and isinstance(row[1], Seq)
    return row[1] if weighed else row


def vertex_in(graph: GraphLike, vertex: int) -> tuple[Graph, int]:
    """Return the graph and the vertex, after checking that the graph has it."""
    graph = as_graph(graph)
    check_integers(vertex=vertex)
    v = int(vertex)
    if not 0 <= v < len(graph):
        raise NotInGraph(missing(v, len(graph)))
    return graph, v


def get_neighbors(graph: GraphLike, vertex: int) -> Seq[int]:
    """Return the neighbours of a vertex, to which its edges lead, in ascending order.

    O(d) work for d neighbours of a vertex of a `Graph`.
    Raises: `NotInGraph` if the graph has no such vertex.

    >>> get_neighbors(Seq([Seq([1]), Seq([0, 3]), Seq([3]), Seq([1, 2])]), 1)
    Seq([0, 3])
    >>> from graphs import WeightedGraph
    >>> roads = WeightedGraph(Graph.from_adjacency([[1], [0]]), ["Alaska", "Kamchatka"])
    >>> get_neighbors(roads.nodes, 0), get_neighbors(roads, 0)
    (Seq([1]), Seq([1]))
    """
    graph, v = vertex_in(graph, vertex)
    return Seq(graph.targets[graph.offsets[v] : graph.offsets[v + 1]].tolist())


def is_undirected(graph: GraphLike) -> bool:
    """Return whether the graph equals its transpose, so that each edge exists in both directions.

    O(m log m) work for m edges.

    >>> is_undirected([[1], [0, 2], [1]]), is_undirected([[1], [2], [1, 3], [1, 2]])
    (True, False)
    """
    graph = as_graph(graph)
    return graph == graph.transpose()


def is_simple(graph: GraphLike) -> bool:
    """Return whether no edge leads from a vertex to itself, and no edge is repeated.

    O(n + m) work.

    >>> is_simple([[1], [0]]), is_simple([[0]]), is_simple([[1, 1], []])
    (True, False, False)
    """
    graph = as_graph(graph)
    loops = graph.sources == graph.targets
    return not (loops.any() or _repeats(graph).any())


def reachable(graph: GraphLike, vertex: int) -> Seq[int]:
    """Return the vertices reachable from a given one, including it, in ascending order.

    O(n + m) work and span.
    Raises: `NotInGraph` if the graph has no such vertex.

    >>> reachable([[1], [2], [1], []], 0)
    Seq([0, 1, 2])
    """
    graph, start = vertex_in(graph, vertex)
    ends, targets = graph.offsets.tolist(), graph.targets.tolist()
    seen = bytearray(len(graph))
    seen[start] = 1
    waiting = [start]
    while waiting:
        u = waiting.pop()
        for v in targets[ends[u] : ends[u + 1]]:
            if not seen[v]:
                seen[v] = 1
                waiting.append(v)
    return Seq(v for v, found in enumerate(seen) if found)


def is_connected(graph: GraphLike) -> bool:
    """Return whether a directed path leads from each vertex to every other.

    Ensures: True for a graph of at most one vertex.  O(n + m log m) work.

    >>> is_connected([[1], [0]]), is_connected([[1], []])
    (True, False)
    """
    graph = as_graph(graph)
    both = (graph, graph.transpose())
    return len(graph) == 0 or all(len(reachable(way, 0)) == len(graph) for way in both)


def is_weakly_connected(graph: GraphLike) -> bool:
    """Return whether the graph is connected if edges may be followed in both directions.

    Ensures: True for a graph of at most one vertex.  O(n + m log m) work.

    >>> is_weakly_connected([[1], []]), is_weakly_connected([[], []])
    (True, False)
    """
    return is_connected(undirected(graph))


def undirected(graph: GraphLike) -> Graph:
    """Return the graph with each edge once in both directions.

    O(n + m log m) work.

    >>> undirected([[1, 1], [2], []])
    Graph.from_adjacency([[1], [0, 2], [1]])
    """
    graph = as_graph(graph)
    there = np.column_stack((graph.sources, graph.targets))
    both = from_edge_seq(np.concatenate((there, there[:, ::-1])), len(graph))
    once = ~_repeats(both)
    return from_edge_seq(np.column_stack((both.sources, both.targets))[once], len(graph))


def _repeats(graph: Graph) -> NDArray[np.bool_]:
    """Return which edges equal the one before; edges are sorted, so equal ones are adjacent."""
    u, v = graph.sources, graph.targets
    again = np.zeros(len(v), dtype=np.bool_)
    again[1:] = (u[1:] == u[:-1]) & (v[1:] == v[:-1])
    return again
