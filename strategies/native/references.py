"""Finds what a function refers to: globals, its own imports, parts of modules, closed-over
values.

Some packages the compiler knows, and some never change while a program runs.
"""

from __future__ import annotations

import dis
import importlib
import sys
import sysconfig
from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import attrs

from games import Game

LOAD_GLOBAL, LOAD_NAME = dis.opmap["LOAD_GLOBAL"], dis.opmap["LOAD_NAME"]
IMPORTS = dis.opmap["IMPORT_NAME"]


def globals_in(code: CodeType) -> Iterator[str]:
    """Yield the names of the globals that a function and the functions inside it read."""
    extended = 0
    for operation, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        argument = extended | low
        if operation == LOAD_GLOBAL:  # its lowest bit says that a call follows
            yield code.co_names[argument >> 1]
        elif operation == LOAD_NAME:
            yield code.co_names[argument]
        extended = argument << 8 if operation == dis.EXTENDED_ARG else 0
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from globals_in(constant)


def names_in(code: CodeType) -> Iterator[str]:
    """Yield the global names and attributes that a function and the functions inside it mention."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


class Reference(NamedTuple):
    """A name that a function mentions, its value, and where the value is looked up."""

    name: str
    value: Any
    space: dict[str, Any] | None = None
    """The namespace of the module that has the name; None for a closed-over value."""
    key: str = ""
    """The name in that namespace."""


def references(
    function: FunctionType, absent: Container[str] = (), failed: set[str] | None = None
) -> Iterator[Reference]:
    """Yield the globals and closed-over values that a function refers to, if bound.

    Modules in `absent` are treated as if they could not be imported.  The function's own imports
    that fail are added to `failed`.
    Ensures: for a module, wherever its name comes from, the parts of it that the function may read
    too.
    """
    names = sorted(set(names_in(function.__code__)))
    for found in _direct(function, absent, set() if failed is None else failed):
        yield found
        if isinstance(found.value, ModuleType):
            yield from _parts(found.name, found.value, names, set())


def _direct(
    function: FunctionType, absent: Container[str], failed: set[str]
) -> Iterator[Reference]:
    space, names = function.__globals__, sorted(set(globals_in(function.__code__)))
    yield from (Reference(name, space[name], space, name) for name in names if name in space)
    yield from _imports(function, absent, failed)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield Reference(name, cell.cell_contents)
        except ValueError:  # not bound yet
            continue


def _parts(name: str, module: ModuleType, names: list[str], seen: set[int]) -> Iterator[Reference]:
    """Yield what a function that mentions `names` may read of a module, and of modules inside
    it."""
    seen.add(id(module))
    space = vars(module)
    for key in names:
        if key in space:
            value = space[key]
            yield Reference(f"{name}.{key}", value, space, key)
            inside = isinstance(value, ModuleType) and id(value) not in seen
            if inside and not is_library(value.__name__):
                yield from _parts(f"{name}.{key}", value, names, seen)


def _imports(
    function: FunctionType, absent: Container[str], failed: set[str]
) -> Iterator[Reference]:
    """Yield the names that a function imports itself."""
    if IMPORTS not in function.__code__.co_code[::2]:
        return
    level, parts, value, found = 0, None, None, None
    where: tuple[dict[str, Any] | None, str] = None, ""
    for step in dis.get_instructions(function.__code__):
        if step.opname in ("LOAD_CONST", "LOAD_SMALL_INT") and type(step.argval) is int:
            level = step.argval
        elif step.opname == "LOAD_CONST":
            parts = step.argval  # of `from … import`; None for `import a.b as c`
        elif step.opname == "IMPORT_NAME":
            package = function.__globals__.get("__package__") or ""
            where, name = (None, ""), "." * level + step.argval
            try:
                value = None if name in absent else importlib.import_module(name, package)
            except Exception:  # not installed, perhaps: the function may not even get here
                value = None
                failed.add(name)
            if value is None:
                found = None
                continue
            found = value if level else sys.modules[step.argval.split(".")[0]]
        elif step.opname == "IMPORT_FROM" and parts is None:  # a step from a to b
            found = value
        elif step.opname == "IMPORT_FROM":
            found = getattr(value, step.argval, None)
            where = (vars(value), step.argval) if found is not None else (None, "")
        elif step.opname.startswith("STORE_") and found is not None:
            # From Python 3.13 on, one step may store a name and load another.
            name = step.argval[0] if isinstance(step.argval, tuple) else step.argval
            yield Reference(name, found, *where)
            found = None


FOREIGN = frozenset({"numpy", "numba", "llvmlite", "attr", "attrs", "math", "operator", "builtins"})
"""Packages whose functions the compiler knows; their versions go into the cache key."""

OWN = frozenset({"games", "graphs", "strategies"})


ABOVE = tuple(f"strategies.{part}." for part in ("cli", "insight", "players", "running", "studies"))
"""The packages whose code is in no rule and no kernel, so that its names suffice."""


def is_above(module: str) -> bool:
    """Return whether the code of a module is in no rule and no kernel."""
    return module.startswith(ABOVE)


def is_foreign(value: Any) -> bool:
    """Return whether `value` belongs to a package that the compiler knows.

    A function belongs to the module that it was written in; its `__module__` may be rewritten, as
    attrs does to its own `evolve` whenever it makes a class on Python 3.13.
    """
    written = value.__globals__ if isinstance(value, FunctionType) else {}
    module: str = written.get("__name__") or module_of(value)
    return module.split(".")[0] in FOREIGN


def module_of(value: Any) -> str:
    """Return the name of the module of a class or function; empty if it names none, as some classes
    of Cython's."""
    found = getattr(value, "__module__", None)
    return found if isinstance(found, str) else ""


@cache
def is_standard(package: str) -> bool:
    """Return whether a package is in the standard library, and no file of a user's has taken its
    name."""
    if package not in sys.stdlib_module_names:
        return False
    file = getattr(sys.modules.get(package), "__file__", None)
    return file is None or Path(file).is_relative_to(sysconfig.get_path("stdlib"))


def is_library(module: str) -> bool:
    """Return whether a module is of the standard library or of a package that the compiler
    knows."""
    package = module.split(".")[0]
    return package in FOREIGN or is_standard(package)


def is_fixed(module: str | None) -> bool:
    """Return whether nothing in a module is redefined while a program runs."""
    return (module or "").split(".")[0] in OWN or is_library(module or "")


def is_installed(cls: type) -> bool:
    """Return whether a class is of an installed package, and neither a game nor a record: its name
    is enough.

    A board of python-chess reaches tables of 300,000 numbers, which took seconds for each token.
    """
    if attrs.has(cls) or issubclass(cls, Game):
        return False
    return written(module_of(cls)) is not None


@cache
def written(module: str) -> float | None:
    """Return when the file of an installed module was written; None for other modules."""
    file = getattr(sys.modules.get(module), "__file__", None)
    folders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    if file is None or not any(Path(file).is_relative_to(folder) for folder in folders):
        return None
    return Path(file).stat().st_mtime
