"""The text of a member is what its class says, or else what Python says of members."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Any

import pytest

from tests.strategies.rules.compared import differences, function_of


class Named(Enum):
    """`__str__` is also what formats and f-strings show."""

    X = "x"
    Y = "yy"

    def __str__(self) -> str:
        return self.value


class Represented(Enum):
    """`__repr__` is not what `str` shows."""

    X = 1
    Y = 2

    def __repr__(self) -> str:
        return f"<{self.name}>"


class Number(IntEnum):
    X = 1
    Y = 2

    def __str__(self) -> str:
        return "n" + self.name


class Mixed(int, Enum):
    X = 1
    Y = 2

    def __str__(self) -> str:
        return "m" + str(int(self))


class Formatted(Enum):
    X = 1
    Y = 2

    def __format__(self, spec: str) -> str:
        return spec + self.name.lower()


class Base(Enum):
    def __str__(self) -> str:
        return f"{self.name}!"


class Derived(Base):
    X = 1
    Y = 2


class Failing(Enum):
    X = 0
    Y = 2

    def __str__(self) -> str:
        return "ab"[self.value]


class Wrong(Enum):
    X = 1
    Y = 2

    def __str__(self) -> str:
        return self.value  # type: ignore[return-value]


CLASSES = (Named, Represented, Number, Mixed, Formatted, Derived, Failing, Wrong)
TEXTS = (
    "str(m), [str(x) for x in (m, n)]", "f'{m}{n}', f'{m!s:>5}'", "f'{m:>4}', format(m, '^5')",
    "repr(m), f'{m!r:>9}'", "'%s' % m, '%s%s' % (m, n), '{}'.format(m)", "'%s%s' % m", "'abc' % m",
    "'%d' % m", "'a' + m", "{str(x): x for x in C}",
)  # fmt: skip


@pytest.mark.parametrize("cls", CLASSES)
def test_texts_of_members(cls: Any) -> None:
    for text in TEXTS:
        function = function_of(f"def f(n):\n    m = C.X if n else C.Y\n    return {text}", C=cls)
        assert not differences(function, [(0,), (1,)]), text
