"""Draws the progress of work at the terminal of the standard error."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

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
        self.terminal = sys.stderr.isatty() and not dumb
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
def clock(what: str, after: float = 1.0) -> Iterator[None]:
    """Show the elapsed time of the block, if it takes longer than `after` seconds."""
    with Bar() as bar:
        if not bar.terminal:
            yield
            return
        later = threading.Timer(after, bar.show, [what])
        later.daemon = True
        later.start()
        try:
            yield
        finally:
            later.cancel()
            later.join()
