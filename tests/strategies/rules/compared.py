"""A function run as Python and as machine code, and compared exactly."""

from __future__ import annotations

import copy
import dataclasses
import functools
import itertools
import linecache
import math
import types
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

import attrs
import numpy as np

from strategies import compile_function
from strategies.rules.language.messages import Refusal, RuleError

_numbers = itertools.count()


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal, of the same types throughout; -0.0 is not 0.0."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, deque):
        return a.maxlen == b.maxlen and same(list(a), list(b))
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return same(list(a.items()), list(b.items()))
    if isinstance(a, set | frozenset):
        return len(a) == len(b) and all(any(same(x, y) for y in b) for x in a)
    if isinstance(a, float | np.floating):
        return (a == b and math.copysign(1, a) == math.copysign(1, b)) or (a != a and b != b)
    names = fields_of(a)
    if names:
        return all(same(getattr(a, n, None), getattr(b, n, None)) for n in names)
    return bool(a == b)


def fields_of(a: Any) -> list[str]:
    """Return the names of the fields of a record; none of anything else."""
    if attrs.has(type(a)):
        return [f.name for f in attrs.fields(type(a))]
    return [f.name for f in dataclasses.fields(a)] if dataclasses.is_dataclass(a) else []


def outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what a call does: its value and its arguments afterwards, or its exception's type."""
    given = copy.deepcopy(args)
    try:
        return "value", function(*given), given
    except Refusal:
        raise
    except Exception as error:
        return "error", type(error)


def too_wide(value: Any) -> bool:
    """Whether a value has an int of more than 64 bits, or a U64 that is no int of 64 bits."""
    if isinstance(value, list | tuple):
        return any(map(too_wide, value))
    return isinstance(value, int) and not -(2**63) <= value < 2**63


def _has_complex(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_complex, value))
    return isinstance(value, complex)


def agrees(
    args: tuple[Any, ...], python: tuple[Any, ...], native: tuple[Any, ...], wide: bool = False
) -> bool:
    """Whether machine code did as Python did, but for the stated limits.

    Args:
        wide: whether ints on the way to the result may need more than 64 bits.
    """
    if native == ("error", OverflowError) != python:
        found = python[1:2] if python[0] == "value" else ()
        return wide or too_wide((args, found)) or python == ("error", MemoryError)
    if native == ("error", RuleError):
        return python[0] == "value" and _has_complex(python[1])
    if python[0] == "value" == native[0]:
        return same(python[1:], native[1:])
    return python == native


def check(function: Callable[..., Any], *calls: tuple[Any, ...]) -> None:
    """Assert that machine code does as Python does, for several calls of a function."""
    compiled = compile_function(function)
    for args in calls:
        python, native = outcome(function, args), outcome(compiled, args)
        assert agrees(args, python, native), (function.__name__, args, python, native)


def refused(function: Callable[..., Any], *args: Any) -> str:
    """Return the sentence with which a function is refused for these arguments."""
    try:
        found = compile_function(function)(*args)
    except Refusal as refusal:
        return refusal.reason
    raise AssertionError(f"{function.__name__}{args} was compiled, and gave {found!r}")


def function_of(text: str, **names: Any) -> types.FunctionType:
    """Return the function `f` that a text defines, whose source can be read."""
    path = f"<function {next(_numbers)}>"
    linecache.cache[path] = len(text), None, text.splitlines(keepends=True), path
    exec(compile(text, path, "exec"), names)
    found: types.FunctionType = names["f"]
    return found


@functools.cache
def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    return compile_function(function)


def differences(
    function: Callable[..., Any], calls: Iterable[tuple[Any, ...]], wide: bool = False
) -> list[tuple[Any, ...]]:
    """Return the calls in which machine code does not do as Python does."""
    compiled, found = _compiled(function), []
    for args in calls:
        python, native = outcome(function, args), outcome(compiled, args)
        if not agrees(args, python, native, wide):
            found.append((args, python, native))
    return found
