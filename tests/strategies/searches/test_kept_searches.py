"""Searches with a table in a file: the same results, and finished work is not repeated."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import dask
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import MAXIE, MINNIE, ExplicitGame, TicTacToe, Tree, find_game
from strategies import (
    KeptTable,
    TableError,
    abdada,
    alphabeta,
    by_type,
    engine_for,
    expectimax,
    jamboree,
    lazy_smp,
    mtdf,
    par_list,
    pvs,
    search,
    seq,
    young_brothers_wait,
)
from strategies.insight.analysis.recorded import recorded
from strategies.native.calls.alphabeta import UNLIMITED, Answer, Found, answer_in, search_alphabeta
from strategies.native.calls.deepening import search_deepening
from strategies.native.kept_table import HEADER
from strategies.running.plans.iterations import Iterations
from tests.properties import examples
from tests.strategies.given import trees

GAME = TicTacToe()
ways = st.sampled_from([
    seq, young_brothers_wait.to_size(0), par_list.live().to_size(3), jamboree(0.5).to_size(0),
    by_type(cut=young_brothers_wait, all=par_list.live()).everywhere.to_size(0),
])  # fmt: skip
usings = st.sampled_from([seq, seq, abdada(2), lazy_smp(2)])
algorithms = st.sampled_from([pvs, mtdf, alphabeta])


def told(found: Any) -> tuple[Any, ...]:
    return found.value, found.move


def over(path: Path | str, *args: Any, size: str | None = "4kB", **how: Any) -> Any:
    """Return the result of a search with the table in a file."""
    with KeptTable(path, size) as table:
        return search(*args, engine="interpreted", **how).compute(memory=table, num_workers=2)


@cache
def plainly(game: Any, state: Any, depth: int, nearer: bool = True) -> tuple[Any, ...]:
    algorithm = alphabeta(depth, nearer_wins=nearer)
    return told(search(game, algorithm, state=state, engine="interpreted").compute(num_workers=1))


@given(
    trees(wins=True),
    st.booleans(),
    st.lists(
        st.tuples(
            st.integers(0, 4), st.sampled_from([0, 4, UNLIMITED]), algorithms, usings,
            st.sampled_from([None, 1, 6, 20]), st.integers(0, 2),
        ),
        min_size=1, max_size=5,
    ),
)  # fmt: skip
@examples(20)
def test_a_kept_table_changes_no_result(
    game: ExplicitGame, nearer: bool, searches: list[Any]
) -> None:
    """Earlier searches may have had other depths or roots, or may have been interrupted."""
    with TemporaryDirectory() as folder:
        for depth, ended, algorithm, using, nodes, plies in searches:
            state = game.start()
            for _ in range(plies):
                state = next((game.make_move(state, m) for m in game.moves(state)), state)
            path, wanted = f"{folder}/kept.table", algorithm(depth, nearer_wins=nearer)
            with KeptTable(path, "4kB") as table:
                engine = engine_for(game, "interpreted")
                search_deepening(engine, table, game.start(), 4, nearer=nearer, nodes=ended)
            found = over(path, game, wanted, state=state, using=using, nodes=nodes)
            reached = depth if nodes is None else found.depth
            value, move = plainly(game, state, reached, nearer)
            if depth and not reached:  # no depth was finished, so any move is right
                move = found.move
            assert told(found) == (value, move)


@given(
    trees(wins=True),
    st.lists(
        st.tuples(st.integers(1, 4), st.sampled_from([pvs, mtdf]), ways, st.integers(0, 1)),
        min_size=2, max_size=4,
    ),
    st.sampled_from(["4kB", "64kB"]),
)  # fmt: skip
@examples(12)
def test_strategies_continue_each_others_work(
    game: ExplicitGame, searches: list[Any], size: str
) -> None:
    with TemporaryDirectory() as folder:
        for depth, algorithm, using, plies in searches:
            state = game.start()
            for _ in range(plies):
                child = next((game.make_move(state, m) for m in game.moves(state)), state)
                state = child if list(game.moves(child)) else state
            path = f"{folder}/kept.table"
            found = over(path, game, algorithm(depth), state=state, using=using, size=size)
            assert told(found) == plainly(game, state, depth)
            assert found.sparks.balanced()
            assert not found.graphs or len(recorded(found).tasks) == len(found.records)


@pytest.mark.parametrize("before", [seq, young_brothers_wait.to_size(20)])
def test_a_resumed_strategy_splits_where_much_was_visited_before(
    before: Any, tmp_path: Path
) -> None:
    """Its first iteration is shared, although it made no shallower one."""
    path, using = tmp_path / "kept.table", young_brothers_wait.to_size(20)
    over(path, GAME, pvs(3), using=before, size="1MB")
    found = over(path, GAME, pvs(5), using=using, size=None)
    assert {g.depth for g in found.graphs} == {5}
    assert found.graphs[0].tasks > 9
    assert told(found) == plainly(GAME, None, 5)


def test_a_strategy_stores_the_leftmost_move_of_the_depth_before_the_last(
    tmp_path: Path,
) -> None:
    """At one ply the last of three moves looks best; at three plies they are equal."""

    def branch(first: int) -> Tree:
        return Tree("", MINNIE, (Tree("", MAXIE, (Tree("", MINNIE, (), 5),), 5),), first)

    def to(row: Iterations, depth: int, *how: Any) -> Found:
        if depth == 5:
            raise KeyboardInterrupt
        return found_at(row, depth, *how)

    game = ExplicitGame.from_tree(Tree("", MAXIE, tuple(map(branch, (1, 2, 9))), 0))
    path, using, found_at = tmp_path / "kept.table", par_list.to_size(0), Iterations.to
    with patch.object(Iterations, "to", to), pytest.raises(KeyboardInterrupt):
        over(path, game, pvs(5), using=using)
    found = over(path, game, pvs(3), using=using)
    assert (found.nodes, found.value, found.move) == (0, 5, 0)


def test_with_a_limit_a_strategy_resumes_the_unfinished_depth(tmp_path: Path) -> None:
    path, using = tmp_path / "kept.table", par_list.to_size(200)
    over(path, GAME, alphabeta(3), using=using, time=100, size="1MB")
    found = over(path, GAME, alphabeta(5), using=using, time=100, size=None)
    assert found.graphs[0].depth == 4
    assert (found.depth, told(found)) == (5, plainly(GAME, None, 5))


@pytest.mark.parametrize(
    ("algorithm", "using"),
    [
        (mtdf, seq),
        *((pvs, using) for using in (abdada(2), young_brothers_wait.to_size(300))),
    ],
)
def test_finished_depths_are_not_searched_again(algorithm: Any, using: Any, tmp_path: Path) -> None:
    path = tmp_path / "kept.table"
    found = [over(path, GAME, algorithm(6), using=using, size="1MB") for _ in range(2)]
    assert told(found[0]) == told(found[1])
    assert found[0].nodes > 1000
    assert found[1].nodes == 0
    assert len(found[1].timeline) == len(found[1].records)
    deeper = over(path, GAME, algorithm(7), using=using, size=None)
    assert told(deeper) == plainly(GAME, None, 7)


def test_an_unfinished_depth_is_resumed(tmp_path: Path) -> None:
    """Its entries are still there, although finished depths have entries for the same positions."""
    engine, state = engine_for(GAME, "interpreted"), GAME.start()
    with KeptTable(tmp_path / "whole.table", "1MB") as table:
        whole = search_deepening(engine, table, state, 8)
    spent = 0
    for _ in range(20):
        with KeptTable(tmp_path / "kept.table", "1MB") as table:
            found = search_deepening(engine, table, state, 8, nodes=whole.nodes // 8)
        spent += found.nodes
        if found.finished:
            break
    assert found.finished
    assert (found.value, found.line[0]) == (whole.value, whole.line[0])
    assert spent < 1.5 * whole.nodes


def test_a_limit_applies_to_the_remaining_work(tmp_path: Path) -> None:
    path, depths, state = tmp_path / "kept.table", [0], GAME.parse_state("1 5")
    for _ in range(8):
        found = over(path, GAME, pvs(7), state=state, nodes=200, size="1MB")
        depths.append(found.depth)
        assert told(found) == plainly(GAME, state, found.depth)
    assert depths == sorted(depths)
    assert depths[-1] == 7
    assert depths[1] < 7


def test_the_stored_move_of_another_search_is_not_used_as_a_result(tmp_path: Path) -> None:
    """Inside a search the best branch of a position need not be the leftmost."""
    engine, state = engine_for(GAME, "interpreted"), GAME.start()
    with KeptTable(tmp_path / "kept.table", "1MB") as table:
        search_alphabeta(engine, table, state, 5, orders=True, leftmost=False)
        assert answer_in(table, engine, state, True) is None
        search_deepening(engine, table, state, 5)
        assert answer_in(table, engine, state, True) == Answer(5, *_answer(5))
        search_deepening(engine, table, state, 4)
        assert answer_in(table, engine, state, True) == Answer(5, *_answer(5))


def _answer(depth: int) -> tuple[Any, int]:
    value, move = plainly(GAME, None, depth)
    return value, list(GAME.moves(GAME.start())).index(move)


def test_a_bound_from_a_failed_window_is_not_used_as_a_value(tmp_path: Path) -> None:
    engine, state = engine_for(GAME, "interpreted"), GAME.start()
    with KeptTable(tmp_path / "kept.table", "1MB") as table:
        search_deepening(engine, table, state, 2, 5.0, 6.0)
        assert answer_in(table, engine, state, True) is None


ANALYSIS = """
import sys
from games import TicTacToe
from strategies import KeptTable, parse_using, pvs, search
with KeptTable(sys.argv[1], "256kB") as table:
    using = parse_using(sys.argv[2])
    search(TicTacToe(), pvs(9), using=using, engine="interpreted").compute(memory=table)
    sys.stdin.read()
