"""The bars of one worker's lane, with bars that are too narrow to see joined."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import frozen

from strategies.insight.analysis.utilisation import Bar

LEAST = 0.7
"""Pixels. Narrower bars of one kind that touch are drawn as one bar."""


@frozen
class Drawn:
    """A bar that stands for one or more tasks."""

    kind: str
    left: float
    right: float
    bars: tuple[Bar, ...]


def joined(bars: Iterable[Bar], at: Callable[[float], float]) -> list[Drawn]:
    """Return the bars of one lane, with positions in pixels.

    Ensures: every task is in one bar; there are at most a few bars per pixel.
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
