"""Changes: whether a kind that functions share is as it was."""

from __future__ import annotations

import itertools


class Changes:
    """Numbers the changes of kinds that functions share: of cells, records and closures."""

    last = 0
    _numbers = itertools.count(1)

    @classmethod
    def note(cls) -> None:
        cls.last = next(cls._numbers)
