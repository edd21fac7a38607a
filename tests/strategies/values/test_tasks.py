"""Which elements share a task, and which tasks are sparks, as the graph shows."""

from __future__ import annotations

from typing import Any

import pytest
from dask import delayed

from strategies import (
    Strategy,
    StrategyError,
    eval_tuple,
    evaluate,
    par_traversable,
    parse_strategy,
    rdeepseq,
    rpar,
    rseq,
    run_eval,
    using,
)  # fmt: skip
from tests.strategies.values.given import Pair, names, roles, seen, thunks, work


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Ten elements. A step contains the list that is assembled, unless that has its own task.
        ("r0", {"called": 10, "step": 1}),
        ("rseq", {"called": 10, "step": 1}),
        ("rpar", {"called": 10, "step": 1}),
        ("rdeepseq", {"step": 1}),
        ("seq", {"step": 1}),
        ("eval_list", {"step": 1}),
        ("eval_list(rseq)", {"step": 1}),
        ("seq_list(rseq)", {"step": 1}),
        ("jamboree(1)", {"step": 1}),
        ("eval_buffer(3)", {"step": 1}),
        ("rpar_with(eval_list)", {"spark": 1, "step": 1}),
        ("par_list", {"spark": 10, "step": 1}),
        ("par_list(rseq)", {"spark": 10, "step": 1}),
        ("par_list(rpar)", {"spark": 10, "step": 1}),
        ("eval_list(rpar)", {"spark": 10, "step": 1}),
        ("par_traversable(rseq)", {"spark": 10, "step": 1}),
        ("par_list(r0)", {"called": 10, "step": 1}),
        ("par_list_chunk(4)", {"spark": 3, "step": 1}),
        ("par_list_chunk(10)", {"step": 1}),
        ("budget(threads=3)", {"spark": 3, "step": 1}),
        ("par_buffer(3)", {"spark": 10, "step": 1}),
        ("par_buffer(1)", {"step": 1}),
        ("jamboree(0.5)", {"step": 2, "spark": 5}),
        ("split_at(2, par_list, seq)", {"spark": 2, "step": 1}),
        ("split_at(2, par_list_chunk(2), par_list)", {"step": 2, "spark": 8}),
        ("par_list_n(4, rseq)", {"spark": 4, "called": 6, "step": 1}),
        ("eval_list_n(4, rseq)", {"step": 1, "called": 6}),
        ("par_list_nth(2, rseq)", {"spark": 1, "called": 9, "step": 1}),
        ("seq_list_nth(2, rseq)", {"step": 1, "called": 9}),
    ],
)  # fmt: skip
def test_tasks_of_ten_elements(text: str, expected: dict[str, int]) -> None:
    assert roles(using(thunks(10), parse_strategy(text))) == expected


def test_a_part_waits_only_for_what_it_needs() -> None:
    for text, expected in {
        "par_list": {"spark": 1},
        "par_list_chunk(4)": {"spark": 1, "pick": 1},
        "jamboree(0.5)": {"step": 1, "spark": 1},
        "eval_list": {"step": 1, "getitem": 1},
    }.items():
        assert roles(using(thunks(10), parse_strategy(text))[7]) == expected


def test_the_element_of_rseq_is_called_in_the_task_of_its_consumer() -> None:
    x = work(2)
    together = run_eval(evaluate([x, work(3, x)], parse_strategy("eval_list(rseq)")))
    assert roles(together) == {"step": 1}
    apart = using([x, work(3, x)], parse_strategy("par_list"))
    assert roles(apart) == {"spark": 2, "step": 1}
    assert together.compute(scheduler="sync") == apart.compute(scheduler="sync") == [4, 9]


def test_a_shared_input_is_called_once() -> None:
    x = work(1)
    for text in ("eval_list", "par_list", "par_list_chunk(2)", "eval_list(rpar)", "rdeepseq"):
        for xs in ([x, work(2, x), x], [work(2, x), x], [work(2, work(3, x)), x, work(4, x)]):
            seen()
            using(xs, parse_strategy(text)).compute(scheduler="sync")
            called = seen()
            assert len(called) == len(set(called)), (text, xs)


def test_only_the_call_itself_moves_and_its_inputs_stay_dask_tasks() -> None:
    xs = [work(i, work(10 + i)) for i in range(3)]
    assert roles(using(xs, parse_strategy("eval_list"))) == {"step": 1, "called": 3}


def test_a_call_that_depends_on_a_step_through_a_dask_task_gets_its_own_step() -> None:
    x = work(1)
    answer = using([x, work(2, work(3, x))], parse_strategy("eval_list"))
    assert roles(answer) == {"step": 2, "called": 1}
    assert answer.compute(scheduler="sync") == [1, 4]


