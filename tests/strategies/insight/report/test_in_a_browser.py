"""The report in a real browser works, requests nothing, and shows the right counts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from games import TicTacToe
from strategies import Result, alphabeta, jamboree, search
from strategies.insight.analysis.move_naming import naming, place_of, way
from strategies.insight.analysis.utilisation import Bar, utilisation
from strategies.insight.report import document
from strategies.insight.report.page import write_report
from strategies.running.records.wording import seconds
from tests.browser import Browser, Page
from tests.strategies.insight.pictures.reading import seconds_in


@pytest.fixture(scope="module")
def result() -> Result:
    answer = search(TicTacToe(), alphabeta(depth=4), using=jamboree(0.5).to_ply(2),
                    engine="interpreted")  # fmt: skip
    return answer.compute(num_workers=2)


@pytest.fixture(scope="module")
def page(
    browser: Browser, result: Result, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    path = write_report(result, tmp_path_factory.mktemp("report") / "report.html")
    with browser.page() as page:
        page.open(path)
        yield page


def test_it_loads_without_errors_and_requests_nothing(page: Page) -> None:
    assert page.events_of("Runtime.exceptionThrown", "Log.entryAdded") == []
    requested = [e["request"]["url"] for e in page.events_of("Network.requestWillBeSent")]
    assert len(requested) == 1
    assert requested[0].startswith("file:")


def test_it_shows_as_many_bars_as_the_ledger_counts(page: Page, result: Result) -> None:
    created, tasks = result.sparks.created, len(result.records)
    assert page.run("count.textContent") == f"{created} sparks among {tasks} bars"
    assert page.run("timeline.lanes.flat().length") == tasks
    seen = page.run("document.querySelectorAll('#graph .mark.spark').length")
    assert seen == created


def test_something_is_painted(page: Page) -> None:
    colours = page.run(
        "(() => { const c = document.querySelector('canvas');"
        "const p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
        "const found = new Set(); for (let i = 0; i < p.length; i += 4)"
        "found.add(p[i] + ',' + p[i + 1] + ',' + p[i + 2]); return [...found]; })()"
    )
    for colour in ("255,199,90", "169,211,245", "209,69,15"):  # converted, step, fizzled
        assert colour in colours


def test_bars_look_like_the_lines_of_the_legend(page: Page, result: Result) -> None:
    """The legend is a picture, in the style of all pictures; the script reads its colours there."""
    page.prefers("light")
    kinds = {bar.kind for bar in utilisation(result).bars}
    assert "converted" in kinds
    for kind in kinds:
        fill, edge, _ = page.run(f"look('{kind}')")
        assert re.match(r"rgba?\(\d+, \d+, \d+", fill)
        assert re.match(r"rgba?\(\d+, \d+, \d+", edge)
    assert page.run("look('converted')")[0] == "rgb(255, 199, 90)"
    assert page.run("look('join')") == ["", "", []]
    assert page.run("document.querySelectorAll('.key .bar').length") == len(kinds)


def test_hovering_a_bar_shows_its_record(page: Page, result: Result) -> None:
    record = max((r for r in result.records if r.role == "spark"), key=lambda r: r.nodes)
    find = f"data.nodes.findIndex((n, i) => n === {record.nodes} && data.kind[i] === 0)"
    page.run(f"(timeline.fit(), timeline.i = {find}, timeline.canvas.scrollIntoView())")
    page.run(  # zoomed in so that no neighbour is under the pointer
        "(timeline.from = data.start[timeline.i], timeline.to = timeline.from"
        "+ Math.max(data.took[timeline.i], 1000), timeline.draw(), 0)"
    )
    page.frame()
    x, y = page.run(
        "(() => { const b = timeline.canvas.getBoundingClientRect(), i = timeline.i;"
        "return [b.left + timeline.x(data.start[i] + data.took[i] / 2),"
        "b.top + timeline.y(i) - 3]; })()"
    )
    page.hover(x, y)
    shown = page.run("tip.hidden ? '' : tip.textContent")
    assert shown.startswith("spark ")
    assert "converted" in shown
    assert f"{record.nodes:,} nodes, {record.leaves:,} leaves" in shown
    page.hover(2, 2)
    assert page.run("tip.hidden")


def test_hovering_the_graph_shows_the_task(page: Page) -> None:
    page.run("document.querySelector('#graph .mark.spark').scrollIntoView({block: 'center'})")
    page.frame()
    x, y = page.run(
        "(() => { const b = document.querySelector('#graph .mark.spark').getBoundingClientRect();"
        "return [b.left + b.width / 2, b.top + b.height / 2]; })()"
    )
    page.hover(x, y)
    assert "searches ahead" in page.run("tip.textContent")


def test_no_foreign_script_runs(page: Page) -> None:
    page.run(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.hurt = 1';"
        "document.body.append(s); })()"
    )
    assert page.run("typeof window.hurt") == "undefined"


def colours(page: Page) -> list[str]:
    """Return the colours of the page and of a picture in it."""
    paper = "getComputedStyle(document.querySelector('svg.jam')).getPropertyValue('--paper')"
    return [page.run("getComputedStyle(document.body).backgroundColor"), page.run(paper)]


def test_the_chosen_theme_is_remembered(page: Page) -> None:
    page.prefers("light")
    light = colours(page)
    page.run("document.getElementById('theme').click()")
    dark = colours(page)
    assert all(one != other for one, other in zip(light, dark, strict=True))
    assert page.run("localStorage.getItem('jamboree-theme')") == "dark"
    page.prefers("dark")
    assert colours(page) == dark
    page.run("document.getElementById('theme').click()")
    assert colours(page) == light, "a light page on a dark desktop"


@pytest.mark.parametrize("width", [400, 1200, 2560])
def test_it_is_readable_at_any_width(page: Page, width: int) -> None:
    page.sized(width)
    assert page.run("document.documentElement.scrollWidth") <= width
    least = page.run(
        "Math.min(...[...document.querySelectorAll('.still svg')].flatMap((svg) =>"
        "[...svg.querySelectorAll('text')].map((text) => svg.clientWidth"
        " / svg.viewBox.baseVal.width * parseFloat(getComputedStyle(text).fontSize))))"
    )
    assert least >= 8, "the least text of a picture, in pixels"
    assert page.run("document.querySelector('.pair pre:last-child').clientWidth") >= 300
    page.send("Emulation.clearDeviceMetricsOverride")


def pressed(page: Page, key: str) -> None:
    page.run(
        "document.querySelector('canvas').dispatchEvent("
        f"new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))"
    )


def summed(page: Page) -> list[list[int]]:
    """Return tasks and nodes of each table of totals, after these have been recomputed."""
    page.frame()
    page.run("new Promise(f => setTimeout(f, 200))")  # queued after the page's own timer of 120 ms
    found: list[list[int]] = page.run(
        "[...document.querySelectorAll('#totals table')].map((table) => [1, 4].map((column) =>"
        "[...table.tBodies[0].rows].reduce((sum, row) =>"
        "sum + Number(row.cells[column].textContent.replaceAll(',', '')), 0)))"
    )
    return found


def corners(page: Page) -> tuple[float, float, float, float]:
    """Return left, right, top and bottom of the middle third of the first lane, in the window."""
    page.run("(timeline.fit(), timeline.canvas.scrollIntoView({block: 'center'}), 0)")
    page.frame()
    found = page.run(
        "(() => { const b = timeline.canvas.getBoundingClientRect();"
        "return [b.left + timeline.x(timeline.end / 3), b.left + timeline.x(2 * timeline.end / 3),"
        "b.top + timeline.LANES + 3, b.top + timeline.LANES + 20]; })()"
    )
    return tuple(found)


def inside(result: Result) -> list[int]:
    """Count the tasks that touch the middle third of the first worker's lane, and their nodes."""
    found = utilisation(result)
    a, b = found.seconds / 3, 2 * found.seconds / 3
    bars = [x for x in found.bars if x.lane == 0 and x.start <= b and x.end >= a]
    return [len(bars), sum(x.record.nodes for x in bars)]


