"""A search tells of each depth that it finishes, whatever runs it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from games import ConnectFour, TicTacToe
from graphs import ArgumentError
from strategies import (
    abdada,
    alphabeta,
    expectimax,
    lazy_smp,
    mtdf,
    par_list,
    pvs,
    search,
    seq,
    young_brothers_wait,
)
from strategies.native.calls.deepening import LISTENERS
from strategies.running.records.search_run import Reached

LONG = pytest.mark.long
USINGS = (
    seq, seq.joined(), young_brothers_wait.to_size(300), young_brothers_wait.everywhere.joined(),
    abdada(2), lazy_smp(2),
)  # fmt: skip


@pytest.mark.parametrize("engine", ["native", pytest.param("interpreted", marks=LONG)])
@pytest.mark.parametrize("using", USINGS, ids=str)
@pytest.mark.parametrize("algorithm", [pvs(7), pytest.param(mtdf(6), marks=LONG)], ids=str)
def test_depths_grow_and_the_last_is_the_answer(algorithm: Any, using: Any, engine: str) -> None:
    game, heard = ConnectFour(5, 4, pairs=1), list[Reached]()
    answer = search(game, algorithm, using=using, engine=engine)
    result = answer.compute(num_workers=2, progress=heard.append)
    depths = [reached.depth for reached in heard]
    assert depths == sorted(set(depths))
    assert len(depths) > 1
    assert (depths[-1], heard[-1].value) == (algorithm.depth, result.value)
    assert heard[-1].line[0] == game.move_text(game.start(), result.move)
    if using != lazy_smp(2):  # each thread counts its own nodes
        assert [r.nodes for r in heard] == sorted(r.nodes for r in heard)
    assert 0 < heard[-1].nodes <= result.nodes
    if using == seq:
        assert heard[-1].nodes == result.nodes
    assert LISTENERS == []


def test_a_limit_tells_of_each_ply() -> None:
    heard = list[Reached]()
    answer = search(TicTacToe(), alphabeta(9), nodes=500, engine="interpreted")
    result = answer.compute(progress=heard.append)
    assert [reached.depth for reached in heard] == list(range(1, result.depth + 1))


def test_a_line_is_that_of_an_engine() -> None:
    line = str(Reached(12, -3, ("4", "5"), 12_345, 1.5))
    assert line == "depth 12  Guess: -3             12,345 nodes     1.50 s  4 5"


@pytest.mark.parametrize("using", [seq, par_list])
def test_a_search_to_one_depth_tells_its_result(using: Any) -> None:
    heard = list[Reached]()
    result = search(TicTacToe(), expectimax(3), using=using).compute(progress=heard.append)
    [told] = heard
    assert (told.depth, told.value, told.nodes) == (3, result.value, result.nodes)
    assert told.line == result.line_texts


def test_other_searches_are_not_heard() -> None:
    """Not of the same position, inside the function, before it, or in another thread."""
    heard, game = list[Reached](), ConnectFour(4, 4)

    def tell(reached: Reached) -> None:
        heard.append(reached)
        search(game, pvs(7), engine="interpreted").compute(num_workers=1)

    search(game, pvs(7), engine="interpreted").compute(num_workers=1)
    result = search(game, pvs(4), engine="interpreted").compute(num_workers=1, progress=tell)
    assert [r.depth for r in heard] == [2, 4]
    assert heard[-1].nodes == result.nodes

    def of_a_thread(depth: int) -> list[int]:
        own = list[Reached]()
        answer = search(game, pvs(depth), engine="interpreted")
        answer.compute(num_workers=1, progress=own.append)
        return [reached.depth for reached in own]

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(of_a_thread, [4, 7, 4, 7]))
    assert found == [[2, 4], [1, 3, 5, 7]] * 2


def test_a_depth_that_was_not_reached_is_not_told() -> None:
    heard = list[Reached]()
    answer = search(ConnectFour(), pvs(30), nodes=3, engine="interpreted")
    result = answer.compute(progress=heard.append)
    assert (result.depth, heard) == (0, [])


def test_what_tells_must_be_a_function() -> None:
    with pytest.raises(ArgumentError, match="progress"):
        search(TicTacToe(), pvs(3)).compute(progress=3)
