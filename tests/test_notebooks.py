"""The notebooks of the documentation: every cell runs, and its output is well-formed."""

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
    """Return the module that executes the notebooks for the site."""
    sys.path.append(str(DOCS))
    try:
        import executed

        return executed
    finally:
        sys.path.remove(str(DOCS))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs_and_its_output_is_well_formed(path: Path, executed: ModuleType) -> None:
    book = json.loads(path.read_text(encoding="utf-8"))
    assert book["nbformat"] == 4
    assert all(cell.get("outputs", []) == [] for cell in book["cells"]), "no outputs"
    cards = 0
    for cell in executed.executed(path)["cells"]:
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                ElementTree.fromstring(f"<div>{output['data']['text/html']}</div>")
                cards += 1
    assert cards >= 3


def test_there_are_notebooks_and_the_site_shows_each() -> None:
    on_site = {f"executed/{path.stem}" for path in NOTEBOOKS}
    assert {path.stem for path in NOTEBOOKS} == {"first-search", "own-strategy", "study"}
    assert on_site <= set((DOCS / "pictures.md").read_text(encoding="utf-8").split())
