"""The pictures and reports that ``jamboree search`` writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from strategies.cli.group import jamboree

SEARCH = ["search", "handout_small", "--algorithm", "alphabeta(2)", "--engine", "interpreted",
          "--using", "par_list.to_ply(1)"]  # fmt: skip


def test_graph_timeline_and_report_are_written_and_named(tmp_path: Path) -> None:
    graph, timeline, page = (tmp_path / name for name in ("g.svg", "t.svg", "r.html"))
    files = ["--graph", str(graph), "--timeline", str(timeline), "--report", str(page)]
    run = CliRunner().invoke(jamboree, [*SEARCH, *files])
    assert run.exit_code == 0, run.output
    assert "3 sparks" in graph.read_text(encoding="utf-8")
    assert "worker 1" in timeline.read_text(encoding="utf-8")
    assert "<canvas" in page.read_text(encoding="utf-8")
    for file in (graph, timeline, page):
        assert f" is in {file}." in run.output


def test_png_without_its_package_is_refused_before_the_search_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strategies.cli.options.find_spec", lambda name: None)
    run = CliRunner().invoke(jamboree, [*SEARCH, "--graph", str(tmp_path / "g.png")])
    assert run.exit_code == 2
    assert "pip install resvg-py" in run.output
    assert not list(tmp_path.iterdir())


def test_an_unknown_suffix_of_a_picture_is_refused(tmp_path: Path) -> None:
    run = CliRunner().invoke(jamboree, [*SEARCH, "--timeline", str(tmp_path / "t.pdf")])
    assert run.exit_code == 2
    assert ".svg or .png" in run.output


def test_json_has_the_diagnosis() -> None:
    run = CliRunner().invoke(jamboree, [*SEARCH, "--json"])
    assert json.loads(run.stdout)["diagnosis"] == []
