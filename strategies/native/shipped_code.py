"""Keeps files of compiled code received from other processes, so that code is compiled only once.

The name of a file depends on all that its code was made from, the processor model included, so code
that does not fit is never loaded.  This module needs no compiler.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from strategies.native.private_files import read

_received: dict[str, bytes] = {}
"""Files received from another process, by name."""


def receive(files: Mapping[str, bytes]) -> None:
    """Store files of code that another process sent."""
    _received.update(files)


def forget(names: Iterable[str]) -> None:
    """Discard files that were received; code already loaded from them stays."""
    for name in names:
        _received.pop(name, None)


def content(path: Path) -> bytes:
    """Read a file of code from the disk, if nobody else could have written it, or from those
    received.

    Raises: OSError if it is in neither.
    """
    try:
        return read(path)
    except OSError:
        if path.name not in _received:
            raise
        return _received[path.name]
