"""Tokens of values that a user defined, computed without pickling anything.

To make a token of a class of `__main__`, Dask pickles it by value and reads the copy back, which
replaces the class's own methods by copies.  A fingerprint only reads.
"""

from __future__ import annotations

import enum
import functools
import os
import sys
import sysconfig
import types
from pathlib import Path
from typing import Any

import attrs

from games import Game
from strategies.native.digest import Walk, reach
from strategies.native.packages import is_fixed, is_foreign
from strategies.native.reach import holds_numbers

BUILT_IN = (
    types.BuiltinFunctionType, types.ClassMethodDescriptorType, types.MethodDescriptorType,
    types.MethodWrapperType, types.WrapperDescriptorType,
)  # fmt: skip
NOTHING = types.GetSetDescriptorType, types.MemberDescriptorType, types.ModuleType
"""Types of objects that contain nothing of the value itself."""


def fingerprint(value: Any) -> str:
    """Return a hash of a value and of the rules of its classes, for a token of Dask's.

    Ensures: it differs where fields, rules or what they reach differ, and is the same in every
    process; an object that cannot be taken apart, such as a lock, has a hash of its own.  The
    value, its classes and modules stay unchanged.

    >>> from games import Nim
    >>> fingerprint(Nim((3, 4))) == fingerprint(Nim((3, 4))) != fingerprint(Nim((3, 5)))
    True
    """
    walk = _Whole(inside=False)
    walk.visit(value)
    return walk.text.hexdigest()[:32]


def _installed(cls: type) -> bool:
    """Return whether a class is of an installed package, and neither a game nor a record: its name
    is enough.

    A board of python-chess reaches tables of 300,000 numbers, which took seconds for each token.
    """
    if attrs.has(cls) or issubclass(cls, Game):
        return False
    return _written(cls.__module__) is not None


@functools.cache
def _written(module: str) -> float | None:
    """Return when the file of an installed module was written; None for other modules."""
    file = getattr(sys.modules.get(module), "__file__", None)
    folders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    if file is None or not any(Path(file).is_relative_to(folder) for folder in folders):
        return None
    return Path(file).stat().st_mtime


class _Whole(Walk):
    """A walk over all of a value, including what compiled rules could not read."""

    def __init__(self, inside: bool = True) -> None:
        super().__init__()
        self.inside = inside
        self.ours = False
        """Whether the value belongs to a module of this project, whose state does not count."""
        self.above: dict[int, int] = {}

    def visit(self, v: Any) -> None:
        if not self.inside and isinstance(v, type) and _installed(v):
            self.write(f"{v.__module__}.{v.__qualname__} {_written(v.__module__)}")
        elif not self.inside and isinstance(v, (type, types.FunctionType)):
            self.write(v.__qualname__ if is_foreign(v) else reach(v, _Whole).digest)
        elif id(v) in self.above:
            self.write(f"above {self.above[id(v)]}")
        elif type(v) in (int, float, str, bytes, bool, type(None)):
            super().visit(v)
        else:
            self.above[id(v)] = len(self.above)
            if isinstance(v, (tuple, int, float, str, bytes)) and type(v) is not tuple:
                self.visit(type(v))
            super().visit(v)
            del self.above[id(v)]

    def function(self, v: types.FunctionType) -> None:
        before, self.ours = self.ours, is_fixed(v.__module__)
        super().function(v)
        self.ours = before

    def kind(self, v: type) -> None:
        before, self.ours = self.ours, is_fixed(v.__module__)
        super().kind(v)
        if not issubclass(v, enum.Enum) and not attrs.has(v):
            self.members(v)
        self.ours = before

    def array(self, v: Any) -> None:
        if not self.ours:
            super().array(v)

    def container(self, v: Any) -> None:
        if type(v) in (list, dict) and holds_numbers(v) and not self.ours:
            super().container(v)
        else:
            self.other(v)

    def other(self, v: Any) -> None:
        if isinstance(v, NOTHING) or self.ours:
            return
        if isinstance(v, BUILT_IN):
            self.write(v.__qualname__)
            return
        self.settled = False
        self.visit(type(v))
        if isinstance(v, (list, types.MappingProxyType, dict)):
            held = list(v.items()) if hasattr(v, "items") else list(v)
            self.visit(tuple(held))
            if type(v) not in (list, dict, types.MappingProxyType):
                self.visit(tuple(sorted(getattr(v, "__dict__", {}).items())))
        elif isinstance(v, (set, frozenset)):
            self.visit(tuple(sorted(fingerprint(x) for x in v)))
        elif isinstance(v, types.MethodType):
            self.visit((v.__self__, v.__func__))
        elif isinstance(v, functools.partial):
            self.visit((v.func, v.args, v.keywords))
        elif isinstance(v, functools.cached_property):
            self.visit(v.func)
        elif hasattr(v, "__wrapped__"):  # such as the result of `lru_cache`
            self.visit(v.__wrapped__)
        else:
            self.reduced(v)

    def reduced(self, v: Any) -> None:
        """Write an object as the parts from which it would be unpickled."""
        try:
            parts = v.__reduce_ex__(4)
        except Exception:  # a lock or an open file may raise anything here
            self.write(f"{os.getpid()}-{id(v)}")
            return
        if isinstance(parts, str):
            self.write(parts)
            return
        for i, part in enumerate(parts):
            self.visit(tuple(part) if i in (3, 4) and part is not None else part)
