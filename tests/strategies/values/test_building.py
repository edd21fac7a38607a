"""The work of building an evaluation grows with the number of its thunks."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import Any

import pytest
from dask import delayed
from dask.delayed import Delayed
from hypothesis import example, given
from hypothesis import strategies as st

from strategies import Eval, Strategy, evaluation, jamboree, rdeepseq, rpar, rseq, run_eval, using
from tests.properties import examples
from tests.strategies.values.given import list_strategies, thunks, work
from tests.work_done import steps


@evaluation
def chained(s: Any, links: list[Delayed]) -> Generator[Eval, Any, Any]:
    """Evaluate thunks, each of which has the one before as its input."""
    last = None
    for link in links:
        last = yield s(link)
    return last


def chain(n: int) -> list[Delayed]:
    link, add = delayed(0), delayed(max)
    return [link := add(link, i) for i in range(n)]


@pytest.mark.parametrize("s", [rseq, rdeepseq, rpar], ids=repr)
def test_a_chain_is_evaluated_in_few_more_steps_than_dask_takes_to_build_it(s: Strategy) -> None:
    links = chain(200)
    assert steps(lambda: run_eval(chained(s, links))) < 1.5 * steps(lambda: chain(200))


ROWS: dict[str, Callable[[int], list[Delayed]]] = {
    "calls": thunks,
    "attributes": lambda n: [delayed(complex)(i).real for i in range(n)],
    "copies": lambda n: [*(xs := thunks(n // 2)), *(work(0, x) for x in xs)],
}


@pytest.mark.parametrize("kind", ROWS)
@given(list_strategies(), st.just(40))
@example(jamboree(0.5), 120)
@examples(10)
def test_twice_as_many_thunks_take_twice_the_steps(kind: str, s: Strategy, n: int) -> None:
    few, many = (steps(partial(using, ROWS[kind](k), s)) for k in (n, 2 * n))
    assert many <= 2.2 * few + 1_000
