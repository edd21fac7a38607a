"""Where a rule failed: found by running the last plies again, watched, with Python."""

from __future__ import annotations

from typing import Any


def failure(game: Any, state: Any, depth: int, control: Any, error: Exception) -> Exception:
    return error
