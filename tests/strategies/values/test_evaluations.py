"""Do-notation: evaluations consist of evaluations, run on request, and can be run again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import (
    Eval,
    StrategyError,
    alphabeta,
    eval_list,
    evaluate,
    evaluation,
    explain,
    jamboree,
    par_eval,
    par_list,
    par_list_chunk,
    parse_strategy,
    rpar,
    rseq,
    run_eval,
    search,
)  # fmt: skip
from tests.properties import examples
from tests.strategies.values.given import names, plain, roles, seen, strategies_of, values, work


@evaluation
def first_then_rest(xs: list[Any]) -> Any:
    first = yield rseq(xs[0])
    rest = []
    for x in xs[1:]:
        rest.append((yield rpar(x)))
    return [first, *rest]


def test_do_notation_equals_the_corresponding_strategy() -> None:
    xs = [work(i) for i in range(6)]
    answer = run_eval(first_then_rest(xs))
    assert roles(answer) == {"step": 2, "spark": 5}
    seen()
    assert answer.compute(num_workers=3) == [i * i for i in range(6)]
    assert seen()[0] == 0
    assert names(run_eval(first_then_rest(xs))) == names(answer)


def test_results_can_be_used_in_computations_without_calling_again() -> None:
    @evaluation
    def chain() -> Any:
        a = yield rpar(work(1))
        b = yield rseq(work(2, a))
        c = yield rseq(work(3, b, a))
        return c, a

    seen()
    answer = run_eval(chain())
    assert answer.compute(scheduler="sync") == (9, 1)
    assert seen() == [1, 2, 3]
    assert roles(answer) == {"spark": 1, "step": 1}


def test_evaluating_a_spark_again_waits_for_it() -> None:
    @evaluation
    def spark_then_wait(wait: bool) -> Any:
        a = yield rpar(work(1))
        if wait:
            yield rseq(a)
        b = yield rseq(work(2))
        return a, b

    def order(wait: bool) -> bool:
        graph = dict(run_eval(spark_then_wait(wait)).__dask_graph__())
        steps = [t for k, t in graph.items() if k.startswith("step-called")]
        return any(d.startswith("spark") for d in steps[0].dependencies)

    assert order(True)
    assert not order(False)


def test_evaluations_nest_and_can_be_sparked() -> None:
    xs = [[work(10 * i + j) for j in range(3)] for i in range(2)]

    @evaluation
    def rows(spark: bool) -> Any:
        found = []
        for row in xs:
            one: Eval = evaluate(row, eval_list)
            found.append((yield par_eval(one) if spark else one))
        return found

    assert roles(run_eval(rows(False))) == {"step": 1}
    assert roles(run_eval(rows(True))) == {"spark": 2, "step": 1}
    expected = [[(10 * i + j) ** 2 for j in range(3)] for i in range(2)]
    assert run_eval(rows(True)).compute(scheduler="sync") == expected
    assert run_eval(par_eval(first_then_rest(xs[0]))).compute() == expected[0]


def test_an_evaluation_that_yields_something_else_is_refused() -> None:
    closed = []

    @evaluation
    def wrong() -> Any:
        try:
            yield work(1)
        finally:
            closed.append(True)

    with pytest.raises(StrategyError, match="an evaluation is needed here"):
        run_eval(wrong())
    assert closed == [True]
    with pytest.raises(StrategyError, match="an evaluation is needed here"):
        run_eval(work(1))


def test_an_error_in_a_shared_task_reaches_the_caller() -> None:
    from dask import delayed

    bad = delayed(lambda: 1 // 0)()
    for s in (eval_list, par_list, par_list_chunk(2)):
        with pytest.raises(ZeroDivisionError):
            run_eval(evaluate([work(1), bad], s)).compute(scheduler="sync")


@pytest.mark.parametrize("text", ["rpar", "rdeepseq", "par_list_n(2, rseq)", "seq_list(rseq)"])
def test_a_search_refuses_strategies_for_values(text: str) -> None:
    from games import HANDOUT_SMALL

    for using in (text, f"par_list({text})", f"split_at(1, par_list({text}), seq).everywhere"):
        with pytest.raises(
            StrategyError,
            match="evaluates one value; the branches of a node, or the elements of a list, take",
        ):
            search(HANDOUT_SMALL, alphabeta(2), using=parse_strategy(using))


def test_in_a_search_rseq_is_seq() -> None:
    from games import HANDOUT_SMALL

    for s in (par_list, jamboree(0.5), eval_list, par_list_chunk(2)):
        ours = search(HANDOUT_SMALL, alphabeta(2), using=s(rseq))
        assert ours.expr._name == search(HANDOUT_SMALL, alphabeta(2), using=s).expr._name
        assert explain(s(rseq)) == explain(s)
    assert search(HANDOUT_SMALL, alphabeta(2), using=rseq).compute().value == 4


@given(st.data(), st.integers(1, 4))
@examples(20, times=100)
def test_random_programs_compute_the_right_values(data: st.DataObject, workers: int) -> None:
    xs = data.draw(st.lists(values(), max_size=4))
    steps = [(x, data.draw(strategies_of(x)), data.draw(st.booleans())) for x in xs]
    results = []

    @evaluation
    def program() -> Any:
        for x, s, spark in steps:
            e = evaluate(x, s)
            results.append((yield par_eval(e) if spark else e))
        return list(results)

    answer = run_eval(program())
    assert answer.compute(scheduler="threads", num_workers=workers) == plain(results) == plain(xs)


@pytest.mark.parametrize("inner", [lambda e: e, par_eval], ids=["yielded", "sparked"])
@pytest.mark.parametrize("depth", [1, 50, 5_000])
def test_evaluations_nested_too_deeply_are_refused_with_what_to_do(inner: Any, depth: int) -> None:
    @evaluation
    def nested(levels: int) -> Any:
        return (yield inner(nested(levels - 1)) if levels else rseq(work(3)))

    if depth < 100:
        assert run_eval(nested(depth)).compute(scheduler="sync") == 9
        return
    with pytest.raises(StrategyError, match=r"nested deeper than Python allows.*in a loop of one"):
        run_eval(nested(depth))


def test_a_function_that_calls_itself_for_ever_is_not_taken_for_a_nested_evaluation() -> None:
    def endless(n: int) -> int:
        return endless(n + 1)

    @evaluation
    def failing() -> Any:
        yield rseq(endless(0))

    with pytest.raises(RecursionError):
        run_eval(failing())
