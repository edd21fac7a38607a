"""Text, ledger and pictures of an evaluation of values agree."""

from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import dask
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import (
    Strategy,
    evaluation,
    explain,
    jamboree,
    par_list,
    par_list_chunk,
    par_traversable,
    parse_strategy,
    r0,
    rdeepseq,
    rpar,
    rseq,
    run_eval,
    split_at,
    using,
)
from strategies.algebra.groups import sparks
from strategies.algebra.strategy import unfolded
from strategies.insight.pictures.evaluation import draw_evaluation
from strategies.insight.pictures.picture import fits_a_page
from strategies.searches.evaluations.evaluated import Evaluated
from tests.properties import examples
from tests.strategies.values.given import LISTS, plain, strategies_of, thunks, values, work

SPARKS = re.compile(r"(\d+) sparks?, (\d+) steps?")
RUNS: Any = st.sampled_from([{"scheduler": "sync"}, {"scheduler": "threads", "num_workers": 2}])


def counted(text: str) -> list[tuple[int, int]]:
    """Return the sparks and steps of each line that counts them."""
    return [(int(m[1]), int(m[2])) for m in SPARKS.finditer(text)]


def marks(svg: str) -> dict[str, int]:
    """Count the marks of each kind in a picture."""
    found: dict[str, int] = {}
    for kind in re.findall(r'<g class="mark (\w+)', svg):
        found[kind] = found.get(kind, 0) + 1
    return found


@given(st.data(), RUNS)
@examples(30)
def test_text_ledger_and_pictures_agree(data: st.DataObject, options: dict[str, Any]) -> None:
    x = data.draw(values())
    answer = using(x, data.draw(strategies_of(x)))
    run = answer.run(**options)
    assert run.value == plain(x)
    ledger, text = run.sparks, answer.explain()
    assert counted(text)[-1] == (ledger.converted, sum(r.role == "step" for r in run.records))
    assert f"{ledger.asked} spark" in text.splitlines()[-1]
    for n, what in ((ledger.created, "created"), (ledger.dud, "dud"), (ledger.opened, "opened")):
        assert f"{n} {what}" in text.splitlines()[-1]
    graph = answer.__dask_graph__()
    assert sum(str(key).startswith("spark-") for key in graph) == ledger.converted
    assert len(run.records) == len(graph)  # nothing in it is known before
    for picture in (answer._drawn(), run.draw("graph")):
        drawn = marks(picture.svg)
        assert drawn.get("spark", 0) == ledger.converted
        assert sum(drawn.values()) == len(graph)
    ElementTree.fromstring(run.draw().svg)


@given(st.one_of(LISTS, LISTS.map(lambda s: s(rseq))), st.integers(0, 9))
def test_a_list_has_the_sparks_and_steps_of_a_search(s: Strategy, n: int) -> None:
    flat = using(thunks(n), s)
    groups = unfolded(s, "list", n).groups
    expected = sum(sparks(groups)), len(groups) - sum(sparks(groups))
    told = counted(flat.explain())
    assert all(pair == expected for pair in told) or not n
    assert flat.run(scheduler="sync").sparks.asked == expected[0]
    if n:  # the same strategy on the branches of a node
        assert counted(explain(s, branches=n))[:1] in ([expected], [])


def test_nested_sparks_are_opened_as_in_a_search() -> None:
    rows = [thunks(3), [work(i) for i in (3, 4, 5)]]
    ledger = using(rows, par_list(jamboree(0.5))).run(scheduler="sync").sparks
    assert (ledger.attempts, ledger.opened, ledger.converted) == (4, 2, 4)


@pytest.mark.parametrize(
    ("x", "s", "attempts", "dud"),
    [
        ([1, 2, 3], par_list, 3, 3),
        ([1, 2, 3], par_list(r0), 0, 0),
        (thunks(3), par_list(r0), 0, 0),
        (thunks(3), split_at(1, par_list, par_list(r0)), 0, 0),
        (thunks(4), split_at(2, par_list, par_list(r0)), 2, 0),
        ([work(1), work(1)], par_list, 2, 1),
        (thunks(2), rpar, 1, 1),
        ({"a": work(1), "b": 2}, par_traversable(rseq), 1, 0),
    ],
)
def test_duds(x: Any, s: Strategy, attempts: int, dud: int) -> None:
    ledger = using(x, s).run(scheduler="sync").sparks
    assert (ledger.attempts, ledger.dud) == (attempts, dud)


