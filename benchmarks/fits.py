"""Lines through measured points, by least squares, so that a regression shows as a coefficient."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from attrs import frozen


@frozen
class Fit:
    """A measured quantity as a sum of coefficients times counts.

    `residual` is the root mean square of the differences from the points, relative as they were
    weighed.
    """

    coefficients: Mapping[str, float]
    residual: float
    points: int

    def text(self, unit: Callable[[float], str]) -> str:
        """Return the formula, each coefficient in a unit, with its residual.

        >>> fitted({"": [1, 1], "tasks": [1, 2]}, [3.0, 5.0]).text(str)
        '1.0 + 2.0 · tasks (off by 0%, 2 points)'
        """
        text = ""
        for name, c in self.coefficients.items():
            sign = " + " if text and c >= 0 else "" if c >= 0 else " - " if text else "-"
            text += sign + unit(abs(c)) + (f" · {name}" if name else "")
        return f"{text} (off by {self.residual:.0%}, {self.points} points)"


def fitted(
    counts: Mapping[str, Sequence[float]], measured: Sequence[float], relative: bool = True
) -> Fit:
    """Fit ``measured = sum of coefficient * count`` by least squares.

    Differences are relative to each point, or else to the mean of all.  The name "" is that of the
    constant term.
    Requires: if relative, the measured numbers are above 0; as many points as names, or more.
    Ensures: coefficients to three digits.
    """
    points = np.asarray(measured, dtype=float)
    weights = 1 / points if relative else np.full(len(points), 1 / max(points.mean(), 1e-12))
    rows = np.array([*counts.values()], dtype=float).T * weights[:, None]
    found, *_ = np.linalg.lstsq(rows, points * weights, rcond=None)
    off = float(np.sqrt(np.mean((rows @ found - points * weights) ** 2)))
    rounded = {n: float(f"{c:.3g}") for n, c in zip(counts, found, strict=True)}
    return Fit(rounded, off, len(measured))
