"""Checking a layer of many groups takes work in proportion to their number."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from strategies.algebra.groups import Group, _fault


class Counted(list[int]):
    """A list that counts its elements that are read."""

    read = 0

    def __getitem__(self, i: Any) -> Any:
        found = super().__getitem__(i)
        Counted.read += len(found) if isinstance(i, slice) else 1
        return found

    def __contains__(self, x: object) -> bool:
        Counted.read += len(self)
        return super().__contains__(x)


@given(st.integers(1, 500), st.data())
def test_a_group_is_checked_without_reading_all_groups_before_it(n: int, data: Any) -> None:
    after = data.draw(st.integers(0, n))
    Counted.read = 0
    assert not _fault(Group(n, n + 1, after), Counted(range(n + 1)), n + 1)
    assert Counted.read <= 20
