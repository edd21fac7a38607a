"""axe-core finds nothing serious on reports and on the site, in either theme, at any width."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from games import HANDOUT_SMALL, ConnectFour, TicTacToe
from strategies import alphabeta, jamboree, learn, mcts, par_list, pvs, search, study, tournament
from tests.browser import Browser, Page

AXE = find_spec("axe_playwright_python")
pytestmark = pytest.mark.skipif(
    AXE is None, reason="NO AXE: pip install --no-deps --group accessibility"
)
WIDTHS = (400, 1200)
SITE = Path(os.environ.get("JAMBOREE_SITE", "missing"))
"""Where the pages were built, if they were."""
PAGES = (
    "index", "tournaments", "gallery", "search", "api/graphs", "api/graphs.Seq-class",
    "_modules/graphs/errors", "executed/first-search",
)  # fmt: skip
"""One page of the site of each kind, a short one."""
SMALL = ConnectFour(5, 4)


def a_search(path: Path) -> None:
    answer = search(HANDOUT_SMALL, alphabeta(2), using=jamboree(0.5), engine="interpreted")
    answer.compute(num_workers=2).report(path)


def a_search_that_deepens(path: Path) -> None:
    answer = search(TicTacToe(), pvs(4), using=jamboree(0.5).to_size(300), time=60)
    answer.compute(num_workers=2).report(path, sequential=False)


def a_monte_carlo_search(path: Path) -> None:
    answer = search(TicTacToe(), mcts(120, trees=3), using=par_list, engine="interpreted")
    answer.compute(num_workers=2).report(path)


def a_tournament(path: Path) -> None:
    tournament(SMALL, ["alphabeta(depth=1)", "random(seed=4)"], rounds=2).report(path)


def what_was_learned(path: Path) -> None:
    learn(SMALL, games=10, engine="interpreted").report(path)


def a_study(path: Path) -> None:
    found = study(HANDOUT_SMALL, alphabeta(2), [jamboree(0.5)], workers=[1, 2], repeat=3,
                  engine="interpreted")  # fmt: skip
    found.report(path)


REPORTS = (
    a_search,
    a_search_that_deepens,
    a_monte_carlo_search,
    a_tournament,
    what_was_learned,
    a_study,
)


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page in which axe-core looks at what is opened."""
    assert AXE is not None
    assert AXE.origin is not None
    source = Path(AXE.origin).with_name("axe.min.js").read_text(encoding="utf-8")
    with browser.page() as page:
        page.send("Page.addScriptToEvaluateOnNewDocument", source=source)
        yield page


def findings(page: Page, **options: Any) -> list[str]:
    """What axe-core finds serious or worse on the page as it is shown."""
    page.frame()
    options["resultTypes"] = ["violations"]
    return page.run(
        f"axe.run(document, {json.dumps(options)}).then((found) => found.violations"
        ".filter((rule) => ['serious', 'critical'].includes(rule.impact))"
        ".flatMap((rule) => rule.nodes.map((node) => rule.id + ': ' + node.html.slice(0, 200))))"
    )


def everywhere(page: Page, path: Path) -> dict[tuple[int, str], list[str]]:
    """The findings by width and theme, where there are any; of a theme, only its colours differ."""
    found = {}
    for width in WIDTHS:
        page.sized(width)
        page.prefers("light")
        page.open(path)
        found[width, "light"] = findings(page)
        page.prefers("dark")
        found[width, "dark"] = findings(page, runOnly=["color-contrast"])
    return {where: told for where, told in found.items() if told}


@pytest.mark.parametrize("make", REPORTS, ids=lambda make: make.__name__)
def test_reports(page: Page, make: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    make(path)
    assert everywhere(page, path) == {}


@pytest.mark.skipif(not SITE.exists(), reason="NO SITE: JAMBOREE_SITE says where it was built")
@pytest.mark.parametrize("name", PAGES)
def test_the_site(page: Page, name: str) -> None:
    assert everywhere(page, SITE / f"{name}.html") == {}


def test_a_fault_is_found(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "pale.html"
    path.write_text(
        "<!doctype html><html lang=en><title>Pale</title>"
        "<style>@media (prefers-color-scheme: dark) {p {color: #ddd}}</style><p>Pale words.</p>"
    )
    found = everywhere(page, path)
    assert set(found) == {(width, "dark") for width in WIDTHS}
    assert all(told == ["color-contrast: <p>Pale words.</p>"] for told in found.values())
