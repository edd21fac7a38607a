"""Laws. s ≅ t means the same graph, hence the same calls in the same tasks and order."""

from __future__ import annotations

from typing import Any

import pytest
from dask import delayed
from hypothesis import given
from hypothesis import strategies as st

from strategies import (
    SequentialStrategy,
    Strategy,
    StrategyError,
    eval_apply,
    eval_buffer,
    eval_compose,
    eval_list,
    eval_list_n,
    eval_list_nth,
    eval_pipe,
    eval_traversable,
    eval_tuple,
    evaluate,
    evaluation,
    par_apply,
    par_buffer,
    par_compose,
    par_eval,
    par_list,
    par_list_chunk,
    par_list_n,
    par_list_nth,
    par_map,
    par_pipe,
    par_traversable,
    par_tuple,
    r0,
    rdeepseq,
    rpar,
    rpar_with,
    rseq,
    run_eval,
    seq,
    seq_list,
    seq_list_n,
    seq_list_nth,
    seq_traversable,
    seq_tuple,
    share,
    split_at,
    using,
    with_strategy,
)  # fmt: skip
from tests.properties import examples
from tests.strategies.values.given import (
    LISTS,
    SEQUENTIAL,
    SINGLE,
    list_strategies,
    names,
    plain,
    roles,
    seen,
    strategies_of,
    thunks,
    values,
    work,
)  # fmt: skip


def same(x: Any, s: Strategy, t: Strategy) -> None:
    assert names(using(x, s)) == names(using(x, t)), (s, t)


