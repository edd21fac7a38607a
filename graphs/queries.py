"""Queries of a graph: neighbours, direction, simplicity, connectivity.

Each takes a `Graph`, with or without weights, or adjacency rows like `from_adjacency`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphs.arguments import check_integers
from graphs.graph import Graph, NotInGraph, WeightedGraph, from_edge_seq, missing
from graphs.seq import Seq

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
