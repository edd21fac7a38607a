"""What a program read of Python's objects while it was compiled, so that a change is noticed.

Names of modules, closures and classes are compared by identity, contents of lists by value; in
them, objects of which only attributes are read are compared by identity, as the attributes are.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections import deque
from collections.abc import Callable
from copy import copy
from functools import partial
from operator import is_
from typing import Any, Final

from games.fields import is_frozen_record, record_fields

MISSING = object()
LAZY: Final = frozenset({"__annotations__", "__annotations_cache__", "__doc__", "__slotnames__"})
"""Names of a class that Python itself sets later, or that no rule reads."""
IMMUTABLE: Final = 1 << 8
"""The flag of a class of which nothing can be changed, such as `int`."""
HELD: Final = (list, set, dict, deque)


def is_array(value: Any) -> bool:
    """Return whether a value is an array of numpy's, which is not loaded for this."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray)


def alike(a: Any, b: Any) -> bool:
    """Whether two values are equal, of the same types, and in the same order."""
    if a is b or type(a) is not type(b):
        return a is b
    if is_array(a):
        same_form = a.dtype == b.dtype and a.shape == b.shape
        return bool(same_form and a.tobytes() == b.tobytes())
    if type(a) is float:
        return bool(a.hex() == b.hex())  # 0.0 == -0.0
    if isinstance(a, dict):
        return alike(list(a.items()), list(b.items()))
    if isinstance(a, list | tuple | deque):
        return len(a) == len(b) and all(map(alike, a, b))
    if names := _fields_of(a):
        return all(alike(getattr(a, name, MISSING), getattr(b, name, MISSING)) for name in names)
    by_value = type(a).__flags__ & IMMUTABLE or isinstance(a, int | float | str | bytes)
    return bool(by_value and a == b)


def _copied(value: Any, done: dict[int, Any]) -> Any:
    """Return a copy of a value to compare it with later, with copies of the containers and frozen
    records in it.

    Sets hold the same elements, and other objects are the same: what is read of their attributes is
    remembered for itself.
    """
    if id(value) in done:
        return done[id(value)]
    found = value
    if isinstance(value, tuple):
        parts = [_copied(x, done) for x in value]
        if not all(map(is_, parts, value)):
            found = tuple.__new__(type(value), parts)
    elif isinstance(value, HELD) or is_array(value):
        found = done[id(value)] = copy(value)
        if isinstance(found, dict):
            found.clear()
            for k, x in value.items():
                found[_copied(k, done)] = _copied(x, done)
        elif isinstance(found, list | deque):
            for i, x in enumerate(value):
                found[i] = _copied(x, done)
    elif names := _fields_of(value):
        found = done[id(value)] = copy(value)
        for name in names:
            if (part := getattr(value, name, MISSING)) is not MISSING:
                object.__setattr__(found, name, _copied(part, done))
    return found


def _fields_of(value: Any) -> list[str]:
    """Return the names of the fields of a frozen record; none of any other object."""
    fields = record_fields(value)
    return [name for name, _ in fields] if fields and is_frozen_record(type(value)) else []


def _function_of(owner: Any, name: str) -> Any:
    """Return the function of a method, which is bound anew each time."""
    found = getattr(owner, name, MISSING)
    return getattr(found, "__func__", found)


def _held(cell: types.CellType) -> Any:
    """Return the present value of a closed-over name."""
    try:
        return cell.cell_contents
    except ValueError:  # not bound yet
        return MISSING


def space_of(cls: type) -> dict[str, Any]:
    """Return all that a class itself defines."""
    return {name: part for name, part in vars(cls).items() if name not in LAZY}


def is_same_space(cls: type, was: dict[str, Any]) -> bool:
    """Return whether a class itself defines what it defined before."""
    now = vars(cls)
    same = all(map(is_, map(now.get, was), was.values()))
    return same and len(now) - len(LAZY & now.keys()) == len(was)


class Reads:
    """The values that were read, each with a way to read it again, besides those of `above`."""

    def __init__(self, above: Reads | None = None) -> None:
        self._above = above
        self._read: dict[Any, tuple[Callable[[], Any], Any]] = {}
        self._contents: dict[int, tuple[Any, Any]] = {}
        self._spaces: dict[type, dict[str, Any]] = {}
        self._owners: dict[int, Any] = {}

    def note(self, where: Any, again: Callable[[], Any], value: Any) -> None:
        """Remember a value and how to read it again."""
        self._read.setdefault(where, (again, value))

    def name(self, scope: dict[str, Any], name: str) -> None:
        """Remember what a name of a module is, or that it is not there."""
        self.note((id(scope), name), partial(scope.get, name, MISSING), scope.get(name, MISSING))

    def attribute(self, owner: Any, name: str) -> None:
        """Remember what an attribute is."""

        again: Callable[[], Any] = partial(getattr, owner, name, MISSING)
        if isinstance(again(), types.MethodType) and again() is not getattr(owner, name):
            again = partial(_function_of, owner, name)
        elif isinstance(again(), types.BuiltinMethodType):
            # `dict.fromkeys` and its like are made anew each time; what makes them stays.
            again = partial(inspect.getattr_static, owner, name)
        self.note((id(owner), "." + name), again, again())
        self._owners[id(owner)] = owner  # so that its number stays its own

    def answer(self, ask: Callable[..., Any], *values: Any) -> Any:
        """Return what Python answers about objects, which may depend on all that they hold, and
        remember it."""
        found = ask(*values)
        if not all(type(value).__flags__ & IMMUTABLE for value in values):
            where = ask, *map(id, values)
            self.note(where, lambda: ask(*values) == found, True)
        return found

    def function(self, function: types.FunctionType) -> None:
        """Remember a function's code, its defaults and what it captured."""
        for name in ("__code__", "__defaults__", "__kwdefaults__"):
            self.attribute(function, name)
        by_name = function.__kwdefaults__ or {}
        self.note(("defaults", id(by_name)), partial(len, by_name), len(by_name))
        for name, value in by_name.items():
            self.note(("default", id(by_name), name), partial(by_name.get, name), value)
        for cell in function.__closure__ or ():
            self.note(("cell", id(cell)), partial(_held, cell), _held(cell))

    def space(self, cls: type) -> None:
        """Remember all that a class, its bases and its metaclass define."""
        above: type = type(cls)
        for owner in (*cls.__mro__, *above.__mro__):
            if owner not in self._spaces and not owner.__flags__ & IMMUTABLE:
                self._spaces[owner] = space_of(owner)

    def contents(self, value: Any) -> None:
        """Remember what a list, set or dict contains."""
        if (isinstance(value, HELD) or is_array(value)) and id(value) not in self._contents:
            self._contents[id(value)] = value, _copied(value, {})

    def names(self, owner: object) -> list[str]:
        """Return the attributes of an object that were read."""
        return [w[1][1:] for w in self._read if w[0] == id(owner) and w[1].startswith(".")]

    def hold(self, tables: bool = True) -> bool:
        """Whether all is as it was; without `tables`, lists, sets and dicts are not compared."""
        if self._above is not None and not self._above.hold(tables):
            return False
        try:
            read = all(again() is value for again, value in self._read.values())
            return (
                read
                and all(is_same_space(*found) for found in self._spaces.items())
                and (not tables or all(alike(now, was) for now, was in self._contents.values()))
            )
        except Exception:  # by a method of the user's, a list in itself, or a variable that is gone
            return False
