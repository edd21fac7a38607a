"""Progress bars at a terminal: what is drawn, how often, and what is left at the end."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable
from time import monotonic, sleep

import click
import pytest

from strategies.support import bar as drawing
from strategies.support.bar import Bar, clock

GONE = "\x1b[1A\x1b[2K"
"""Move up one line and clear it."""


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], io.StringIO]:
    """Return a function that makes standard error a terminal of 60 columns that records its output.

    The test must call it, because pytest replaces stderr just before a test.
    """
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")

    def screen() -> io.StringIO:
        told = io.StringIO()
        told.isatty = lambda: True  # type: ignore[method-assign]
        monkeypatch.setattr(sys, "stderr", told)
        return told

    return screen


def frames(screen: io.StringIO) -> list[str]:
    """Return the lines that were drawn, each in place of the previous one."""
    return [line.strip() for line in click.unstyle(screen.getvalue()).split("\r") if line.strip()]


def test_a_bar_shows_progress_and_is_erased_at_the_end(
    terminal: Callable[[], io.StringIO],
) -> None:
    screen = terminal()
    with Bar() as bar:
        bar.show("1 of 2 [games]", 1, 2)
        bar.show("2 of 2 [games]", 2, 2)
    first, *_, last = frames(screen)
    assert first.endswith("left 1 of 2 [games]")
    assert "left 2 of 2 [games]" in last
    assert all(len(frame) <= 60 for frame in frames(screen))
    assert screen.getvalue().endswith(GONE)


def test_a_line_that_is_too_long_is_cut(terminal: Callable[[], io.StringIO]) -> None:
    screen = terminal()
    with Bar() as bar:
        bar.show("of " * 40, 1, 2)
    assert all(len(frame) <= 60 for frame in frames(screen))
    assert "…" in frames(screen)[0]


def test_an_error_ends_a_bar_and_the_cursor_was_never_hidden(
    terminal: Callable[[], io.StringIO],
) -> None:
    screen = terminal()

    def work() -> None:
        with Bar() as bar:
            bar.show("searching")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert screen.getvalue().endswith(GONE)
    assert "\x1b[?25l" not in screen.getvalue()
    assert sys.stderr is screen


def test_messages_are_printed_above_a_bar(terminal: Callable[[], io.StringIO]) -> None:
    screen = terminal()
    with Bar() as bar:
        bar.show("searching")
        print("a note", file=sys.stderr)
    assert "\x1b[2Ka note\n" in screen.getvalue()
    assert screen.getvalue().endswith(GONE)


def test_a_bar_that_does_not_tick_is_redrawn_rarely(
    terminal: Callable[[], io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = terminal()
    monkeypatch.setattr(drawing, "EVERY", float("inf"))
    bar = Bar(ticking=False, kept=True)
    for done in range(1001):
        bar.show(f"{done} of 1000", done, 1000)
    assert len(frames(screen)) <= 4
    bar.end()
    assert "1000 of 1000" in frames(screen)[-1]
    assert screen.getvalue().endswith("\n")


def test_no_color_leaves_a_bar_without_colours(
    terminal: Callable[[], io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = terminal()
    monkeypatch.setenv("NO_COLOR", "1")
    with Bar() as bar:
        bar.show("1 of 2 games", 1, 2)
    assert "\x1b[3" not in screen.getvalue()
    assert "1 of 2 games" in screen.getvalue()


def test_a_dumb_terminal_gets_no_bar(
    terminal: Callable[[], io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = terminal()
    monkeypatch.setenv("TERM", "dumb")
    with Bar() as bar, clock("searching", after=0):
        bar.show("1 of 2 games", 1, 2)
    assert screen.getvalue() == ""


def test_a_pipe_gets_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with Bar() as bar, clock("searching", after=0):
        bar.show("1 of 2")
    assert capsys.readouterr() == ("", "")


def test_a_clock_shows_how_long_work_has_taken(terminal: Callable[[], io.StringIO]) -> None:
    screen = terminal()
    with clock("searching", after=0.01):
        while "searching" not in screen.getvalue():
            sleep(0.01)
    assert screen.getvalue().endswith(GONE)


def test_the_time_counts_from_the_start_of_the_work(
    terminal: Callable[[], io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = terminal()
    monkeypatch.setattr(drawing, "monotonic", lambda: monotonic() - 60)
    with Bar() as bar:
        bar.show("searching")
    assert "0:01:0" in screen.getvalue()


def test_short_work_gets_no_clock(terminal: Callable[[], io.StringIO]) -> None:
    screen, before = terminal(), timers()
    with clock("searching", after=3600):
        pass
    assert screen.getvalue() == ""
    assert timers() == before


def timers() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)}
