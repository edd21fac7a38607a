"""The shapes of marks: kinds of tasks differ in shape as well as in colour."""

from __future__ import annotations

from strategies.insight.pictures.svg import element, escaped, number, width, words

SMALL = {"merge": 11.0, "local": 11.0, "gate": 14.0}
"""The kinds of marks without text, and their size in pixels."""
LINE = 12.0
"""The distance between lines of text, in pixels."""


def size(kind: str, lines: tuple[str, ...]) -> tuple[float, float]:
    """Return the width and height of a mark in pixels."""
    if kind in SMALL:
        return SMALL[kind], SMALL[kind]
    text = max((width(line, 11 if i == 0 else 9) for i, line in enumerate(lines)), default=0.0)
    return max(text + 14, 26.0), 8 + LINE * max(len(lines), 1)


def drawn(kind: str, outcome: str, lines: tuple[str, ...], x: float, y: float, tip: str) -> str:
    """Draw a mark with its middle at (x, y)."""
    w, h = size(kind, lines)
    inside = _shape(kind, x, y, w, h)
    first = y - LINE * (len(lines) - 1) / 2 + 4
    for i, line in enumerate(lines):
        inside.append(words(line, x, first + LINE * i - (1 if i else 0), "less" if i else "label"))
    return element("g", element("title", escaped(tip)), *inside, class_=f"mark {kind} {outcome}")


def _shape(kind: str, x: float, y: float, w: float, h: float) -> list[str]:
    left, top = x - w / 2, y - h / 2
    if kind in ("merge", "local"):
        return [element("circle", class_="shape", cx=x, cy=y, r=w / 2)]
    if kind == "gate":
        return [_polygon((x, top), (x + w / 2, y), (x, top + h), (left, y))]
    if kind == "resolve":
        cut = 6.0
        right, low = left + w, top + h
        return [
            _polygon(
                (left + cut, top), (right - cut, top), (right, y), (right - cut, low),
                (left + cut, low), (left, y),
            )
        ]  # fmt: skip
    round_ = {"spark": min(h / 2, 12.0), "start": h / 2, "result": 6.0}.get(kind, 3.0)
    shape = element("rect", class_="shape", x=left, y=top, width=w, height=h, rx=round_)
    if kind == "folded":
        behind = element("rect", class_="shape", x=left + 3, y=top + 3, width=w, height=h, rx=3.0)
        return [behind, shape]
    return [shape]


def _polygon(*points: tuple[float, float]) -> str:
    return element(
        "polygon", class_="shape", points=" ".join(f"{number(x)},{number(y)}" for x, y in points)
    )
