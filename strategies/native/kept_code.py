"""Names the files of compiled code, so that they can be found without loading the compiler."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from strategies.native.private_files import own_folder
from strategies.native.versions import own_sources

Ident = tuple[str, str]


def identity(cls: Any) -> Ident:
    """Return the identity of a class: its module and its name."""
    return cls.__module__, cls.__qualname__


def rules_of(*classes: Ident) -> str:
    """Return the part of a file name that stands for the classes of a game and its states."""
    return hashlib.sha256(repr((own_sources(), classes)).encode()).hexdigest()[:16]


def is_kept(kernel: Any, *classes: Ident) -> bool:
    """Return whether code of a kernel for these classes is probably on disk.

    The code found may be for a game of another size, or for earlier rules; code in folders that
    this does not search is missed.
    """
    named = f"*{kernel.__qualname__}-*.{rules_of(*classes)}.*.nbc"
    try:
        folders = map(own_folder, numba_folders(kernel.__code__.co_filename))
        return any(any(folder.glob(named)) for folder in folders)
    except OSError:  # an unreadable folder
        return False


def numba_folders(file: str) -> Iterator[Path]:
    """Yield the folders where Numba may store the code of a file's functions, in Numba's order."""
    here = Path(os.path.abspath(file)).parent
    inner = f"{here.name}_{hashlib.sha1(str(here).encode(), usedforsecurity=False).hexdigest()}"
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(chosen) / inner
        return
    yield here / "__pycache__"
    if sys.platform.startswith("linux"):
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "numba" / inner
