"""Compile a single function, without a game."""

from __future__ import annotations

from strategies import compile_function as compiled

__all__ = ["compiled"]
