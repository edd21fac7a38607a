"""What is pickled by value keeps the file of its source, from which rules are compiled."""

from __future__ import annotations

import dataclasses
import pickle
import types
from collections.abc import Iterator
from typing import Any

import pytest

from strategies.support.by_value import dumps

TEXT = """
class Rules:
    size: int = 3
    def moves(self, state):
        def inner(n):
            return (lambda: [m * n for m in range(self.size)])()
        return inner(state)
    @staticmethod
    def least(n):
        return (m for m in (n, n + 1))
    @property
    def half(self):
        return self.size // 2
function = lambda n: Rules().moves(n)
"""


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from codes(part)


def parts(made: Any) -> list[Any]:
    rules = made.Rules
    return [rules.moves, rules.least, rules.half.fget, made.function]


@pytest.fixture
def program() -> types.ModuleType:
    """Return a program's main module, which no other process can import."""
    made = types.ModuleType("__main__")
    exec(compile(TEXT, "game of a user.py", "exec"), vars(made))
    return made


def test_functions_keep_their_files(program: types.ModuleType) -> None:
    for function in parts(program):
        copied = pickle.loads(dumps(function))
        mine, theirs = (list(codes(f.__code__)) for f in (function, copied))
        assert {c.co_filename for c in theirs} == {"game of a user.py"}
        assert mine == theirs


def test_what_they_do_is_the_same(program: types.ModuleType) -> None:
    rules, function = pickle.loads(dumps((program.Rules, program.function)))
    assert function(2) == program.function(2) == rules().moves(2) == [0, 2, 4]
    assert list(rules.least(3)) == [3, 4]
    assert rules().half == 1


def test_a_dataclass_keeps_which_fields_lack_a_default() -> None:
    made = types.ModuleType("__main__")
    text = "@dataclass(frozen=True)\nclass Two:\n    a: int\n    b: int = 3"
    exec(f"from dataclasses import dataclass\n{text}", vars(made))
    copied = pickle.loads(dumps(made.Two))
    assert [f.default for f in dataclasses.fields(copied)] == [dataclasses.MISSING, 3]
    assert all(f.default_factory is dataclasses.MISSING for f in dataclasses.fields(copied))
