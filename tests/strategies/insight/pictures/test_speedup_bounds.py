"""The picture of bounds: points at the measurements, lines at the bounds."""

from __future__ import annotations

import re
from math import log
from xml.etree import ElementTree

import pytest
from attrs import evolve

from games import TicTacToe
from strategies import Result, alphabeta, par_list, search, seq
from strategies.algebra.strategy import Strategy
from strategies.insight.analysis.simulation import FREE, Burden, replay
from strategies.insight.pictures.speedup_bounds import draw_bounds
from tests.strategies.insight.pictures.reading import parts_of, seconds_in

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


def test_a_bound_of_zero_has_no_line() -> None:
    assert "bound dispatcher" not in draw_bounds(run(), burden=FREE).svg.split("at most")[0]


def test_bounds_without_runs_are_refused() -> None:
    with pytest.raises(ValueError, match="bounds need a run"):
        draw_bounds(burden=FREE)


COSTLY = Burden(task=2e-3, dispatch=1e-3, together=0.5, cores=4)
KEEPS = {1: 1.0, 2: 1 - 0.5 / 3, 4: 0.5, 64: 0.5}
"""The speed that each of several busy workers keeps: falls evenly up to 4 workers."""


def timed() -> Result:
    """Return a run of nine sparks of 10 to 90 ms, one after the other, then folds of 1 ms."""
    answer = search(TicTacToe(), alphabeta(depth=1), using=par_list, engine="interpreted")
    once = answer.compute(num_workers=1)
    records, t = [], 7.0
    for r in once.records:
        took = 1e-3 if r.role == "fold" else 1e-2 * (1 + r.key[1][-1])
        records.append(r._replace(start=t, end=t + took))
        t += took
    return evolve(once, records=tuple(records))


def test_lines_and_points_are_where_the_axes_say() -> None:
    one = timed()
    folds = sum(r.role == "fold" for r in one.records)
    sparks, n = [0.01 * k for k in range(1, 10)], 9 + folds
    assert len(one.records) == n
    work = sum(sparks) + folds * 1e-3
    quick = replay(one, 4, COSTLY)
    picture = draw_bounds(one, burden=COSTLY, sequential=one, simulated=[quick])
    parts = parts_of(picture.svg)
    clocks = [e for e in parts if e.get("class") == "clock"]
    up = [
        (float(e.attrib["y"]) - 4, seconds_in(e.text or ""))
        for e in clocks
        if e.get("text-anchor") == "end"
    ]
    along = [
        (float(e.attrib["x"]), int(e.text or ""))
        for e in clocks
        if e.get("text-anchor") == "middle"
    ]
    assert [p for _, p in along] == [1, 2, 4, 8, 16, 32, 64]
    (y0, low), (y1, high) = up[0], up[-1]
    (x0, _), (x1, _) = along[0], along[-1]

    def height(seconds: float) -> float:
        return y0 + (y1 - y0) * log(seconds / low) / log(high / low)

    def place(workers: int) -> float:
        return x0 + (x1 - x0) * log(workers) / log(64)

    for y, t in up:
        assert y == pytest.approx(height(t), abs=0.11)
    drawn = [e for e in parts if "bound " in e.get("class", "")]
    lines = {e.get("class"): e.attrib["d"] for e in reversed(drawn)}  # the first, not the legend
    assert folds == 8, "the first fold waits for two sparks"
    span = max(took + 2e-3 + 3e-3 * (folds + 1 - max(k, 1)) for k, took in enumerate(sparks))
    dispatch = n * 1e-3
    for workers, keeps in KEEPS.items():
        least = (work + n * 2e-3) / workers
        expected = {
            "work": least, "span": span, "dispatcher": dispatch,
            "greedy": (least + span * (1 - 1 / workers) + dispatch) / keeps,
        }  # fmt: skip
        for name, seconds in expected.items():
            points = re.findall(r"([\d.]+) ([\d.]+)", lines[f"bound {name}"])
            (y,) = {float(y) for x, y in points if abs(float(x) - place(workers)) < 0.11}
            assert y == pytest.approx(height(seconds), abs=0.11), name
    best = float(re.findall(r" ([\d.]+)h", lines["bound best"])[0])
    assert best == pytest.approx(height(work), abs=0.11)
    points = [e for e in parts if e.tag.endswith("circle") and len(e)]
    for e, workers, seconds in zip(points, (1, 4), (work, quick.seconds), strict=True):
        at = float(e.attrib["cx"]), float(e.attrib["cy"])
        assert at == pytest.approx((place(workers), height(seconds)), abs=0.11)
    assert [e.get("class") for e in points] == ["point observed", "point simulated"]
    assert y1 <= min(float(e.attrib["cy"]) for e in points)
    work_said = [e.text for e in parts if (e.text or "").startswith("work ")]
    assert work_said == [
        f"work {1e3 * work:.3g} ms, span 91 ms, parallelism {work / 0.091:.3g}, "
        f"burdened {work / span:.3g}"
    ]