def test_mouse_and_touch_show_the_meaning_of_each_column(page: Page) -> None:
    heads = "[...document.querySelectorAll('main th.num')]"
    assert page.run(f"{heads}.length") > 30
    assert page.run(f"{heads}.filter((head) => !head.title).map((h) => h.textContent)") == []
    page.run("document.querySelector('.facts [title]').scrollIntoView()")
    page.frame()
    x, y = page.run(
        "(() => { const b = document.querySelector('.facts [title]').getBoundingClientRect();"
        "return [b.left + 9, b.top + 9]; })()"
    )
    page.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    page.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    assert page.run("[tip.hidden, tip.textContent === document.querySelector("
                    "'.facts [title]').title]") == [False, True]  # fmt: skip
    page.hover(2, 2)
    page.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": 2, "y": 2}])
    page.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    assert page.run("tip.hidden")


def test_totals_add_up_to_the_run(page: Page, result: Result) -> None:
    page.run("(timeline.fit(), 0)")
    pressed(page, "s")  # everything in view, before any mouse event
    assert summed(page) == [[len(result.records), result.nodes]] * 4
    pressed(page, "Escape")
    assert page.run("timeline.chosen") is None


def test_a_selected_box_shows_its_totals_by_mouse_and_by_touch(page: Page, result: Result) -> None:
    left, right, top, low = corners(page)
    for kind, x, y in (("mousePressed", left, top), ("mouseMoved", right, low),
                       ("mouseReleased", right, low)):  # fmt: skip
        page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1,
                  modifiers=8)  # fmt: skip
    tasks, nodes = inside(result)
    for counts in summed(page):
        assert abs(counts[0] - tasks) <= 2, "but for what begins within a pixel of the edge"
        assert abs(counts[1] - nodes) <= 0.05 * result.nodes
    chosen = page.run("[timeline.chosen.top, timeline.chosen.bottom]")
    assert chosen == [0, 0]
    by_mouse = summed(page)
    pressed(page, "Escape")
    page.run("document.querySelector('[data-do=select]').click()")
    for kind, points in (("touchStart", [(left, top)]), ("touchMove", [(right, low)]),
                         ("touchEnd", [])):  # fmt: skip
        page.send("Input.dispatchTouchEvent", type=kind,
                  touchPoints=[{"x": x, "y": y} for x, y in points])  # fmt: skip
    assert summed(page) == by_mouse
    assert not page.run("timeline.selecting"), "one box for one press of the button"
    pressed(page, "Escape")


