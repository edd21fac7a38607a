"""Evaluations on a cluster have the same values, order and tasks."""

from __future__ import annotations

import pytest
from dask import delayed

from strategies import parse_strategy, using
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
