"""The branches of a node in an iteration are merged when a result is needed, and not earlier."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games import TicTacToe
from strategies import pvs, search, young_brothers_wait
from strategies.algorithms.fold import Rule, Searched
from strategies.running.execution.live_windows import Link
from strategies.running.plans.lowering import SAME, At, Folds, Piece
from strategies.running.plans.tasks import Found, Post, Reading, begin, merge


def test_the_younger_branches_of_a_node_are_merged_at_once() -> None:
    using = young_brothers_wait.to_size(0)
    found = search(TicTacToe(), pvs(2), using=using, engine="interpreted").compute(num_workers=1)
    graph = found.graphs[0]
    each = Counter(place[:-1] for (kind, place), _ in graph.waits if kind == "merge")
    assert set(each.values()) == {1, 2}  # the other one: the eldest branch


def test_a_fold_that_a_group_waits_for_exists_after_a_later_one_was_requested() -> None:
    def merging(at: At, pieces: tuple[Piece, ...]) -> Any:
        merged.append((at.ref, *(p.stop for p in pieces)))
        return pieces[-1].stop

    merged: list[Any] = []
    folds = Folds(At("first", SAME), [0, 0, 2, 3], merging)
    folds.waiting += [Piece(("spark", (i,)), i, i + 1, None) for i in range(5)]
    assert [folds[k].ref.key for k in (5, 3, 2)] == [5, 3, 2]
    assert [row[1:] for row in merged] == [(1, 2), (3,), (4, 5)]


def test_a_node_posts_its_value_before_its_parent_needs_it() -> None:
    begun, entry = begin(), Reading("same", "min", Rule(True))
    below = Found((Searched(0, 1.0, (3, 3)), Searched(1, 1.0, (5, 5))))
    merge((0, 2, 2), entry, (None,), (2, 9), below, begun=begun, post=Post((0,), "max", 2))
    link = Link((0,), "max", 4)
    assert begun[0].narrow((link,), (-9, 9)) == (3, 9)
