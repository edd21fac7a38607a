"""Names and keeps files of compiled code, also of other processes, to compile it only once.

The name of a file depends on all that its code was made from, the processor model included, so code
that does not fit is never loaded.  There is no index on which two processes could disagree: a file
is written under a temporary name and then moved into place, after a digest of its content.  This
module needs no compiler.

Only their owner may read and write the files: loading machine code runs it, so a file that another
user could have written is never loaded.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import uuid
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from strategies.native.versions import own_sources
from strategies.support.files import BINARY

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


_told = set[Path]()
"""The folders of which a warning has said that they are not used."""


def own_folder(parent: Path) -> Path:
    """Return the folder of this user in a folder that others may share."""
    return parent / (f"jamboree-{os.geteuid()}" if hasattr(os, "geteuid") else "jamboree")


def make_folder(folder: Path) -> None:
    """Create a folder, and those above it that are missing, for their owner only.

    Raises: OSError.
    """
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def write(file: Path, content: bytes) -> None:
    """Create a file for its owner only, whatever the umask.

    Raises: OSError, also if its folder is not private.
    """
    make_folder(file.parent)
    _check(file.parent, os.lstat(file.parent))
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o600), "wb") as draft:
        draft.write(content)


def read(file: Path) -> bytes:
    """Read a file that nobody else could have written.

    Ensures: the first time that a folder, or a file in it, is not private, a warning says why.
    Raises: OSError; PermissionError if the file or its folder is not private.
    """
    _check(file.parent, os.lstat(file.parent))
    with open(file, "rb") as opened:
        _check(file, os.fstat(opened.fileno()))
        return opened.read()


def _check(path: Path, found: os.stat_result) -> None:
    """Raise PermissionError unless a file or folder is private: this user's, or the superuser's,
    and writable by no one else."""
    if not hasattr(os, "geteuid"):  # Windows, where a user's folders are private
        return
    why = ""
    if found.st_uid not in (os.geteuid(), 0):
        why = f"it belongs to the user {found.st_uid}"
    elif stat.S_ISLNK(found.st_mode):
        why = "it is a link"
    elif found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        why = "other users may write to it"
    if not why:
        return
    folder = path if stat.S_ISDIR(found.st_mode) else path.parent
    if folder not in _told:
        _told.add(folder)
        warnings.warn(
            f"the machine code in {path} is not used, because {why}: remove it, or set "
            "NUMBA_CACHE_DIR to a folder of your own",
            UserWarning,
            stacklevel=2,
        )
    raise PermissionError(f"{path}: {why}")
