"""The numbers of a timeline, read off the picture, are those of the records."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies.insight.analysis.utilisation import Utilisation, Wait, laid_out
from strategies.insight.pictures.axes import Box, strip
from strategies.insight.pictures.picture import width
from strategies.insight.pictures.timeline import ACROSS, RIGHT, lanes_of
from strategies.running.records.record import Record, now, record
from strategies.running.records.wording import seconds
from tests.properties import examples
from tests.strategies.insight.pictures.reading import box, parts_of, seconds_in

MS = 1e-3


def task(
    worker: str, start: int, end: int, role: Literal["spark", "step", "fold", "join"] = "step"
) -> Record:
    """Return the record of a task; times are milliseconds, from 5 s on."""
    one = record((role, ()), role, now(), outcome="converted" if role == "spark" else "done")
    return one._replace(start=5 + start * MS, end=5 + end * MS, worker=worker, cpu=0.0)


Row = tuple[str, int, int, Literal["spark", "step", "fold", "join"], int, bool]
"""Worker, start, end, role, when its last input was ready, and whether that was sent."""

ROWS: list[Row] = [
    ("a/1/1", 0, 200, "step", 0, False),
    ("a/1/1", 250, 400, "spark", 200, False),
    ("b/2/1", 300, 600, "spark", 200, True),
    ("b/2/1", 600, 610, "spark", 200, False),
    ("a/1/1", 420, 423, "spark", 200, False),
    ("a/1/1", 650, 700, "fold", 610, True),
    ("b/2/1", 700, 800, "join", 700, False),
]


def run(rows: list[Row], least: int = 0) -> Utilisation:
    records = [task(worker, start, end, role) for worker, start, end, role, _, _ in rows]
    waits = {
        id(r): Wait(5 + ready * MS, (), sent)
        for r, (*_, ready, sent) in zip(records, rows, strict=True)
    }
    return laid_out(records, waits, least)


def measured(rows: list[Row], least: int) -> dict[str, int]:
    """Say for each worker and millisecond what the worker did."""
    begin, end = min(r[1] for r in rows), max(r[2] for r in rows)
    workers = {r[0] for r in rows}
    found = Counter({"idle": max(0, least - len(workers)) * (end - begin)})
    for worker in workers:
        own = sorted(r for r in rows if r[0] == worker)
        for t in range(begin, end):
            running = [r for r in own if r[1] <= t < r[2]]
            later = [r for r in own if r[1] > t]
            if running:
                found["folding" if running[0][3] == "fold" else "searching"] += 1
            elif later and later[0][4] <= t:
                found["transfer" if later[0][5] else "scheduling"] += 1
            else:
                found["idle"] += 1
    return found


@st.composite
def runs(draw: st.DrawFn) -> list[Row]:
    """Draw the tasks of up to three workers, which run one after the other on each."""
    rows: list[Row] = []
    for worker in draw(st.lists(st.sampled_from("abc"), min_size=1, unique=True)):
        t = 0
        for gap, long, before in draw(
            st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=4)
        ):
            start = t + gap
            t = start + long + 1
            role = draw(st.sampled_from(["spark", "step", "fold", "join"]))
            ready, sent = max(0, start - before), draw(st.booleans())
            rows.append((f"h/1/{worker}", start, t, role, ready, sent))  # type: ignore[arg-type]
    return rows


@given(runs(), st.sampled_from([0, 3, 4]))
@examples(12)
def test_the_workers_time_is_divided_as_a_clock_would_divide_it(
    rows: list[Row], least: int
) -> None:
    found, expected = run(rows, least), measured(rows, least)
    for name in ("searching", "folding", "scheduling", "transfer", "idle"):
        assert getattr(found, name) == pytest.approx(expected[name] * MS, abs=1e-9), name


class Picture:
    """A timeline whose positions are read with its own axis."""

    def __init__(self, found: Utilisation) -> None:
        svg = lanes_of(found, "a run", lambda bar: [f"{bar.start:.9f} {bar.end:.9f}"]).svg
        self.parts = parts_of(svg)
        self.texts = [e.text for e in self.parts if e.text]
        pairs = [
            (float(rule.attrib["d"][1:].split()[0]), seconds_in(text.text or ""))
            for rule, text in pairwise(self.parts)
            if rule.get("class") == "rule"
        ]
        self.ticks, (self.first, *_, self.last) = [t for _, t in pairs], pairs
        at = [x for x, _ in pairs]
        even = [at[0] + (at[-1] - at[0]) * t / self.ticks[-1] for t in self.ticks]
        assert at == pytest.approx(even, abs=0.11)
        self.bars = [
            (e.get("class", "").removeprefix("bar "), *map(float, e[0].text.split()), box(e))
            for e in self.parts
            if e.get("class", "").startswith("bar ") and len(e) and "between" not in e[0].text
        ]
        self.lanes = [box(e) for e in self.parts if e.get("height") == "26"]

    def time(self, x: float) -> float:
        (x0, t0), (x1, t1) = self.first, self.last
        return t0 + (x - x0) * (t1 - t0) / (x1 - x0)

    def strip(self, name: str) -> list[tuple[float, float, float]]:
        """Return the outlines of the areas of a strip, as steps: from, to, height in its unit."""
        label = next(i for i, e in enumerate(self.parts) if e.text == name)
        start = max(i for i in range(label) if self.parts[i].get("class") == "field")
        self.most = most = float((self.parts[label + 1].text or "").split()[0])
        left, top, _, bottom = box(self.parts[start])
        out = []
        for path in self.parts[start + 1 : label]:
            x, y = left, bottom
            for kind, n in re.findall(r"([HV])([\d.]+)", path.attrib["d"]):
                if kind == "V":
                    y = float(n)
                else:
                    high = (bottom - y) / (bottom - top) * most
                    out.append((self.time(x), self.time(float(n)), high))
                    x = float(n)
            assert x == left
        return out

    def area(self, name: str) -> float:
        """Return the area between the outlines of a strip, in seconds times its unit."""
        return sum((b - a) * high for a, b, high in self.strip(name))


def test_bars_waits_and_labels_agree_with_the_axis() -> None:
    found = run(ROWS, 3)
    picture = Picture(found)
    assert picture.ticks == pytest.approx([i / 10 for i in range(9)])
    pixel = picture.time(1) - picture.time(0)
    assert len(picture.bars) == len(ROWS)
    assert len(picture.lanes) == 3
    assert all(one[3] < other[1] for one, other in pairwise(picture.lanes))
    for kind, start, end, (left, top, right, bottom) in picture.bars:
        assert picture.time(left) == pytest.approx(start, abs=0.1 * pixel)
        assert picture.time(right) == pytest.approx(end, abs=0.2 * pixel)
        (worker,) = {r[0] for r in ROWS if (r[1] * MS, r[3]) == (
            pytest.approx(start), "spark" if kind == "converted" else kind)}  # fmt: skip
        lane = picture.lanes["ab".index(worker[0])]
        assert lane[1] < top < bottom < lane[3]
    middles = [(lane[1] + lane[3]) / 2 for lane in picture.lanes]
    waits = [
        (e.get("class"), middles.index(float(y)), round(picture.time(float(a)) / MS),
         round(picture.time(float(b)) / MS))
        for e in picture.parts
        for a, y, b in re.findall(r"M([\d.]+) ([\d.]+)H([\d.]+)", e.get("d", ""))
        if e.get("class", "").startswith("waiting")
    ]  # fmt: skip
    assert waits == [
        ("waiting", 0, 200, 250), ("waiting", 0, 400, 420), ("waiting sent", 0, 610, 650),
        ("waiting sent", 1, 200, 300),
    ]  # fmt: skip
    assert [t for t in picture.texts if "busy" in t][1:] == ["50% busy", "51% busy", "0% busy"]
    assert "800 ms on 3 workers; 6 tasks, 1 join, 4 sparks" in picture.texts
    (said,) = [re.findall(r"(\w+) (\d+)%", t) for t in picture.texts if t.startswith("searching ")]
    spent = measured(ROWS, 3)
    assert dict(said) == {name: f"{100 * spent[name] / 2400:.0f}" for name, _ in said}
    assert {name for name, _ in said} == set(spent)


def test_strips_have_the_area_of_the_time_and_the_number_of_the_sparks() -> None:
    found = run(ROWS, 3)
    picture = Picture(found)
    assert picture.area("workers busy") == pytest.approx(813 * MS, rel=5e-3)
    assert picture.area("spark pool") == pytest.approx((50 + 100 + 400 + 220) * MS, rel=5e-3)
    each = found.seconds / 60
    assert f"4 in {seconds(each)}" in picture.texts
    for name, times in (("ready", [200]), ("started", [250, 300, 600, 420])):
        assert max(high for *_, high in picture.strip(f"sparks {name}")) == picture.most
        assert picture.area(f"sparks {name}") / each == pytest.approx(4, rel=2e-2)
        for a, b, high in picture.strip(f"sparks {name}"):
            if high > 0.1 and b > a:
                inside = sum(a - MS <= t * MS <= b + MS for t in times)
                assert (inside, round(high)) == (1, 4 // len(times))


def test_the_histogram_shows_each_spark_between_its_edges() -> None:
    parts = Picture(run(ROWS)).parts
    shown = [(e, e[0].text or "") for e in parts if len(e) and "between" in (e[0].text or "")]
    edges = {e.text: float(e.attrib["x"]) for e in parts if e.get("class") == "clock"}
    durations = [(end - start) * MS for _, start, end, role, _, _ in ROWS if role == "spark"]
    heights, bottoms = [], set()
    for e, tip in shown:
        count, low, high = re.findall(r"(\d+) converted between (.*) and (.*)", tip)[0]
        assert int(count) == sum(seconds_in(low) <= d < seconds_in(high) for d in durations)
        left, top, right, bottom = box(e)
        assert edges[low] < left < right < edges[high]
        heights.append((bottom - top) / int(count))
        bottoms.add(bottom)
        (number,) = [t for t in parts if t.get("x") == f"{(left + right) / 2:g}"]
        assert number.text == count
        assert float(number.attrib["y"]) < top
    assert len(bottoms) == 1
    assert heights == pytest.approx([heights[0]] * len(shown))
    assert sum(int(tip.split()[0]) for _, tip in shown) == len(durations)


@given(st.integers(1, 999_999))
def test_a_strip_tells_its_greatest_count_exactly_and_within_the_picture(count: int) -> None:
    *_, label = strip(Box(0, 0, ACROSS, 9), "sparks", [("ready", [1.0])], count, " in 4.48 ms")
    text = f"{count:,} in 4.48 ms"
    assert f">{text}</text>" in label
    assert 6 + width(text, 9) < RIGHT
