"""Pictures of trees show which leaves the search evaluates, and which it prunes."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import HANDOUT_BIG, HANDOUT_SMALL, ConnectFour, ExplicitGame, Pig
from strategies import alphabeta, expectimax, jamboree, par_list, scout, search, seq
from strategies.algebra.combinators import par_buffer, par_list_chunk
from strategies.algebra.strategy import Strategy
from strategies.insight.pictures.search_tree import draw_tree
from strategies.insight.pictures.svg import width
from tests.properties import examples

policies = st.sampled_from(
    (
        seq,
        jamboree(0.5).everywhere,
        par_list.everywhere,
        par_list_chunk(2).everywhere,
        par_buffer(2).to_ply(2),
    )
)
shapes = st.recursive(
    st.integers(-9, 9), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=40
).filter(lambda shape: isinstance(shape, list))


def read(svg: str) -> list[str]:
    """Return the labels of the leaves that are drawn with a value."""
    return re.findall(r'<g class="mark leaf">.*?<text class="label"[^>]*>(\w*)<', svg, re.S)


IN_THE_DOCS = Path(__file__).parents[4] / "docs" / "pictures" / "tree.svg"


def test_alpha_beta_on_the_handouts_big_tree() -> None:
    svg = draw_tree(search(HANDOUT_BIG, alphabeta(depth=4))).svg
    assert svg == IN_THE_DOCS.read_text(encoding="utf-8")
    assert read(svg) == ["e", "f", "h", "l", "m", "q"]
    assert "6 of 12 leaves read" in svg
    assert "≤2" in svg


def test_names_of_branches_do_not_overlap() -> None:
    """Six outcomes of a die, below one another's parents."""
    svg = draw_tree(search(Pig(), expectimax(depth=3))).svg
    found = re.findall(r'<text class="name" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)<', svg)
    assert "#5 16.7%" in {text for _, _, text in found}
    rows: dict[str, list[tuple[float, float]]] = {}
    for x, y, text in found:
        half = width(text, 10) / 2
        rows.setdefault(y, []).append((float(x) - half, float(x) + half))
    for row in map(sorted, rows.values()):
        assert all(a[1] <= b[0] for a, b in pairwise(row))


def test_parallel_branches_and_the_best_line_are_distinguished() -> None:
    svg = draw_tree(search(HANDOUT_SMALL, alphabeta(depth=2), using=jamboree(0.5).everywhere)).svg
    ways = Counter(re.findall('class="branch ([a-z ]+)"', svg))
    assert ways == {"spark": 6, "line spark": 2, "step": 4}
    assert svg.count('class="mark min"') == 3


@given(shapes, policies)
@examples(30)
def test_leaves_drawn_with_a_value_are_those_that_the_search_evaluates(
    shape: object, policy: Strategy
) -> None:
    answer = search(
        ExplicitGame.from_nested(shape), alphabeta(depth=9), using=policy, engine="interpreted"
    )
    svg = draw_tree(answer).svg
    ElementTree.fromstring(svg)
    assert svg.count('<g class="mark leaf">') == answer.compute(num_workers=1).leaves


def test_a_test_that_passes_shows_the_value_found_after_it() -> None:
    game = ExplicitGame.from_nested([1, 5, 3])
    svg = draw_tree(search(game, alphabeta(depth=1), using=scout.everywhere)).svg
    assert read(svg) == ["b", "c", "d"]
    assert svg.count('class="branch line ') == 1


def test_a_tree_too_large_to_draw_is_refused() -> None:
    advice = r"more than 500 positions: .*draw the overview, which fits any search: result\.draw"
    with pytest.raises(ValueError, match=advice):
        draw_tree(search(ConnectFour(), alphabeta(depth=4)))
    assert draw_tree(search(ConnectFour(), alphabeta(depth=2)), most=57).svg
    with pytest.raises(ValueError, match="more than 56 positions"):
        draw_tree(search(ConnectFour(), alphabeta(depth=2)), most=56)
