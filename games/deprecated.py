"""Modules under their old names, for one release: each use of a name of theirs warns."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any
from warnings import warn


def moved(old: str, *homes: str) -> Callable[[str], Any]:
    """Makes the ``__getattr__`` of a module that moved: it reads the names where they are now.

    Requires: `old`, the old name of the module, and the modules that have its names now.
    Ensures: a name that is used gives a DeprecationWarning, which says where it is; importing the
    module alone gives none.
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
