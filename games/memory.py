"""What rules and kernels say about memory, without any effect on results."""

from __future__ import annotations

from typing import Any


def prefetch(row: Any, index: int) -> None:
    """Announce that an element of a row will soon be read, so that the processor fetches it now.

    Ensures: nothing but speed changes; an index out of range does no harm.
    """
