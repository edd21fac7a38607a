"""Draws the progress of work at the terminal of the standard error."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from time import monotonic
from typing import TYPE_CHECKING, Any

from attrs import frozen

from strategies.support.printing import console

if TYPE_CHECKING:  # rich is loaded when there is something to draw
    from rich.progress import Progress


EVERY = 0.1
"""The seconds between two drawings of a bar that does not tick."""


class Bar:
    """A line with the progress, the elapsed time and the remaining time; nothing if not a terminal.

    It is drawn by `show` and, if it is `ticking`, twice a second by a thread.  As a context manager
    it removes the line at the end, and output to stderr in the block appears above it; a bar that
    is `kept` stays.
    """

    def __init__(self, ticking: bool = True, kept: bool = False) -> None:
        dumb = os.environ.get("TERM") in ("dumb", "unknown")  # these cannot rewrite a line
        self.terminal = bool(sys.stderr and sys.stderr.isatty()) and not dumb
        self.ticking, self.kept = ticking, kept
        self._progress: Progress | None = None
        self._began, self._due = monotonic(), 0.0

    def show(self, says: str, done: float = 0, planned: float | None = None) -> None:
        """Show the progress: a text, and how much of the planned work is done."""
        if not self.terminal:
            return
        if self._progress is None:
            self._progress = self._made(planned is not None)
            self._task = self._progress.add_task(says, total=planned, completed=done)  # type: ignore[arg-type]
            self._progress.tasks[0].start_time = self._began  # not the time of the first `show`
            self._progress.start()
        self._progress.update(self._task, description=says, completed=done)
        if not self.ticking and (monotonic() >= self._due or done == planned):
            self._progress.refresh()
            self._due = monotonic() + EVERY

    def end(self) -> None:
        """Stop drawing."""
        if self._progress is not None:
            self._progress.stop()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def _made(self, known: bool) -> Progress:
        from rich.progress import (
            BarColumn,
            Progress,
            SpinnerColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )  # fmt: skip
        from rich.table import Column

        bar = BarColumn(12) if known else SpinnerColumn()
        left = (TimeRemainingColumn(), TextColumn("left")) if known else ()
        says = TextColumn(
            "{task.description}", markup=False, table_column=Column(ratio=1, no_wrap=True)
        )
        return Progress(
            bar, TimeElapsedColumn(), *left, says, console=console(sys.stderr), expand=True,
            auto_refresh=self.ticking, refresh_per_second=2, transient=not self.kept,
            redirect_stdout=False, redirect_stderr=not self.kept, speed_estimate_period=3600,
        )  # fmt: skip


@contextmanager
def clock(what: str, after: float = 1.0) -> Iterator[Callable[[str], None] | None]:
    """Show the elapsed time of the block, if it takes longer than `after` seconds.

    Yields a function that adds how far the work is; None if nothing is shown.
    """
    with Bar() as bar:
        if not bar.terminal:
            yield None
            return
        says, since = [what], monotonic()

        def add(far: str) -> None:
            says[0] = f"{what}, {' '.join(far.split())}"
            if monotonic() >= since + after:
                bar.show(says[0])

        later = threading.Timer(after, lambda: bar.show(says[0]))
        later.daemon = True
        later.start()
        try:
            yield add
        finally:
            later.cancel()
            later.join()


def progress_bar() -> Callable[..., None]:
    """Return a bar to pass as `progress=` to `study`, `tournament`, `solve` and others.

    In a notebook it appears below the cell; at a terminal it is a line on stderr; elsewhere nothing
    is shown.  Use a new bar for each piece of work.

    >>> from games import TicTacToe
    >>> from strategies import alphabeta, tournament
    >>> players = [alphabeta(1), alphabeta(2)]
    >>> found = tournament(TicTacToe(), players, rounds=1, progress=progress_bar())
    """
    show = _in_a_notebook() or _at_a_terminal()

    def progress(so_far: Any, *steps: int) -> None:
        show(_how_far(so_far, steps))

    return progress


@frozen
class _Far:
    """The progress of work: in words, and in steps if their number is known."""

    says: str
    done: int = 0
    planned: int = 0


def _how_far(so_far: Any, steps: tuple[int, ...]) -> _Far:
    """Return the progress of a call: its steps, their number so far, or the result so far."""
    known = steps or getattr(so_far, "steps", None)
    if isinstance(known, tuple):
        done, planned = known
        return _Far(f"{done:,} of {planned:,}", done, planned)
    return _Far(f"{so_far:,}" if isinstance(so_far, int) else str(so_far).partition("\n")[0])


def _in_a_notebook() -> Callable[[_Far], None] | None:
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if not hasattr(shell, "kernel"):
        return None
    from IPython.display import HTML, display

    handle = display(HTML(""), display_id=True)

    def show(far: _Far) -> None:
        sizes = f'max="{far.planned}" value="{far.done}"'
        bar = f'<progress aria-label="progress" {sizes}></progress> ' if far.planned else ""
        handle.update(HTML(f"{bar}{escape(far.says)}"))

    return show


def _at_a_terminal() -> Callable[[_Far], None]:
    bar = Bar(ticking=False, kept=True)  # the end of work without known steps is not reported

    def show(far: _Far) -> None:
        bar.show(far.says, far.done, far.planned or None)
        if far.planned and far.done == far.planned:
            bar.end()

    return show
