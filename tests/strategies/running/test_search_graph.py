"""A search is a Dask collection like any other, on any scheduler."""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import warnings
from multiprocessing import active_children
from typing import Any

import dask
import pytest
from attrs import frozen

from games import (
    HANDOUT_BIG,
    HANDOUT_SMALL,
    ConnectFour,
    Game,
    Position,
    Status,
    TicTacToe,
)
from strategies import (
    abdada,
    alphabeta,
    jamboree,
    mcts,
    mtdf,
    par_buffer,
    par_list,
    parse_strategy,
    plan,
    pvs,
    search,
    seq,
)  # fmt: skip
from strategies.running.plans.lowering import lower
from strategies.support.printing import preformatted
from strategies.support.stacks import gc_paused
from tests.strategies.clusters import cluster, two_processes
from tests.work_done import steps

TEXTS = [
    "seq",
    "jamboree(0.5).everywhere",
    "jamboree(0.5).everywhere.grain(plies=1)",
    "young_brothers_wait.to_ply(2)",
    "scout.to_ply(2)",
    "par_list.live().to_ply(2)",
]


@frozen
class Wide(Game[int, int]):
    """A position with so many moves; the game is over after one."""

    width: int

    def start(self) -> int:
        return 0

    def status(self, state: int) -> Status:
        return Status.IN_PLAY if state == 0 else Status.OVER

    def player(self, state: int) -> int:
        return 0

    def moves(self, state: int) -> range:
        return range(1, self.width + 1)

    def make_move(self, state: int, move: int) -> int:
        return move

    def utility(self, state: int) -> int:
        return state


@pytest.mark.parametrize("text", [*map(repr, (par_list, par_buffer(4), seq)), *TEXTS[1:]])
def test_the_work_of_planning_grows_with_the_branches_of_a_node(text: str) -> None:
    def planned(width: int) -> int:
        made = search(Wide(width), alphabeta(1), using=parse_strategy(text), engine="interpreted")
        return steps(made.tasks)

    planned(10)  # what is done once is done now
    assert planned(400) < 2.5 * planned(200)


def answer(text: str) -> Any:
    using = parse_strategy(text)
    return search(HANDOUT_SMALL, alphabeta(2), using=using, engine="interpreted")


def right(result: Any, text: str) -> None:
    assert (result.move, result.value, result.line) == (1, 4, (1, 1))
    assert result.sparks.balanced()
    assert len(result.records) == len(answer(text).tasks())


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("scheduler", ["sync", "threads", None])
def test_all_schedulers_agree(text: str, scheduler: str | None) -> None:
    right(answer(text).compute(scheduler=scheduler, num_workers=2), text)
    with dask.config.set(scheduler=scheduler):
        right(answer(text).compute(), text)
        (found,) = dask.compute(answer(text))
        right(found, text)
        (better,) = dask.optimize(answer(text))
        right(better.compute(), text)
    right(answer(text).persist(scheduler=scheduler).compute(), text)


@pytest.mark.slow
def test_processes() -> None:
    with two_processes() as pool:
        for text in TEXTS:
            right(answer(text).compute(scheduler="processes", pool=pool), text)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="sends a signal to a thread")
def test_ctrl_c_ends_processes_in_the_midst_of_their_tasks() -> None:
    using, before = parse_strategy("par_list.to_ply(1)"), set(active_children())
    long = search(ConnectFour(), alphabeta(30), using=using)  # would take hours
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(1.5, signal.pthread_kill, (main, signal.SIGINT))
    timer.start()
    with gc_paused(), pytest.raises(KeyboardInterrupt):  # a callback could drop the interrupt
        long.compute(scheduler="processes", num_workers=1)
    timer.join()
    assert set(active_children()) <= before


@pytest.mark.slow
def test_a_cluster() -> None:
    with cluster() as client:
        for text in TEXTS:
            right(answer(text).compute(), text)
            right(client.compute(answer(text)).result(), text)


def test_computing_with_another_collection() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # Dask warns about mixing two kinds of graphs
        found, three = dask.compute(answer("seq"), dask.delayed(3))
    right(found, "seq")
    assert three == 3


def test_the_token_and_the_keys_are_the_same_in_every_process() -> None:
    code = (
        "from games import HANDOUT_SMALL; from strategies import search, alphabeta, jamboree\n"
        "using = jamboree(0.5).everywhere\n"
        "q = search(HANDOUT_SMALL, alphabeta(2), using=using, engine='interpreted')\n"
        "print(q.expr._name, list(q.tasks()))"
    )
    seed = "1" if os.environ.get("PYTHONHASHSEED") == "0" else "0"  # not that of this process
    there = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    here = answer("jamboree(0.5).everywhere")
    assert there == f"{here.expr._name} {list(here.tasks())}\n"
    assert answer("seq").expr._name != here.expr._name


