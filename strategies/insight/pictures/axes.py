"""Axes: round numbers for ticks, and labels of times."""

from __future__ import annotations

from math import ceil, floor, log10

from strategies.insight.pictures.svg import element, words
from strategies.running.records.wording import seconds


def ticks(most: float, about: int = 8) -> list[float]:
    """Return about so many round numbers from 0 to `most`, in steps of 1, 2 or 5 times 10 ** k.

    >>> ticks(1.0, 5), ticks(7.0, 3), ticks(0.0)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 2.0, 4.0, 6.0], [0.0])
    """
    if most <= 0:
        return [0.0]
    rough = most / about
    power = 10.0 ** floor(log10(rough))
    step = min((m * power for m in (1, 2, 5, 10)), key=lambda s: abs(s - rough))
    return [float(f"{i * step:.12g}") for i in range(floor(most / step + 1e-9) + 1)]


def decades(low: float, high: float) -> list[float]:
    """Return the powers of ten that enclose the range from `low` to `high`.

    >>> decades(0.02, 3.0)
    [0.01, 0.1, 1.0, 10.0]
    """
    return [float(f"1e{k}") for k in range(floor(log10(low)), ceil(log10(high)) + 1)]


def time_axis(most: float, x: float, across: float, top: float, bottom: float) -> list[str]:
    """Draw vertical rules at round times, with the times under them."""
    out = []
    for t in ticks(most):
        at = x + across * t / most if most else x
        out.append(element("path", class_="rule", d=f"M{at:.1f} {top:.1f}V{bottom:.1f}"))
        out.append(words(seconds(t), at, bottom + 14, "clock", "middle"))
    return out
