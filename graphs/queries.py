"""Questions about a graph: neighbours, direction, simplicity, connection.

Each takes a `Graph`, with or without weights, or its adjacency rows as `from_adjacency` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphs.arguments import check_integers
from graphs.graph import Graph, NotInGraph, from_edge_seq, missing
from graphs.seq import Seq
from graphs.weighted import WeightedGraph

GraphLike = Graph | WeightedGraph[Any] | Sequence[Iterable[int]]


def as_graph(graph: GraphLike) -> Graph:
    """The graph itself, without its weights, or that of its adjacency rows."""
    if isinstance(graph, WeightedGraph):
        return graph.graph
    return graph if isinstance(graph, Graph) else Graph.from_adjacency(graph)


def vertex_in(graph: GraphLike, vertex: int) -> tuple[Graph, int]:
    """The graph itself, and the vertex, which is one of it."""
    graph = as_graph(graph)
    check_integers(vertex=vertex)
    v = int(vertex)
    if not 0 <= v < len(graph):
        raise NotInGraph(missing(v, len(graph)))
    return graph, v


def get_neighbors(graph: GraphLike, vertex: int) -> Seq[int]:
    """The neighbours of a vertex: those to which an edge leads from it, ascending.

    O(d) work for d neighbours of a vertex of a `Graph`.
    Raises: `NotInGraph` if the graph has no such vertex.

    >>> get_neighbors(Seq([Seq([1]), Seq([0, 3]), Seq([3]), Seq([1, 2])]), 1)
    Seq([0, 3])
    """
    graph, v = vertex_in(graph, vertex)
    return Seq(graph.targets[graph.offsets[v] : graph.offsets[v + 1]].tolist())


def is_undirected(graph: GraphLike) -> bool:
    """Whether the graph equals its transpose: as many edges lead from v to u as from u to v.

    O(m log m) work for m edges.

    >>> is_undirected([[1], [0, 2], [1]]), is_undirected([[1], [2], [1, 3], [1, 2]])
    (True, False)
    """
    graph = as_graph(graph)
    return graph == graph.transpose()


def is_simple(graph: GraphLike) -> bool:
    """Whether no edge leads from a vertex to itself and none is there twice.

    O(n + m) work.

    >>> is_simple([[1], [0]]), is_simple([[0]]), is_simple([[1, 1], []])
    (True, False, False)
    """
    graph = as_graph(graph)
    loops = graph.sources == graph.targets
    return not (loops.any() or _repeats(graph).any())


def reachable(graph: GraphLike, vertex: int) -> Seq[int]:
    """The vertices to which a path leads from a given one (itself among them), ascending.

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
    """Whether a path leads from each vertex to every other, along the edges' directions.

    Ensures: true of a graph of at most one vertex.  O(n + m log m) work.

    >>> is_connected([[1], [0]]), is_connected([[1], []])
    (True, False)
    """
    graph = as_graph(graph)
    both = (graph, graph.transpose())
    return len(graph) == 0 or all(len(reachable(way, 0)) == len(graph) for way in both)


def is_weakly_connected(graph: GraphLike) -> bool:
    """Whether the graph is connected once each edge may be taken in both directions.

    Ensures: true of a graph of at most one vertex.  O(n + m log m) work.

    >>> is_weakly_connected([[1], []]), is_weakly_connected([[], []])
    (True, False)
    """
    return is_connected(undirected(graph))


def undirected(graph: GraphLike) -> Graph:
    """The graph with each edge in both directions, each once.

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
    """Which edges equal the one before them: edges ascend, so equal ones are neighbours."""
    u, v = graph.sources, graph.targets
    again = np.zeros(len(v), dtype=np.bool_)
    again[1:] = (u[1:] == u[:-1]) & (v[1:] == v[:-1])
    return again
