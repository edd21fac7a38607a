"""Fewer plays for the laws of games under the profile `ci`."""

import pytest

from games.laws.plays import PROFILES
from tests.properties import PROFILE


@pytest.fixture(autouse=True)
def few_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let laws draw half of the plays under `ci`, as `examples` does."""
    if PROFILE == "ci":
        monkeypatch.setitem(PROFILES, "dev", PROFILES["dev"] // 2)  # type: ignore[misc]
