"""What compiled code was made from, as a short text: it changes when any of the sources does."""

from __future__ import annotations

import enum
import hashlib
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import attrs

from .compiling import releases

FOREIGN = frozenset({"numpy", "numba", "llvmlite", "attr", "attrs", "math", "operator", "builtins"})
"""Packages whose functions the compiler knows by itself; their versions go into the cache key."""


def is_foreign(value: Any) -> bool:
    """Whether `value` belongs to a package that is compiled or known as it stands.

    A function belongs to the module that it was written in; its `__module__` may be rewritten, as
    attrs does to its own `evolve` whenever it makes a class on Python 3.13.
    """
    written = value.__globals__ if isinstance(value, FunctionType) else {}
    module = written.get("__name__") or getattr(value, "__module__", None) or ""
    return module.split(".")[0] in FOREIGN


def names_in(code: CodeType) -> Iterator[str]:
    """The global names and attributes that a function mentions, nested functions included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def references(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The globals and closed-over values that a function refers to, by name, if they are bound."""
    names = sorted(set(names_in(function.__code__)))
    for name in names:
        if name in function.__globals__:
            value = function.__globals__[name]
            yield name, value
            if isinstance(value, ModuleType):
                for part in names:
                    if part in vars(value):
                        yield f"{name}.{part}", vars(value)[part]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # not bound yet
            continue


def digest(value: Any) -> str:
    """A hash of all that the rules of a class, or a function, reach.

    Ensures: it follows bytecode, constants, globals across modules, annotations, class constants
    and base classes; it does not depend on comments, on line numbers or on the process.

    >>> def rule(x): return x + 1
    >>> def other(x): return x + 2
    >>> digest(rule) == digest(other)
    False
    """
    text = hashlib.sha256()
    seen: set[int] = set()

    def code(c: CodeType) -> None:
        text.update(c.co_code)
        text.update(repr((c.co_names, c.co_varnames, c.co_freevars, c.co_cellvars)).encode())
        for constant in c.co_consts:
            if isinstance(constant, CodeType):
                code(constant)
            elif isinstance(constant, frozenset):
                text.update(repr(sorted(constant, key=repr)).encode())
            else:
                text.update(repr(constant).encode())

    def visit(v: Any) -> None:
        if isinstance(v, property):
            v = v.fget
        elif isinstance(v, (staticmethod, classmethod)):
            v = v.__func__
        if isinstance(v, FunctionType):
            if id(v) in seen or is_foreign(v):
                return
            seen.add(id(v))
            text.update(v.__qualname__.encode())
            code(v.__code__)
            visit(v.__defaults__)
            visit(tuple((v.__kwdefaults__ or {}).items()))
            for name, part in references(v):
                text.update(name.encode())
                visit(part)
        elif isinstance(v, type):
            if id(v) in seen or is_foreign(v) or v.__module__ == "typing":
                return
            seen.add(id(v))
            text.update(f"{v.__module__}.{v.__qualname__}".encode())
            if issubclass(v, enum.Enum):
                text.update(repr([(m.name, m.value) for m in v]).encode())
            elif attrs.has(v):
                for a in attrs.fields(v):
                    text.update(f"{a.name}:{a.type!r}:{a.eq}".encode())
                    visit(getattr(a.default, "factory", a.default))
                for name in sorted(dir(v)):
                    if not name.startswith("__"):
                        text.update(name.encode())
                        visit(inspect.getattr_static(v, name))
        elif isinstance(v, tuple):
            text.update(b"(")
            for part in v:
                visit(part)
            text.update(b")")
        elif isinstance(v, enum.Enum):
            text.update(f"{v.name}={v.value!r}".encode())
        elif isinstance(v, (int, float, str, bytes)) or v is None:
            text.update(f"{type(v).__name__}:{v!r}".encode())
        elif attrs.has(type(v)):
            visit(type(v))
            visit(tuple(getattr(v, f.name) for f in attrs.fields(type(v))))
        elif type(v).__module__ == "numpy":
            text.update(f"{getattr(v, 'dtype', None)}{getattr(v, 'shape', None)}".encode())
            known = v.tobytes() if hasattr(v, "tobytes") else getattr(v, "__name__", "").encode()
            text.update(known)

    visit(value)
    return text.hexdigest()[:16]


@cache
def own_sources() -> str:
    """A hash of this package's sources and of what it runs on: part of every cache key.

    It runs on scipy where rules use `numpy.linalg` or multiply matrices: Numba refuses to compile
    them where there is none, and would abort the process on code made where there was one.
    """
    from games import words

    text = hashlib.sha256(f"{sys.version} {releases()}".encode())
    text.update(b"scipy" if find_spec("scipy") else b"")
    here = Path(__file__).parent
    for path in (*sorted(here.rglob("*.py")), Path(words.__file__)):
        try:
            text.update(path.read_bytes())
        except OSError:  # packed in an archive: the version must do
            text.update(path.name.encode())
    return text.hexdigest()[:16]