def test_a_click_highlights_what_a_task_waited_for(page: Page, result: Result) -> None:
    bars = utilisation(result).bars
    number = max(range(len(bars)), key=lambda i: len(bars[i].after))
    users = sum(number in b.after for b in bars)
    page.run(f"(timeline.pin({number}), 0)")
    told = page.run("document.getElementById('pinned').textContent")
    assert f"waited for {len(bars[number].after)}" in told
    assert f"needed by {users}" in told
    assert page.run("document.querySelectorAll('#graph .lit').length") == 1
    page.run("document.querySelector('#pinned button').click()")
    assert page.run("timeline.pinned") == bars[number].after[0]
    page.run("(timeline.pin(timeline.pinned), 0)")
    assert page.run("document.getElementById('pinned').hidden")


def looked_for(page: Page, words: str) -> list[int]:
    """Return the tasks found by these words."""
    found: list[int] = page.run(
        "(() => { const input = document.querySelector('.find input');"
        f"input.value = {words!r}; input.dispatchEvent(new Event('input'));"
        "return timeline.lit; })()"
    )
    return found


def test_tasks_are_found_by_moves_and_by_outcome(page: Page, result: Result) -> None:
    bars, names = utilisation(result).bars, naming(result)
    move = way(max(bars, key=lambda b: len(place_of(b))), names).split()[0]
    below = [i for i, bar in enumerate(bars) if move in way(bar, names).split()]
    assert 0 < len(below) < len(bars)
    assert looked_for(page, f" {move} ") == below
    fizzled = [i for i, bar in enumerate(bars) if bar.kind == "fizzled"]
    assert looked_for(page, "FIZZLED") == looked_for(page, "fizz") == fizzled
    told = "document.querySelector('.find output').textContent"
    assert page.run(told) == f"{len(fizzled)} tasks"
    enter = "document.querySelector('.find input').dispatchEvent(new KeyboardEvent('keydown', {key:"
    page.run(f"{enter} 'Enter'}}))")
    page.run(f"{enter} 'Enter'}}))")
    assert page.run(told) == f"2 of {len(fizzled)} tasks"
    assert page.run("timeline.told") == fizzled[1]
    assert page.run("tip.textContent.includes('fizzled')")
    for place in (1, len(fizzled)):  # backwards, from the first to the last
        page.run(f"{enter} 'Enter', shiftKey: true}}))")
        assert page.run(told) == f"{place} of {len(fizzled)} tasks"
    page.run("document.querySelector('.find input').dispatchEvent(new Event('input'))")
    page.run(f"{enter} 'Enter', shiftKey: true}}))")
    assert page.run(told) == f"{len(fizzled)} of {len(fizzled)} tasks"
    page.run(f"{enter} 'Escape'}}))")
    assert page.run("[timeline.lit.length, tip.hidden]") == [0, True]
    assert looked_for(page, "nothing is called so") == looked_for(page, "") == []