"""


def used(path: Path) -> int:
    """Count the used cells of a table of 256 kB."""
    cells = memoryview(path.read_bytes()[HEADER : HEADER + (1 << 18)]).cast("q")
    return sum(1 for cell in cells if cell)


@pytest.mark.slow
@pytest.mark.parametrize(
    "using", [seq, pytest.param(young_brothers_wait.to_size(100), marks=pytest.mark.long)]
)
def test_a_killed_analysis_is_resumed(using: Any, tmp_path: Path) -> None:
    path = tmp_path / "kept.table"
    asked = search(GAME, pvs(9), using=using, engine="interpreted")
    fresh = asked.compute(num_workers=1)
    engine = engine_for(GAME, "interpreted")
    with subprocess.Popen(
        [sys.executable, "-c", ANALYSIS, str(path), repr(using)], stdin=subprocess.PIPE
    ) as run:
        while not path.exists() or used(path) < 800:
            assert run.poll() is None
            time.sleep(0.001)
        run.send_signal(signal.SIGKILL)
    with KeptTable(path) as table:
        assert answer_in(table, engine, GAME.start(), True) is not None
    found = over(path, GAME, pvs(9), using=using, size=None)
    assert told(found) == told(fresh)
    assert found.nodes < fresh.nodes - 100


def test_a_table_of_another_search_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.table"
    over(path, GAME, pvs(3))
    before = path.read_bytes()
    for game, algorithm in (
        (find_game("nim"), pvs(3)), (GAME, pvs(3, nearer_wins=False)),
    ):  # fmt: skip
        with pytest.raises(TableError, match="name another file"):
            over(path, game, algorithm)
    assert path.read_bytes() == before


def test_searches_that_use_no_table_refuse_one(tmp_path: Path) -> None:
    for algorithm, using, error, why in (
        (alphabeta(3), par_list, ValueError, "under par_list, memory= is for searches that deepen"),
        (expectimax(3), seq, ValueError, "expectimax has no windows, and a search over a given"),
    ):
        with pytest.raises(error, match=why):
            over(tmp_path / "kept.table", GAME, algorithm, using=using)
    wrong: Any = "kept.table"
    with pytest.raises(
        TypeError, match=r"memory must be a table, such as KeptTable\('analysis.table'\)"
    ):
        search(GAME, pvs(3)).compute(memory=wrong)
    table = KeptTable(tmp_path / "kept.table", "4kB")
    with pytest.raises(TypeError, match="takes no scheduler: leave scheduler= out"):
        search(GAME, pvs(3)).compute(scheduler="sync", memory=table)
    assert list(tmp_path.iterdir()) == []


def test_a_search_over_a_table_runs_here_whatever_the_current_scheduler(tmp_path: Path) -> None:
    with KeptTable(tmp_path / "kept.table", "4kB") as table:
        answer = search(GAME, pvs(4), engine="interpreted")
        known = answer.compute().value
        for current in ("processes", "sync", "distributed"):
            with dask.config.set(scheduler=current):
                assert answer.compute(memory=table).value == known
        assert answer.compute(scheduler="threads", memory=table).value == known


def test_the_result_names_its_algorithm(tmp_path: Path) -> None:
    found = over(tmp_path / "kept.table", GAME, pvs(4))
    assert found.request is not None
    assert found.request.algorithm == pvs(4)
    assert found.request.strategy == seq
    assert found.search().compute(num_workers=1).value == found.value
