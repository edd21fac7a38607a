"""Run the examples of the pages as a reader does: `coins` can be imported, files are temporary."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.quick import be_quick

sys.path.append(str(Path(__file__).parent))
be_quick()

EXTRAS = ("pyspiel", "chess")
"""Optional dependencies that one page needs."""
collect_ignore = ["quiet.py"]  # collecting it would register its algorithm a second time
collect_ignore += [] if all(map(find_spec, EXTRAS)) else ["foreign-games.md"]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