def test_a_click_opens_the_overview_at_this_place(page: Page, result: Result) -> None:
    said = "document.querySelector('#overview-figure output').textContent"
    assert page.run(said) == f"the root: {len(result.records)} tasks"
    page.run("document.querySelector('#overview-figure canvas').scrollIntoView()")
    page.frame()
    x, y = page.run(
        "(() => { const b = document.querySelector('#overview-figure canvas')"
        ".getBoundingClientRect(); return [b.left + 20, b.top + 45]; })()"
    )
    for kind in ("mousePressed", "mouseReleased"):
        page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    first = sum(1 for bar in utilisation(result).bars if place_of(bar)[:1] == (0,))
    assert page.run(said).endswith(f": {first} tasks")
    page.run("document.querySelector('[data-do=up]').click()")
    assert page.run(said).startswith("the root")
    assert page.run("document.querySelector('[data-do=up]').disabled")
    page.run("document.querySelector('#branches button').click()")
    assert not page.run(said).startswith("the root")
    page.run("document.querySelector('[data-do=up]').click()")


def test_the_columns_of_the_overview_add_up_to_the_tasks(page: Page) -> None:
    rows = page.run(
        "[...document.querySelectorAll('#branches tbody tr')].map("
        "row => [...row.querySelectorAll('td')].map(cell => Number(cell.textContent)))"
    )
    assert rows
    assert all(tasks == sum(kinds) for tasks, *kinds in rows)


def test_a_page_with_many_tasks_reads_its_compressed_data(
    browser: Browser, result: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "SMALL", 0)
    path = write_report(result, tmp_path / "large.html", sequential=False)
    with browser.page() as page:
        page.open(path)
        page.run("new Promise(f => setInterval(() => { if (timeline?.sums) f(); }, 10))")
        assert page.run("count.textContent").endswith(f"among {len(result.records)} bars")
        assert page.events_of("Runtime.exceptionThrown", "Log.entryAdded") == []


def test_lanes_with_many_tasks_per_pixel_show_the_same_kinds(page: Page) -> None:
    """Drawn by pixel or by task, each tenth of a lane has the same kinds of tasks."""
    for lane in range(page.run("timeline.lanes.length")):
        by_pixel, by_task = page.run(
            f"((lane) => {{ const t = timeline.tasks, tenth = t.end / 10; const by = [[], []];"
            "for (let k = 0; k < 10; k++) {"
            "  const [a, b] = [k * tenth, (k + 1) * tenth];"
            "  by[0].push(timeline.density.seen(lane, a + 1, b - 1));"
            "  by[1].push(timeline.lanes[lane].reduce((bits, i) =>"
            "    t.start[i] <= b && t.stop(i) >= a ? bits | 1 << t.kind[i] : bits, 0)); }"
            f"return by; }})({lane})"
        )
        used = page.run(f"timeline.lanes[{lane}].length") > 0  # one thread may have run every task
        assert any(by_task) == used
        each = [(p | t) ^ t for p, t in zip(by_pixel, by_task, strict=True)]
        assert sum(map(bool, each)) <= 2, "but for what ends within a part of the edge"
        assert all(bool(p) == bool(t) for p, t in zip(by_pixel, by_task, strict=True))


