"""Classifies packages: those that the compiler knows, and those whose definitions never change."""

from __future__ import annotations

import sys
import sysconfig
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import attrs

from games import Game

FOREIGN = frozenset({"numpy", "numba", "llvmlite", "attr", "attrs", "math", "operator", "builtins"})
"""Packages whose functions the compiler knows; their versions go into the cache key."""

OWN = frozenset({"games", "graphs", "strategies"})


def is_foreign(value: Any) -> bool:
    """Return whether `value` belongs to a package that the compiler knows.

    A function belongs to the module that it was written in; its `__module__` may be rewritten, as
    attrs does to its own `evolve` whenever it makes a class on Python 3.13.
    """
    written = value.__globals__ if isinstance(value, FunctionType) else {}
    module = written.get("__name__") or getattr(value, "__module__", None) or ""
    return module.split(".")[0] in FOREIGN


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
    return written(cls.__module__) is not None


@cache
def written(module: str) -> float | None:
    """Return when the file of an installed module was written; None for other modules."""
    file = getattr(sys.modules.get(module), "__file__", None)
    folders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    if file is None or not any(Path(file).is_relative_to(folder) for folder in folders):
        return None
    return Path(file).stat().st_mtime
