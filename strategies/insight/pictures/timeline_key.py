"""The legend of a timeline, and the looks of all that it shows: in pictures and on pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from strategies.insight.analysis.lost_marks import LostMark
from strategies.insight.analysis.utilisation import Utilisation
from strategies.insight.pictures.fates import SIGNS
from strategies.insight.pictures.iteration_bands import SHEET as BANDS
from strategies.insight.pictures.lost_workers import AGAIN, LOST, cross, flag
from strategies.insight.pictures.lost_workers import SHEET as LOSSES
from strategies.insight.pictures.svg import element, words
from strategies.running.records.wording import JOINS, SPARKS

TIMELINE_STYLE: Final = f"""{BANDS}{LOSSES}
.jam .waiting.sent{{stroke:var(--stepped);stroke-dasharray:5 2}}
.jam .bracket{{fill:none;stroke:var(--line);stroke-width:1.5}}
.jam .critical{{fill:none;stroke:var(--ink);stroke-width:2;stroke-linejoin:round}}
"""
"""The style of timelines, in addition to the common style."""
JOINING: Final = """.jam .bar.join{fill:var(--edge);stroke:var(--stepped);stroke-dasharray:2 2}
"""
"""The style of joins, in timelines that have some."""
KINDS: Final = {
    "step": "step",
    "join": JOINS,
    "fold": "fold",
    "waiting": "scheduling: ready, not yet started",
    "waiting sent": "transfer: ready elsewhere, not yet started here",
}
"""The kinds of bars that are no sparks, and of lines between them, in the order of legends."""
CRITICAL: Final = {"critical": "critical path: the longest chain of tasks that wait for each other"}


def timeline_key(
    found: Utilisation, path: Sequence[int], lost: Sequence[LostMark]
) -> list[dict[str, str]]:
    """Return the kinds of all that a timeline shows, with their meanings, group by group.

    Ensures: what does not occur is left out: outcomes of sparks, other kinds of bars and waits, the
    critical path, lost workers.
    """
    occurs = {bar.kind for bar in found.bars} | ({"waiting"} if found.scheduling else set())
    occurs |= {"waiting sent"} if found.transfer else set()
    groups: list[dict[str, str]] = [
        {kind: text for kind, text in all_kinds.items() if kind in occurs}
        for all_kinds in (SPARKS, KINDS)
    ]
    return [*groups, CRITICAL if path else {}, LOST | AGAIN if lost else {}]


def sample(kind: str, x: float, y: float) -> list[str]:
    """Draw what a line of the legend explains, from x on, around the middle y."""
    if kind in CRITICAL or kind.startswith("waiting"):
        return [element("path", class_=kind, d=f"M{x:.0f} {y:.0f}h16")]
    if kind in LOST:
        return [element("path", class_=kind, d=cross(x + 8, y))]
    if kind in AGAIN:
        return [element("path", class_=kind, d=flag(x + 4, y - 4))]
    bar = element("rect", class_=f"bar {kind}", x=x, y=y - 6, width=16.0, height=13.0)
    if kind not in SIGNS:
        return [bar]
    return [bar, words(SIGNS[kind], x + 8, y + 4, f"bar-sign {kind}")]
