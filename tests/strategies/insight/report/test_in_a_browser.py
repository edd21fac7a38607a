"""The report in a real browser: it works, asks for nothing, and shows what was counted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from games import TicTacToe
from strategies import Result, alphabeta, jamboree, search
from strategies.insight.report.page import write_report

sys.path.append(str(Path(__file__).parent))
from browser import Page, browsing, found

pytestmark = pytest.mark.skipif(
    found() is None, reason="no browser here: install chromium to see reports tested in one"
)


@pytest.fixture(scope="module")
def result() -> Result:
    answer = search(TicTacToe(), alphabeta(depth=4), using=jamboree(0.5).to_ply(2),
                    engine="interpreted")  # fmt: skip
    return answer.compute(num_workers=2)


@pytest.fixture(scope="module")
def page(result: Result, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("browser")
    path = write_report(result, folder / "report.html")
    with browsing(folder / "profile") as page:
        page.open(path)
        yield page


def test_it_loads_without_an_error_and_asks_for_nothing(page: Page) -> None:
    assert page.told("Runtime.exceptionThrown", "Log.entryAdded") == []
    asked = [e["request"]["url"] for e in page.told("Network.requestWillBeSent")]
    assert len(asked) == 1
    assert asked[0].startswith("file:")


def test_it_shows_as_many_bars_as_were_counted(page: Page, result: Result) -> None:
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


def test_hovering_a_bar_shows_its_record(page: Page, result: Result) -> None:
    record = max((r for r in result.records if r.role == "spark"), key=lambda r: r.nodes)
    find = f"data.nodes.findIndex((n, i) => n === {record.nodes} && data.kind[i] === 0)"
    page.run(f"(timeline.fit(), timeline.i = {find}, timeline.canvas.scrollIntoView())")
    page.run(  # near enough that its neighbours are not under the pointer
        "(timeline.from = data.start[timeline.i], timeline.to = timeline.from"
        "+ Math.max(data.took[timeline.i], 1000), timeline.draw(), 0)"
    )
    page.frame()
    x, y = page.run(
        "(() => { const b = timeline.canvas.getBoundingClientRect(), i = timeline.i;"
        "return [b.left + timeline.x(data.start[i] + data.took[i] / 2),"
        "b.top + timeline.TOP + timeline.LANE * (data.lane[i] + 0.4)]; })()"
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


def test_it_zooms_and_pans(page: Page) -> None:
    page.run("(timeline.fit(), 0)")
    page.run("document.querySelector('#timeline-figure [data-do=in]').click()")
    assert page.run("timeline.to - timeline.from") == pytest.approx(page.run("timeline.end / 1.5"))
    page.run("(timeline.pan(1e9), 0)")
    assert page.run("timeline.from") == 0
    page.run("document.querySelector('#timeline-figure [data-do=fit]').click()")
    assert page.run("[timeline.from, timeline.to]") == page.run("[0, timeline.end]")
    box = page.run("document.querySelector('#graph svg').getAttribute('viewBox')")
    page.run("document.querySelector('#graph [data-do=in]').click()")
    assert page.run("document.querySelector('#graph svg').getAttribute('viewBox')") != box


def test_no_script_but_its_own_runs(page: Page) -> None:
    page.run(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.hurt = 1';"
        "document.body.append(s); })()"
    )
    assert page.run("typeof window.hurt") == "undefined"


def colours(page: Page) -> list[str]:
    """Those of the page and of a picture in it."""
    paper = "getComputedStyle(document.querySelector('svg.jam')).getPropertyValue('--paper')"
    return [page.run("getComputedStyle(document.body).backgroundColor"), page.run(paper)]


def test_a_person_chooses_between_light_and_dark_and_it_is_kept(page: Page) -> None:
    page.send("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": "light"}])  # fmt: skip
    light = colours(page)
    page.run("document.getElementById('theme').click()")
    dark = colours(page)
    assert all(one != other for one, other in zip(light, dark, strict=True))
    assert page.run("localStorage.getItem('jamboree-theme')") == "dark"
    page.send("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": "dark"}])  # fmt: skip
    assert colours(page) == dark
    page.run("document.getElementById('theme').click()")
    assert colours(page) == light, "a light page on a dark desktop"


@pytest.mark.parametrize("width", [400, 1200, 2560])
def test_it_is_read_at_any_width(page: Page, width: int) -> None:
    page.send("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
              mobile=False)  # fmt: skip
    assert page.run("document.documentElement.scrollWidth") <= width
    least = page.run(
        "Math.min(...[...document.querySelectorAll('.still svg')].flatMap((svg) =>"
        "[...svg.querySelectorAll('text')].map((text) => svg.clientWidth"
        " / svg.viewBox.baseVal.width * parseFloat(getComputedStyle(text).fontSize))))"
    )
    assert least >= 8, "the least text of a picture, in pixels"
    assert page.run("document.querySelector('.pair pre:last-child').clientWidth") >= 300
    page.send("Emulation.clearDeviceMetricsOverride")


def test_keys_go_from_task_to_task(page: Page) -> None:
    page.run("document.querySelector('canvas').focus()")
    told = []
    for key in "nnp":
        page.run(
            "document.querySelector('canvas').dispatchEvent("
            f"new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))"
        )
        told.append(page.run("tip.hidden ? '' : tip.textContent"))
    assert told[0] == told[2] != told[1]
    assert all(told)
