"""Collections that Dask derives from a search are searches: persisted, optimised, bound, cloned."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import dask
import pytest
from dask import delayed, graph_manipulation
from dask.base import DaskMethodsMixin

from games import HANDOUT_SMALL, ConnectFour
from strategies import alphabeta, mcts, par_list, search
from tests.strategies.clusters import cluster

MADE: dict[str, Callable[[Any], Any]] = {
    "persist": lambda x: x.persist(),
    "dask.persist": lambda x: dask.persist(x, scheduler="sync")[0],
    "dask.optimize": lambda x: dask.optimize(x)[0],
    "bind": lambda x: graph_manipulation.bind(x, delayed(abs)(-1)),
    "clone": graph_manipulation.clone,
    "wait_on": graph_manipulation.wait_on,
    "twice": lambda x: graph_manipulation.clone(dask.optimize(x.persist())[0]),
    "bound and persisted": lambda x: graph_manipulation.bind(x, delayed(1)).persist(),
}


def searches() -> list[Any]:
    game = HANDOUT_SMALL
    return [
        search(game, alphabeta(2), using=par_list.to_ply(2), engine="interpreted"),
        search(game, alphabeta(2), engine="interpreted"),
        search(game, mcts(40, trees=2), using=par_list, engine="interpreted"),
    ]


def said(result: Any) -> tuple[Any, ...]:
    return result.move, result.value, result.line


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("how", MADE)
def test_it_is_still_a_search(how: str, number: int) -> None:
    answer = searches()[number]
    made = MADE[how](answer)
    assert type(made) is type(answer)
    assert repr(made) == repr(answer)
    assert made.__dask_keys__()[0] in made.dask
    wanted = said(answer.compute(scheduler="sync"))
    assert said(made.compute()) == wanted
    assert said(made.compute(scheduler="sync")) == wanted
    assert [said(r) for r in dask.compute(made, answer)] == [wanted, wanted]


@pytest.mark.parametrize("number", range(3))
def test_a_persisted_search_is_not_repeated(number: int) -> None:
    answer = searches()[number]
    kept = answer.persist()
    assert kept.known
    assert not answer.known
    first = kept.compute()
    assert kept.compute() is first
    assert dask.compute(kept)[0] is first
    assert kept.persist().compute() is first


def test_a_search_optimised_with_others_keeps_its_own_tasks() -> None:
    one, two, _ = searches()
    first, second = dask.optimize(one, two)
    assert first.tasks().keys() == one.tasks().keys()
    assert second.tasks().keys() == two.tasks().keys()


def test_a_clone_shares_no_task() -> None:
    one = searches()[0]
    made = graph_manipulation.clone(one)
    assert len(made.tasks()) == len(one.tasks())
    assert not made.tasks().keys() & one.tasks().keys()


def test_a_bound_search_waits() -> None:
    seen: list[str] = []

    def tell(*_: Any) -> None:
        seen.append("told")

    for answer in searches():
        first = delayed(tell)()
        made = graph_manipulation.bind(answer, first)
        starts = [k for k, t in made.tasks().items() if not t.dependencies]
        assert len(starts) == 1  # the root of `first`: all other tasks depend on it
        made.compute()
    assert len(seen) == len(searches())


def test_a_checkpoint_waits_for_a_search() -> None:
    for answer in searches():
        assert graph_manipulation.checkpoint(answer).compute() is None


def test_a_persisted_search_can_be_drawn() -> None:
    one = searches()[0]
    assert one.persist()._repr_svg_() == one._repr_svg_()
    assert one.persist().trace() == one.trace()


def test_a_cluster_keeps_the_result() -> None:
    with cluster(processes=False) as client:
        for answer in searches():
            kept = client.persist(answer)
            assert type(kept) is type(answer)
            assert said(kept.compute()) == said(answer.compute(scheduler="sync"))
            assert said(answer.persist().compute()) == said(kept.compute())


def test_awaiting_a_search_returns_its_result() -> None:
    async def awaited() -> list[Any]:
        return [await lazy for lazy in searches()]

    assert [said(found) for found in asyncio.run(awaited())] == [
        said(lazy.compute(num_workers=1)) for lazy in searches()
    ]


def test_a_search_that_is_no_longer_awaited_ends() -> None:
    endless = search(ConnectFour(), mcts(10**12, trees=2), using=par_list)

    async def left() -> None:
        await asyncio.wait_for(endless, timeout=0.2)

    with pytest.raises(TimeoutError):
        asyncio.run(left())  # it would wait for the thread of the search


def test_a_collection_that_only_graphviz_draws_says_what_draws_without_it() -> None:
    missing = patch.object(DaskMethodsMixin, "visualize", side_effect=RuntimeError("no engine"))
    with missing, pytest.raises(RuntimeError, match=r"no engine; .* \.compute\(\)\.draw\(\)"):
        search(ConnectFour(), mcts(10)).visualize()
