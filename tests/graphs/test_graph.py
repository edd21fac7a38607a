"""Graphs against brute force over sets and lists of edges."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import Graph, NotInGraph, Seq, WeightedGraph, from_edge_seq
from tests.graphs.given import edge_lists, graphs


@given(edge_lists())
def test_edges_become_ascending_rows(given_edges):
    n, edges = given_edges
    expected = Seq(Seq(sorted(v for u, v in edges if u == row)) for row in range(n))
    for form in (edges, Seq(edges), iter(edges), np.array(edges, dtype=np.int32).reshape(-1, 2)):
        assert from_edge_seq(form, n).adjacency == expected


@given(edge_lists(), st.randoms(use_true_random=False))
def test_the_order_of_edges_is_forgotten(given_edges, random):
    n, edges = given_edges
    graph = from_edge_seq(edges, n)
    random.shuffle(edges)
    again = from_edge_seq(edges, n)
    assert again == graph
    assert hash(again) == hash(graph)


@given(graphs(), graphs())
def test_graphs_are_equal_exactly_if_vertices_and_edges_are(left, right):
    same = len(left) == len(right) and left.edges == right.edges
    assert (left == right) == same


@given(graphs())
def test_round_trips(graph):
    assert eval(repr(graph)) == graph
    assert Graph.from_text(graph.to_text()) == graph
    assert Graph.from_adjacency(graph.adjacency) == graph
    assert from_edge_seq(graph.edges, len(graph)) == graph


@given(graphs())
def test_transpose_turns_every_edge(graph):
    assert sorted(graph.transpose().edges) == sorted((v, u) for u, v in graph.edges)
    assert graph.transpose().transpose() == graph


@pytest.mark.parametrize("again", [lambda g: g, lambda g: pickle.loads(pickle.dumps(g))])
def test_is_immutable(again):
    graph = again(Graph.from_adjacency([[1], [0]]))
    assert graph == Graph.from_adjacency([[1], [0]])
    with pytest.raises(ValueError, match="read-only"):
        graph.targets[0] = 0
    with pytest.raises(AttributeError):
        graph.targets = graph.offsets


def test_the_array_passed_in_is_copied():
    edges = np.array([[0, 1]])
    graph = from_edge_seq(edges, 2)
    edges[0] = 1, 0
    assert graph.edges == Seq([(0, 1)])


def test_repr_of_a_large_graph_is_short():
    assert repr(from_edge_seq([], 2000)) == "<Graph of 2000 vertices and 0 edges>"


@pytest.mark.parametrize(
    ("edges", "n", "message"),
    [
        ([(0, 1), (1, 2)], 2, r"edge \(1, 2\): vertex 2 is not in the graph.*vertices 0 to 1"),
        ([(-1, 0)], 2, r"edge \(-1, 0\): vertex -1 is not"),
        ([(0, 0)], 0, "which has no vertices"),
    ],
)
def test_edges_outside_the_graph_are_refused(edges, n, message):
    with pytest.raises(NotInGraph, match=message):
        from_edge_seq(edges, n)


@pytest.mark.parametrize(
    ("edges", "n", "error", "message"),
    [
        ([(0, 1, 2)], 3, ValueError, r"shape \(1, 3\)"),
        ([(0, 1), (2,)], 3, ValueError, r"expected pairs of vertices, not \(\(0, 1\), \(2,\)\)"),
        ([0, 1], 3, ValueError, r"shape \(2,\)"),
        ([(0.5, 1)], 3, TypeError, "as integers, not float64"),
        (np.array([[2**64 - 1, 0]], np.uint64), 3, ValueError, r"below 2\*\*63"),
        ([], -1, ValueError, "vertices must be a whole number, 0 to"),
    ],
)
def test_malformed_edges_are_refused(edges, n, error, message):
    with pytest.raises(error, match=message):
        from_edge_seq(edges, n)


def test_text_may_hold_comments_and_leave_out_the_count():
    graph = Graph.from_text("# roads\n\n0 1  # there\n1 0\n")
    assert graph == Graph.from_adjacency([[1], [0]])
    assert len(Graph.from_text("")) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "0 1\n1 x\n",
            "line 2, column 1: expected an edge as two vertices, as in '0 1', not '1 x'",
        ),
        ("0 1\n1 2 3\n", "line 2, column 1: .*not '1 2 3'"),
        (
            "0 -1",
            "line 1, column 1: .*, or the number of vertices first, as in 'vertices 4', not '0 -1'",
        ),
        ("0 1\nvertices 2\n", "line 2, column 1: expected an edge"),
        ("vertices 2\nvertices 2\n", "line 2, column 1: expected an edge"),
        (
            "vertices 2\n\n0 2\n",
            "line 3, column 3: vertex 2 is not in the graph, which has vertices 0 to 1",
        ),
        ("0 " + "9" * 30, "line 1, column 1: expected an edge"),
    ],
)
def test_malformed_text_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        Graph.from_text(text)


@given(graphs(), st.data())
def test_each_weight_belongs_to_a_neighbour(graph, data):
    size = len(graph)
    weights = data.draw(st.lists(st.text(), min_size=size, max_size=size))
    weighted = WeightedGraph(graph, weights)
    assert weighted.nodes == Seq(zip(weights, graph.adjacency, strict=True))
    assert WeightedGraph.from_nodes(weighted.nodes) == weighted
    assert hash(WeightedGraph.from_nodes(weighted.nodes)) == hash(weighted)


def test_each_vertex_needs_a_weight():
    with pytest.raises(ValueError, match="2 vertices needs as many weights, not 1"):
        WeightedGraph(from_edge_seq([], 2), ["one"])
