"""The picture of bounds: points at the measurements, lines at the bounds."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from games import TicTacToe
from strategies import Result, alphabeta, par_list, search, seq
from strategies.algebra.strategy import Strategy
from strategies.insight.analysis.overhead import FREE, Burden
from strategies.insight.analysis.replay import replay
from strategies.insight.pictures.speedup_bounds import draw_bounds

BURDEN = Burden(task=1e-5, dispatch=1e-5)
SLOW = Burden(task=1e-5, dispatch=1e-3, together=0.8, cores=4)
SPARKED = par_list.to_ply(2)


def run(using: Strategy = SPARKED, workers: int = 1) -> Result:
    answer = search(TicTacToe(), alphabeta(depth=4), using=using, engine="interpreted")
    return answer.compute(num_workers=workers)


LEAST = "work", "span", "dispatcher"


def drawn(svg: str) -> dict[str, list[float]]:
    """Return the vertical positions of each line, with four points for each doubling of workers."""
    paths = dict(re.findall(r'<path class="bound (\w+)" d="M([^"h]+)"', svg))
    return {k: [float(p.split()[1]) for p in v.split("L")] for k, v in paths.items()}


def test_observed_and_simulated_points_and_the_bounds() -> None:
    one, two, sequential = run(), run(workers=2), run(seq)
    simulated = [replay(one, p, SLOW) for p in (4, 16)]
    svg = draw_bounds(one, two, burden=SLOW, sequential=sequential, simulated=simulated).svg
    ElementTree.fromstring(svg)
    body, legend = svg[: svg.index("at most: work")], svg[svg.index("at most: work") :]
    assert body.count('class="point observed"') == 2
    assert body.count('class="point simulated"') == 2
    heights = drawn(svg)
    where = [float(y) for y in re.findall(r'"point simulated"[^>]*cy="([\d.]+)"', body)]
    for workers, y in zip((4, 16), where, strict=True):
        lowest = max(heights[name][4 * (workers.bit_length() - 1)] for name in LEAST)
        assert heights["greedy"][4 * (workers.bit_length() - 1)] <= y + 0.2 <= lowest + 0.4
    for name in ("greedy", "work", "span", "dispatcher", "best"):
        assert f'class="bound {name}"' in body
    assert "simulated" in legend


def test_lines_fall_as_the_bounds_do() -> None:
    heights = drawn(draw_bounds(run(), burden=BURDEN).svg)
    assert len(set(heights["span"])) == len(set(heights["dispatcher"])) == 1
    assert heights["work"] == sorted(heights["work"])  # pixels grow downwards
    steps = {round(b - a, 0) for a, b in zip(heights["work"], heights["work"][1:], strict=False)}
    assert len(steps) <= 2  # straight, because both axes are logarithmic
    assert all(g <= w + 0.11 for g, w in zip(heights["greedy"], heights["work"], strict=True))


def test_a_bound_of_zero_has_no_line() -> None:
    assert "bound dispatcher" not in draw_bounds(run(), burden=FREE).svg.split("at most")[0]


def test_bounds_without_runs_are_refused() -> None:
    with pytest.raises(ValueError, match="bounds need a run"):
        draw_bounds(burden=FREE)
