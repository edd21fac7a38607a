"""The laws of the list view and of the tree view."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import Cons, Empty, Leaf, Nil, Node, Seq, hidel, hidet, showl, showt, to_list
from tests.graphs.given import seqs

list_views = st.builds(Nil) | st.builds(Cons, st.integers(), seqs())


@given(list_views)
def test_showing_undoes_hiding(view):
    assert showl(hidel(view)) == view


@given(seqs())
def test_hiding_undoes_showing(seq):
    assert hidel(showl(seq)) == seq
    assert hidet(showt(seq)) == seq


@given(seqs())
def test_to_list_is_the_list(seq):
    assert to_list(seq) == list(seq)


@pytest.mark.parametrize("view", [showl, showt])
def test_views_share_storage(view):
    seq = Seq(range(10))
    parts = [part for part in _fields(view(seq)) if isinstance(part, Seq)]
    assert parts
    assert all(part._items is seq._items for part in parts)


def _fields(view):
    return [getattr(view, name) for name in view.__match_args__]


def test_to_list_needs_no_recursion():
    assert to_list(Seq(range(10_000))) == list(range(10_000))


class Counting(tuple):
    """Storage that counts how often an element is read."""

    reads = 0

    def __getitem__(self, index):
        Counting.reads += 1
        return super().__getitem__(index)


@given(st.integers(0, 100))
def test_to_list_reads_each_element_once(n):
    Counting.reads = 0
    seq = Seq(range(n))
    object.__setattr__(seq, "_items", Counting(range(n)))
    to_list(seq)
    assert Counting.reads == n


@given(seqs())
def test_the_tree_view_is_balanced(seq):
    match showt(seq):
        case Node(left, right):
            assert 0 <= len(right) - len(left) <= 1
        case Leaf(value):
            assert list(seq) == [value]
        case Empty():
            assert len(seq) == 0


def test_pattern_matching_on_views():
    def total(seq):
        match showl(seq):
            case Nil():
                return 0
            case Cons(x, rest):
                return x + total(rest)

    assert total(Seq([1, 2, 3])) == 6