def test_containers() -> None:
    x = {"a": (work(1), [work(2)]), "b": Pair(work(3), 4)}
    assert roles(using(x, par_traversable(rseq))) == {"spark": 3, "step": 1}
    assert roles(using(x, rdeepseq)) == {"step": 1}
    assert roles(using(x, rseq)) == {"called": 3, "step": 1}
    pair = using((work(1), [work(2), work(3)]), eval_tuple(rpar, rdeepseq))
    assert roles(pair) == {"spark": 1, "step": 2}
    assert pair.compute(scheduler="sync") == (1, [4, 9])


def test_annotations_stay_with_their_calls() -> None:
    import dask

    with dask.annotate(priority=3, resources={"GPU": 1}):
        load = work(1)
    with dask.annotate(priority=7):
        xs = [work(2, load), work(3, load)]
    for text, many in (("par_list", 2), ("eval_list", 1)):
        answer = using([*xs, work(4)], parse_strategy(text))
        assert answer.compute(scheduler="sync") == [4, 9, 16]
        found = {k: v.annotations for k, v in answer.dask.layers.items() if v.annotations}
        assert found.pop(load.key) == {"priority": 3, "resources": {"GPU": 1}}
        assert list(found.values()) == [{"priority": 7}] * many


def test_using_does_not_change_the_graph_of_its_argument() -> None:
    xs = thunks(4)
    before = [dict(x.__dask_graph__()) for x in xs]
    using(xs, parse_strategy("par_list_chunk(2)"))
    assert [dict(x.__dask_graph__()) for x in xs] == before


def test_equal_evaluations_have_equal_keys_and_others_differ() -> None:
    texts = ("par_list", "par_list_chunk(2)", "par_buffer(2)", "eval_list", "jamboree(0.5)", "r0")
    keys = [using(thunks(8), parse_strategy(t)).key for t in texts]
    assert keys == [using(thunks(8), parse_strategy(t)).key for t in texts]
    assert len(set(keys)) == len(texts)


def test_other_collections_are_thunks_too() -> None:
    import dask.bag

    bags = [dask.bag.from_sequence(range(n), npartitions=1).sum() for n in (3, 4)]
    answer = using(bags, parse_strategy("par_list"))
    assert answer.compute(scheduler="sync") == [3, 6]
    assert roles(answer)["spark"] == 2
    assert answer[1].compute(scheduler="sync") == 6
    assert roles(using(bags, rdeepseq))["step"] == 1
    method = delayed([3, 1]).count(1)
    assert using([method], parse_strategy("eval_list")).compute(scheduler="sync") == [1]


@pytest.mark.parametrize(
    ("s", "x", "why"),
    [
        ("par_list", work(1), "par_list needs a list or a tuple of values, not Delayed"),
        ("eval_list_n(2, rseq)", {"a": 1}, "needs a list or a tuple of values, not dict"),
        ("eval_tuple(rseq, rpar)", [1], "needs 2 components, not 1"),
        ("by_kind(max=par_list)", [1], "is only for searches of games"),
        ("par_list(par_list)", [work(1)], "par_list needs a list"),
    ],
)  # fmt: skip
def test_a_strategy_that_does_not_fit_is_refused(s: str, x: Any, why: str) -> None:
    with pytest.raises(StrategyError) as error:
        using(x, parse_strategy(s))
    assert why in str(error.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("rseq(rpar)", "rseq has no branches, so it cannot be applied to rpar (at column 1"),
        ("rpar(3)", "rpar takes a strategy here (at column 1"),
        ("seq_list(rpar)", "seq_list cannot spark"),
        ("seq_tuple(rseq, par_list)", "seq_tuple cannot spark"),
        ("par_list_n(-1, rseq)", "a whole number, 0 or more, not -1"),
        ("eval_list_nth(0)", "missing a required argument: 's'; write eval_list_nth(i, s)"),
        ("par_tuple(1)", "a strategy is needed here, not 1"),
    ],
)
def test_a_text_instead_of_a_strategy_is_refused(text: str, why: str) -> None:
    with pytest.raises(StrategyError) as error:
        parse_strategy(text)
    assert why in str(error.value)


def test_strategies_are_checked_before_anything_runs() -> None:
    for s in (None, "par_list", 3):
        with pytest.raises(StrategyError, match="a strategy is needed here"):
            using([work(1)], s)  # type: ignore[arg-type]


def test_names_differ_from_those_of_the_argument() -> None:
    xs = thunks(2)
    s: Strategy = parse_strategy("par_list")
    assert not names(using(xs, s)) & {x.key for x in xs}


def test_keys_do_not_depend_on_the_hash_seed() -> None:
    import os
    import subprocess
    import sys

    code = (
        "from dask import delayed\n"
        "from strategies import jamboree, using\n"
        "call = delayed(pow, pure=True)\n"
        "x = using([call(i, call(i, 2)) for i in range(6)], jamboree(0.5))\n"
        "print(*x.__dask_graph__())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(found) == 1


def test_long_chains_need_no_recursion() -> None:
    answer = using(thunks(2200), parse_strategy("par_buffer(2)"))
    assert len(names(answer)) == 2201
