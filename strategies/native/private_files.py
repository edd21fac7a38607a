"""Files that only their owner may read and write: loading machine code runs it, so a file that
another user could have written is never loaded."""

from __future__ import annotations

import os
import stat
import warnings
from pathlib import Path

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
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600), "wb") as draft:
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


_BINARY = getattr(os, "O_BINARY", 0)


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
