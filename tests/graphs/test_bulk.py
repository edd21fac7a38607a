"""Bulk operations against built-in functions; one that records its calls shows the grouping."""

from itertools import accumulate, chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import Seq, bulk, showt
from graphs.views import Node
from tests.graphs.given import seqs

words = seqs(st.text("ab", max_size=2))


def join(left, right):
    return left + right


@given(words)
def test_scan_returns_the_running_results(seq):
    *before, total = accumulate(seq, join, initial="")
    assert bulk.scan(join, "", seq) == (Seq(before), total)


@given(words)
def test_reduce_combines_all_elements(seq):
    assert bulk.reduce(join, "", seq) == "".join(seq)


@given(seqs())
def test_reduce_groups_as_the_tree_view_does(seq):
    def grouped(seq):
        match showt(seq):
            case Node(left, right):
                return (grouped(left), grouped(right))
            case _:
                return seq[0]

    if seq:
        assert bulk.reduce(lambda a, b: (a, b), None, seq) == grouped(seq)


@given(st.integers(1, 200))
def test_reduce_and_scan_are_shallow(n):
    def deeper(a, b):
        return max(a, b) + 1

    levels = (n - 1).bit_length()
    assert bulk.reduce(deeper, 0, Seq([0] * n)) == levels
    before, total = bulk.scan(deeper, 0, Seq([0] * n))
    assert max(*before, total) <= 2 * levels + 1


@given(seqs(words), words, words)
def test_joining(rows, left, right):
    assert list(bulk.flatten(rows)) == list(chain.from_iterable(rows))
    assert list(bulk.append(left, right)) == [*left, *right]
    assert list(bulk.zip(left, right)) == list(zip(left, right, strict=False))


@given(seqs(), st.integers(-3, 12))
def test_split(seq, k):
    if 0 <= k <= len(seq):
        left, right = bulk.split(seq, k)
        assert len(left) == k
        assert bulk.append(left, right) == seq
    else:
        with pytest.raises(ValueError, match=f"cannot be split at {k}"):
            bulk.split(seq, k)


@given(seqs())
def test_elementwise(seq):
    assert list(bulk.map(abs, seq)) == [abs(x) for x in seq]
    assert list(bulk.filter(lambda x: x > 0, seq)) == [x for x in seq if x > 0]
    assert bulk.tabulate(seq.__getitem__, len(seq)) == seq


def test_negative_lengths_are_refused():
    with pytest.raises(ValueError, match="not -1"):
        bulk.tabulate(str, -1)
