"""Graphs with a weight for each vertex, such as a territory, a name or a number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from attrs import field, frozen

from graphs.arguments import check_kind
from graphs.errors import MalformedError
from graphs.graph import Graph
from graphs.seq import Seq

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
