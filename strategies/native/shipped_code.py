"""Keeps compiled code in files, and files received from other processes, so that code is compiled
only once.

The name of a file depends on all that its code was made from, the processor model included, so code
that does not fit is never loaded.  There is no index on which two processes could disagree: a file
is written under a temporary name and then moved into place, after a digest of its content.  This
module needs no compiler.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from strategies.native.private_files import read, write

DIGEST: Final = hashlib.sha256().digest_size

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


def kept(path: Path) -> bytes | None:
    """Return the code that `keep` wrote, and note that it was used; None if there is none."""
    try:
        file = content(path)
    except OSError:
        return None
    if hashlib.sha256(file[DIGEST:]).digest() != file[:DIGEST]:
        return None  # truncated or damaged
    with contextlib.suppress(OSError):  # a read-only folder, or a received file
        os.utime(path)
    return file[DIGEST:]


def keep(path: Path, code: bytes, others: str, most: int) -> None:
    """Write code to a file, and remove those of its folder named like `others` but the `most` used
    last; do nothing if that is not possible."""
    draft = path.with_suffix(f".{uuid.uuid4().hex[:12]}.tmp")
    try:
        write(draft, hashlib.sha256(code).digest() + code)
        os.replace(draft, path)
        used = sorted(path.parent.glob(others), key=lambda other: other.stat().st_mtime)
        for other in used[:-most]:
            other.unlink(missing_ok=True)
    except OSError:
        pass
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
