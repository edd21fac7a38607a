"""Plots with Matplotlib show the numbers of the pictures, in the axes passed to them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner

from games import TicTacToe
from graphs.errors import ArgumentError
from strategies import tournament
from strategies.cli.study_command import command as study_command
from strategies.players.learning.curves import Point
from strategies.players.learning.result import Learned
from strategies.players.tournaments.elo import Interval
from tests.strategies.small_study import studied

pyplot = pytest.importorskip("matplotlib.pyplot")


CURVE = (
    Point(1, 9, 0.1, 1.0, 0.5),
    Point(10, 90, 1.0, 3.0, 0.25).measured("result", Interval(3.0, 2.5, 3.5)),
)


@pytest.fixture
def ax() -> Iterator[Any]:
    pyplot.switch_backend("agg")
    yield pyplot.subplots()[1]
    pyplot.close("all")


def lines(ax: Any) -> dict[str, tuple[list[float], list[float]]]:
    """Return the labelled lines of a plot."""
    return {
        line.get_label(): (list(line.get_xdata()), list(line.get_ydata()))
        for line in ax.get_lines()
        if not line.get_label().startswith("_")
    }


@pytest.mark.parametrize("what", ["time", "speedup"])
def test_a_study_shows_its_rows_against_seq(ax: Any, what: str) -> None:
    assert studied().plot(what, ax=ax) is ax
    seq, *rows = studied().rows
    found = lines(ax)
    wanted = [r.seconds if what == "time" else seq.seconds / r.seconds for r in rows]
    assert found["jamboree(0.5).everywhere"] == ([1, 2], pytest.approx(wanted))
    level = seq.seconds if what == "time" else 1.0
    assert found["seq"][1] == pytest.approx([level, level])
    assert ("ideal" in found) == (what == "speedup")
    assert len(ax.containers) == len(rows), "each point has its interval"


@pytest.mark.parametrize("by", ["plies", "leaves"])
def test_a_study_has_plies_or_leaves_across(ax: Any, by: str) -> None:
    first, row, _ = studied().rows
    name = "par_list.to_ply({})"
    rows = [
        evolve(row, strategy=name.format(n), template=name.format(n), leaves=100**n)
        for n in (3, 1, 2)
    ]
    evolve(studied(), rows=(first, *rows)).plot(ax=ax, by=by)
    found = lines(ax)
    across = [1, 2, 3] if by == "plies" else [100, 100**2, 100**3]
    assert found["par_list.to_ply(n)"][0] == across
    assert "ideal" not in found
    assert ax.get_xscale() == ("linear" if by == "plies" else "log")


def test_an_empty_study_cannot_be_plotted(ax: Any) -> None:
    with pytest.raises(ArgumentError, match="draws time or speedup, not 'span'"):
        studied().plot("span", ax)
    with pytest.raises(ArgumentError, match="nothing to draw"):
        evolve(studied(), rows=()).plot(ax=ax)
    with pytest.raises(ArgumentError, match="ax must be axes of Matplotlib"):
        studied().plot(ax="speedup")  # type: ignore[arg-type]


def test_a_learning_curve_is_plotted_over_games_or_time(ax: Any) -> None:
    learned = Learned(TicTacToe(), None, None, 10, 90, 1.0, CURVE)  # type: ignore[arg-type]
    learned.plot(ax=ax)
    assert lines(ax) == {"Maxie's mean result": ([1, 10], [1.0, 3.0])}
    (bars,) = ax.containers
    ends = [tuple(y for _, y in segment) for segment in bars[2][0].get_segments()]
    assert ends == [(1.0, 1.0), (2.5, 3.5)], "an interval for the point that has one"
    found = lines(learned.plot("error", "seconds"))
    assert found == {"mean error of a value": ([0.1, 1.0], [0.5, 0.25])}
    with pytest.raises(ArgumentError, match="what must be one of result, error, not 'strength'"):
        learned.plot("strength")
    with pytest.raises(ArgumentError, match="over must be games or seconds, not 'moves'"):
        learned.plot("result", "moves")


def test_ratings_are_sorted_and_have_intervals(ax: Any, tmp_path: Path) -> None:
    found = tournament(TicTacToe(), ["alphabeta(depth=2)", "random(seed=1)"], rounds=1, plies=1)
    found.plot(ax)
    best = found.standings[0]
    assert [text.get_text() for text in ax.get_yticklabels()] == [s.player for s in found.standings]
    (bars,) = ax.containers[0].lines[2]
    low, high = bars.get_segments()[0]
    assert (low[0], high[0]) == pytest.approx((best.elo.low, best.elo.high))
    ax.figure.savefig(tmp_path / "elo.pdf")
    assert (tmp_path / "elo.pdf").read_bytes().startswith(b"%PDF")


def test_the_error_without_matplotlib_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        studied().plot()


def test_the_command_line_writes_a_pdf(tmp_path: Path) -> None:
    file = tmp_path / "study.pdf"
    words = [
        "handout_small",
        "--algorithm",
        "alphabeta(2)",
        "--using",
        "par_list",
        "--workers",
        "1",
        "--repeat",
        "1",
    ]
    CliRunner().invoke(study_command, [*words, "--plot", str(file)], catch_exceptions=False)
    assert file.read_bytes().startswith(b"%PDF")