def test_an_unneeded_spark_is_garbage_collected() -> None:
    @evaluation
    def pair(x: Any, y: Any) -> Any:
        yield rpar(x)
        found = yield rseq(y)
        return found

    answer = run_eval(pair(work(2), work(3)))
    ledger = answer.run(scheduler="sync").sparks
    assert (ledger.created, ledger.gcd, ledger.converted) == (1, 1, 0)
    assert answer.explain().endswith("1 spark asked for: 1 created, 0 dud, 0 opened; 1 garbage.")
    part = using(thunks(5), par_list)[3]
    assert isinstance(part, Evaluated)
    assert part.run(scheduler="sync").sparks.line == (
        "SPARKS: 5 (1 converted, 0 overflowed, 0 dud, 4 GC'd, 0 fizzled)"
    )


def test_records_follow_the_graph(tmp_path: Path) -> None:
    answer = using(thunks(6), jamboree(0.5))
    run = answer.run(scheduler="threads", num_workers=2)
    assert [r.role for r in run.records] == ["step", "spark", "spark", "spark", "fold"]
    assert all(run.records[0].end <= r.start for r in run.records[1:])
    assert run.seconds >= run.records[-1].end - run.records[0].start
    assert str(run).startswith("[0, 1, 4, 9, 16, 25]\nSPARKS: 3 (3 converted")
    for what in ("timeline", "graph"):
        run.draw(what).write(tmp_path / f"{what}.svg")
    with pytest.raises(ValueError, match="what must be one of timeline, graph, not 'tree'"):
        run.draw("tree")


def test_a_run_keeps_annotations_and_raises_errors_of_calls() -> None:
    with dask.annotate(priority=3):
        xs = thunks(2)
    assert using(xs, par_list).run(scheduler="sync").value == [0, 1]
    with pytest.raises(ZeroDivisionError):
        using([dask.delayed(divmod)(1, 0), work(1)], par_list).run(scheduler="sync")


def test_no_graphviz_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    answer = using(thunks(4), par_list_chunk(2))
    picture = answer.visualize(tmp_path / "plan.svg")
    assert (tmp_path / "plan.svg").read_text(encoding="utf-8") == picture.svg
    shown = answer._repr_html_()
    assert "par_list_chunk(2), on a row of 4 values" in shown
    assert picture.svg in shown
    assert "SPARKS: 2" in answer.run(scheduler="sync")._repr_html_()


def test_many_tasks_are_folded_and_long_texts_are_cut() -> None:
    answer = using([work(i) for i in range(1000)], par_list)
    assert fits_a_page(answer._drawn())
    drawn = draw_evaluation(answer._planned, answer._strategy, most=400)
    assert sum(marks(drawn.svg).values()) == 400
    uneven = [work(i, *(work(j) for j in range(i))) for i in range(60)]
    text = using(uneven, par_list).explain()
    assert len(text.splitlines()) < 50
    assert " more;" in text
    long = using([work(i) for i in range(500)], par_list).run(scheduler="sync")
    assert len(str(long)) < 1500 < len(repr(long.value))


def test_explain_takes_what_using_returns() -> None:
    answer = using(thunks(3), parse_strategy("jamboree(0.5)"))
    assert explain(answer) == answer.explain()
    assert using(thunks(3), rdeepseq).explain().splitlines()[-2:] == [
        "    0 sparks, 1 step, 0 folds, 0 left to Dask.",
        "  0 sparks asked for: 0 created, 0 dud, 0 opened.",
    ]


def test_threads_may_ask_one_value_at_once() -> None:
    value = using([thunks(20) for _ in range(5)], par_list(par_list))
    told, line = str(value.explain()), value.run(num_workers=1).sparks.line

    def asked(number: int) -> bool:
        part = value[number % 5].compute(scheduler="sync")
        run = value.run(num_workers=1)
        return (part, run.sparks.line, str(value.explain())) == (run.value[0], line, told)

    was = sys.getswitchinterval()
    try:
        sys.setswitchinterval(1e-5)
        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(asked, range(40)))
    finally:
        sys.setswitchinterval(was)
