"""The site with versions: their list, the link to the newest, and the switch between them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.browser import Browser

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (
    '<!doctype html><html lang="en" data-content_root="{root}"><title>{title}</title>'
    '<a class="sidebar-brand">Jamboree</a><script src="{root}_static/versions.js"></script>'
)


@pytest.fixture(scope="module")
def versions() -> ModuleType:
    sys.path.append(str(DOCS))
    try:
        return importlib.import_module("versions")
    finally:
        sys.path.remove(str(DOCS))


def hosted(folder: Path, pages: dict[str, list[str]]) -> Path:
    """Return a folder of sites, with the files that the switch between versions reads."""
    switch = (DOCS / "_static" / "versions.js").read_text(encoding="utf-8")
    for version, names in pages.items():
        (folder / version / "_static").mkdir(parents=True)
        (folder / version / "_static" / "versions.js").write_text(switch, encoding="utf-8")
        for name in names:
            page = folder / version / name
            page.parent.mkdir(exist_ok=True)
            page.write_text(PAGE.format(root="../" * name.count("/") or "./", title=version))
    return folder


def test_the_newest_release_comes_first(versions: ModuleType, tmp_path: Path) -> None:
    names = ["0.9", "next", "1.0rc1", "0.10", "0.2.1"]
    hosted(tmp_path, {name: ["index.html"] for name in names})
    (tmp_path / "empty").mkdir()
    assert versions.built(tmp_path) == ["0.10", "0.9", "0.2.1", "1.0rc1", "next"]
    versions.write_list(tmp_path)
    assert "url=0.10/index.html" in (tmp_path / "index.html").read_text()


def test_a_version_that_cannot_be_built_leaves_the_others(
    versions: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosted(tmp_path, {"1.0": ["index.html"]})
    monkeypatch.setattr(versions, "HERE", tmp_path / "no-sources")
    with pytest.raises(versions.subprocess.CalledProcessError):
        versions.build(tmp_path, "1.0")
    assert [path.name for path in tmp_path.iterdir()] == ["1.0"]
    assert (tmp_path / "1.0" / "index.html").exists()


def test_the_switch_leads_to_the_same_page_of_another_version(
    versions: ModuleType, tmp_path: Path, browser: Browser
) -> None:
    both, first = ["index.html", "api/search.html"], ["old.html"]
    versions.write_list(hosted(tmp_path, {"1.0": both + first, "2.0": both}))
    chosen = "document.querySelector('.versions select')"

    def change(version: str) -> str:
        page.events.clear()
        page.run(f"({chosen}.value = '{version}', {chosen}.dispatchEvent(new Event('change')), 0)")
        while not page.events_of("Page.loadEventFired"):
            page.browser.read()
        return str(page.run("location.href")).removeprefix(tmp_path.as_uri())

    with browser.page() as page:
        page.open(tmp_path / "2.0" / "api" / "search.html")
        assert page.run(f"[...{chosen}.options].map((one) => one.text)") == ["2.0", "1.0"]
        assert page.run(f"{chosen}.value") == "2.0"
        assert change("1.0") == "/1.0/api/search.html"
        page.open(tmp_path / "1.0" / "old.html")
        assert change("2.0") == "/2.0/index.html", "2.0 lacks the page"
        requested = {
            event["request"]["url"] for event in page.events_of("Network.requestWillBeSent")
        }
        assert all(url.startswith(tmp_path.as_uri()) for url in requested)
