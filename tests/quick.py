"""Short measurements: no test and no example needs an exact measurement of this machine."""

from __future__ import annotations

import pytest

from strategies.insight.analysis import calibration
from strategies.studies import at_position


def quick_measurements() -> None:
    """Let studies and simulations measure this machine for a hundredth of a second.

    Raises: AttributeError where a name has moved, since setting it would have no effect.
    """
    patch = pytest.MonkeyPatch()
    patch.setattr(at_position, "CALIBRATION", 0.01)
    patch.setattr(calibration, "LIGHT", 0.01)
    patch.setattr(calibration, "REPEAT", 1)
