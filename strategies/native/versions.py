"""The versions of the packages that the compiler uses: for error messages, and for every cache
key."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Final

MADE_OF: Final = "numba", "llvmlite", "numpy", "attrs"
"""The packages that the compiler uses."""


@cache
def releases() -> str:
    """Return the versions of the packages that the compiler uses."""
    return ", ".join(map(_release, MADE_OF))


def _release(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"no {package}"
