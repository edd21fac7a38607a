"""Names and keeps files of compiled code, also of other processes, to compile it only once.

The name of a file depends on all that its code was made from, the processor model included, so code
that does not fit is never loaded.  There is no index on which two processes could disagree: a file
is written under a temporary name and then moved into place, after a digest of its content.  This
module needs no compiler.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import uuid
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from strategies.native.private_files import own_folder, read, write
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
