"""The examples of these pages run as a reader runs them: `coins` is at hand, files come and go."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

EXTRAS = ("pyspiel", "chess")
"""What one page needs that need not be installed."""
collect_ignore = [] if all(map(find_spec, EXTRAS)) else ["foreign-games.md"]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
