"""Files of compiled code that go from machine to machine: what one compiled, others need only load.

A file is named by all that its code was made from, the kind of processor included: where it does
not fit, nobody asks for it.  What is here needs no compiler.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

_received: dict[str, bytes] = {}
"""Files that came from another process, by name."""


def receive(files: Mapping[str, bytes]) -> None:
    """Have files of code that another process has sent."""
    _received.update(files)


def forget(names: Iterable[str]) -> None:
    """Let go of files that were received; code that was loaded from them stays."""
    for name in names:
        _received.pop(name, None)


def content(path: Path) -> bytes:
    """Read a file of code, from the disk or as it was received.

    Raises: OSError if it is in neither.
    """
    try:
        return path.read_bytes()
    except OSError:
        if path.name not in _received:
            raise
        return _received[path.name]
