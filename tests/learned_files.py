"""What a file of learned weights has, for tests that look into it or change it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from strategies.players.learned_file import ROWS, open_learned
from strategies.support.mapped_rows import mapped


def about_in(path: Path) -> dict[str, Any]:
    """Return the description in a file."""
    with open_learned(path) as file:
        return file.about


def row_in(path: Path, name: str) -> np.ndarray[Any, Any]:
    """Return a row of a file, mapped into memory."""
    with open_learned(path) as file:
        row: np.ndarray[Any, Any] = mapped(file.archive, name)
        return row


def parts_of(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """Return the description in a file, and copies of its rows."""
    return about_in(path), {name: np.array(row_in(path, name)) for name in ROWS}