def test_the_expression_is_created_once() -> None:
    asked = answer("seq")
    assert asked.expr is asked.expr
    again = pickle.loads(pickle.dumps(asked))
    assert again.expr._name == asked.expr._name
    assert asked.persist(scheduler="sync").expr is not asked.expr


def test_tasks_do_not_contain_their_plan() -> None:
    made = plan(HANDOUT_BIG, alphabeta(4), jamboree(0.5).everywhere)
    graph, _ = lower(made, "t")
    sizes = [len(pickle.dumps(task)) for task in graph.values()]
    assert max(sizes) < 6_000


def test_a_search_that_is_one_task_runs_as_one_task() -> None:
    assert len(search(HANDOUT_BIG, alphabeta(4), using=seq).tasks()) == 1


def test_a_search_and_its_result_print_their_details() -> None:
    found = answer("jamboree(0.5).everywhere").compute(num_workers=1)
    assert str(found).startswith(
        "move middle, Guess: 4, line middle 1; 9 leaves, 13 nodes\nSPARKS: 6 ("
    )
    shown = found._repr_html_()
    board = Position(HANDOUT_SMALL)._repr_html_()
    assert shown.startswith(f"{preformatted(str(found))}{board}<svg")
    assert answer("seq")._repr_svg_().startswith("<svg")


def test_a_result_prints_its_cost() -> None:
    found = answer("jamboree(0.5).everywhere").compute(num_workers=2)
    assert found.work > 0
    assert 0 < found.span <= found.work + 1e-9
    assert found.parallelism == pytest.approx(found.work / found.span)
    assert sum(len(lane) for lane in found.timeline.values()) == len(found.records)
    assert 1 <= len(found.timeline) <= 2
    assert found.summary()["sparks"]["dud"] == found.sparks.dud


@pytest.mark.parametrize("algorithm", [alphabeta(3), mcts(20)], ids=repr)
@pytest.mark.parametrize("moves", ["", "4", "44"])
def test_moves_are_printed_in_the_notation_of_the_game(algorithm: Any, moves: str) -> None:
    """People read columns 1 to 5 at a prompt, in a notebook and in JSON; programs use 0 to 4."""
    game = ConnectFour(5, 4)
    state = game.parse_state(moves)
    found: Any = search(game, algorithm, state=state, engine="interpreted").compute()
    texts = []
    for move in found.line:
        texts.append(game.move_text(state, move))
        state = game.make_move(state, move)
    assert texts == [str(move + 1) for move in found.line] != []
    said = re.match(r"move (\S+), .*?, line ([^;]*); ", str(found))
    assert said
    assert (said[1], said[2].split()) == (texts[0], texts)
    assert f">move {texts[0]}, " in found._repr_html_()
    data = found.summary()
    assert (data["move"], data["line"]) == (texts[0], texts)
    assert [m["move"] for m in data.get("moves", ())] in ([], ["1", "2", "3", "4", "5"])


@pytest.mark.parametrize("limit", [{}, {"nodes": 20}, {"nodes": 10**6}, {"time": 60.0}])
def test_a_result_within_a_limit_tells_its_depth(limit: Any) -> None:
    found = search(TicTacToe(), alphabeta(3), engine="interpreted", **limit).compute()
    assert (f" nodes, depth {found.depth}\n" in str(found)) == bool(limit)
    assert ("depth" in str(found)) == bool(limit)


@pytest.mark.parametrize("algorithm", [alphabeta(3), pvs(3), mtdf(3)], ids=str)
@pytest.mark.parametrize("using", [seq, par_list, par_list.to_size(50), abdada(2)], ids=str)
def test_every_scheduler_returns_results_that_know_their_search(algorithm, using):
    """So that they can be drawn, diagnosed and reported."""
    if using == par_list.to_size(50) and not algorithm.iterates:
        pytest.skip("only a search that deepens knows sizes")
    for limits in ({}, {"time": 60}):
        lazy = search(TicTacToe(), algorithm, using=using, engine="interpreted", **limits)
        for found in (
            lazy.compute(num_workers=1), lazy.compute(scheduler="sync"),
            *dask.compute(lazy, scheduler="sync"), lazy.persist(scheduler="sync").compute(),
        ):  # fmt: skip
            assert found.request.written == repr(lazy)
            assert found.request.algorithm.depth == (found.depth or 3)
