"""The ledger of sparks as a part of a page: each count once, with what it means."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

from strategies.insight.report.html import facts
from strategies.running.records.sparks import Sparks

COUNTS: Final[Mapping[str, str]] = {
    "attempts": "branches that the strategy asked for in parallel: created, duds and overflowed",
    "dud": "known without a search, so that they got no task",
    "overflowed": "none: a plan has room for all its sparks, or is refused",
    "created": "sparks that got a task: converted, fizzled, GC'd and remaining",
    "converted": "their task began with an open window, and searched",
    "fizzled": "their task began, and found nothing left to do",
    "GC'd": "cancelled before they began; a dash where the scheduler cancels no task",
    "remaining": "not run when the run ended",
    "inlined": "asked for below the grain, and searched inside a task",
    "pruned": "branches that were never searched: their window was closed when their turn came",
    "aborted": "of the converted: stopped half-way, when a sibling closed their window",
    "opened": "the plan has tasks of what they consist of, and none of themselves: no attempts",
    "lost": "how many times a worker was lost that had a spark",
    "repeated": "sparks that were run again, for that",
}
"""What each count means; `Sparks` says how they add up."""


def counted(sparks: Sparks) -> str:
    """The counts by name, and why sparks fizzled."""
    rows = [(name, "-" if n is None else f"{n:,}") for name, n in sparks.counts.items()]
    why = ", ".join(f"{n:,} {reason}" for reason, n in sparks.reasons)
    return facts(rows, COUNTS) + (f"<p>Fizzled: {escape(why)}.</p>" if why else "")
