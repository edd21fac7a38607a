"""Files of rows of numbers, which can be mapped into memory: NumPy's .npz, not compressed.

A file has the text ``about.json`` and an array for each row.  Each begins at a multiple of 64
bytes, so that it can be mapped directly, and all processes that map it share its memory.

All parts are read from one open file, because another may take its name at any time.
"""

from __future__ import annotations

import io
import json
import os
import struct
from collections.abc import Mapping
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any, Final
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np

from graphs.json_text import json_in
from strategies.support.files import whole_file

ABOUT: Final = "about.json"
LINE: Final = 64
LOCAL: Final = 30
"""The bytes of a member's header, before its name and its extra fields."""
LARGE: Final = 20
"""The bytes of the extra field with the size of a member of more than 4 GB; it is always there."""
PADDING: Final = 0xD935
"""The kind of the padding extra field, as Android's zipalign writes it."""
CHUNK: Final = 1 << 24
"""The most bytes of a description, and the numbers that are written at a time."""

UNREADABLE: Final = (
    OSError, BadZipFile, KeyError, ValueError, TypeError, IndexError, EOFError, SyntaxError,
    ArithmeticError, RuntimeError, MemoryError, struct.error, TokenError,
)  # fmt: skip
"""What zipfile and NumPy raise for damaged files; NotImplementedError is a RuntimeError."""


def write_rows(path: Path, about: Mapping[str, Any], rows: Mapping[str, Any]) -> None:
    """Write a description and rows of numbers to a file, whole or not at all.

    Ensures: the same bytes for the same content.
    Raises: OSError; an earlier file is then unchanged.
    """
    with whole_file(path) as file:
        with ZipFile(file, "w") as archive:
            archive.writestr(ZipInfo(ABOUT), json.dumps(about, ensure_ascii=False))
            for name, row in rows.items():
                _add(archive, file, f"{name}.npy", row)
        file.flush()
        os.fsync(file.fileno())


def _add(archive: ZipFile, file: IO[bytes], name: str, row: Any) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(row))
    member = ZipInfo(name)
    pad = -(file.tell() + LOCAL + len(name) + LARGE + 4) % LINE
    member.extra = struct.pack("<HH", PADDING, pad) + bytes(pad)
    with archive.open(member, "w", force_zip64=True) as inner:
        inner.write(header.getvalue())
        for start in range(0, len(row), CHUNK):  # its numbers need not lie side by side
            inner.write(np.ascontiguousarray(row[start : start + CHUNK]).view(np.uint8).data)


def opened(file: IO[bytes]) -> ZipFile:
    """Return the members of an open file, of which none is compressed, so that none is longer than
    the file.

    Raises: BadZipFile, OSError.
    """
    archive = ZipFile(file)
    for member in archive.infolist():
        if member.compress_type != ZIP_STORED or member.compress_size != member.file_size:
            raise BadZipFile(f"{member.filename} is compressed")
    return archive


def description(archive: ZipFile) -> Any:
    """Return the description in a file.

    Raises: one of `UNREADABLE`.
    """
    if archive.getinfo(ABOUT).file_size > CHUNK:
        raise BadZipFile(f"{ABOUT} is too long")
    return json_in(archive.read(ABOUT))


def mapped(archive: ZipFile, name: str) -> Any:
    """Map a row of a file that is `opened` into memory, where it is read on access, also after the
    file is closed.

    Raises: one of `UNREADABLE`.
    """
    member, file = archive.getinfo(f"{name}.npy"), archive.fp
    assert file is not None  # only a closed archive has none
    file.seek(member.header_offset)
    sizes = struct.unpack("<HH", file.read(LOCAL)[-4:])
    file.seek(member.header_offset + LOCAL + sum(sizes))
    np.lib.format.read_magic(file)
    shape, _, dtype = np.lib.format.read_array_header_1_0(file)
    start, end = file.tell(), member.header_offset + LOCAL + sum(sizes) + member.file_size
    if len(shape) != 1 or start + shape[0] * dtype.itemsize != end:
        raise ValueError("the array has another size than its part of the file")
    if not shape[0]:
        return np.zeros(0, dtype)
    if start % dtype.itemsize:
        return np.fromfile(file, dtype, shape[0])
    return np.memmap(file, dtype, "r", start, shape)
