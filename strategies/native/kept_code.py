"""Names the files of compiled code, so that they are found without loading the compiler."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from strategies.native.digest import digest, own_sources

Ident = tuple[str, str, str]


def identity(cls: Any) -> Ident:
    """Tells a class by its module, its name and the digest of its rules."""
    return cls.__module__, cls.__qualname__, digest(cls)


def rules_of(*classes: Ident) -> str:
    """Names the rules that code was made from: those of a game's class and its states'."""
    return hashlib.sha256(repr((own_sources(), classes)).encode()).hexdigest()[:16]


def is_kept(kernel: Any, *classes: Ident) -> bool:
    """Says whether code of a kernel for these classes is on disk.

    It is a guess: the code may be for a game of another size, or be kept where this does not look.
    """
    named = f"*{kernel.__qualname__}-*.{rules_of(*classes)}.*.nbc"
    try:
        return any(any(folder.glob(named)) for folder in _folders(kernel.__code__.co_filename))
    except OSError:  # a folder that may not be read
        return False


def _folders(file: str) -> Iterator[Path]:
    """Where Numba keeps the code of functions of a file, in its own order of preference."""
    here = Path(os.path.abspath(file)).parent
    inner = f"{here.name}_{hashlib.sha1(str(here).encode(), usedforsecurity=False).hexdigest()}"
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(chosen) / inner
        return
    yield here / "__pycache__"
    if sys.platform.startswith("linux"):
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "numba" / inner
