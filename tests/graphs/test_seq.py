"""Sequences are values, and windows differ from copies only in cost."""

import pickle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphs import Seq
from tests.graphs.given import seqs


@given(seqs())
def test_a_sequence_is_a_value(seq):
    copy = Seq(list(seq))
    assert seq == copy
    assert hash(seq) == hash(copy)
    assert pickle.loads(pickle.dumps(seq)) == seq
    assert eval(repr(seq)) == seq


NAN = float("nan")


@given(seqs(), seqs())
@example(Seq([NAN]), Seq([NAN]))  # one object, so equal, as in a list
@example(Seq([NAN]), Seq([float("nan")]))
def test_sequences_are_equal_exactly_if_their_elements_are(left, right):
    assert (left == right) == (list(left) == list(right))


def test_not_equal_to_another_type():
    assert Seq([1]) != [1]
    assert Seq([1]) != (1,)


@given(seqs(), st.slices(8))
@example(Seq(range(8)), slice(5, 2))
def test_slices_agree_with_a_list(seq, where):
    assert list(seq[where]) == list(seq)[where]
    assert list(seq[where][1:]) == list(seq)[where][1:]


@given(seqs(), st.integers(-12, 12))
def test_elements_agree_with_a_list(seq, i):
    if -len(seq) <= i < len(seq):
        assert seq[i] == list(seq)[i]
    else:
        with pytest.raises(IndexError, match=f"index {i} is outside"):
            seq[i]


def test_is_immutable():
    seq = Seq([1])
    with pytest.raises(AttributeError, match="immutable"):
        seq._start = 1
    with pytest.raises(AttributeError, match="immutable"):
        del seq._items
    with pytest.raises(TypeError):
        seq[0] = 2


def test_a_pickled_window_does_not_include_its_storage():
    window = Seq([bytes(10_000), 1])[1:]
    assert len(pickle.dumps(window)) < 1_000
