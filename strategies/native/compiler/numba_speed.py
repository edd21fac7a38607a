"""Speeds up three steps of Numba's without changing their results.

For a function that calls itself, Numba types a copy without these calls, and does so again at each
such call; if the function's `returned` gives its type, or maps the types of arguments to it, that
is not needed.  Flags are compared by
reading every option through its property, some thousand times for a kernel.  And that plain numbers
are not arrays is found only after a loop over the forms of a NumPy function.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any


def speed_up_numba() -> None:
    """Install the changes, once; a step that a Numba version has changed stays as it is."""
    from numba.core import targetconfig, typeinfer
    from numba.core.typing import npydecl

    _change(typeinfer, "TypeInferer", "return_types_from_partial", _declared_types)
    _change(targetconfig, "TargetConfig", "values", _merged)
    _change(npydecl, "NumpyRulesArrayOperator", "generic", _arrays_only)


def _change(module: Any, cls: str, name: str, changed: Any) -> None:
    owner = getattr(module, cls, None)
    original = getattr(owner, name, None)
    if original is not None and not hasattr(original, "sooner"):
        made = changed(original)
        made.sooner = original
        setattr(owner, name, made)


def _declared_types(original: Any) -> Any:
    def return_types_from_partial(self: Any) -> Any:
        declared = getattr(self.func_ir.func_id.func, "returned", None)
        if isinstance(declared, FunctionType):  # types of Numba's can be called, too
            declared = declared([self.typevars[v].getone() for v in self.arg_names.values()])
        return declared or original(self)

    return return_types_from_partial


def _merged(original: Any) -> Any:
    defaults: dict[type, dict[str, Any]] = {}

    def values(self: Any) -> dict[str, Any]:
        cls = type(self)
        if cls not in defaults:
            defaults[cls] = {name: option.default for name, option in cls.options.items()}
        return defaults[cls] | self._values  # type: ignore[no-any-return]

    return values


def _arrays_only(original: Any) -> Any:
    from numba import types

    def generic(self: Any, args: Any, kws: Any) -> Any:
        if any(isinstance(arg, types.ArrayCompatible) for arg in args):
            return original(self, args, kws)
        return None

    return generic
