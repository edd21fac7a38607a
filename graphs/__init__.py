"""Sequences with list and tree views, and adjacency graphs.

Graphs load on first use, so that whoever needs only sequences does without NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from graphs import bulk
from graphs.seq import Seq
from graphs.views import Cons, Empty, Leaf, Nil, Node, hidel, hidet, showl, showt, to_list

if TYPE_CHECKING:
    from graphs.graph import Graph, NotInGraph, from_edge_seq
    from graphs.queries import (
        get_neighbors,
        is_connected,
        is_simple,
        is_undirected,
        is_weakly_connected,
        reachable,
        undirected,
    )
    from graphs.weighted import WeightedGraph

__all__ = [
    "Cons",
    "Empty",
    "Graph",
    "Leaf",
    "Nil",
    "Node",
    "NotInGraph",
    "Seq",
    "WeightedGraph",
    "bulk",
    "from_edge_seq",
    "get_neighbors",
    "hidel",
    "hidet",
    "is_connected",
    "is_simple",
    "is_undirected",
    "is_weakly_connected",
    "reachable",
    "showl",
    "showt",
    "to_list",
    "undirected",
]


def __getattr__(name: str) -> object:
    if name in __all__:
        for module in ("graphs.graph", "graphs.queries", "graphs.weighted"):
            home = import_module(module)
            if hasattr(home, name):
                return getattr(home, name)
    raise AttributeError(f"module 'graphs' has no attribute {name!r}")
