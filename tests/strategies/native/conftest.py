"""What the tests of the native engine share."""

from __future__ import annotations

from typing import Any

import pytest

from strategies.native.compiler import rules_in_numba
from strategies.native.errors import RuleError


@pytest.fixture
def without_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the typed compiler refuse all games, so that the other one is tested."""

    def refuse(*_: Any) -> Any:
        raise RuleError("refused by a test")

    monkeypatch.setattr(rules_in_numba, "bind", refuse)
