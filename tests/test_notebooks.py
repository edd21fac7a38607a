"""The notebooks of the documentation: every cell runs, and shows what a person can look at."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))


def run(code: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does: the value of its last line, if that is an expression."""
    parts = ast.parse(code)
    last = parts.body.pop() if parts.body and isinstance(parts.body[-1], ast.Expr) else None
    exec(compile(parts, "cell", "exec"), names)
    if last is None:
        return None
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs_and_shows_something_well_formed(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    book = json.loads(path.read_text(encoding="utf-8"))
    assert book["nbformat"] == 4
    names: dict[str, Any] = {"__name__": "__main__"}
    cards = 0
    for cell in book["cells"]:
        if cell["cell_type"] == "markdown":
            continue
        assert cell["outputs"] == [], "kept without what it shows"
        shown = run("".join(cell["source"]), names)
        if hasattr(shown, "_repr_html_"):
            ElementTree.fromstring(f"<div>{shown._repr_html_()}</div>")
            cards += 1
    assert cards >= 3


def test_there_are_notebooks() -> None:
    assert {path.stem for path in NOTEBOOKS} == {"first-search", "own-strategy", "study"}