def test_arrow_keys_move_from_task_to_task(page: Page) -> None:
    page.run("document.querySelector('canvas').focus()")
    page.hover(2, 2)  # else scrolling would move another task under the pointer
    page.frame()
    told = []
    for key in "nnp":
        page.run(
            "document.querySelector('canvas').dispatchEvent("
            f"new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))"
        )
        told.append(page.run("tip.hidden ? '' : tip.textContent"))
    assert told[0] == told[2] != told[1]
    assert all(told)


Sums = tuple[int, float, float, int, int]


def sums(bars: list[Bar], a: float, b: float) -> Sums:
    """Add up tasks, seconds inside a…b, processor time, nodes and leaves."""
    return (
        len(bars), sum(min(x.end, b) - max(x.start, a) for x in bars),
        sum(x.record.cpu for x in bars), sum(x.record.nodes for x in bars),
        sum(x.record.leaves for x in bars),
    )  # fmt: skip


def test_totals_of_a_box_are_those_of_the_records_in_it(page: Page, result: Result) -> None:
    found, names = utilisation(result), naming(result)
    keys: dict[str, Callable[[Bar], str]] = {
        "outcome": lambda x: x.kind,
        "kind of task": lambda x: x.record.key[0],
        "ply": lambda x: str(len(place_of(x))),
        "first branch": lambda x: way(x, names).split()[0] if place_of(x) else "none",
    }
    moments = sorted({t for x in found.bars for t in (x.start, x.end)})
    edges = [(s + t) / 2 for s, t in pairwise(moments) if t - s > 1e-8]  # between two events
    for a, b, top, bottom in (
        (-1.0, 2 * found.seconds, 0, 1), (edges[3], edges[-4], 0, 1), (edges[3], edges[-4], 1, 1),
        (edges[len(edges) // 2], edges[len(edges) // 2 + 5], 0, 0),
    ):  # fmt: skip
        inside = [x for x in found.bars if x.start < b and x.end > a and top <= x.lane <= bottom]
        box = {"from": a * 1e9, "to": b * 1e9, "top": top, "bottom": bottom}
        shown = page.run(f"totals(timeline.tasks, {json.dumps(box)})")
        scale = (1, 1e-9, 1e-9, 1, 1)
        every = [x * s for x, s in zip(shown["all"], scale, strict=True)]
        assert every == pytest.approx(sums(inside, a, b), abs=1e-7)
        assert [name for name, _ in shown["groups"]] == list(keys)
        for name, rows in shown["groups"]:
            wanted = {k: [x for x in inside if keys[name](x) == k] for k in map(keys[name], inside)}
            assert {text for text, _ in rows} == set(wanted)
            for text, row in rows:
                scaled = [x * s for x, s in zip(row, scale, strict=True)]
                assert scaled == pytest.approx(sums(wanted[text], a, b), abs=1e-7)
            order = [int(text) if name == "ply" else -row[1] for text, row in rows]
            assert order == sorted(order)


def test_strips_count_the_time_and_the_sparks_in_each_pixel(page: Page, result: Result) -> None:
    found = utilisation(result)
    a, b, n = 0.21 * found.seconds, 0.83 * found.seconds, 50
    shown = page.run(f"(({{busy, pool, ready, begun, part}}) => [[...busy], [...pool], [...ready],"
                     "begun.slice(0, 4).map((row) => [...row]), part])"
                     f"(strips(timeline.tasks, {a * 1e9}, {b * 1e9}, {n}))")  # fmt: skip
    each = (b - a) / n

    def cover(spans: list[tuple[float, float]], k: int) -> float:
        low, high = a + k * each, a + (k + 1) * each
        return sum(max(0.0, min(t, high) - max(s, low)) for s, t in spans) / each

    busy = [(x.start, x.end) for x in found.bars]
    waits = [(x.ready, x.start) for x in found.sparks]
    near = 1e-7 / each
    assert shown[0] == pytest.approx([cover(busy, k) for k in range(n)], abs=near)
    assert shown[1] == pytest.approx([cover(waits, k) for k in range(n)], abs=near)
    assert shown[4] == pytest.approx((b - a) / 10 * 1e9)
    parts = [sum(a + k * each * 5 <= x.ready < a + (k + 1) * each * 5 for x in found.sparks)
             for k in range(10)]  # fmt: skip
    assert shown[2] == parts
    begun = [sum(a <= x.start <= b and x.kind == kind for x in found.sparks)
             for kind in ("converted", "aborted", "fizzled", "known")]  # fmt: skip
    assert [sum(row) for row in shown[3]] == begun


def test_each_strip_has_its_own_scale_in_whole_sparks(page: Page) -> None:
    """Running sums are not exact: a pool of four may be 4.000000000000001."""
    shown = page.run(
        "(() => { const { sums, tasks } = timeline, said = {};"
        "const row = (...n) => Float64Array.of(...n);"
        "const c = new Proxy({}, { get: () => () => 0, set: () => true });"
        "timeline.sums = { ...sums, pool: row(0.1, 4.000000000000001), ready: row(343, 0),"
        "begun: tasks.kinds.map((_, k) => row(k === 0 ? 3 : 0, k === 2 ? 2 : 0)) };"
        "timeline.areas({ c, x: (t) => t, ink: () => '', across: 9,"
        "looks: tasks.kinds.map(() => ['']),"
        "field: (y, high, name, top) => { said[name] = top; } });"
        "timeline.sums = sums; return said; })()"
    )
    assert {name: shown[name] for name in ("sparks ready", "started", "pool")} == {
        "sparks ready": "0 to 343", "started": "0 to 3", "pool": "0 to 4",
    }  # fmt: skip


def test_averages_have_two_digits_or_all_of_their_whole_number(page: Page) -> None:
    shown = page.run("[0.034, 1.26, 9.4, 12.3, 345.6, 12345].map(average)")
    assert shown == ["0.034", "1.3", "9.4", "12", "346", "12,345"]


def test_times_are_written_as_in_python_and_a_record_says_when_it_ran(
    page: Page, result: Result
) -> None:
    exact = [0, 1, 12, 999, 1000, 12_345, 999_499, 999_501, 1_234_567, 50_000_000, 999_600_000,
             1_500_000_000, 120_000_000_000]  # fmt: skip
    assert page.run(f"{exact}.map(duration)") == [seconds(x / 1e9) for x in exact]
    last = page.run("data.start.map((_, i) => timeline.tasks.told(i).split('\\n').at(-1))")
    for bar, line in zip(utilisation(result).bars, last, strict=True):
        waited = [bar.start - bar.ready] if bar.start - bar.ready > 1e-9 else []
        assert ("after it was ready" in line) == bool(waited)
        shown = [seconds_in(text) for text in re.findall(r"\d[\d.]*(?: [mµn]?s)?", line)]
        exact = [bar.record.seconds, bar.record.cpu, bar.start, *waited]
        assert shown == pytest.approx(exact, rel=6e-3, abs=1e-9)


def test_zooming_keeps_the_point_under_the_pointer(page: Page) -> None:
    page.run("(timeline.fit(), 0)")
    page.run("document.querySelector('#timeline-figure [data-do=in]').click()")
    assert page.run("timeline.to - timeline.from") == pytest.approx(page.run("timeline.end / 1.5"))
    page.run("(timeline.pan(1e9), 0)")
    assert page.run("timeline.from") == 0
    page.run("document.querySelector('#timeline-figure [data-do=fit]').click()")
    assert page.run("[timeline.from, timeline.to]") == page.run("[0, timeline.end]")
    for share in (0.3, 0.8):
        x = f"LEFT + {share} * timeline.across"
        before = page.run(f"timeline.time({x})")
        page.run(f"(timeline.zoom(3, {x}), 0)")
        assert page.run(f"timeline.time({x})") == pytest.approx(before)
    low, high, end = page.run("[timeline.from, timeline.to, timeline.end]")
    assert 0 < low < high < end
    assert high - low == pytest.approx(end / 9)
    pressed(page, "ArrowLeft")  # shows what was before
    step = page.run("60 / timeline.across") * (high - low)
    assert page.run("[timeline.from, timeline.to]") == pytest.approx([low - step, high - step])
    pressed(page, "ArrowRight")
    pressed(page, "-")
    assert page.run("timeline.to - timeline.from") == pytest.approx(end / 6)
    page.run("(timeline.zoom(1e9, LEFT + 9), 0)")
    assert page.run("timeline.to - timeline.from") == pytest.approx(1000)
    for number in (0, page.run("timeline.tasks.count - 1")):
        page.run(f"(timeline.tell({number}), 0)")
        start, low, high = page.run(f"[data.start[{number}], timeline.from, timeline.to]")
        assert low <= start <= high, "the start of the task is in view"
    assert (low > 0, "In view" in told_totals(page)) == (True, True)
    page.run("(timeline.fit(), timeline.zoom(2, LEFT), 0)")
    assert page.run("timeline.from") == 0
    assert told_totals(page).startswith("In view, 0 to ")
    page.run("(timeline.fit(), 0)")
    assert told_totals(page).startswith("The whole run, 0 to ")
    pairs = page.run("""(() => {
        const svg = document.querySelector("#graph svg"), view = views.get("graph-figure");
        const at = (x, y) => { const b = svg.viewBox.baseVal;
            const s = Math.max(b.width / svg.clientWidth, b.height / svg.clientHeight);
            return [b.x + x * s, b.y + y * s, b.width]; };
        const before = at(120, 90);
        view.zoom(2, 120, 90);
        const after = at(120, 90);
        view.fit();
        return [before, after]; })()""")
    assert pairs[1] == pytest.approx([*pairs[0][:2], pairs[0][2] / 2])


def told_totals(page: Page) -> str:
    """Return the line above the totals, after it has been written again."""
    summed(page)
    return str(page.run("document.querySelector('#totals output').textContent"))


def test_the_totals_say_the_share_of_the_workers_time(page: Page, result: Result) -> None:
    found = utilisation(result)
    page.run("(timeline.fit(), 0)")
    share = 100 * (found.searching + found.folding) / found.total
    said = int(re.findall(r"\((\d+)% of the workers' time\)", told_totals(page))[0])
    assert said == pytest.approx(share, abs=0.6)
    names = naming(result)
    page.run("(() => { const s = document.querySelector('#overview-figure select');"
             "s.value = 'nodes'; s.dispatchEvent(new Event('change')); })()")  # fmt: skip
    rows = page.run(
        "[...document.querySelectorAll('#branches tbody tr')].map((row) =>"
        "[...row.cells].map((cell) => cell.textContent.replaceAll(',', '')))"
    )
    head = page.run(
        "[...document.querySelectorAll('#branches th[scope=col]')].map((h) => h.textContent)"
    )
    assert len(rows) == 9
    for name, every, *each in rows:
        below = [x for x in found.bars if place_of(x) and way(x, names).split()[0] == name]
        assert int(every) == sum(x.record.nodes for x in below)
        for kind, n in zip(head[2:], each, strict=True):
            assert int(n) == sum(x.record.nodes for x in below if x.kind == kind)
    page.run("(() => { const s = document.querySelector('#overview-figure select');"
             "s.value = 'tasks'; s.dispatchEvent(new Event('change')); })()")  # fmt: skip


def test_the_bar_under_a_point_and_its_mark_in_the_graph(page: Page, result: Result) -> None:
    bars = utilisation(result).bars
    searched = [i for i, bar in enumerate(bars) if bar.record.role in ("spark", "step")]
    longest = sorted(searched, key=lambda i: -bars[i].record.seconds)[:5]
    for i in longest:
        page.run(f"(timeline.from = data.start[{i}], timeline.to = timeline.from + data.took[{i}],"
                 "timeline.draw(), 0)")  # fmt: skip
        middle = f"LEFT + timeline.across / 2, timeline.y({i}) - 3"
        assert page.run(f"timeline.at({middle})") == i
        page.run(f"(timeline.pin({i}), 0)")
        tip = page.run("document.querySelector('#graph .lit').dataset.tip")
        assert f"{bars[i].record.nodes:,} nodes" in tip
        page.run(f"(timeline.pin({i}), 0)")
    page.run("(timeline.fit(), 0)")
    lanes = "timeline.LANES + 40], [LEFT + 50, timeline.LANES + 5"
    box = page.run(f"(timeline.box([LEFT + 90, {lanes}], false), timeline.chosen)")
    assert (box["top"], box["bottom"]) == (0, 1)
    assert 0 < box["from"] < box["to"]
    pressed(page, "Escape")
