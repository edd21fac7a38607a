"""The ledger of sparks as part of a page: each count with its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

from strategies.insight.report.html import facts
from strategies.running.records.sparks import Sparks

COUNTS: Final[Mapping[str, str]] = {
    "attempts": "branches that the strategy sparked: created, dud and overflowed",
    "dud": "value known without a search, so no task was created",
    "overflowed": "always 0: a plan has room for all its sparks, or is refused",
    "created": "sparks with a task: converted, fizzled, GC'd and remaining",
    "converted": "the task started with an open window and searched",
    "fizzled": "the task started, but there was nothing left to search",
    "GC'd": "cancelled before the task started; a dash if the scheduler cannot cancel tasks",
    "remaining": "not started when the run ended",
    "inlined": "sparked below the grain, and searched inside another task",
    "pruned": "branches never searched, because their window was closed when their turn came",
    "aborted": "converted, but stopped half-way because a sibling closed the window",
    "opened": "replaced in the plan by the tasks that they consist of; not attempts",
    "lost": "how often a spark was lost with its worker",
    "repeated": "sparks that were run again because their worker was lost",
}
"""The meaning of each count; `Sparks` says how they add up."""


def counted(sparks: Sparks) -> str:
    """Return the counts by name, and the reasons why sparks fizzled."""
    rows = [(name, "-" if n is None else f"{n:,}") for name, n in sparks.counts.items()]
    why = ", ".join(f"{n:,} {reason}" for reason, n in sparks.reasons)
    return facts(rows, COUNTS) + (f"<p>Fizzled: {escape(why)}.</p>" if why else "")
