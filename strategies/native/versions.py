"""The versions of what the compiler builds on: told where it fails, and part of every cache key."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Final

MADE_OF: Final = "numba", "llvmlite", "numpy", "attrs"
"""What the compiler builds on: their versions are told where it fails."""


def releases() -> str:
    """The versions of what the compiler builds on."""
    return ", ".join(map(_release, MADE_OF))


def _release(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"no {package}"
