"""Learned weights as data: one long, read-only row of numbers, identified by a digest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from weakref import WeakValueDictionary

import numpy as np
from attrs import field, frozen

from graphs.errors import MalformedError

Row = np.ndarray[Any, np.dtype[np.float32]]
CHUNK: Final = 1 << 22
"""The number of weights that are read at a time."""


def as_row(values: Any) -> Row:
    """Return weights as a read-only row, without copying one that is read-only already."""
    row = np.ascontiguousarray(values, dtype=np.float32).reshape(-1).view()
    row.setflags(write=False)
    return row


def digest_of(values: Row) -> str:
    """Return the digest of weights; it takes a quarter of a second for 256 MB."""
    found = hashlib.sha256()
    for start in range(0, len(values), CHUNK):  # they need not lie side by side
        found.update(np.ascontiguousarray(values[start : start + CHUNK]).data)
    return found.hexdigest()[:32]


@frozen(eq=False, repr=False)
class Weights:
    """A row of weights, which equals another if the digests are equal.

    The digest is computed once.  Weights `of_file` are mapped into memory that threads and
    processes share; a process that receives them opens the file itself.

    >>> Weights([0.5, 1.0]) == Weights(np.array([0.5, 1.0]))
    True
    """

    values: Row = field(converter=as_row)
    digest: str = field()
    source: tuple[Callable[..., Any], str] | None = None
    """The function that reads them again, and its file."""

    @digest.default
    def _digest(self) -> str:
        return digest_of(self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Weights) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        name = "" if self.source is None else f"{Path(self.source[1]).name} "
        return f"<{self.values.size:,} weights {name}{self.digest[:8]}>"

    def __dask_tokenize__(self) -> str:
        return self.digest

    def __reduce__(self) -> tuple[Any, ...]:
        if self.source is None:
            return Weights, (np.array(self.values), self.digest)
        read, path = self.source
        return reread, (read, path, self.digest)


_reread: WeakValueDictionary[tuple[str, str], Weights] = WeakValueDictionary()
"""The weights that this process has read again and still uses, by file and digest."""


def reread(read: Callable[[str], Weights], path: str, digest: str) -> Weights:
    """Read weights again in the process that receives them, once while it uses them.

    Raises: MalformedError if the file has other weights by now.
    """
    found = _reread.get((path, digest))
    if found is None:
        found = read(path)
        if found.digest != digest:
            raise MalformedError(
                f"{path} has other weights than when it was read; name another file"
            )
        _reread[path, digest] = found
    return found
