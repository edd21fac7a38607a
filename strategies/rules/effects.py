"""Effects: what code does besides giving a value. It fails, or changes what others see."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, field

from strategies.rules.contained import can_change, somewhere
from strategies.rules.kinds import Generator, Instance, Kind
from strategies.rules.questions import LIMITS


@define(eq=False)
class Effects:
    """What was noted while code was emitted.

    Attributes:
        errors: what it fails with itself; `Exception` stands for any.
        calls: the instances that it calls.
        changes: whether it may change a container, or step on an iterator, that others see.
        writes: whether it may write to an array of the game.
    """

    errors: set[type[BaseException]] = field(factory=set)
    calls: set[Instance] = field(factory=set)
    changes: bool = False
    writes: bool = False

    def raised(self) -> set[type[BaseException]]:
        """Return all errors that it may end with, but for those of the compiler's own limits."""
        found = set(self.errors)
        for one in _reached(self.calls):
            found |= one.effects.errors
        return {e for e in found if not issubclass(e, LIMITS)}

    def are_seen(self) -> bool:
        """Whether somebody else may see what it changes."""
        return self.changes or self.writes or any(_is_seen(one, set()) for one in self.calls)


def _reached(first: Iterable[Instance]) -> Iterator[Instance]:
    seen: set[Instance] = set()
    todo = list(first)
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += one.effects.calls
            yield one


def _is_seen(one: Instance, seen: set[Instance]) -> bool:
    """Whether the caller of a function may see what it changes.

    A function of Python changes what it is given, or nothing: no rule changes what rules share.
    """
    if one in seen:
        return False
    seen.add(one)
    captured: Iterable[Kind] = one.closure.kinds if one.closure else ()
    if isinstance(one.node, ast.GeneratorExp):
        own = one.effects.changes or any(somewhere(k, _is_generator) for k in captured)
    elif one.source.is_builtin:
        own = False
    else:
        if any(can_change(k) for k in (*one.kinds, *captured)):
            return True
        return any(reached.effects.writes for reached in _reached([one]))
    return own or one.effects.writes or any(_is_seen(x, seen) for x in one.effects.calls)


def _is_generator(k: Kind) -> bool:
    return isinstance(k, Generator)


# Builtins

_CHANGING = frozenset(
    (
        *("add", "append", "appendleft", "clear", "difference_update", "discard", "extend"),
        *("extendleft", "insert", "intersection_update", "pop", "popitem", "popleft", "remove"),
        *("reverse", "rotate", "setdefault", "sort", "subtract", "symmetric_difference_update"),
        "update",
    )
)
_IN_PLACE = frozenset(
    (
        *("iadd", "iand", "iconcat", "ifloordiv", "ilshift", "imatmul", "imod", "imul", "ior"),
        *("ipow", "irshift", "isub", "itruediv", "ixor", "setitem", "delitem"),
    )
)
_BUILTINS = frozenset(
    (
        *("abs", "all", "any", "bin", "bool", "chr", "dict", "divmod", "enumerate", "filter"),
        *("float", "format", "frozenset", "getattr", "hasattr", "hex", "int", "isinstance"),
        *("len", "list", "map", "max", "min", "oct", "ord", "pow", "range", "repr", "reversed"),
        *("round", "set", "sorted", "str", "sum", "tuple", "type", "zip"),
        *("U64", "Counter", "reduce", "bisect_left", "bisect_right", "prefetch"),
    )
)


def changes_nothing(value: Any) -> bool:
    """Whether a builtin function only reads its arguments."""
    name, module = getattr(value, "__name__", ""), getattr(value, "__module__", "")
    if module in ("math", "itertools"):
        return True
    return name not in _IN_PLACE if module == "_operator" else name in _BUILTINS


def method_changes(name: str) -> bool:
    """Whether a method of this name changes containers of Python's."""
    return name in _CHANGING
