"""A replay tells the lines of the trace, and counts what the ledger counts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games import (
    HANDOUT_BIG,
    HANDOUT_SMALL,
    LESSONS,
    MINNIE,
    ConnectFour,
    ExplicitGame,
    Pig,
    TicTacToe,
    with_chance,
)
from strategies import (
    abdada,
    alphabeta,
    eval_list,
    expectimax,
    jamboree,
    maxn,
    minimax,
    mtdf,
    par_list,
    par_list_chunk,
    parse_strategy,
    pvs,
    scout,
    search,
    seq,
    young_brothers_wait,
)
from strategies.insight.analysis.replays.drawn_tree import drawn_tree, spots
from strategies.insight.analysis.replays.moments import Inside, Replay, Turned
from strategies.insight.analysis.replays.replayed import replayed
from strategies.insight.analysis.simulate import simulate
from strategies.insight.analysis.trace_steps import Cut, Entered, Returned
from tests.properties import examples

FIXED = (
    seq, eval_list.to_ply(2), par_list, par_list.to_ply(2), par_list.everywhere.grain(1),
    jamboree(0.5), jamboree(0.5).to_ply(2), jamboree(0.5).everywhere,
)  # fmt: skip
"""Strategies with fixed windows: their runs visit what a trace visits."""
OTHERS = (
    young_brothers_wait.to_ply(2), par_list.live().to_ply(2), scout.to_ply(2),
    par_list_chunk(2).to_ply(2), par_list(young_brothers_wait),
)  # fmt: skip
TREES = st.recursive(st.integers(-9, 9), lambda below: st.lists(below, min_size=1, max_size=4))
DEPTH = 9
PRUNINGS = ("star1", "star2")


def searched(game: Any, algorithm: Any, strategy: Any) -> Any:
    return search(game, algorithm, using=strategy, engine="interpreted")


def check_counts(replay: Replay, result: Any) -> None:
    """Check that the counts after the last moment are those of the ledger."""
    found = replay.counts()
    wanted = result.sparks.counts | {"leaves": result.leaves, "nodes": result.nodes}
    counted = {name: found.get(name, 0) for name in wanted if name not in ABSENT}
    assert counted == {name: n for name, n in wanted.items() if name not in ABSENT}
    assert found.get("work", 0) == pytest.approx(result.work)
    assert found.get("span", 0) == pytest.approx(result.span)


ABSENT = ("GC'd", "overflowed", "remaining")
"""Counts that a finished run on one machine does not have."""


def check_order(replay: Replay) -> None:
    """Check that a position is entered before it is left, and a task started before it ends."""
    assert all(a.time <= b.time for a, b in pairwise(replay.moments))
    entered, started = set(), set()
    for m in replay.moments:
        if isinstance(m.what, Entered):
            entered.add(m.what.place.path)
        elif isinstance(m.what, Returned):
            assert m.what.place.path in entered
        elif isinstance(m.what, Turned) and m.what.fate == "started":
            started.add(m.task)
        elif isinstance(m.what, Turned) and m.what.fate not in ("created", "dud", "opened"):
            assert m.task in started


@examples(40)
@example([1, [[0, [1], 0]]], jamboree(0.5).everywhere, 1)  # a branch as good as a bound from above
@example([[-1], 0, 0, [[0, 0, 0]]], jamboree(0.5).everywhere, 1)
@given(st.lists(TREES, min_size=1, max_size=4), st.sampled_from(FIXED), st.integers(1, 3))
def test_lines_of_fixed_windows_are_those_of_the_trace(
    tree: list[Any], strategy: Any, workers: int
) -> None:
    answer = searched(ExplicitGame.from_nested(tree), alphabeta(DEPTH), strategy)
    result = simulate(answer, workers, node=1.0).result
    replay = replayed(result, ticks=True)
    assert sorted(replay.lines) == sorted(answer.trace())
    if workers == 1:
        assert replay.lines == answer.trace()
    check_counts(replay, result)
    check_order(replay)


@examples(40)
@example([[-1], 0, [[1], [0]]], scout.to_ply(2), 1)  # a test finds more than its window asks
@given(st.lists(TREES, min_size=1, max_size=4), st.sampled_from(OTHERS), st.integers(1, 3))
def test_counts_of_live_and_tested_windows_are_those_of_the_ledger(
    tree: list[Any], strategy: Any, workers: int
) -> None:
    answer = searched(ExplicitGame.from_nested(tree), alphabeta(DEPTH), strategy)
    result = simulate(answer, workers, node=1.0).result
    replay = replayed(result, ticks=True)
    check_counts(replay, result)
    check_order(replay)
    last = [m.what for m in replay.moments if isinstance(m.what, Returned)][-1]
    assert last.best.value == result.value
    assert replay.whole


@examples(40)
@given(
    st.lists(TREES, min_size=1, max_size=4),
    st.sampled_from([seq, par_list.to_ply(2), jamboree(0.5).to_ply(2)]),
    st.sampled_from(
        [expectimax(DEPTH), alphabeta(DEPTH), *(expectimax(DEPTH, pruning=p) for p in PRUNINGS)]
    ),
)
def test_means_and_their_bounds(tree: list[Any], strategy: Any, algorithm: Any) -> None:
    game = with_chance(ExplicitGame.from_nested(tree), MINNIE)
    answer = searched(game, algorithm, strategy)
    for result in (answer.compute(num_workers=1), simulate(answer, 2, node=1.0).result):
        replay = replayed(result)
        check_counts(replay, result)
        check_order(replay)
        assert replay.closing[:-2] == () or f"{result.value}" in replay.closing[0]
        if algorithm.pruning is None:
            assert replay.whole
            assert sorted(replay.lines) == sorted(answer.trace())


@pytest.mark.parametrize("strategy", [*FIXED, *OTHERS], ids=repr)
@pytest.mark.parametrize("game", [HANDOUT_BIG, HANDOUT_SMALL], ids=["big", "small"])
def test_real_runs(game: ExplicitGame, strategy: Any) -> None:
    answer = searched(game, alphabeta(4), strategy)
    result = answer.compute(num_workers=2)
    replay = replayed(result)
    check_counts(replay, result)
    check_order(replay)
    if strategy in FIXED:
        assert sorted(replay.lines) == sorted(answer.trace())
    assert max(m.time for m in replay.moments) <= result.seconds


def test_minimax_has_no_cutoffs() -> None:
    replay = replayed(searched(HANDOUT_BIG, minimax(4), par_list.to_ply(2)).compute())
    assert replay.counts()["leaves"] == 12
    assert not any(isinstance(m.what, Cut) for m in replay.moments)


@pytest.mark.parametrize("strategy", [seq, par_list, par_list.to_ply(3)], ids=repr)
@pytest.mark.parametrize(
    ("game", "algorithm"),
    [
        (Pig(20), expectimax(4)),
        (Pig(20), expectimax(5, pruning="star1")),
        (Pig(20), expectimax(5, pruning="star2")),
        (ExplicitGame.from_nested([[[(1, 2, 6), (4, 3, 2)]], [[(5, 1, 1)], [(2, 2, 2)]]]), maxn(3)),
    ],
    ids=["means", "star1", "star2", "maxn"],
)
def test_chance_and_several_players(game: Any, algorithm: Any, strategy: Any) -> None:
    answer = searched(game, algorithm, strategy)
    for result in (answer.compute(num_workers=2), simulate(answer, 2, node=1.0).result):
        replay = replayed(result)
        check_counts(replay, result)
        assert replay.whole
        last = [m.what for m in replay.moments if isinstance(m.what, Returned)][-1]
        assert last.best.value == result.value


def test_a_cutoff_names_the_ancestor_whose_bound_it_meets() -> None:
    replay = replayed(searched(HANDOUT_BIG, alphabeta(4), seq).compute())
    first = next(m.what for m in replay.moments if isinstance(m.what, Cut))
    assert first.place.label == "g"
    assert first.branches == (1,)
    assert first.by is not None
    assert (first.by.value, first.by.at) == (3, (0, 0))


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("best_last", {"converted": 3, "leaves": 9}),
        ("best_first", {"converted": 4, "leaves": 13}),
        ("late_spark", {"converted": 0, "fizzled": 4, "leaves": 7}),
        ("stopped_short", {"converted": 4, "fizzled": 1, "aborted": 1}),
    ],
)
def test_lessons_show_what_they_say(name: str, counts: dict[str, int]) -> None:
    lesson = LESSONS[name]
    answer = searched(lesson.tree, alphabeta(lesson.depth), parse_strategy(lesson.using))
    found = replayed(simulate(answer, 2, node=1.0).result, ticks=True).counts()
    assert {name: found.get(name, 0) for name in counts} == counts
    sequential = searched(lesson.tree, alphabeta(lesson.depth), parse_strategy(lesson.other))
    assert sequential.compute().value == answer.compute().value


def test_an_aborted_spark_says_whose_bounds_met() -> None:
    lesson = LESSONS["stopped_short"]
    answer = searched(lesson.tree, alphabeta(4), par_list.live().to_ply(2))
    moments = replayed(simulate(answer, 2, node=1.0).result, ticks=True).moments
    gone = next(m.what for m in moments if isinstance(m.what, Turned) and m.what.fate == "aborted")
    assert gone.why is not None
    assert gone.why.best is not None
    assert gone.why.by is not None
    assert (gone.why.best.value, gone.why.by.value) == (2, 6)


def test_a_table_makes_a_task_one_step() -> None:
    answer = searched(TicTacToe(), alphabeta(6, table="1MB"), par_list)
    result = answer.compute(num_workers=1)
    replay = replayed(result)
    assert not replay.whole
    assert any(isinstance(m.what, Inside) for m in replay.moments)
    check_counts(replay, result)


@pytest.mark.parametrize("most", [5, 50, 500])
def test_large_trees_are_folded(most: int) -> None:
    answer = searched(ConnectFour(4, 4), alphabeta(5), jamboree(0.5).to_ply(2))
    replay = replayed(answer.compute(num_workers=1))
    every = list(spots(drawn_tree(answer.plan, [replay], most)))
    assert len(every) <= most
    drawn = {spot.path for spot in every}
    visited = {m.what.place.path for m in replay.moments if isinstance(m.what, Entered)}
    assert sum(spot.folded for spot in every) == len(visited - drawn)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"algorithm": pvs(3)}, "searches one depth after another"),
        ({"algorithm": mtdf(3)}, "such as alphabeta"),
        ({"algorithm": pvs(3), "using": abdada(2)}, "under a strategy"),
        ({"algorithm": alphabeta(3), "time": 5}, "without time= or nodes="),
    ],
)
def test_what_cannot_be_replayed_says_what_to_do(asked: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        replayed(search(TicTacToe(), **asked).compute())