@given(SINGLE, SINGLE, st.integers(0, 7))
@examples(20, times=100)
def test_lists(s: Strategy, t: Strategy, n: int) -> None:
    x = thunks(n)
    same(x, split_at(0, eval_list(t), par_list(s)), par_list(s))
    same(x, split_at(n, par_list(s), par_list(t)), par_list(s))
    same(x, split_at(share(1), par_list(s), eval_list(t)), par_list(s))
    same(x, par_list_chunk(1)(s), par_list(s))
    same(x, par_list_chunk(n or 1)(s), eval_list(s))
    same(x, par_buffer(1)(s), eval_list(s))
    same(x, par_buffer(n or 1)(s), par_list(s))
    same(x, eval_list(rseq), eval_list)
    same(x, eval_list, seq)
    same(x, par_list(rseq), par_list)
    same(x, par_list(r0), r0)
    same(x, eval_list_n(n, s), eval_list(s))
    same(x, eval_list_n(n // 2, s), split_at(n // 2, eval_list(s), eval_list(r0)))
    same(x, eval_traversable(s), eval_list(s))
    same(x, eval_buffer(3)(rseq), eval_list(rseq))
    if n != 1:  # a list strategy does not spark a single element
        same(x, eval_list(rpar_with(s)), par_list(s))
        same(x, par_traversable(s), par_list(s))


@given(st.sampled_from([rseq, rdeepseq, seq]), st.integers(2, 4), st.integers(2, 9))
def test_par_list_in_a_buffer_is_a_parallel_buffer(s: Strategy, size: int, n: int) -> None:
    same(thunks(n), eval_buffer(size)(rpar_with(s)), par_buffer(size)(s))


@given(SINGLE, SINGLE, st.integers(0, 5))
def test_parallel_strategies_are_sequential_ones_of_rpar(s: Strategy, t: Strategy, n: int) -> None:
    assert par_list_n(n, s) == eval_list_n(n, rpar_with(s))
    assert par_list_nth(n, s) == eval_list_nth(n, rpar_with(s))
    assert par_tuple(s, t) == eval_tuple(rpar_with(s), rpar_with(t))
    assert par_traversable(s) == eval_traversable(rpar_with(s))


@given(list_strategies())
def test_sparks(s: Strategy) -> None:
    assert rpar_with(r0) == r0
    assert rpar_with(rseq) == rpar == rpar_with(rpar)
    assert rpar_with(rpar_with(s)) == rpar_with(s)
    x = thunks(5)
    assert names(run_eval(par_eval(evaluate(x, s)))) == names(using(x, rpar_with(s)))
    assert names(with_strategy(s)(x)) == names(using(x, s)) == names(run_eval(evaluate(x, s)))


@given(st.data())
@examples(20, times=100)
def test_degrees(data: st.DataObject) -> None:
    x = data.draw(values())
    same(x, eval_traversable(rseq), rdeepseq)
    same(x, seq, rdeepseq)
    for s, called in ((r0, False), (rseq, False), (rdeepseq, True)):
        pair = using((x, work(9)), eval_tuple(s, r0))
        assert plain(pair[1]) == 81
        parts = roles(using([[work(1), [work(2)]]], eval_list(s)))
        assert parts == ({"step": 1} if called else {"called": 2, "step": 1})
    assert roles(using(work(1), r0)) == {"called": 1}
    assert roles(using(work(1), rseq)) == roles(using(work(1), rdeepseq)) == {"step": 1}


@given(SEQUENTIAL, SEQUENTIAL, st.integers(0, 5))
def test_sequential_strategies_never_spark(s: Strategy, t: Strategy, n: int) -> None:
    x = thunks(4)
    pairs = [
        (seq_list(s), eval_list(s)),
        (seq_list_n(n, s), eval_list_n(n, s)),
        (seq_list_nth(n, s), eval_list_nth(n, s)),
        (seq_traversable(s), eval_traversable(s)),
    ]
    for ours, like in pairs:
        same(x, ours, like)
        assert isinstance(ours, SequentialStrategy)
        assert "spark" not in roles(using(x, ours))
    same((x, x), seq_tuple(s, t), eval_tuple(s, t))
    assert all(isinstance(b, SequentialStrategy) for b in (r0, rseq, rdeepseq))
    assert not isinstance(rpar, SequentialStrategy)


@pytest.mark.parametrize(
    "s", [rpar, par_list, eval_list, rpar_with(rdeepseq), eval_list_n(1, rpar)]
)
def test_sequential_containers_refuse_strategies_that_may_spark(s: Strategy) -> None:
    for make in (
        seq_list, seq_traversable, seq_tuple, lambda s: seq_list_n(1, s),
        lambda s: seq_list_nth(1, s),
    ):  # fmt: skip
        with pytest.raises(StrategyError, match="cannot spark"):
            make(s)


def test_sparking_twice_differs_from_sparking_once() -> None:
    once = using(thunks(4), par_list_chunk(2))
    twice = using(list(once), par_list_chunk(2))
    assert plain(once) == plain(twice)
    assert roles(twice)["spark"] == 2 * roles(once)["spark"]


def test_unneeded_sparks_never_run_but_earlier_calls_do() -> None:
    @evaluation
    def dropping(how: Strategy) -> Any:
        yield how(work(1))
        return (yield rseq(work(2)))

    seen()
    assert run_eval(dropping(rpar)).compute(scheduler="sync") == 4
    assert seen() == [2]
    assert run_eval(dropping(rseq)).compute(scheduler="sync") == 4
    assert seen() == [1, 2]
    assert run_eval(dropping(r0)).compute(scheduler="sync") == 4
    assert seen() == [2]


def test_a_result_is_known_only_after_all_calls() -> None:
    @evaluation
    def early() -> Any:
        a = yield rpar(work(1))
        yield rseq(work(2))
        yield rpar(work(3))
        return a

    seen()
    assert run_eval(early()).compute(scheduler="sync") == 1
    assert sorted(seen()) == [1, 2]


@given(SINGLE)
@examples(20, times=100)
def test_application_and_composition(s: Strategy) -> None:
    double, square = delayed(_double, pure=True), delayed(_square, pure=True)
    after = eval_compose(double, s, square)(work(3))
    assert after.compute(scheduler="sync") == 162
    assert names(after) == names(eval_pipe(square, s, double)(work(3)))
    assert names(after) == names(eval_apply(double, s)(square(work(3))))
    beside = par_compose(double, s, square)(work(3))
    assert beside.compute(scheduler="sync") == 162
    assert names(beside) == names(eval_compose(double, rpar_with(s), square)(work(3)))
    assert names(beside) == names(par_pipe(square, s, double)(work(3)))
    assert names(par_apply(double, s)(work(3))) == names(eval_apply(double, rpar_with(s))(work(3)))
    assert names(eval_apply(double, r0)(work(3))) == names(using(double(work(3)), rseq))
    assert names(par_map(double, [1, 2], s)) == names(using([double(1), double(2)], par_list(s)))


def _double(n: int) -> int:
    return 2 * n


def _square(n: int) -> int:
    return n * n


def test_application_in_tasks() -> None:
    total = delayed(sum)
    xs = thunks(4)
    assert roles(eval_apply(total, eval_list)(xs)) == {"step": 1}
    assert roles(eval_apply(total, par_list)(xs)) == {"spark": 4, "step": 1}
    assert roles(par_apply(total, eval_list)(xs)) == {"spark": 1, "step": 1}
    assert eval_apply(total, par_list)(xs).compute(scheduler="sync") == 14


@given(st.data(), LISTS)
@examples(20, times=100)
def test_strategies_nest(data: st.DataObject, s: Strategy) -> None:
    x = data.draw(
        st.lists(st.lists(st.integers(0, 9).map(lambda i: work(i)), max_size=3), max_size=4)
    )
    inner = data.draw(strategies_of([work(1)]))
    assert using(x, s(inner)).compute(scheduler="sync") == plain(x)
    same(x, par_list.to_ply(2), par_list(par_list))
    same(x, par_list(par_list.everywhere), par_list.everywhere)
