"""Fit a graph to a page of paper by the number of its marks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from strategies.insight.pictures.picture import Picture

Drawn = TypeVar("Drawn", bound=tuple[Picture, Any])

MARKS: Final = 400
"""The most marks of a graph, unless the caller asks for more."""
FEWEST: Final = 12
"""The fewest marks to which a graph is folded."""
SHORT: Final = 1400.0
LONG: Final = 1980.0
"""The sides of a page, upright or across, in pixels: on A4, 11 of them are 1.6 mm."""


def fits_a_page(picture: Picture) -> bool:
    """Return whether a picture fits on a page, in portrait or landscape format."""
    short, long = sorted(picture.size)
    return short <= SHORT and long <= LONG


def on_a_page(tasks: int, draw: Callable[[int], Drawn]) -> Drawn:
    """Draw with as many marks as fit on a page; `draw` takes the largest number of marks.

    Ensures: the first drawing that fits, with fewer and fewer marks; or the one with `FEWEST`.
    Cost: several drawings if the full graph does not fit.
    """
    most = tasks if tasks <= MARKS else MARKS // 4
    found = draw(max(most, FEWEST))
    while most > FEWEST and not fits_a_page(found[0]):
        most = max(FEWEST, 2 * most // 3)
        found = draw(most)
    return found
