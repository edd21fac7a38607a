"""Functions of these tests are compiled without LLVM's optimizations, in a third of the time."""

from __future__ import annotations

import pytest

from strategies.rules.machine import compilation


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "LEVEL", 0)
