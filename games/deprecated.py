"""Modules under their old names, for one release; using one of their names warns."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any
from warnings import warn


def moved(old: str, *homes: str) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a moved module, which looks up names in their new modules.

    Requires: `old`, the old name of the module, and the modules that have its names now.
    Ensures: using a name gives a DeprecationWarning with its new place; importing the module alone
    does not.
    """

    def load(name: str) -> Any:
        if not name.startswith("__"):
            for home in homes:
                module = import_module(home)
                if hasattr(module, name):
                    warn(f"{old}.{name} is now {home}.{name}", DeprecationWarning, stacklevel=2)
                    return getattr(module, name)
        raise AttributeError(f"module {old!r} has no attribute {name!r}")

    return load
