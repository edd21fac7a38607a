"""Short times: no test needs exact measurements, waits half a second for progress, or fills a large
table."""

from __future__ import annotations

import mmap

import pytest

from strategies.insight.analysis import calibration
from strategies.running.runtime import deadline
from strategies.studies import at_position


def be_quick() -> None:
    """Let studies and simulations measure this machine for a hundredth of a second, and long work
    report its progress after a twentieth. Give large tables pages of 4 kB: tests touch few places
    of them, and to clear a huge page around each takes longer than the search.

    Raises: AttributeError where a name has moved, since setting it would have no effect.
    """
    patch = pytest.MonkeyPatch()
    patch.setattr(at_position, "CALIBRATION", 0.01)
    patch.setattr(calibration, "LIGHT", 0.01)
    patch.setattr(calibration, "REPEAT", 1)
    patch.setattr(deadline, "EVERY", 0.05)
    patch.delattr(mmap, "MADV_HUGEPAGE", raising=False)  # other systems have none
