"""Queries of graphs, against the examples of the assignment and brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import (
    NotInGraph,
    Seq,
    WeightedGraph,
    from_edge_seq,
    get_neighbors,
    is_connected,
    is_simple,
    is_undirected,
    is_weakly_connected,
    reachable,
    undirected,
)
from tests.graphs.given import edge_lists, graphs

FLIGHTS = Seq([Seq([1]), Seq([2]), Seq([1, 3]), Seq([1, 2])])
"""Flight routes as an example of a directed graph: there is no flight back from 1 to 0."""


def test_examples_of_the_assignment():
    assert get_neighbors(Seq([Seq([1]), Seq([0, 3]), Seq([3]), Seq([1, 2])]), 1) == Seq([0, 3])
    graph = from_edge_seq(Seq([(0, 1), (1, 0), (1, 2), (2, 1)]), 3)
    assert graph.adjacency == Seq([Seq([1]), Seq([0, 2]), Seq([1])])
    assert is_undirected(graph)


def test_flights_are_directed():
    assert get_neighbors(FLIGHTS, 2) == Seq([1, 3])
    assert is_simple(FLIGHTS)
    assert not is_undirected(FLIGHTS)
    assert is_weakly_connected(FLIGHTS)
    assert not is_connected(FLIGHTS)


@given(graphs())
def test_neighbors_are_the_rows_of_the_graph(graph):
    for v, row in enumerate(graph.adjacency):
        assert get_neighbors(graph, v) == row
        assert get_neighbors(graph, np.int32(v)) == row


@given(graphs(), st.integers(-3, 9), st.sampled_from([get_neighbors, reachable]))
def test_vertices_outside_the_graph_are_refused(graph, vertex, query):
    if 0 <= vertex < len(graph):
        query(graph, vertex)
    else:
        with pytest.raises(NotInGraph, match=f"^vertex {vertex} is not in the graph"):
            query(graph, vertex)


@given(edge_lists(max_vertices=3))
def test_undirected_has_each_edge_both_ways(given_edges):
    n, edges = given_edges
    graph = from_edge_seq(edges, n)
    assert is_undirected(graph) == (sorted(edges) == sorted((v, u) for u, v in edges))
    assert is_undirected(graph) == (graph == graph.transpose())
    assert is_undirected(from_edge_seq([*edges, *((v, u) for u, v in edges)], n))


@given(edge_lists())
def test_simple_has_no_loop_and_no_edge_twice(given_edges):
    n, edges = given_edges
    simple = len(set(edges)) == len(edges) and all(u != v for u, v in edges)
    assert is_simple(from_edge_seq(edges, n)) == simple


@given(edge_lists())
def test_undirected_adds_what_is_missing_and_drops_repeats(given_edges):
    n, edges = given_edges
    both = {*edges, *((v, u) for u, v in edges)}
    assert undirected(from_edge_seq(edges, n)).edges == Seq(sorted(both))


def _closure(n, edges):
    """Return which vertices paths connect, by squaring the adjacency matrix."""
    paths = np.eye(n, dtype=bool)
    for u, v in edges:
        paths[u, v] = True
    for _ in range(n):
        paths = paths @ paths
    return paths


@given(edge_lists())
def test_reachable_agrees_with_the_transitive_closure(given_edges):
    n, edges = given_edges
    graph, paths = from_edge_seq(edges, n), _closure(n, edges)
    assert [reachable(graph, v) for v in range(n)] == [
        Seq(np.flatnonzero(row).tolist()) for row in paths
    ]
    assert is_connected(graph) == paths.all()
    assert is_weakly_connected(graph) == _closure(n, [*edges, *((v, u) for u, v in edges)]).all()


def test_a_long_path_needs_no_recursion():
    n = 100_000
    path = from_edge_seq(np.column_stack((np.arange(n - 1), np.arange(1, n))), n)
    assert is_weakly_connected(path)
    assert not is_connected(path)


@given(graphs())
def test_weights_do_not_matter(graph):
    weighted = WeightedGraph(graph, range(len(graph)))
    for ask in (is_connected, is_simple, is_undirected, is_weakly_connected, undirected):
        assert ask(weighted) == ask(graph)
    for v in range(len(graph)):
        assert get_neighbors(weighted, v) == get_neighbors(graph, v)
        assert reachable(weighted, v) == reachable(graph, v)
