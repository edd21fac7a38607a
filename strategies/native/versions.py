"""The versions of the packages that the compiler uses: for error messages, and for every cache
key."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
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


@cache
def own_sources() -> str:
    """Hash the sources of this package and the software it runs on: a part of every cache key.

    This file is at the top of the package, because the hash covers all files beside and below it.
    Kernels also read the memory of rules, as the module of that says.
    """
    from games import tuples, u64

    text = hashlib.sha256(f"{sys.version} {releases()}".encode())
    here = Path(__file__).parent
    others = Path(tuples.__file__), Path(u64.__file__), here.parent / "rules/machine/memory.py"
    for path in (*sorted(here.rglob("*.py")), *others):
        try:
            text.update(path.read_bytes())
        except OSError:  # packed in an archive: the version must suffice
            text.update(path.name.encode())
    return text.hexdigest()[:16]
