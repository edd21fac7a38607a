"""The notebooks of the documentation: every cell runs, and shows what a person can look at."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

DOCS = Path(__file__).parents[1] / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def executed() -> ModuleType:
    """What the site executes them by."""
    sys.path.append(str(DOCS))
    try:
        import executed

        return executed
    finally:
        sys.path.remove(str(DOCS))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs_and_shows_something_well_formed(path: Path, executed: ModuleType) -> None:
    book = json.loads(path.read_text(encoding="utf-8"))
    assert book["nbformat"] == 4
    assert all(cell.get("outputs", []) == [] for cell in book["cells"]), "kept without outputs"
    cards = 0
    for cell in executed.executed(path)["cells"]:
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                ElementTree.fromstring(f"<div>{output['data']['text/html']}</div>")
                cards += 1
    assert cards >= 3


def test_there_are_notebooks_and_the_site_shows_each() -> None:
    shown = {f"executed/{path.stem}" for path in NOTEBOOKS}
    assert {path.stem for path in NOTEBOOKS} == {"first-search", "own-strategy", "study"}
    assert shown <= set((DOCS / "gallery.md").read_text(encoding="utf-8").split())
