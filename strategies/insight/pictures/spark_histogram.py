"""A histogram of the durations of sparks, in powers of two."""

from __future__ import annotations

from collections import Counter
from math import floor, log2

from strategies.insight.analysis.utilisation import Utilisation
from strategies.insight.pictures.strips import Box
from strategies.insight.pictures.svg import element, words
from strategies.running.records.wording import SPARKS, seconds


def histogram(found: Utilisation) -> dict[int, Counter[str]]:
    """Count the sparks by duration, in powers of two of microseconds, and by outcome."""
    sizes: dict[int, Counter[str]] = {}
    for bar in found.sparks:
        power = floor(log2(max(bar.record.seconds * 1e6, 0.5)))
        sizes.setdefault(power, Counter())[bar.kind] += 1
    return sizes


def drawn_sizes(box: Box, found: Utilisation) -> list[str]:
    """Draw the histogram: converted at the bottom, aborted and fizzled on top, counts above."""
    sizes = histogram(found)
    powers = range(min(sizes), max(sizes) + 1)
    each = min(box.across / len(powers), 72.0)
    most = max(c.total() for c in sizes.values())
    out = [words("spark sizes", box.x - 10, box.y + box.tall / 2 + 4, "key", "end")]
    base = box.y + box.tall
    for i, power in enumerate(powers):
        x, y, count = box.x + each * i, base, sizes.get(power, Counter())
        for kind in SPARKS:
            tall = (box.tall - 14) * count[kind] / most
            if count[kind]:
                y -= tall
                tip = f"{count[kind]:,} {kind} between {_edge(power)} and {_edge(power + 1)}"
                out.append(
                    element("rect", element("title", tip), class_=f"bar {kind}", x=x + 1, y=y,
                            width=each - 2, height=max(tall, 0.5))
                )  # fmt: skip
        if count:
            out.append(words(f"{count.total():,}", x + each / 2, y - 3, "clock", "middle"))
        out.append(words(_edge(power), x, base + 12, "clock", "middle"))
    out.append(
        words(_edge(powers[-1] + 1), box.x + each * len(powers), base + 12, "clock", "middle")
    )
    out.append(
        element("path", class_="axis", d=f"M{box.x:.1f} {base:.1f}h{each * len(powers):.1f}")
    )
    return out


def _edge(power: int) -> str:
    """Return the time at an edge, of two digits from milliseconds on.

    >>> _edge(7), _edge(10), _edge(15)
    ('128 µs', '1 ms', '33 ms')
    """
    exact = 2.0**power * 1e-6
    return seconds(exact if power < 10 else float(f"{exact:.2g}"))
