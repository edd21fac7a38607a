"""Axes: round numbers for ticks, fields with two axes, keys; and strips of amounts over time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from attrs import frozen

from strategies.insight.pictures.picture import element, number, words
from strategies.running.records.wording import seconds


@frozen
class Box:
    """The position and size of a drawing, in pixels."""

    x: float
    y: float
    across: float
    tall: float


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


class Axis(NamedTuple):
    """An axis: the place of a number along it, from 0 to 1, and the texts at marked places."""

    at: Callable[[float], float]
    marks: Sequence[tuple[float, str]]


def logarithmic(
    low: float, high: float, marked: Iterable[float], told: Callable[[float], str]
) -> Axis:
    """Return a logarithmic axis from `low` to `high`, on which some numbers are marked.

    >>> axis = logarithmic(1, 100, [10, 100], "{:g}".format)
    >>> axis.at(1), axis.marks
    (0.0, [(0.5, '10'), (1.0, '100')])
    """

    def at(number: float) -> float:
        return (log10(number) - log10(low)) / (log10(high) - log10(low))

    return Axis(at, [(at(number), told(number)) for number in marked])


class Field(NamedTuple):
    """A box with an axis across and an axis up."""

    box: Box
    across: Axis
    up: Axis

    def x(self, number: float) -> float:
        """Return where a number is across, in pixels."""
        return self.box.x + self.box.across * self.across.at(number)

    def y(self, number: float) -> float:
        """Return where a number is up, in pixels."""
        return self.box.y + self.box.tall * (1 - self.up.at(number))

    def drawn(self, name: str = "") -> list[str]:
        """Draw the field, its grid and the marked numbers; `name` is below the axis across."""
        x, y, across, tall = self.box.x, self.box.y, self.box.across, self.box.tall
        out = [element("rect", class_="field", x=x, y=y, width=across, height=tall)]
        for share, text in self.up.marks:
            at = y + tall * (1 - share)
            out.append(element("path", class_="grid", d=f"M{x:.1f} {at:.1f}h{across:.1f}"))
            out.append(words(text, x - 8, at + 4, "clock", "end"))
        for share, text in self.across.marks:
            at = x + across * share
            out.append(element("path", class_="grid", d=f"M{at:.1f} {y:.1f}v{tall:.1f}"))
            out.append(words(text, at, y + tall + 14, "clock", "middle"))
        return [*out, words(name, x + across / 2, y + tall + 30, "key", "middle")] if name else out

    def key(self, samples: Iterable[tuple[str, str]]) -> list[str]:
        """Draw samples with their meanings, one below the other, right of the field."""
        x, y = self.box.x + self.box.across + 28, self.box.y + 16
        return [
            element("g", sample, words(text, 36, 0, "key"),
                    transform=f"translate({x:.0f} {y + 18 * n:.0f})")
            for n, (sample, text) in enumerate(samples)
        ]  # fmt: skip


def sample(kind: str, path: str = "M0 -4h28", dash: str = "none") -> str:
    """Return the sample of a line for a key."""
    return element("path", class_=kind, stroke_dasharray=dash, d=path)


def presence(spans: Iterable[tuple[float, float]], end: float, bins: int) -> list[float]:
    """Return the average number of simultaneous spans in each of `bins` equal parts of 0…end.

    >>> presence([(0, 2), (1, 2)], 4.0, 4)
    [1.0, 2.0, 0.0, 0.0]
    """
    found = [0.0] * bins
    each = end / bins
    # The ends of a span are added exactly; the bins between by two steps of a running sum.
    steps = [0.0] * (bins + 1)
    for a, b in spans:
        first, last = _bin(a, each, bins), _bin(b, each, bins)
        if first == last:
            found[first] += b - a
            continue
        found[first] += (first + 1) * each - a
        found[last] += b - last * each
        steps[first + 1] += each
        steps[last] -= each
    inside = 0.0
    for i in range(bins):
        inside += steps[i]
        found[i] = (found[i] + inside) / each if each else 0.0
    return found


def counts(moments: Iterable[float], end: float, bins: int) -> list[float]:
    """Count the moments in each of `bins` equal parts of 0…end."""
    found = [0.0] * bins
    for t in moments:
        found[_bin(t, end / bins, bins)] += 1
    return found


def _bin(t: float, each: float, bins: int) -> int:
    return max(0, min(bins - 1, int(t / each))) if each else 0


def strip(
    box: Box, name: str, layers: Sequence[tuple[str, Sequence[float]]], most: float, unit: str = ""
) -> list[str]:
    """Draw stacked layers of (class, heights); `most` is the value at the top of the box."""
    base = [0.0] * len(layers[0][1])
    out = [element("rect", class_="field", x=box.x, y=box.y, width=box.across, height=box.tall)]
    for class_, heights in layers:
        top = [a + b for a, b in zip(base, heights, strict=True)]
        if any(heights):
            out.append(element("path", class_=f"area {class_}", d=_steps(box, base, top, most)))
        base = top
    out.append(words(name, box.x - 10, box.y + box.tall / 2 + 4, "key", "end"))
    top_text = f"{most:,.0f}" if most >= 100 else f"{most:.3g}"
    out.append(words(f"{top_text}{unit}", box.x + box.across + 6, box.y + 9, "clock"))
    return out


def _steps(box: Box, low: Sequence[float], high: Sequence[float], most: float) -> str:
    """Return the outline between two staircases."""
    each = box.across / len(high)

    def stairs(heights: Sequence[float], order: range, left: int, right: int) -> str:
        found, last = [], ""
        for i in order:
            y = number(box.y + box.tall * (1 - min(heights[i] / most, 1.0) if most else 1))
            if y != last:
                found.append(f"H{number(box.x + each * (i + left))}V{y}")
            last = y
        return "".join(found) + f"H{number(box.x + each * (order[-1] + right))}"

    n = len(high)
    start = f"M{number(box.x)} {number(box.y + box.tall)}"
    return start + stairs(high, range(n), 0, 1) + stairs(low, range(n - 1, -1, -1), 1, 0) + "Z"
