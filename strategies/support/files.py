"""Write files whole or not at all."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

STDOUT = Path("/dev/stdout")


def is_stream(path: Path) -> bool:
    """Return whether `path` is a device or a pipe, which cannot be replaced."""
    return path == STDOUT or (path.exists() and not path.is_file() and not path.is_dir())


def write_whole(path: Path, content: str | bytes) -> None:
    """Write text or bytes to a file, whole or not at all; a link's target is written.

    A device or a pipe is written to directly.

    Raises: OSError if it cannot be written; an earlier file is then unchanged.
    """
    if path == STDOUT:
        sys.stdout.flush()
        if isinstance(content, str):
            sys.stdout.write(content)
            sys.stdout.flush()
        else:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
    elif is_stream(path):
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    else:
        replace(Path(os.path.realpath(path)), content)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Lock a folder against other processes during the block, if the system supports it.

    So no other process overwrites a file between reading and writing.
    """
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def append(path: Path, content: bytes) -> None:
    """Append bytes to a file, whole or not at all.

    Requires: no other process writes to it meanwhile, as inside `alone_in`.
    Raises: OSError if it cannot be written; the file is then unchanged.
    """
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
    try:
        end = os.fstat(file).st_size
        left = content
        try:
            while left:
                left = left[os.write(file, left) :]
        except BaseException:
            os.ftruncate(file, end)
            raise
    finally:
        os.close(file)


def replace(path: Path, content: str | bytes) -> None:
    raw = content if isinstance(content, bytes) else content.encode()
    with whole_file(path) as file:
        file.write(raw)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that replaces `path` when the block ends without an error."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    try:
        temporary = NamedTemporaryFile("wb", dir=path.parent, delete=False)  # noqa: SIM115
    except OSError as error:  # it names the temporary file, which the caller does not know
        raise OSError(error.errno, error.strerror, str(path)) from None
    with temporary as file:
        try:
            yield file
            file.close()
            # A temporary file is private; the new file gets the usual permissions.
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(file.name, 0o666 & ~umask)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
