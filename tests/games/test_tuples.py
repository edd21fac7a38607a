"""`put` replaces one element of a tuple, with the same result on both engines."""

from __future__ import annotations

from typing import Any

import pytest

from games import put
from tests.strategies.native.compiled import compiled


def replaced(index: int, value: int) -> Any:
    return put((1, 2, 3), index, value)


def test_put_replaces_an_element_or_raises() -> None:
    native = compiled(replaced)
    for rule in replaced, native:
        for index in range(-3, 3):
            row = [1, 2, 3]
            row[index] = 9
            assert rule(index, 9) == tuple(row)
        for index in (-7, -4, 3, 64):
            with pytest.raises(IndexError):
                rule(index, 9)
