"""Evaluations on a cluster have the same values, order and tasks."""

from __future__ import annotations

import asyncio
import signal
from threading import Timer
from time import sleep

import pytest
from dask import delayed

from strategies import parse_strategy, using
from strategies.running.runtime.shipping import ClusterError
from tests.strategies.clusters import cluster
from tests.strategies.spec import happens_before
from tests.strategies.values.given import names, seen, thunks, work

distributed = pytest.importorskip("distributed")

TEXTS = ("eval_list", "par_list", "par_list_chunk(4)", "par_buffer(3)", "jamboree(0.5)",
         "split_at(2, par_list, seq)")  # fmt: skip


@pytest.fixture(scope="module")
def client():  # type: ignore[no-untyped-def]
    with cluster(workers=1, threads=2) as here:
        yield here


@pytest.mark.parametrize("text", TEXTS)
def test_value_and_order(client, text):  # type: ignore[no-untyped-def]
    s = parse_strategy(text)
    seen()
    answer = using(thunks(8), s)
    assert client.compute(answer).result() == [i * i for i in range(8)]
    at = {i: k for k, i in enumerate(seen())}
    assert all(at[i] < at[j] for i, j in happens_before(s.unfold("list", 8).groups))
    assert sorted(at) == list(range(8))


def test_results_on_the_cluster_are_used_and_not_computed_again(client):  # type: ignore[no-untyped-def]
    kept = client.persist([work(i) for i in range(3)])
    total = [delayed(abs)(x) for x in kept]
    distributed.wait(kept)
    seen()
    for text in ("eval_list", "par_list", "par_list_chunk(2)"):
        answer = using(kept, parse_strategy(text))
        assert client.compute(answer).result() == [0, 1, 4]
        assert not any("spark" in str(k) for k in names(answer))
        assert client.compute(using(total, parse_strategy(text))).result() == [0, 1, 4]
    assert seen() == []


@pytest.mark.parametrize("how", ["compute", "run"])
@pytest.mark.parametrize("text", ["jamboree(0.5)", "par_list"])
def test_an_interrupt_leaves_no_request_open(client, text, how, monkeypatch):  # type: ignore[no-untyped-def]
    """Dask would print, sooner or later, that the exception of its task was never retrieved."""
    asked = []

    async def gather(client, futures, *args, **more):  # type: ignore[no-untyped-def]
        asked.extend(future for future in futures if future.status != "finished")
        return await usual(client, futures, *args, **more)

    usual = distributed.Client._gather
    monkeypatch.setattr(distributed.Client, "_gather", gather)
    answer = using([delayed(sleep)(0.1, pure=False) for _ in range(20)], parse_strategy(text))
    timer = Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            getattr(answer, how)()
    finally:
        timer.cancel()
    assert asked == []


def test_errors_and_options_are_those_of_the_client(client):  # type: ignore[no-untyped-def]
    answer = using(thunks(4), parse_strategy("jamboree(0.5)"))
    here = list(client.nthreads())
    assert answer.compute(workers=here, retries=1) == answer.run(workers=here).value
    broken = using([delayed(divmod)(1, i) for i in range(3)], parse_strategy("jamboree(0.5)"))
    for how in broken.compute, broken.run:
        with pytest.raises(ZeroDivisionError):
            how()
    assert client.submit(lambda: answer.compute(scheduler=client_here()), pure=False).result() == [
        i * i for i in range(4)
    ]


def client_here():  # type: ignore[no-untyped-def]
    return distributed.get_client()


@pytest.mark.parametrize("text", TEXTS)
def test_a_value_is_awaited_as_a_search_is(text):  # type: ignore[no-untyped-def]
    """With an asynchronous client, and without one; a part that is not derived by Dask, too."""
    answer = using(thunks(5), parse_strategy(text))
    parts = [part for part in answer if type(part) is type(answer)]

    async def awaited():  # type: ignore[no-untyped-def]
        options = {"asynchronous": True, "dashboard_address": ":0"}
        found = [await answer, [await part for part in parts]]
        async with (
            distributed.LocalCluster(n_workers=1, processes=False, **options) as here,
            distributed.Client(here, asynchronous=True) as client,
        ):
            with pytest.raises(ClusterError, match=r"write await client\.compute\(answer\)"):
                answer.compute()
            with pytest.raises(ClusterError, match="write scheduler='threads' to work on this"):
                answer.run()
            found += [await answer, await client.compute(answer)]
            return [*found, [await part for part in parts]]

    value, some = [i * i for i in range(5)], [part.compute(num_workers=1) for part in parts]
    assert asyncio.run(awaited()) == [value, some, value, value, some]
