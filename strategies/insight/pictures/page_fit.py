"""How many marks of a graph have room on a page of paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from strategies.insight.pictures.picture import Picture

Drawn = TypeVar("Drawn", bound=tuple[Picture, Any])

MARKS: Final = 400
"""No graph is drawn with more marks unless so many are asked for."""
FEWEST: Final = 12
"""None is folded to fewer."""
SHORT: Final = 1400.0
LONG: Final = 1980.0
"""The sides of a page, upright or across, in pixels: on A4, 11 of them are 1.6 mm."""


def fits_a_page(picture: Picture) -> bool:
    """Tell whether a picture has room on a page, upright or across."""
    short, long = sorted(picture.size)
    return short <= SHORT and long <= LONG


def on_a_page(tasks: int, draw: Callable[[int], Drawn]) -> Drawn:
    """Draw with as many marks as a page has room for; `draw` is told how many there may be.

    Ensures: the first drawing that fits, with fewer and fewer marks; with `FEWEST`, whatever it is.
    Cost: some drawings, where all tasks one by one do not fit.
    """
    most = tasks if tasks <= MARKS else MARKS // 4
    found = draw(max(most, FEWEST))
    while most > FEWEST and not fits_a_page(found[0]):
        most = max(FEWEST, 2 * most // 3)
        found = draw(most)
    return found
