"""Progress bars in a notebook and at a terminal for each kind of long work."""

from __future__ import annotations

import io
import re
import sys
from types import ModuleType, SimpleNamespace
from xml.etree import ElementTree

import click
import pytest

from games import HANDOUT_SMALL, TicTacToe
from strategies import alphabeta, mcts, progress_bar, search, study, tournament


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of outputs that a notebook displays, each replacing the previous one."""
    told: list[str] = []
    shell, screen = ModuleType("IPython"), ModuleType("IPython.display")
    shell.get_ipython = lambda: SimpleNamespace(kernel=None)  # type: ignore[attr-defined]
    screen.HTML = str  # type: ignore[attr-defined]
    screen.display = (  # type: ignore[attr-defined]
        lambda text, display_id: SimpleNamespace(update=told.append)
    )
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", screen)
    return told


def ends(bars: list[str]) -> tuple[str, str]:
    """Return the progress of the last bar."""
    (bar,) = ElementTree.fromstring(f"<p>{bars[-1]}</p>").iter("progress")
    return bar.attrib["value"], bar.attrib["max"]


def test_a_study_and_a_tournament_fill_their_bars(shown: list[str]) -> None:
    study(HANDOUT_SMALL, alphabeta(2), ["par_list"], workers=[1], repeat=2, engine="interpreted",
          progress=progress_bar())  # fmt: skip
    assert ends(shown) == ("4", "4")
    players = ["random", "alphabeta(depth=1)"]
    tournament(TicTacToe(), players, rounds=2, progress=progress_bar())
    assert ends(shown) == ("4", "4")
    assert shown[-1].endswith(" 4 of 4")


def test_work_of_unknown_length_shows_what_is_done(shown: list[str]) -> None:
    progress_bar()("a <goal>\nand more")
    progress_bar()(12345)
    assert shown == ["a &lt;goal&gt;", "12,345"]
    search(TicTacToe(), mcts(60), engine="interpreted").compute(progress=progress_bar())


def test_at_a_terminal_one_line_is_redrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    screen.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen)
    bar = progress_bar()
    bar(None, 1, 2)
    bar(None, 2, 2)
    first, *_, last = click.unstyle(screen.getvalue()).split("\r")
    assert "1 of 2" in first
    assert re.fullmatch(r"━+ 0:00:00 0:00:00 left 2 of 2 *\n", last)
    progress_bar()("a long text")
    assert "a long text" in screen.getvalue()


def test_elsewhere_nothing_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    progress_bar()(None, 1, 2)
    assert capsys.readouterr() == ("", "")
