"""Lanes: the bars of one worker, those too narrow to see joined."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import frozen

from strategies.insight.analysis.utilisation import Bar

LEAST = 0.7
"""Pixels: narrower bars of one kind that touch are drawn as one."""


@frozen
class Drawn:
    """One or more tasks that are drawn as one bar."""

    kind: str
    left: float
    right: float
    bars: tuple[Bar, ...]


def joined(bars: Iterable[Bar], at: Callable[[float], float]) -> list[Drawn]:
    """The bars of one lane in pixels.

    Ensures: every task is in one of them; no more than a few for each pixel.
    """
    done: list[Drawn] = []
    row: dict[str, tuple[float, float, list[Bar]]] = {}

    def close(kind: str) -> None:
        left, right, found = row.pop(kind)
        done.append(Drawn(kind, left, right, tuple(found)))

    for bar in bars:
        left, right = at(bar.start), at(bar.end)
        if bar.kind in row:
            first, last, found = row[bar.kind]
            if right - left < LEAST and left - last < LEAST and last - first < 2 * LEAST:
                found.append(bar)
                row[bar.kind] = first, max(last, right), found
                continue
            close(bar.kind)
        row[bar.kind] = left, right, [bar]
    for kind in list(row):
        close(kind)
    return sorted(done, key=lambda d: (d.left, d.kind))
