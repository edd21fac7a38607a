"""Bands above the timeline that show the iterations of a deepening search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from strategies.insight.analysis.iteration_spans import IterationSpan
from strategies.insight.pictures.svg import element, escaped, number, width, words

SHEET = """.jam .band{fill:var(--panel);stroke:var(--edge)}
.jam .turn{fill:none;stroke:var(--line);stroke-dasharray:2 3}
"""
"""The style of bands, in addition to the common style."""
TALL = 18.0
"""The height of a band, in pixels."""
SIZE = 9.0
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
        name = next((form for form in span.names if width(form, SIZE) + 4 <= across), "")
        if name:
            out.append(words(name, left + across / 2, y + TALL / 2 + 3, "clock", "middle"))
    return out
