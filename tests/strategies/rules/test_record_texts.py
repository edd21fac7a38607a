"""The text of a record is what the special methods of its class make, if somebody wrote them."""

# Old formats are of the matter of these tests.
# ruff: noqa: F507, UP031, UP032

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from attrs import frozen

from tests.strategies.rules.cases import Cases
from tests.strategies.rules.compared import refused

CASES = Cases()
case = CASES(0, 1, 25)


@frozen
class Place:
    x: Any

    def __str__(self) -> str:
        return f"P{self.x}"


@frozen
class Near(Place):
    y: Any = 3


@dataclass(frozen=True)
class Shown:
    x: Any

    def __str__(self) -> str:
        return self.letters() + "!"

    def letters(self) -> str:
        return "a" * self.x


class Pair(NamedTuple):
    x: Any

    def __str__(self) -> str:
        return f"({self.x})"


class Plain(NamedTuple):
    x: Any


@dataclass(frozen=True)
class Numbered:
    x: Any

    def __getitem__(self, i: Any) -> Any:
        return i


@frozen(repr=False)
class Spelled:
    x: Any

    def __repr__(self) -> str:
        return f"S{self.x}"


@frozen(repr=False)
class Formatted(Spelled):
    def __format__(self, spec: str) -> str:
        return f"F{self.x}{spec}"


@frozen(repr=False)
class Wrong:
    x: Any

    def __str__(self) -> str:
        return self.x  # type: ignore[no-any-return]


@case
def strings(n: Any) -> Any:
    return (
        str(Place(n)),
        str(Near(n)),
        str(Shown(n)),
        str(Pair(n)),
        str(Spelled(n)),
        str(Formatted(n)),
    )


@case
def f_strings(n: Any) -> Any:
    return f"{Place(n)} {Shown(n)!s:>9} {Pair(n)} {Spelled(n)!r} {Formatted(n):xy} {Formatted(n)!s}"


@case
def formats(n: Any) -> Any:
    return "%s-%s" % (Place(n), n), "%s" % Place(n), "{}".format(Pair(n)), format(Formatted(n), "q")


@case
def reprs(n: Any) -> Any:
    return repr(Spelled(n)), repr(Formatted(n))


@case
def one_of_several(n: Any) -> Any:
    return f"{Place(n) if n else None}", str(Place(n) if n > 1 else 2.5)


@case
def nothing_or_a_number(n: Any) -> Any:
    return f"{n if n else None}", str(None if n else 3), repr(None if n else 3)


@case
def with_a_format(n: Any) -> Any:
    return f"{Place(n):>5}"


@case
def too_few_for_the_places(n: Any) -> Any:
    return "%s%s" % Wrong([n])


@case
def no_text(n: Any) -> Any:
    return str(Wrong(n))


@pytest.mark.parametrize("name", CASES.names())
def test_as_in_python(name: str) -> None:
    CASES.run(name)


def plain(n: Any) -> Any:
    return str(Plain(n))


def generated(n: Any) -> Any:
    return repr(Near(n))


def of_dataclass(n: Any) -> Any:
    return f"{Numbered(n)}"


def as_a_mapping(n: Any) -> Any:
    return "abc" % Numbered(n)


def test_what_may_be_a_mapping_is_no_argument_of_a_format() -> None:
    assert "write an f-string" in refused(as_a_mapping, 1)


def test_a_text_that_is_generated_is_refused() -> None:
    assert refused(plain, 1).endswith("or write Plain.__str__")
    assert refused(of_dataclass, 1).endswith("or write Numbered.__str__")
    assert "the text of a Near is not compiled" in refused(generated, 1)
