"""A synopsis counts every task once, and has as few rows for many tasks as for ten."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import ConnectFour, ExplicitGame
from graphs.limits import SYNOPSIS_PLIES
from strategies import Search, alphabeta, jamboree, par_list, pvs, scout, search, seq
from strategies.algebra.strategy import Strategy
from strategies.insight.pictures import draw_plan, task_graph
from strategies.insight.pictures.marks import marks_of
from strategies.insight.pictures.picture import fits_a_page
from strategies.insight.pictures.synopsis import synopsis
from strategies.insight.pictures.task_graph import READ
from strategies.running.records.wording import seconds
from tests.properties import examples

SHAPES = st.recursive(
    st.integers(-9, 9), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=30
).filter(lambda shape: isinstance(shape, list))
USING = (
    seq, par_list.everywhere, jamboree(0.5).everywhere, scout.everywhere,
    par_list.live().to_ply(2),
)  # fmt: skip


def large(plies: int, *board: int) -> Search:
    using = par_list.to_ply(plies)
    return search(ConnectFour(*board), alphabeta(6), using=using, most_tasks=200_000)


@given(SHAPES, st.sampled_from(USING))
@examples(30)
def test_every_task_is_counted_once_with_its_time_and_its_outcome(
    shape: Any, using: Strategy
) -> None:
    game = ExplicitGame.from_nested(shape)
    answer = search(game, alphabeta(40), using=using, engine="interpreted")
    result = answer.compute(num_workers=1)
    for found in synopsis(answer), synopsis(answer, result):
        kinds: Counter[str] = Counter()
        for row in found.rows:
            kinds[row.kind] += row.tasks
        assert kinds == Counter(mark.kind for mark in marks_of(answer))
        assert len({(row.ply, row.kind) for row in found.rows}) == len(found.rows)
    assert sum(row.total or 0.0 for row in found.rows) == pytest.approx(result.work)
    assert max(row.longest or 0.0 for row in found.rows) == max(r.seconds for r in result.records)
    became: Counter[str] = Counter()
    for row in found.rows:
        became.update(dict(row.became))
    assert became == Counter(r.became for r in result.records if r.role == "spark")


def test_tasks_below_the_deepest_row_are_added_up() -> None:
    shape: Any = 1
    for _ in range(SYNOPSIS_PLIES + 8):
        shape = [shape, 0]
    answer = search(ExplicitGame.from_nested(shape), alphabeta(40), using=par_list.everywhere)
    found = synopsis(answer)
    assert found.tasks == len(answer.tasks())
    assert found.rows[-1].depth == f"{SYNOPSIS_PLIES + 1} and deeper"
    assert max(row.ply for row in found.rows) == SYNOPSIS_PLIES + 1


def test_a_large_graph_is_drawn_as_a_synopsis_of_few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_graph, "PICTURE_MARKS", 1_000)
    answer = large(4, 6, 4)
    result = answer.compute(num_workers=2)
    found = synopsis(answer, result)
    assert found.tasks == len(answer.tasks()) > 1_000
    for picture in draw_plan(answer), result.draw("graph"), draw_plan(answer, most=200_000):
        ElementTree.fromstring(picture.svg)
        assert fits_a_page(picture)
        assert len(picture.svg) < 20_000
        for row in found.rows:
            assert f">{row.tasks:,}</text>" in picture.svg
    svg = result.draw("graph").svg
    spark = max(found.rows, key=lambda row: row.tasks)
    assert f">{seconds(spark.total or 0.0)}</text>" in svg
    assert f">{seconds(spark.longest or 0.0)}</text>" in svg
    assert f"✓ {dict(spark.became)['converted']:,}</text>" in svg
    lines = str(found).splitlines()
    assert len(lines) == 2 + len(found.rows)
    assert max(map(len, lines)) <= 100


def test_a_graph_that_can_be_read_is_drawn_task_by_task_or_folded() -> None:
    few, many = large(2), large(4)
    assert len(few.tasks()) <= READ < len(many.tasks())
    assert 'class="mark ' in draw_plan(few).svg
    assert 'class="mark ' not in draw_plan(many).svg
    assert draw_plan(many, most=50).svg.count('<g class="mark ') <= 50


def test_the_bars_are_as_long_as_their_numbers() -> None:
    answer = large(4)
    found = synopsis(answer)
    svg = draw_plan(answer).svg
    wide = [float(w) for w in re.findall(r'class="amount"[^>]* width="([\d.]+)"', svg)]
    most = max(row.tasks for row in found.rows)
    assert wide == pytest.approx([max(0.5, 150 * row.tasks / most) for row in found.rows], abs=0.06)


def test_a_deepened_run_says_so_and_shows_its_plan() -> None:
    answer = search(ConnectFour(), pvs(3), using=par_list.to_ply(3), most_tasks=200_000)
    result = answer.compute(num_workers=2)
    svg = result.draw("graph").svg
    assert "the search deepened by" in svg
    assert "total time" not in svg
