"""Pictures of task graphs agree with the counts of the search, and depend on nothing else."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from dask import delayed
from hypothesis import given
from hypothesis import strategies as st

from games import HANDOUT_SMALL, ConnectFour, ExplicitGame
from strategies import (
    Search,
    alphabeta,
    jamboree,
    maxn,
    par_list,
    pvs,
    scout,
    search,
    using,
    young_brothers_wait,
)
from strategies.algebra.combinators import par_buffer, par_list_chunk
from strategies.algebra.strategy import Strategy, seq
from strategies.insight.pictures.fates import signed
from strategies.insight.pictures.layout import folded, laid_out
from strategies.insight.pictures.marks import marks_of
from strategies.insight.pictures.picture import Picture, fits_a_page
from strategies.insight.pictures.task_graph import READ, draw_plan, edges_of, tracks
from strategies.running.records.wording import SPARKS
from tests.properties import examples

GOLDEN = Path(__file__).parent / "handout_small.svg"
CHUNKED = par_list_chunk(2)
POLICIES = (
    seq,
    jamboree(0.5).everywhere,
    par_list.everywhere,
    par_list.to_ply(2),
    young_brothers_wait.to_ply(3),
    scout.everywhere,
    par_buffer(2).everywhere,
    CHUNKED(CHUNKED(par_list)),
)
policies = st.sampled_from(POLICIES)
shapes = st.recursive(
    st.integers(-9, 9), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=40
).filter(lambda shape: isinstance(shape, list))


def search_of(shape: object, policy: Strategy) -> Search:
    game = ExplicitGame.from_nested(shape)
    return search(game, alphabeta(depth=9), using=policy, engine="interpreted")


def drawn(svg: str, kind: str = r"\w+") -> int:
    return len(re.findall(f'<g class="mark {kind} ', svg))


def small() -> Search:
    return search(HANDOUT_SMALL, alphabeta(depth=2), using=jamboree(0.5).everywhere)


def test_the_picture_of_the_handouts_small_tree_is_unchanged() -> None:
    assert draw_plan(small()).svg == GOLDEN.read_text(encoding="utf-8")


@given(shapes, policies)
@examples(30)
def test_a_mark_for_each_task_and_one_for_each_spark(shape: object, policy: Strategy) -> None:
    answer = search_of(shape, policy)
    result = answer.compute(num_workers=1)
    for picture in draw_plan(answer, most=9_999), draw_plan(answer, result, most=9_999):
        ElementTree.fromstring(picture.svg)
        assert drawn(picture.svg) == len(answer.tasks())
        assert drawn(picture.svg, "spark") == result.sparks.created
    assert picture.svg.count('class="mark spark fizzled"') == result.sparks.fizzled
    assert " unseen" not in re.sub("<style>.*</style>", "", picture.svg, flags=re.S)


@given(shapes, policies, st.integers(3, 40))
@examples(30)
def test_counts_of_folded_nodes_add_up(shape: object, policy: Strategy, most: int) -> None:
    marks = marks_of(search_of(shape, policy))
    rows = folded(marks, most)
    assert len(rows) <= most
    everything = Counter((m.kind, m.place) for row in rows for m in row.all)
    assert everything == Counter((m.kind, m.place) for m in marks)
    assert all(d < i for i, row in enumerate(rows) for d in row.after)
    svg = draw_plan(search_of(shape, policy), most=most).svg
    assert drawn(svg) == len(rows)


@given(shapes, policies, st.integers(3, 40))
@examples(30)
def test_the_legend_explains_each_sign_of_the_picture(
    shape: object, policy: Strategy, most: int
) -> None:
    answer = search_of(shape, policy)
    svg = draw_plan(answer, answer.compute(num_workers=1), most=most).svg
    marks, _, legend = svg.partition('<g class="legend">')
    said = " ".join(re.findall(r'<text class="less"[^>]*>([^<]*)', marks))
    explained = " ".join(re.findall(r'<text class="key"[^>]*>([^<]*)', legend))
    for text in signed(SPARKS).values():
        assert text[0] not in said or text in explained


@given(shapes, policies, st.integers(3, 60))
@examples(30)
def test_marks_do_not_overlap_and_lines_run_down(
    shape: object, policy: Strategy, most: int
) -> None:
    marks = folded(marks_of(search_of(shape, policy)), most)
    layout = laid_out(marks, [20.0] * len(marks), lambda path: 40.0)
    places: dict[int, list[float]] = {}
    for row, x in zip(layout.rows, layout.middles, strict=True):
        places.setdefault(row, []).append(x)
        assert 0 < x < layout.width
    for row_of_marks in places.values():
        xs = sorted(row_of_marks)
        assert all(b - a >= 20 for a, b in pairwise(xs))
    assert all(layout.rows[d] < layout.rows[i] for i, m in enumerate(marks) for d in m.after)
    for panel in layout.panels:
        deep = len(panel.path)
        inside = [i for i, mark in enumerate(marks) if mark.path[:deep] == panel.path]
        rows = [layout.rows[i] for i in inside]
        assert (panel.top, panel.bottom) == (min(rows), max(rows))
        assert panel.right - panel.left >= 40, "there is room for the name"
        assert all(panel.left < layout.middles[i] < panel.right for i in inside)
    edges = edges_of(marks, layout.rows, layout.middles)
    assert len(tracks(edges, layout.rows, layout.middles)) == max(layout.rows) + 1


def test_the_number_of_rows_is_the_longest_chain_of_tasks() -> None:
    answer = search(ConnectFour(), alphabeta(depth=3), using=par_list.to_ply(2))
    assert "14 rows" in draw_plan(answer).svg


@pytest.mark.parametrize("policy", [
    jamboree(0.5), par_list.to_ply(2), jamboree(0.5).to_ply(3), par_list.to_ply(3),
    young_brothers_wait.to_ply(4),
])  # fmt: skip
def test_a_plan_of_any_size_fits_a_page_of_paper(policy: Strategy) -> None:
    answer = search(ConnectFour(), alphabeta(depth=5), using=policy, engine="interpreted")
    picture = draw_plan(answer)
    assert fits_a_page(picture)
    marks, tasks = drawn(picture.svg), len(answer.tasks())
    if tasks <= READ:
        assert marks == tasks or not fits_a_page(draw_plan(answer, most=min(2 * marks, 400)))
    assert f"{tasks:,} tasks" in picture.svg


def test_a_page_may_be_upright_or_across() -> None:
    for short, long, fits in ((1400, 1980, True), (1401, 1980, False), (1400, 1981, False)):
        for wide, tall in ((short, long), (long, short)):
            assert fits_a_page(Picture(f'<svg viewBox="0 0 {wide} {tall}"/>')) == fits


def test_an_evaluation_of_values_fits_a_page_of_paper() -> None:
    values = [delayed(abs)(n) for n in range(300)]
    answer = using(values, par_list)
    picture = answer.visualize(None)
    assert fits_a_page(picture)
    assert "301 tasks; 300 sparks created" in picture.svg


def test_panels_name_the_player_who_moves() -> None:
    two = draw_plan(small()).svg
    assert ">▼ left<" in two
    assert "min node after left" in two
    tree = ExplicitGame.from_nested([[[(1, 2, 3), (3, 2, 1)], [(0, 0, 0)]], [[(2, 2, 2)]]])
    many = draw_plan(search(tree, maxn(3), using=par_list.everywhere)).svg
    assert "▼" not in many
    assert ">▲₁ 0<" in many
    assert ">▲₂ 0<" in many
    assert "Player 2's node after 0 0" in many


def test_texts_of_a_game_are_escaped() -> None:
    names = ('<script>"&', "bell\x07", "two\nlines")
    game = ExplicitGame.from_nested([[3, 6], [6, 4], [1, 30]], names=names)
    answer = search(game, alphabeta(depth=2), using=par_list.everywhere, engine="interpreted")
    svg = draw_plan(answer, answer.compute(num_workers=1)).svg
    text = " ".join(ElementTree.fromstring(svg).itertext())
    assert '<script>"&' in text
    assert "bell\ufffd" in text
    assert "<script" not in svg


def test_pictures_load_nothing_from_other_sites() -> None:
    answer = search(ConnectFour(), alphabeta(depth=3), using=scout.to_ply(2))
    svg = draw_plan(answer, most=50).svg
    assert re.findall(r"https?:[^\s\"']*", svg) == ["http://www.w3.org/2000/svg"]
    assert "@import" not in svg
    assert "url(" not in svg


def test_the_result_of_another_search_is_refused() -> None:
    other = search(HANDOUT_SMALL, alphabeta(depth=2), engine="interpreted").compute(num_workers=1)
    with pytest.raises(ValueError, match="not of this search"):
        draw_plan(small(), other)


def test_too_few_marks_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 3"):
        draw_plan(small(), most=2)


def test_a_search_draws_itself_with_its_result(tmp_path: Path) -> None:
    answer = small()
    result = answer.compute(num_workers=1)
    file = tmp_path / "graph.svg"
    picture = answer.visualize(file, result)
    assert file.read_text(encoding="utf-8") == picture.svg == picture._repr_svg_()
    assert "Guess: 4" in picture.svg
    assert [p.name for p in tmp_path.iterdir()] == ["graph.svg"]


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    target = tmp_path / "graph.svg"
    target.mkdir()
    with pytest.raises(OSError, match=r"graph\.svg"):
        draw_plan(small()).write(target)
    assert [p.name for p in tmp_path.iterdir()] == ["graph.svg"]


def test_the_graph_of_a_deepened_result_says_that_there_were_more() -> None:
    answer = search(
        ConnectFour(4, 4), pvs(depth=4), using=par_list.everywhere, engine="interpreted"
    )
    result = answer.compute(num_workers=2)
    says = f"as planned; the search deepened by {len(result.graphs)} graphs: see timeline, overview"
    assert says in result.draw("graph").svg
    assert says not in draw_plan(answer).svg


@pytest.mark.parametrize("using", [seq, par_list])
def test_the_legend_explains_sparks_only_if_there_are_some(using: Strategy) -> None:
    answer = search(HANDOUT_SMALL, alphabeta(2), using=using, engine="interpreted")
    picture = answer.compute(num_workers=1).draw("graph").svg
    assert ("✓ converted" in picture) == (using == par_list)
