"""axe-core finds nothing serious in reports and on the site, in both themes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Browser, Page
from tests.pages import PAGES, REPORTS, SITE, needs_site

AXE = find_spec("axe_playwright_python")
pytestmark = pytest.mark.skipif(
    AXE is None, reason="NO AXE: pip install --no-deps --group accessibility"
)
WIDTHS = (400, 1200)
ALIKE = ".genindextable li:nth-child(n + 4)"
"""The lines of an index that are like those above them: axe-core would take a minute for them."""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """Yield a browser page that loads axe-core with each document."""
    assert AXE is not None
    assert AXE.origin is not None
    source = Path(AXE.origin).with_name("axe.min.js").read_text(encoding="utf-8")
    with browser.page() as page:
        page.send("Page.addScriptToEvaluateOnNewDocument", source=source)
        yield page


def findings(page: Page, **options: Any) -> list[str]:
    """Return the findings of axe-core on the current document that are serious or critical."""
    page.frame()
    options["resultTypes"] = ["violations"]
    where = {"exclude": [ALIKE]}
    return page.run(
        f"axe.run({json.dumps(where)}, {json.dumps(options)}).then((found) => found.violations"
        ".filter((rule) => ['serious', 'critical'].includes(rule.impact))"
        ".flatMap((rule) => rule.nodes.map((node) => rule.id + ': ' + node.html.slice(0, 200))))"
    )


def everywhere(page: Page, path: Path) -> dict[tuple[int, str], list[str]]:
    """Return the findings by width and theme; the second theme is checked for its colours only, at
    the last width."""
    found = {}
    page.prefers("light")
    for width in WIDTHS:
        page.sized(width)
        page.open(path)
        found[width, "light"] = findings(page)
    page.prefers("dark")
    found[width, "dark"] = findings(page, runOnly=["color-contrast"])
    return {where: lines for where, lines in found.items() if lines}


@pytest.mark.parametrize("name", REPORTS)
def test_reports(page: Page, reports: Callable[[str], Path], name: str) -> None:
    assert everywhere(page, reports(name)) == {}


@needs_site
@pytest.mark.parametrize("name", PAGES)
def test_the_site(page: Page, name: str) -> None:
    assert everywhere(page, SITE / f"{name}.html") == {}


def test_a_fault_is_found(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "pale.html"
    path.write_text(
        "<!doctype html><html lang=en><title>Pale</title>"
        "<style>@media (prefers-color-scheme: dark) {p {color: #ddd}}</style><p>Pale words.</p>"
    )
    pale = ["color-contrast: <p>Pale words.</p>"]
    assert everywhere(page, path) == {(WIDTHS[-1], "dark"): pale}
