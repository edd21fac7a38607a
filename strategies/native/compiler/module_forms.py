"""Stand-ins for modules whose attributes a rule reads: they hold the native forms of these."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from strategies.native.packages import is_library


def module_form(module: ModuleType, names: frozenset[str], form: Callable[[Any], Any]) -> Any:
    """Create the stand-in of a module for a function that mentions `names`.

    Ensures: a module that Numba knows, or of the standard library, is returned unchanged.
    """
    made: dict[int, ModuleType] = {}

    def stand_in(module: ModuleType) -> ModuleType:
        if is_library(module.__name__):
            return module
        if id(module) not in made:
            copy = made[id(module)] = ModuleType(module.__name__)
            for name in names:
                try:
                    value = getattr(module, name)
                except AttributeError:
                    continue
                inside = isinstance(value, ModuleType)
                setattr(copy, name, stand_in(value) if inside else form(value))
        return made[id(module)]

    return stand_in(module)
