"""A progress bar for long work: below the cell of a notebook, or at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from html import escape
from typing import Any

from attrs import frozen

from strategies.support.bar import Bar


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
