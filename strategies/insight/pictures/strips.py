"""Strips: amounts over time, drawn as stacked areas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from strategies.insight.pictures.svg import element, number, words


@frozen
class Box:
    """The position and size of a drawing, in pixels."""

    x: float
    y: float
    across: float
    tall: float


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
