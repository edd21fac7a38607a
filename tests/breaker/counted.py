"""Counts of how the cases of a round ended, and what counts as a clear end."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from graphs.errors import JamboreeError

ENDED: Counter[str] = Counter()
"""How many cases of this process were right, and how many ended with a sentence."""

Found = TypeVar("Found")
FOREIGN = re.compile(r"Traceback|numba|llvm|0x[0-9a-f]{6}|<[\w.]+ object", re.IGNORECASE)
"""Words that no sentence for users contains."""


def clear(text: str) -> bool:
    """Return whether a text is a sentence for users: not empty, short, without internal words."""
    return 0 < len(text) <= 1000 and not FOREIGN.search(text)


def right(holds: object) -> None:
    """Count a case that ended with a result.

    Raises: AssertionError if the result is wrong.
    """
    assert holds
    ENDED["right"] += 1


def answered(compute: Callable[[], Found]) -> Found | None:
    """Return a result; count an error of Jamboree with a clear sentence, and return None for it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return compute()
    except JamboreeError as error:
        said = f"{type(error).__name__}: {error}"
    assert clear(said), said
    ENDED["told"] += 1
    return None
