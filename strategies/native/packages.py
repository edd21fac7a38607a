"""Which packages the compiler knows by itself, and in which nobody defines anything anew."""

from __future__ import annotations

import sys
import sysconfig
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

FOREIGN = frozenset({"numpy", "numba", "llvmlite", "attr", "attrs", "math", "operator", "builtins"})
"""Packages whose functions the compiler knows by itself; their versions go into the cache key."""

OWN = frozenset({"games", "graphs", "strategies"})


def is_foreign(value: Any) -> bool:
    """Says whether `value` is of a package that the compiler knows by itself.

    A function belongs to the module that it was written in; its `__module__` may be rewritten, as
    attrs does to its own `evolve` whenever it makes a class on Python 3.13.
    """
    written = value.__globals__ if isinstance(value, FunctionType) else {}
    module = written.get("__name__") or getattr(value, "__module__", None) or ""
    return module.split(".")[0] in FOREIGN


@cache
def is_standard(package: str) -> bool:
    """Whether it is a package of Python's own, and no file of a user's that has its name."""
    if package not in sys.stdlib_module_names:
        return False
    file = getattr(sys.modules.get(package), "__file__", None)
    return file is None or Path(file).is_relative_to(sysconfig.get_path("stdlib"))


def is_library(module: str) -> bool:
    """Whether a module is Python's or of a package that rules are never written in."""
    package = module.split(".")[0]
    return package in FOREIGN or is_standard(package)


def is_fixed(module: str | None) -> bool:
    """Whether a module is one in which nobody defines anything anew while a program runs."""
    return (module or "").split(".")[0] in OWN or is_library(module or "")
