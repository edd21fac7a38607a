"""Fixtures that several tests of rules in machine code share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.games.conftest import few_plays
from tests.strategies.rules.conftest import _quick

__all__ = ["_quick", "few_plays"]  # functions without a game; the code of games is optimized


@pytest.fixture(scope="module")
def poison() -> Iterator[None]:
    """Let kernels overwrite the memory that they give back: a result shows what reads it later."""
    from strategies.native import kept_engines  # late, because they load Numba
    from strategies.native.compiler import rules_in_numba

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules_in_numba, "POISON", True)
        patch.setattr(kept_engines, "_engines", {})
        patch.setattr(kept_engines, "_known", {})
        yield
