"""Pictures as files: SVG, PNG, and Dask's own options."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from games import HANDOUT_SMALL, ConnectFour
from strategies import alphabeta, jamboree, par_list, search
from strategies.insight.pictures import task_graph
from strategies.insight.pictures.picture import plain
from strategies.insight.pictures.task_graph import draw_plan
from strategies.searches.search import Search

PNG = b"\x89PNG\r\n\x1a\n"
PROGRAM = """
from games import HANDOUT_SMALL, ConnectFour
from strategies import alphabeta, jamboree, search
from strategies.insight.pictures import draw_plan
answer = search(ConnectFour(), alphabeta(depth=4), using=jamboree(0.5).to_ply(3))
for most in (3, 60, 400):
    print(draw_plan(answer, most=most).svg)
print(draw_plan(search(HANDOUT_SMALL, alphabeta(2), using=jamboree(0.5).everywhere)).svg)
"""


def small() -> Search:
    return search(HANDOUT_SMALL, alphabeta(depth=2), using=jamboree(0.5).everywhere)


def test_a_picture_does_not_depend_on_the_hash_seed() -> None:
    """Another process has another seed than this one."""
    home = str(Path(__file__).parents[4])
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={"PYTHONHASHSEED": "1", "PYTHONPATH": home},
        capture_output=True, check=True, text=True, encoding="utf-8",
    ).stdout  # fmt: skip
    answer = search(ConnectFour(), alphabeta(depth=4), using=jamboree(0.5).to_ply(3))
    drawn = [draw_plan(answer, most=most).svg for most in (3, 60, 400)]  # folded
    drawn.append(draw_plan(small()).svg)
    assert told == "".join(f"{svg}\n" for svg in drawn)
    assert len(set(drawn)) == 4


def test_png(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="PNG needs the extra 'png'")
    picture = small().visualize(tmp_path / "graph.png")
    assert (tmp_path / "graph.png").read_bytes().startswith(PNG)
    assert picture.png(scale=1.0).startswith(PNG)
    assert len(picture.png(scale=3.0)) > len(picture.png(scale=1.0))


def test_png_without_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError, match="pip install resvg-py"):
        small().visualize(tmp_path / "graph.png")
    assert not list(tmp_path.iterdir())


def test_saved_pictures_have_no_css_variables() -> None:
    svg = plain(draw_plan(small()).svg)
    assert "var(" not in svg
    assert "@media" not in svg
    assert ".jam .spark .shape{fill:#ffc75a;stroke:#b97500}" in svg


def test_the_options_of_dask(tmp_path: Path) -> None:
    answer = small()
    svg = draw_plan(answer).svg
    for name, options in (("a.svg", {}), ("b", {"format": "svg"}), ("c.d", {"format": "svg"})):
        answer.visualize(filename=str(tmp_path / name), optimize_graph=True, **options)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.svg", "b.svg", "c.d.svg"]
    assert {p.read_text(encoding="utf-8") for p in tmp_path.iterdir()} == {svg}
    assert answer.visualize(filename=None).svg == svg
    assert len(list(tmp_path.iterdir())) == 3


def test_other_formats_than_svg_and_png_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.svg or \.png"):
        draw_plan(small()).write(tmp_path / "graph.jpg")


def test_no_picture_has_more_marks_than_a_browser_can_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_graph, "PICTURE_MARKS", 1_000)
    answer = search(ConnectFour(6, 4), alphabeta(depth=4), using=par_list.to_ply(4))
    assert len(answer.tasks()) > 1_000
    for most in (None, 1_001, 100_000):
        assert '<g class="mark ' not in draw_plan(answer, most=most).svg, "a synopsis"
    svg = draw_plan(answer, most=400).svg
    assert svg.count('<g class="mark ') <= 400
    assert "+" in svg
