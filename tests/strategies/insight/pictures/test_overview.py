"""Overviews: ten tasks and many thousands fit on a page, and counts are complete."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import HANDOUT_SMALL, ExplicitGame, TicTacToe
from strategies import alphabeta, jamboree, par_list, search
from strategies.insight.pictures.overview import ACROSS, LEAST, LEFT, _Tree, draw_overview
from strategies.insight.pictures.picture import width
from tests.properties import examples

places = st.lists(st.integers(0, 3), max_size=4).map(tuple)
found = st.lists(st.tuples(places, st.sampled_from(["step", "converted", "fold"])), min_size=1)


@given(found)
@examples(50)
def test_the_counts_of_the_boxes_add_up(items: list[tuple[tuple[int, ...], str]]) -> None:
    boxes = list(_Tree(items).boxes())
    assert boxes[0].counts == Counter(kind for _, kind in items)
    for box in boxes:
        if len(box.places) > 1:
            assert box.row > 0
            continue
        (place,) = box.places
        below = [b for b in boxes if b.row == box.row + 1 and b.places[0][:-1] == place]
        own = Counter(kind for at, kind in items if at == place)
        assert sum((b.counts for b in below), own) == box.counts
        assert all(b.left >= box.left - 1e-6 for b in below)
        assert all(b.left + b.wide <= box.left + box.wide + 1e-6 for b in below)


def test_narrow_neighbours_share_a_box_in_their_row() -> None:
    """A thousand tasks on 972 pixels: boxes of two are too narrow, those of four are not."""
    sizes = [2, 2, 4, 2, *[1] * 890, 100]
    items = [((0, i), "step") for i, size in enumerate(sizes) for _ in range(size)]
    boxes = list(_Tree(items).boxes())
    rows: dict[int, list[tuple[float, float, int, int]]] = {}
    for b in boxes:
        rows.setdefault(b.row, []).append((b.left, b.wide, b.counts.total(), len(b.places)))
    assert [[box[2:] for box in row] for _, row in sorted(rows.items())] == [
        [(1000, 1)], [(1000, 1)], [(4, 2), (4, 1), (892, 891), (100, 1)],
    ]  # fmt: skip
    ends = LEFT
    for left, wide, count, _ in rows[2]:
        assert (left, wide) == pytest.approx((ends, ACROSS * count / 1000))
        ends = left + wide


@given(found)
@examples(25)
def test_boxes_of_a_row_do_not_overlap(items: list[tuple[tuple[int, ...], str]]) -> None:
    rows: dict[int, list[tuple[float, float]]] = {}
    for box in _Tree(items).boxes():
        rows.setdefault(box.row, []).append((box.left, box.wide))
    for row in rows.values():
        ends = LEFT
        for left, wide in sorted(row):
            assert left >= ends - 1e-6
            ends = left + wide
        assert ends <= LEFT + ACROSS + 1e-6


@pytest.mark.parametrize(
    ("game", "using", "depth", "least"),
    [(HANDOUT_SMALL, par_list, 2, 4), (TicTacToe(), par_list.to_ply(4), 4, 5_000)],
)
def test_few_and_many_tasks_fit_a_page_and_names_fit_their_boxes(
    game: ExplicitGame, using: object, depth: int, least: int
) -> None:
    answer = search(game, alphabeta(depth), using=using, engine="interpreted")
    assert len(answer.tasks()) >= least
    svg = draw_overview(answer).svg
    root = ElementTree.fromstring(svg)
    assert (float(root.attrib["width"]), float(root.attrib["height"]) <= 1400) == (1000.0, True)
    assert len(svg) < 400_000
    space = "{http://www.w3.org/2000/svg}"
    boxes = [e for e in root.iter(f"{space}rect") if e.get("class") == "box"]
    wide = {(e.attrib["x"], float(e.attrib["y"])): float(e.attrib["width"]) for e in boxes}
    for name in (e for e in root.iter(f"{space}text") if e.get("class") == "label"):
        x, y = float(name.attrib["x"]), float(name.attrib["y"])
        under = [w for (left, top), w in wide.items()
                 if abs(float(left) + 3 - x) < 0.15 and top == y - 15]  # fmt: skip
        assert under
        assert max(under) >= width(name.text or "")
    assert min(wide.values()) >= LEAST - 0.7 or "branches from" in svg


def test_a_run_is_coloured_by_the_outcomes_of_its_sparks() -> None:
    answer = search(TicTacToe(), alphabeta(4), using=jamboree(0.5).to_ply(2), engine="interpreted")
    result = answer.compute(num_workers=2)
    (title,) = re.findall(r"<title>(the root.*?)</title>", result.draw("overview").svg, re.S)
    assert f"{len(result.records)} tasks" in title
    assert f"converted: {result.sparks.converted}" in title
    assert f"fizzled: {sum(r.became == 'fizzled' for r in result.records)}" in title
    with pytest.raises(ValueError, match="neither"):
        draw_overview(None)
