"""No strategy changes a value with any scheduler, and strategies print completely."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import dask
import pytest
from dask.delayed import Delayed, delayed
from hypothesis import given
from hypothesis import strategies as st

from strategies import Strategy, par_list, parse_strategy, using, with_strategy
from strategies.values.containers_of import parts
from tests.properties import examples
from tests.strategies.values.given import (
    list_strategies,
    names,
    plain,
    roles,
    seen,
    strategies_of,
    thunks,
    values,
)  # fmt: skip

SCHEDULERS: Any = st.sampled_from(
    [{"scheduler": "sync"}, *({"scheduler": "threads", "num_workers": n} for n in (1, 2, 4))]
)


def thunks_in(x: Any) -> set[Any]:
    if isinstance(x, Delayed):
        return set(x.__dask_graph__())
    return {key for part in parts(x) or () for key in thunks_in(part)}


@given(st.data(), SCHEDULERS)
@examples(20, times=100)
def test_the_value_never_changes(data: st.DataObject, scheduler: dict[str, Any]) -> None:
    x = data.draw(values())
    s = data.draw(strategies_of(x))
    answer = using(x, s)
    seen()
    found = answer.compute(**scheduler)
    assert len(seen()) == len(thunks_in(x))  # each thunk is called once, shared or not
    assert found == plain(x)
    assert names(with_strategy(s)(x)) == names(answer)


@given(st.data(), st.integers(0, 9), SCHEDULERS)
@examples(20, times=100)
def test_every_thunk_of_a_list_is_called_once(
    data: st.DataObject, n: int, scheduler: dict[str, Any]
) -> None:
    s = data.draw(list_strategies())
    seen()
    assert using(thunks(n), s).compute(**scheduler) == [i * i for i in range(n)]
    assert sorted(seen()) == list(range(n))


@given(list_strategies(), st.integers(1, 9))
@examples(20, times=100)
def test_each_part_can_be_computed_alone(s: Strategy, n: int) -> None:
    answer = using(thunks(n), s)
    assert len(answer) == n
    assert dask.compute(*answer, scheduler="sync") == tuple(i * i for i in range(n))
    assert dask.compute(answer[-1], scheduler="sync") == ((n - 1) ** 2,)
    # Dask mixes up what it computes together if it optimizes some of it in another way.
    between = (answer[0], delayed(int)(7), answer[-1], delayed(int)(8), answer)
    assert dask.compute(*between, scheduler="sync") == (
        0, 7, (n - 1) ** 2, 8, [i * i for i in range(n)],
    )  # fmt: skip


@given(list_strategies(), st.integers(0, 9))
def test_linear_fusion_keeps_sparks(s: Strategy, n: int) -> None:
    answer = using(thunks(n), s)
    with dask.config.set({"optimization.fuse.delayed": True}):
        (fused,) = dask.optimize(answer)
        ours = {k for k in names(answer) if str(k).startswith(("spark", "step"))}
        assert ours <= names(fused)
        assert fused.compute(scheduler="sync") == [i * i for i in range(n)]


@given(st.data())
@examples(20, times=100)
def test_the_repr_of_a_strategy_recreates_it(data: st.DataObject) -> None:
    s = data.draw(strategies_of(data.draw(values())))
    again = parse_strategy(repr(s))
    assert again == s
    assert hash(again) == hash(s)
    assert pickle.loads(pickle.dumps(s)) == s


@pytest.mark.parametrize("x", [[], (), {}, 5, None, [1, [2]], {"a": (1,)}])
def test_known_values_stay_unchanged(x: Any) -> None:
    from strategies import par_traversable, rseq

    answer = using(x, par_traversable(rseq))
    assert answer.compute(scheduler="sync") == x
    assert isinstance(answer, Delayed)
    assert len(answer.__dask_graph__()) == 1


def test_a_result_can_be_pickled_persisted_and_used_as_an_input() -> None:

    from strategies import par_list_chunk

    answer = using(thunks(6), par_list_chunk(2))
    again = pickle.loads(pickle.dumps(answer))
    assert again.compute(scheduler="sync") == [i * i for i in range(6)]
    assert answer.persist(scheduler="sync").compute(scheduler="sync") == again.compute()
    total = delayed(sum)(answer)
    assert total.compute(scheduler="sync") == 55
    assert roles(total) == {"spark": 3, "step": 1, "sum": 1}


COPIES: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    lambda x: pickle.loads(pickle.dumps(x)),
]


@given(values(), st.data())
@examples(40)
def test_a_copy_has_the_class_the_tasks_and_the_parts_of_the_original(x: Any, data: Any) -> None:
    answer = using(x, data.draw(strategies_of(x)))
    again = data.draw(st.sampled_from(COPIES))(answer)
    assert type(again) is type(answer)
    assert again.__dask_tokenize__() == answer.__dask_tokenize__()
    assert names(again) == names(answer)
    assert repr(again) == repr(answer)
    assert again.explain() == answer.explain()
    assert again.run(scheduler="sync").value == answer.compute(scheduler="sync") == plain(x)
    if isinstance(x, list):
        assert [(type(part), part.key) for part in again] == [
            (type(part), part.key) for part in answer
        ]


def test_a_copy_may_consist_of_functions_without_a_name() -> None:
    answer = using([delayed(lambda i: i + 1)(i) for i in range(4)], par_list)
    for made in COPIES:
        assert made(answer).run(scheduler="sync").value == [1, 2, 3, 4]


def test_strategies_are_read_and_printed_without_dask() -> None:
    import subprocess
    import sys

    code = (
        "import sys\n"
        "from strategies import SequentialStrategy, parse_strategy, rpar, seq_list\n"
        "text = 'par_tuple(par_list(rdeepseq), rpar, seq_list(rseq))'\n"
        "print(parse_strategy(text), 'dask' in sys.modules, 'numpy' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    expected = "eval_tuple(rpar_with(par_list(rdeepseq)), rpar, rpar_with(seq_list(rseq)))"
    assert ran.stdout.split("\n")[0] == f"{expected} False False"
