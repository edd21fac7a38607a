"""Reads pictures: their elements, their boxes, and the times that they show."""

from __future__ import annotations

from xml.etree import ElementTree

UNITS = {"": 1.0, "s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}


def seconds_in(text: str) -> float:
    """Return the seconds that a text such as "20 ms" says."""
    amount, _, unit = text.partition(" ")
    return float(amount) * UNITS[unit]


def parts_of(svg: str) -> list[ElementTree.Element]:
    """Return the elements of a picture that have a class."""
    return [e for e in ElementTree.fromstring(svg) if e.get("class")]


def box(e: ElementTree.Element) -> tuple[float, float, float, float]:
    """Return the left, upper, right and lower edge of a rectangle."""
    x, y, wide, tall = (float(e.attrib[name]) for name in ("x", "y", "width", "height"))
    return x, y, x + wide, y + tall
