"""The error of an algorithm that makes no sense, or does not fit its game."""

from __future__ import annotations


class AlgorithmError(ValueError):
    """An algorithm that makes no sense, or not for this game."""
