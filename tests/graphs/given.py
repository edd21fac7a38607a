"""Hypothesis strategies for sequences and graphs."""

from hypothesis import strategies as st

from graphs import Seq, from_edge_seq


def seqs(elements=None):
    """Draw a sequence, or a window into a longer one."""
    elements = st.integers() if elements is None else elements
    parts = st.lists(elements, max_size=3)

    def window(before, inside, after):
        return Seq([*before, *inside, *after])[len(before) : len(before) + len(inside)]

    return st.builds(window, parts, st.lists(elements), parts)


@st.composite
def edge_lists(draw, max_vertices=6):
    """Draw a number of vertices and edges between them, with loops and repeated edges."""
    n = draw(st.integers(0, max_vertices))
    vertices = st.integers(0, max(n - 1, 0))
    edges = draw(st.lists(st.tuples(vertices, vertices), max_size=15 if n else 0))
    return n, edges


def graphs():
    return edge_lists().map(lambda given: from_edge_seq(given[1], given[0]))
