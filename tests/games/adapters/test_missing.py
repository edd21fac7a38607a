"""The error for a missing library names it, and what installs it."""

from __future__ import annotations

import sys

import pytest

from games import find_game
from games.adapters.openspiel import loaded


@pytest.mark.parametrize(
    ("text", "module", "package"),
    [("openspiel", "pyspiel", "open_spiel"), ("chess",) * 3, ("chess960", "chess", "chess")],
)
def test_the_error_names_the_missing_library(
    monkeypatch: pytest.MonkeyPatch, text: str, module: str, package: str
) -> None:
    loaded.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ValueError, match=f"pip install {package}$"):
        find_game(text)
