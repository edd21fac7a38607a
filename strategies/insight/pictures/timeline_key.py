"""The legend of a timeline, and the looks of what it shows: bands of iterations, lost workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from strategies.insight.analysis.timeline_marks import IterationSpan, LostMark
from strategies.insight.analysis.utilisation import Bar, Utilisation
from strategies.insight.pictures.fates import SIGNS
from strategies.insight.pictures.picture import element, escaped, number, width, words
from strategies.running.records.wording import JOINS, SPARKS

BANDS = """.jam .band{fill:var(--panel);stroke:var(--edge)}
.jam .turn{fill:none;stroke:var(--line);stroke-dasharray:2 3}
"""
"""The style of bands, in addition to the common style."""
TALL = 18.0
"""The height of a band, in pixels."""
NAME_SIZE = 9.0
"""The font size of a band, in pixels."""


def drawn_bands(
    spans: Sequence[IterationSpan], at: Callable[[float], float], y: float, bottom: float
) -> list[str]:
    """Draw a band for each iteration at `y`, and a line from its start down to `bottom`.

    Ensures: a band shows the longest form of its name that fits, if any; its tooltip says more.
    """
    out = []
    for span in spans:
        left, right = at(span.start), at(span.end)
        across = max(right - left, 0.8)
        band = element(
            "rect", element("title", escaped(f"{span.name}: {span.says}")),
            class_="band", x=left, y=y, width=across, height=TALL,
        )  # fmt: skip
        line = f"M{number(left)} {number(y)}V{number(bottom)}"
        out += [band, element("path", class_="turn", d=line)]
        name = next((form for form in span.names if width(form, NAME_SIZE) + 4 <= across), "")
        if name:
            out.append(words(name, left + across / 2, y + TALL / 2 + 3, "clock", "middle"))
    return out


LOSSES = """.jam .lost{fill:none;stroke:var(--bad);stroke-width:1.6}
.jam .lost.line{stroke-width:1;stroke-dasharray:1 3}
.jam .flag{fill:var(--ink)}
"""
"""The style of the marks of lost workers, in addition to the common style."""
LOST = {"lost": "a worker was lost or left"}
AGAIN = {"flag": "run again: lost with its worker"}


def drawn_losses(
    marks: Sequence[LostMark], at: Callable[[float], float], y: float, bottom: float, right: float
) -> list[str]:
    """Draw a cross at height `y` for each loss, with a label, and a line down to `bottom`.

    Ensures: the tooltip has the full text; a label ends left of `right`, and is left out where it
    would cover the label before it.
    """
    out, free = [], 0.0
    for mark in marks:
        x = min(at(mark.time), right)
        tip = element("title", escaped(mark.says))
        out += [
            element("path", class_="lost line", d=f"M{number(x)} {number(y)}V{number(bottom)}"),
            element("path", tip, class_="lost", d=cross(x, y)),
        ]
        wide = width(mark.name, NAME_SIZE)
        left = x + 7 if x + 7 + wide <= right else x - 7 - wide
        if left >= free:
            out.append(words(mark.name, left, y + 3, "clock"))
            free = left + wide + 14
    return out


def cross(x: float, y: float) -> str:
    """Return the path of a cross around a point."""
    return (
        f"M{number(x - 4)} {number(y - 4)}L{number(x + 4)} {number(y + 4)}"
        f"M{number(x + 4)} {number(y - 4)}L{number(x - 4)} {number(y + 4)}"
    )


def flag(x: float, y: float) -> str:
    """Return the path of a small triangle in the upper left corner of a bar."""
    return f"M{number(x)} {number(y)}h7l-7 7z"


def again(bars: Iterable[Bar]) -> str:
    """Say how often the tasks of a bar were lost; empty if they were not."""
    times = sum(bar.record.lost for bar in bars)
    if not times:
        return ""
    count = "" if times == 1 else f" {times} times"
    return f"run again: lost with its worker{count}"


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
