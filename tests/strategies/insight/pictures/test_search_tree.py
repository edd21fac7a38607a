"""Pictures of trees show which leaves the search evaluates, and which it prunes."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import HANDOUT_BIG, HANDOUT_SMALL, LESSONS, ConnectFour, ExplicitGame, Pig
from strategies import (
    alphabeta,
    expectimax,
    jamboree,
    maxn,
    par_list,
    parse_strategy,
    scout,
    search,
    seq,
)
from strategies.algebra.combinators import par_buffer, par_list_chunk
from strategies.algebra.strategy import Strategy
from strategies.insight.analysis.replays.drawn_tree import whole_tree
from strategies.insight.analysis.replays.replayed import replayed
from strategies.insight.analysis.simulate import simulate
from strategies.insight.pictures.fates import FATES, SIGNS
from strategies.insight.pictures.picture import width
from strategies.insight.pictures.search_tree import draw_tree
from strategies.insight.pictures.tree_states import states_after
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
    leaf = (
        r'<g class="mark leaf(?: fate-\w+)?".*?<text class="label"[^>]*>(\w*)<.*?value"[^>]*>(.*?)<'
    )
    return [label for label, value in re.findall(leaf, svg, re.S) if value.strip()]


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
    ways = Counter(re.findall(r'class="(branch[a-z ]*)" data-n', svg))
    assert ways == {"branch spark": 6, "branch spark line": 2, "branch": 4}
    assert len(re.findall('class="mark min[ "]', svg)) == 3


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
    result = answer.compute(num_workers=2)
    run = draw_tree(answer, result).svg
    assert len(read(svg)) == answer.compute(num_workers=1).leaves
    assert len(read(run)) == result.leaves


def test_a_test_that_passes_shows_the_value_found_after_it() -> None:
    game = ExplicitGame.from_nested([1, 5, 3])
    svg = draw_tree(search(game, alphabeta(depth=1), using=scout.everywhere)).svg
    assert read(svg) == ["b", "c", "d"]
    assert svg.count('line" data-n') == 1


LIVE = (par_list.live().to_ply(2), jamboree(0.5).to_ply(2).live(), scout.to_ply(2))


def truth(shape: Any, ply: int = 0) -> Any:
    """Return the value of a nested list under best play."""
    if not isinstance(shape, list):
        return shape
    return (min if ply % 2 else max)(truth(below, ply + 1) for below in shape)


def at(shape: Any, path: tuple[int, ...]) -> Any:
    for i in path:
        shape = shape[i]
    return shape


def holds(claim: str, value: int) -> bool:
    """Return whether what is written beside a node is true of its value."""
    if "…" in claim:
        low, high = claim.split("…")
        return int(low) <= value <= int(high)
    number = claim.lstrip("≤≥")
    if claim == "?":
        return True
    return {"≤": value <= int(number), "≥": value >= int(number)}.get(
        claim[0], value == int(number)
    )


@given(shapes, st.one_of(policies, st.sampled_from(LIVE)), st.integers(1, 3))
@examples(40)
def test_what_is_written_beside_a_node_is_true_of_its_value(
    shape: Any, policy: Strategy, workers: int
) -> None:
    game = ExplicitGame.from_nested(shape)
    answer = search(game, alphabeta(depth=9), using=policy, engine="interpreted")
    result = simulate(answer, workers, node=1.0).result
    root = whole_tree(answer.plan, 500)
    states = states_after((m.what for m in replayed(result, ticks=True).moments), root)
    assert states[()].claim == str(truth(shape))
    for path, state in states.items():
        if state.claim:
            assert holds(state.claim, truth(at(shape, path), len(path))), (path, state.claim)


@pytest.mark.parametrize("pruning", [None, "star1", "star2"])
@pytest.mark.parametrize("using", [seq, par_list.to_ply(2), jamboree(0.5).to_ply(2).live()])
def test_what_is_written_beside_a_chance_node_is_true_of_its_mean(
    pruning: Any, using: Strategy
) -> None:
    answer = search(Pig(12), expectimax(4, pruning=pruning), using=using, engine="interpreted")
    result = simulate(answer, 2, node=1.0).result
    root = whole_tree(answer.plan, 5000)
    states = states_after((m.what for m in replayed(result, ticks=True).moments), root)
    plain = search(Pig(12), expectimax(4), engine="interpreted")
    values = states_after((m.what for m in replayed(plain.compute()).moments), root)
    proved = {path: state.proved for path, state in states.items() if state.proved}
    assert len(proved) > 50
    for path, (low, high) in proved.items():
        value = values[path].proved
        assert value is not None
        assert low - 1e-9 <= value[0] == value[1] <= high + 1e-9
        assert pruning or low == high


@pytest.mark.parametrize("name", LESSONS)
def test_each_spark_of_a_run_shows_what_the_ledger_says_of_it(name: str) -> None:
    lesson = LESSONS[name]
    answer = search(lesson.tree, alphabeta(lesson.depth), using=parse_strategy(lesson.using))
    result = simulate(answer, 2, node=1.0).result
    svg = draw_tree(answer, result).svg
    fates = Counter(re.findall(r'class="mark [\w ]*?fate-(\w+)" data-n', svg))
    counts = result.sparks.counts
    assert fates["converted"] + fates["aborted"] == counts["converted"]
    for fate in ("fizzled", "aborted", "opened", "dud"):
        assert fates[fate] == counts[fate]
    signs = Counter(re.findall(r'<text class="sign"[^>]*>(\S)<', svg))
    assert signs == {SIGNS[fate]: n for fate, n in fates.items() if n}
    for fate, text in FATES.items():
        assert (f">{SIGNS[fate]} {text}<" in svg) == bool(fates[fate])
    assert result.sparks.line in svg


@given(shapes, st.sampled_from((scout.everywhere, scout.to_ply(2), par_list.live().to_ply(2))))
@examples(30)
def test_a_position_that_was_searched_is_never_painted_as_fizzled(
    shape: Any, policy: Strategy
) -> None:
    """A branch that is tested, and then searched for its value, is a spark more than once."""
    game = ExplicitGame.from_nested(shape)
    answer = search(game, alphabeta(depth=9), using=policy, engine="interpreted")
    result = simulate(answer, 2, node=1.0).result
    svg = draw_tree(answer, result).svg
    for kind in re.findall(r'class="mark ([\w -]+)" data-n', svg):
        names = kind.split()
        assert ("fate-fizzled" in names) <= ("pruned" in names)
        assert ("fate-cut" in names) <= ("pruned" in names)
        assert ("fate-converted" in names) <= ("pruned" not in names)


def test_under_seq_nothing_is_painted_as_a_spark() -> None:
    answer = search(HANDOUT_BIG, alphabeta(4), engine="interpreted")
    for svg in (draw_tree(answer).svg, answer.compute().draw("tree").svg):
        drawn = svg.partition("</style>")[2]
        assert "spark" not in drawn.replace("no sparks", "")
        assert set(re.findall(r"fate-(\w+)", drawn)) == {"cut"}


def test_every_player_has_a_name_of_its_own() -> None:
    game = ExplicitGame.from_nested([[[(1, 2, 3), (3, 2, 1)], [(0, 0, 0)]], [[(2, 2, 2)]]])
    svg = search(game, maxn(3), engine="interpreted").compute().draw("tree").svg
    who = Counter(re.findall(r'<text class="who[^>]*>([^<]*)<', svg))
    assert who == {"Maxie": 1, "Minnie": 2, "Player 2": 3}


AGENTS = ExplicitGame.from_nested(
    [
        [[(1, 2, 6), (4, 3, 3)], [(6, 1, 2), (7, 4, 1)]],
        [[(5, 1, 1), (5, 2, 5)], [(7, 1, 1), (5, 4, 0)]],
    ]
)


@pytest.mark.parametrize("using", [seq, par_list.to_ply(1)])
def test_every_player_has_a_shape_and_a_colour_of_its_own(using: Strategy) -> None:
    answer = search(AGENTS, maxn(3), using=using, engine="interpreted")
    for svg in (draw_tree(answer).svg, answer.compute().draw("tree").svg):
        drawn = re.findall(r'<polygon class="shape (hue-\d)" points="([^"]*)"', svg)
        marks = Counter((hue, points.count(",")) for hue, points in drawn)
        key = 1  # in the legend
        assert marks == {("hue-0", 3): 1 + key, ("hue-1", 4): 2 + key, ("hue-2", 5): 4 + key}
        names = re.findall(r'<text class="who (hue-\d)"[^>]*>([^<]*)<', svg)
        assert set(names) == {("hue-0", "Maxie"), ("hue-1", "Minnie"), ("hue-2", "Player 2")}
        legend = re.findall(r'<text class="key"[^>]*>([^<]*moves)<', svg)
        assert legend == ["Maxie moves", "Minnie moves", "Player 2 moves"]
        values = Counter(re.findall(r'value"[^>]*>(\(\d, \d, \d\))<', svg))
        assert values["(5, 2, 5)"] == 4


def test_a_replay_keeps_the_shapes_of_players(tmp_path: Path) -> None:
    answer = search(AGENTS, maxn(3), engine="interpreted")
    page = answer.replay(tmp_path / "page.html").read_text("utf-8")
    drawn = Counter(re.findall(r'class="shape (hue-\d)"', page))
    assert drawn == {"hue-0": 1, "hue-1": 2, "hue-2": 4}


def test_two_opponents_have_no_colours() -> None:
    svg = draw_tree(search(HANDOUT_SMALL, alphabeta(2))).svg
    assert "hue-" not in svg.partition("</style>")[2]


def test_labels_of_positions_read_the_same_at_every_ply() -> None:
    svg = draw_tree(search(ConnectFour(), alphabeta(depth=2))).svg
    assert not any(text.strip() for text in re.findall(r'class="label"[^>]*>([^<]*)<', svg))


def test_a_tree_too_large_to_draw_is_refused() -> None:
    advice = r"more than 500 positions: .*draw the overview, which fits any search: result\.draw"
    with pytest.raises(ValueError, match=advice):
        draw_tree(search(ConnectFour(), alphabeta(depth=4)))
    assert draw_tree(search(ConnectFour(), alphabeta(depth=2)), most=57).svg
    with pytest.raises(ValueError, match="more than 56 positions"):
        draw_tree(search(ConnectFour(), alphabeta(depth=2)), most=56)
