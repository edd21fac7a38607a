"""Random rules give the same number in machine code and in Python, or an error."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from strategies.native.verification.parity import checked
from strategies.rules.language.messages import Refusal
from tests.strategies.native.compiled import compiled
from tests.strategies.native.random_rules import Rule
from tests.strategies.native.random_templates import THEMES
from tests.strategies.rules.compared import same

pytestmark = pytest.mark.filterwarnings(
    "ignore"
)  # warnings of Python and Numba about unusual rules
SEEDS = {"plain": 59, "records": 2, "floats": 54, "boards": 1, "tables": 1}

Row = tuple[int, int, int, int]
RAISED = (
    ArithmeticError,
    AssertionError,
    LookupError,
    NameError,
    RuntimeError,
    TypeError,
    ValueError,
)


@pytest.fixture(autouse=True)
def _quick() -> None:
    """Let LLVM optimize these functions, as it does for users."""


def outcome(rule: Callable[..., Any], t: Row) -> Any:
    try:
        return told(rule(t))
    except RAISED as error:
        return type(error)


def told(value: Any) -> Any:
    """Return a comparable form of a value, because nan does not equal itself."""
    if isinstance(value, tuple):
        return tuple(map(told, value))
    return "nan" if value != value else value


def check(rule: Callable[..., Any], seed: int) -> bool:
    """Say whether a rule compiles; if so, it must agree with Python as far as 64 bits allow."""
    random, native = Random(seed), compiled(rule)
    rows: list[Any] = [tuple(random.randint(-4, 9) for _ in range(4)) for _ in range(30)]
    try:
        native(rows[0])
    except Refusal:
        return False
    except RAISED:
        pass
    for t in rows:
        found, known = outcome(native, t), outcome(rule, t)
        assert same(found, known) or outcome(rule, checked(t)) is OverflowError, (seed, t)
    return True


def made(seed: int, folder: Path, *themes: str) -> Callable[..., Any]:
    """Return the rule of a seed, from a file so that its source can be read."""
    file = folder / f"rule_{seed}.py"
    file.write_text(f"{Rule(seed, *themes).text()}\n")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rule: Callable[..., Any] = module.rule
    return rule


@pytest.mark.parametrize("theme", THEMES)
def test_random_rules(theme: str, tmp_path: Path) -> None:
    assert check(made(SEEDS[theme], tmp_path, theme), SEEDS[theme])


@pytest.mark.long
def test_many_random_rules(tmp_path: Path) -> None:
    seeds = range(1000, 1400)
    assert sum(check(made(s, tmp_path), s) for s in seeds) > 0.9 * len(seeds)


def empty_lists_in_step(t: Row) -> int:
    total = 0
    for x, y in zip([v for v in [4] if v % 2], [1, 2], strict=False):
        total += x + y
    return total


def a_list_into_itself(t: Row) -> int:
    row = list(t)
    row.append(1)
    other = row
    row[1:3] = other
    row[3:1] = row if row else other
    return sum(3**i * x for i, x in enumerate(row))


def defaults_are_computed_first(t: Row) -> int:
    first = next((x for x in t if x > 3), 1 // (t[0] - 2))
    return max((x for x in t if x > first), default=t[1] // t[2])


@pytest.mark.parametrize(
    "rule", [empty_lists_in_step, a_list_into_itself, defaults_are_computed_first]
)
def test_faults_that_random_rules_found(rule: Callable[..., Any]) -> None:
    native = compiled(rule)
    for t in [(0, 1, 2, 3), (2, 9, 1, 0), (3, 4, 0, 9), (9, 5, -2, 7)]:
        assert outcome(native, t) == outcome(rule, t)
