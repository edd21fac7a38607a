"""Each page at three widths and in two themes: nothing overflows, overlaps or is cut off.

The tests compare positions of elements, not pixels, so that they work with any fonts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser import Browser, Page
from tests.pages import PAGES, REPORTS, SITE, needs_site

WIDTHS = (400, 1200, 2560)
FAULTS = """(() => {
    const told = (e) => `${e.tagName} ${e.id || e.textContent.trim().slice(0, 30)}`;
    const shown = (e) => e.checkVisibility({visibilityProperty: true})
        && !e.closest('.steer')  // sticks to the lower edge: the page scrolls under it
        && e.getBoundingClientRect().width > 0;
    const all = (query, under) => [...(under || document).querySelectorAll(query)].filter(shown);
    const box = (e) => [e, [e.getBoundingClientRect()]];
    const lines = (e) => {  // the boxes of the lines of a text
        const range = document.createRange();
        range.selectNodeContents(e);
        return [e, [...range.getClientRects()]];
    };
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const pairs = (what, found) => found.flatMap(([a, as], i) => found.slice(i + 1)
        .filter(([b, bs]) => !a.contains(b) && !b.contains(a)
            && as.some((one) => bs.some((other) => meet(one, other))))
        .map(([b]) => `${what}: ${told(a)} on ${told(b)}`));
    const broken = (e) => {  // the words of a cell that are on two lines
        const words = [];
        const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) for (const word of walker.currentNode.data.matchAll(/\\w+/g)) {
            const range = document.createRange();
            range.setStart(walker.currentNode, word.index);
            range.setEnd(walker.currentNode, word.index + word[0].length);
            const tops = [...range.getClientRects()].map((box) => Math.round(box.top));
            if (new Set(tops).size > 1) words.push(word[0]);
        }
        return words;
    };
    const wide = document.documentElement.scrollWidth - innerWidth;
    return [
        ...(wide > 0 ? [`sticks out: ${wide} pixels`] : []),
        ...pairs('parts', all('main section').map(box)),
        ...pairs('words', [...all('button, input, select, summary').map(box),
                           ...all('h1, h2, h3, main p, dt, dd').map(lines)]),
        ...all('svg').flatMap((svg) => pairs('labels', all('text', svg).map(box))),
        ...all('button, summary').filter((e) => e.scrollWidth > e.clientWidth + 1)
            .map((e) => `cut: ${told(e)}`),
        ...all('td, th').flatMap(broken).map((word) => `broken: ${word}`),
    ];
})()"""
LOADED = """Promise.all([...document.images].map((image) => {
    image.loading = 'eager';  // also images below the window
    return image.decode().catch(() => 0);
}))"""
PLACES = """[...document.querySelectorAll('body *:not(#theme, .theme-toggle *)')].map((e) => {
    const b = e.getBoundingClientRect();
    return [e.tagName, b.left, b.top + scrollY, b.width, b.height].join(' ');
})"""
"""The position of every element except the button that shows the theme."""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with browser.page() as page:
        yield page


def faults(page: Page, path: Path) -> dict[object, list[str]]:
    """Return the faults of a page by width and theme, and the differences between the themes."""
    found: dict[object, list[str]] = {}
    for width in WIDTHS:
        page.sized(width)
        places = []
        for theme in ("light", "dark"):
            page.prefers(theme)
            page.open(path)
            page.run(LOADED)
            found[width, theme] = page.run(FAULTS)
            places.append(page.run(PLACES))
        found[width] = [f"{a} but {b}" for a, b in zip(*places, strict=True) if a != b]
    return {where: faulty for where, faulty in found.items() if faulty}


@pytest.mark.parametrize("name", REPORTS)
def test_reports(page: Page, reports: Callable[[str], Path], name: str) -> None:
    assert faults(page, reports(name)) == {}


@needs_site
@pytest.mark.parametrize("name", PAGES)
def test_the_site(page: Page, name: str) -> None:
    assert faults(page, SITE / f"{name}.html") == {}


PLANTED = {
    "sticks out": "<div style='width: 9000px'>wide</div>",
    "parts": "<section id=a>one<section></section></section>"
    "<section style='margin-top: -9px'>other</section>",
    "words": "<p style='margin: -20px 0'>under a button</p><button>on it</button>",
    "labels": "<svg><text y=20>one</text><text y=22>other</text></svg>",
    "cut": "<button style='width: 30px; overflow: hidden'>extraordinarily</button>",
    "broken": "<table><td style='width: 40px; overflow-wrap: anywhere'>extraordinarily</table>",
    "I ": "<style>@media (prefers-color-scheme: dark) {i {font-size: 40px}}</style><i>dark</i>",
}
"""Pages with one fault each, by the first word of the report."""


@pytest.mark.parametrize("fault", PLANTED)
def test_a_fault_is_found(page: Page, tmp_path: Path, fault: str) -> None:
    path = tmp_path / "faulty.html"
    path.write_text(f"<!doctype html><title>Faulty</title><main>{PLANTED[fault]}</main>")
    reported = [line for lines in faults(page, path).values() for line in lines]
    assert any(line.startswith(fault) for line in reported)
    assert fault == "I " or {line.partition(":")[0] for line in reported} == {fault}
