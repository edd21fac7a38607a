"""Does three steps of Numba's sooner, each with the same outcome.

Where a function calls itself, Numba types a copy of it without these calls, and does so again each
time that it comes by one; a function whose `returned` says of what type it is need not be asked.
Flags are compared by reading every option through its property, some thousand times for a kernel.
And that plain numbers are no arrays is found out after a loop over the forms of a NumPy function.
"""

from __future__ import annotations

from typing import Any


def speed_up_numba() -> None:
    """Install the changes, once; what a Numba has changed here stays as it is there."""
    from numba.core import targetconfig, typeinfer
    from numba.core.typing import npydecl

    _change(typeinfer, "TypeInferer", "return_types_from_partial", _told)
    _change(targetconfig, "TargetConfig", "values", _merged)
    _change(npydecl, "NumpyRulesArrayOperator", "generic", _arrays_only)


def _change(module: Any, cls: str, name: str, changed: Any) -> None:
    owner = getattr(module, cls, None)
    original = getattr(owner, name, None)
    if original is not None and not hasattr(original, "sooner"):
        made = changed(original)
        made.sooner = original
        setattr(owner, name, made)


def _told(original: Any) -> Any:
    def return_types_from_partial(self: Any) -> Any:
        return getattr(self.func_ir.func_id.func, "returned", None) or original(self)

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
