"""Write files whole or not at all, and lock them against other processes."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE
from typing import IO, Any, Final

STDOUT = Path("/dev/stdout")
BINARY: Final = getattr(os, "O_BINARY", 0)


def is_stream(path: Path) -> bool:
    """Return whether `path` is a device or a pipe, which cannot be replaced."""
    return path == STDOUT or (path.exists() and not path.is_file() and not path.is_dir())


def replaceable(path: Path) -> bool:
    """Return whether `path` is no file that its permissions protect against writing.

    The system asks only for permission in the folder, and lets an administrator write anything.
    """
    return not path.is_file() or bool(path.stat().st_mode & 0o222)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write text, as `encoded`, or bytes to a file, as `whole_file`; a device or a pipe is written
    to directly.

    Raises: OSError, which names the file, if it cannot be written; an earlier file is then
    unchanged.
    """
    raw = content if isinstance(content, bytes) else encoded(content)
    if path == STDOUT:
        sys.stdout.flush()
        if binary := getattr(sys.stdout, "buffer", None):
            binary.write(raw)
            binary.flush()
        else:  # a stream of text only, as in a notebook
            sys.stdout.write(raw.decode())
    elif is_stream(path):
        path.write_bytes(raw)
    else:
        with whole_file(path) as file:
            file.write(raw)


def encoded(text: str) -> bytes:
    """Return a text in UTF-8, where halves of pairs of code units, as in names of files that are
    not UTF-8, are escaped; inside JSON they mean the same.

    >>> encoded("é\\udcff")
    b'\\xc3\\xa9\\\\udcff'
    """
    return text.encode(errors="backslashreplace")


@contextmanager
def naming(path: Path, *others: Path) -> Iterator[None]:
    """Name the file in each OSError of the block; with others, only in those that name none or one
    of the others."""
    try:
        yield
    except OSError as error:
        own = {None, *map(str, others)}
        if error.errno is None or (others and _text(error.filename) not in own):
            raise
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from error


def _text(name: Any) -> str | None:
    return os.fspath(name) if isinstance(name, (str, os.PathLike)) else None


def lock(file: int, *, wait: bool = False) -> bool:
    """Lock an open file until it is closed; return False if another process has locked it.

    Where the system cannot lock files, nothing is locked.
    """
    try:
        import fcntl
    except ImportError:  # not on Windows
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError as error:  # some network file systems have no locks
        return error.errno in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
    return True


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Lock a folder against other processes during the block, if the system supports it.

    So no other process overwrites a file between reading and writing.
    """
    if os.name == "nt":  # it opens no folders
        yield
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        lock(file, wait=True)
        yield
    finally:
        os.close(file)


@contextmanager
def sole_writer(path: Path) -> Iterator[bool]:
    """Yield whether this is the only block that writes a file, in all processes.

    A lock file beside it says so during the block, because the file itself may be replaced.
    """
    place = Path(os.path.realpath(path))
    beside = place.with_name(f".{place.name}.lock")
    alone, file = False, -1
    try:
        with naming(path):
            while not alone:
                file = os.open(beside, os.O_RDWR | os.O_CREAT | BINARY, 0o666)
                if not lock(file):
                    break
                alone = _is(beside, file)
                if not alone:  # an earlier run has just removed what we have locked
                    os.close(file)
                    file = -1
        yield alone
    finally:
        if alone:
            with suppress(OSError):
                os.unlink(beside)
        if file >= 0:
            os.close(file)


def _is(path: Path, file: int) -> bool:
    """Return whether a path names an open file; True where this is not known."""
    try:
        return os.name == "nt" or os.path.samestat(os.stat(path), os.fstat(file))
    except FileNotFoundError:
        return False


def append(path: Path, content: bytes) -> None:
    """Append bytes to a file, whole or not at all.

    Requires: no other process writes to it meanwhile, as inside `alone_in`.
    Raises: OSError, which names the file, if it cannot be written; it is then unchanged.
    """
    with naming(path):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | BINARY, 0o666)
        try:
            append_to(file, content)
        finally:
            os.close(file)


def append_to(file: int, content: bytes) -> None:
    """Append bytes to a file that is open for appending, whole or not at all."""
    end, left = os.fstat(file).st_size, content
    try:
        while left:
            left = left[os.write(file, left) :]
    except BaseException:
        os.ftruncate(file, end)
        raise


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that replaces `path` when the block ends without an error.

    Ensures: a link stays, and its target is replaced; a file that is replaced keeps its
    permissions and, where the system allows it, its owner.
    Raises: OSError, which names `path`, also if it is read-only; an earlier file is then unchanged.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not replaceable(path):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    place = Path(os.path.realpath(path))
    draft = place.with_name(f".{token_hex(8)}.draft")
    with naming(path, place, draft):
        old = place.stat() if place.exists() else None
        mode = 0o666 if old is None else S_IMODE(old.st_mode) & 0o700
        number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, mode)
        try:
            with open(number, "wb") as file:
                yield file
            if old is not None:
                if hasattr(os, "chown"):
                    with suppress(OSError):  # only an administrator may give files away
                        os.chown(draft, old.st_uid, old.st_gid)
                os.chmod(draft, S_IMODE(old.st_mode))
            os.replace(draft, place)
        except BaseException:
            os.unlink(draft)
            raise
