"""Short times: no test needs exact measurements, or waits half a second for progress."""

from __future__ import annotations

import pytest

from strategies.insight.analysis import calibration
from strategies.running.runtime import deadline
from strategies.studies import at_position


def be_quick() -> None:
    """Let studies and simulations measure this machine for a hundredth of a second, and long work
    report its progress after a twentieth.

    Raises: AttributeError where a name has moved, since setting it would have no effect.
    """
    patch = pytest.MonkeyPatch()
    patch.setattr(at_position, "CALIBRATION", 0.01)
    patch.setattr(calibration, "LIGHT", 0.01)
    patch.setattr(calibration, "REPEAT", 1)
    patch.setattr(deadline, "EVERY", 0.05)
