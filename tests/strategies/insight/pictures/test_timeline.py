"""Timelines: every task is in exactly one bar, and the workers' time adds up."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from games import HANDOUT_BIG, LESSONS, ConnectFour, ExplicitGame, TicTacToe
from strategies import Result, alphabeta, jamboree, par_list, scout, search, seq
from strategies.algebra.strategy import Strategy
from strategies.algebra.wording import plural
from strategies.insight.analysis.recorded import Dag, Timed
from strategies.insight.analysis.simulate import simulate
from strategies.insight.analysis.simulation import Burden, replay
from strategies.insight.analysis.timeline_marks import iteration_spans
from strategies.insight.analysis.utilisation import (
    Bar,
    critical_path,
    laid_out,
    process_bands,
    utilisation,
)
from strategies.insight.pictures.axes import counts, presence, ticks
from strategies.insight.pictures.fates import SIGNS
from strategies.insight.pictures.timeline import LEAST, draw_timeline, joined
from strategies.running.records.record import process_of
from strategies.running.records.wording import JOINS, SPARKS, seconds
from tests.properties import examples

SPARKING = (jamboree(0.5).to_ply(2), par_list.to_ply(2), scout.to_ply(2))
moments = st.floats(0, 10, allow_nan=False)


@cache
def run(using: Strategy, workers: int = 2) -> Result:
    """Return a run on virtual workers: 1 µs a node, 2 µs a task, 10 µs to dispatch a task."""
    answer = search(TicTacToe(), alphabeta(depth=4), using=using, engine="interpreted")
    once = answer.compute(num_workers=1)
    timed = tuple(r._replace(start=0.0, end=2e-6 + 1e-6 * r.nodes) for r in once.records)
    return replay(evolve(once, records=timed), workers, Burden(task=1e-5)).result


@pytest.mark.parametrize("using", SPARKING)
@pytest.mark.parametrize("workers", [1, 5])
def test_the_workers_time_adds_up(using: Strategy, workers: int) -> None:
    result = run(using, workers)
    found = utilisation(result)
    assert found.workers == workers
    assert found.transfer == 0
    spent = found.searching + found.folding + found.scheduling + found.idle
    assert spent == pytest.approx(found.total)
    assert found.searching + found.folding == pytest.approx(result.work)
    # Dispatching a task takes time, but no worker waits for the first tasks.
    assert 0 < found.scheduling <= 1.001e-5 * len(found.bars)


@pytest.mark.parametrize("using", SPARKING)
def test_the_lanes_of_a_process_are_adjacent(using: Strategy) -> None:
    """The run uses five threads on two machines."""
    here = run(using, 5)
    homes = {f"virtual {n}": f"{'ab'[n % 2]}/{n % 2}/{n}" for n in range(5)}
    records = tuple(r._replace(worker=homes[r.worker]) for r in here.records)
    result = evolve(here, records=records)
    found, before = utilisation(result), utilisation(here)
    bands = process_bands(found)
    assert {band.process for band in bands} == {"a/0", "b/1"}
    assert [n for band in bands for n in range(band.first, band.last + 1)] == list(range(5))
    for bar in found.bars:
        assert found.lanes[bar.lane] == bar.record.worker
    assert found.scheduling + found.transfer == pytest.approx(before.scheduling)
    assert (found.searching, found.folding) == (before.searching, before.folding)
    last = {r.key: r for r in records}
    assert found.transfer > 0 or using == par_list.to_ply(2)
    for bar in found.bars:
        waited = [found.bars[i].record for i in bar.after]
        known = max(waited, key=lambda r: r.end, default=bar.record)
        assert bar.sent == (process_of(known) != process_of(bar.record))
        assert all(last[r.key] is r for r in waited)
    drawn = draw_timeline(result).svg
    assert drawn.count('class="bracket"') == 2
    assert ("transfer" in drawn) == (found.transfer > 0)
    assert 'class="bracket"' not in draw_timeline(here).svg


def test_a_later_thread_uses_the_lane_of_a_finished_one() -> None:
    one = run(seq).records[0]
    shifts = (("a", 0.0, 1.0), ("b", 1.0, 3.0), ("c", 1.0, 2.0), ("b", 3.0, 4.0), ("d", 4.0, 5.0))
    rows = [one._replace(worker=w, start=start, end=end) for w, start, end in shifts]
    found = laid_out(rows, {}, 2)
    assert found.workers == 2
    assert [b.record.worker for b in found.bars] == ["a", "c", "b", "b", "d"]
    assert [b.lane for b in found.bars] == [0, 1, 0, 0, 0]  # "d" starts when "b" ends
    assert laid_out(rows[:3], {}, 1).workers == 2  # two threads at the same time need two lanes
    assert laid_out(rows, {}).workers == 4  # the number of workers requested is unknown


@pytest.mark.parametrize("using", [seq, *SPARKING])
def test_every_task_is_in_one_bar(using: Strategy) -> None:
    result = run(using)
    found = utilisation(result)
    assert {b.record for b in found.bars} == set(result.records)
    assert len(found.bars) == len(result.records)
    svg = draw_timeline(result).svg
    ElementTree.fromstring(svg)
    shown = sum(int(n) for n in re.findall(r">(\d+) tasks, \w+; ", svg))
    alone = len(re.findall(r'<rect class="bar \w+"[^>]*><title>(?!\d+ tasks)[^<]*from', svg))
    assert shown + alone == len(result.records)


@given(
    st.recursive(st.integers(-9, 9), lambda below: st.lists(below, min_size=1, max_size=4)),
    st.sampled_from(SPARKING),
    st.integers(1, 3),
)
@examples(30)
def test_the_critical_path_is_the_longest_chain_of_tasks_that_wait(
    shape: Any, using: Strategy, workers: int
) -> None:
    game = ExplicitGame.from_nested([shape, shape])
    result = simulate(search(game, alphabeta(9), using=using), workers, node=1.0).result
    found = utilisation(result)
    path = critical_path(found)
    spent = sum(found.bars[i].record.seconds for i in path)
    if len(found.bars) == 1:
        assert path == ()
        return
    assert spent == pytest.approx(result.span)
    assert all(a in found.bars[b].after for a, b in pairwise(path))
    svg = draw_timeline(result).svg
    assert f"critical path: {plural(len(path), 'task')}, {seconds(spent)} together" in svg
    (way,) = re.findall(r'class="critical" d="(.*?)"><title>', svg)
    assert way.count("H") == len(path)


@given(
    st.lists(st.lists(st.integers(0, 30)), max_size=12), st.lists(st.integers(1, 9), min_size=12)
)
@examples(40)
def test_no_chain_of_tasks_takes_longer_than_the_critical_path(
    waits: list[list[int]], times: list[int]
) -> None:
    one, bars = run(seq).records[0], []
    for i, row in enumerate(waits):
        record = one._replace(start=0.0, end=float(times[i]))
        bars.append(Bar(record, 0, 0.0, 0.0, 0.0, tuple({d % i for d in row} if i else ())))
    found = evolve(utilisation(run(seq)), bars=tuple(bars))
    dag = Dag(tuple(Timed(("t", ()), b.record.seconds, b.after) for b in bars))
    path = critical_path(found)
    assert bool(path) == any(b.after for b in bars)
    assert not path or sum(bars[i].record.seconds for i in path) == dag.span


def test_the_legend_of_a_timeline_lists_what_occurs() -> None:
    svg = draw_timeline(run(seq)).svg
    keys = set(re.findall(r'class="key" x="[^"]*" y="[^"]*">([^<]*)<', svg))
    assert "step" in keys
    assert not keys & {"fold", *SPARKS.values(), JOINS}
    assert not any("critical path" in key for key in keys)


def test_bars_and_the_legend_have_the_signs_of_what_became_of_sparks() -> None:
    answer = search(LESSONS["stopped_short"].tree, alphabeta(4), using=par_list.live().to_ply(2))
    result = simulate(answer, 2, node=1.0).result
    svg = draw_timeline(result).svg
    became = Counter(r.became for r in result.records if r.role == "spark")
    signs = Counter(re.findall(r'class="bar-sign [^>]*>(.)<', svg))
    assert became.keys() == {"converted", "aborted", "fizzled"}
    assert all(signs[SIGNS[fate]] in (n, n + 1) for fate, n in became.items())
    assert signs[SIGNS["aborted"]] == became["aborted"] + 1


def test_nothing_starts_before_it_is_ready() -> None:
    for bar in utilisation(run(jamboree(0.5).to_ply(2))).bars:
        assert 0 <= bar.ready <= bar.start <= bar.end


def test_a_timeline_is_the_same_text_each_time() -> None:
    result = run(par_list.to_ply(2))
    assert draw_timeline(result).svg == draw_timeline(result).svg


def test_many_tasks_share_bars_and_all_are_counted() -> None:
    found = utilisation(run(par_list.to_ply(3), workers=1))

    def at(t: float) -> float:
        return 10 * t / found.seconds

    drawn = joined(found.bars, at)
    assert sum(len(d.bars) for d in drawn) == len(found.bars)
    assert len(drawn) < len(found.bars) / 4
    assert all(d.right - d.left <= 3 * LEAST for d in drawn if len(d.bars) > 1), "a few pixels"
    assert all(d.left <= at(b.start) and at(b.end) <= d.right for d in drawn for b in d.bars)


def test_a_result_without_its_search_still_has_a_timeline() -> None:
    bare = evolve(run(par_list), request=None)
    assert "worker 1" in draw_timeline(bare).svg


@pytest.fixture(scope="module")
def deepened() -> Result:
    answer = search(TicTacToe(), alphabeta(depth=5), using=jamboree(0.5).to_size(20),
                    engine="interpreted", time=60)  # fmt: skip
    return answer.compute(num_workers=2)


def test_every_graph_of_a_deepening_search_is_in_one_iteration(deepened: Result) -> None:
    spans = iteration_spans(deepened)
    asked = [(g.depth, g.leftmost) for g in deepened.graphs]
    assert [(s.depth, s.leftmost) for s in spans] == list(dict.fromkeys(asked))
    assert all(s.start <= s.end for s in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))
    found = utilisation(deepened)
    for bar in found.bars:
        (graph,) = (g for g in deepened.graphs if g.number == bar.record.graph)
        (span,) = (s for s in spans if (s.depth, s.leftmost) == (graph.depth, graph.leftmost))
        assert span.start - 1e-9 <= bar.start <= bar.end <= span.end + 1e-9
    assert iteration_spans(run(par_list)) == ()


def test_iterations_are_bands_with_their_depths(deepened: Result) -> None:
    svg = draw_timeline(deepened).svg
    tips = re.findall(r'class="band"[^>]*><title>([^<]*)</title>', svg)
    assert len(tips) == len(iteration_spans(deepened))
    assert all(re.match(r"depth \d+(, leftmost move)?: ", tip) for tip in tips)
    assert ">iterations</text>" in svg
    assert ">iterations</text>" not in draw_timeline(run(par_list)).svg


@given(st.lists(st.tuples(moments, moments).map(sorted), max_size=30), st.integers(1, 20))
@examples(30)
def test_present_workers_are_drawn_as_an_area(spans: list[list[float]], bins: int) -> None:
    found = presence([(a, b) for a, b in spans], 10.0, bins)
    assert sum(found) * 10 / bins == pytest.approx(sum(b - a for a, b in spans), abs=1e-6)
    assert all(-1e-9 <= x <= len(spans) + 1e-9 for x in found)
    assert sum(counts((a for a, _ in spans), 10.0, bins)) == len(spans)


@given(st.floats(1e-9, 1e6), st.integers(3, 12))
def test_ticks_are_round_and_evenly_spaced(most: float, about: int) -> None:
    found = ticks(most, about)
    assert found[0] == 0
    assert found[-1] <= most * (1 + 1e-6)
    steps = [b - a for a, b in pairwise(found)]
    assert steps == pytest.approx([steps[0]] * len(steps))
    assert about / 2.6 <= len(found) <= 2.6 * about + 1


def test_a_result_draws_itself() -> None:
    answer = search(HANDOUT_BIG, alphabeta(depth=4), using=par_list, engine="interpreted")
    result = answer.compute(num_workers=2)
    assert "worker 1" in result.draw().svg
    assert "result: the last fold" in result.draw("graph").svg
    assert "leaves read" in result.draw("tree").svg
    with pytest.raises(ValueError, match="timeline, graph, bounds, tree, overview, not 'pie'"):
        result.draw("pie")
    assert result._repr_html_().count("<svg") == 1
    assert (
        "<svg"
        not in search(HANDOUT_BIG, alphabeta(depth=4), engine="interpreted").compute()._repr_html_()
    )


def test_a_search_in_a_notebook_shows_its_picture() -> None:
    answer = search(ConnectFour(), alphabeta(depth=3), using=par_list.to_ply(2))
    assert answer._repr_svg_().startswith("<svg")
    assert len(answer._repr_svg_()) < 400_000
