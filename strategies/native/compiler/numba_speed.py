"""Speeds up five steps of Numba's without changing their results.

For a function that calls itself, Numba types a copy without these calls, and does so again at each
such call; if the function's `returned` gives its type, that is not needed.  Flags are compared by
reading every option through its property, some thousand times for a kernel.  And that plain numbers
are not arrays is found only after a loop over the forms of a NumPy function.  The variables of an
instruction are listed ten times for each function, with one call for each part, most of which are
plain text.  And the forms of a function are sorted at each use.
"""

from __future__ import annotations

from typing import Any


def speed_up_numba() -> None:
    """Install the changes, once; a step that a Numba version has changed stays as it is."""
    from numba.core import ir, targetconfig, typeinfer, utils
    from numba.core.typing import npydecl

    _change(typeinfer, "TypeInferer", "return_types_from_partial", _declared_types)
    _change(targetconfig, "TargetConfig", "values", _merged)
    _change(npydecl, "NumpyRulesArrayOperator", "generic", _arrays_only)
    _change(ir, "Inst", "_rec_list_vars", _vars_listed)
    _change(utils, None, "order_by_target_specificity", _ordered_once)


def _change(module: Any, cls: str | None, name: str, changed: Any) -> None:
    owner = getattr(module, cls, None) if cls else module
    original = getattr(owner, name, None)
    if original is not None and not hasattr(original, "sooner"):
        made = changed(original)
        made.sooner = original
        setattr(owner, name, made)


def _declared_types(original: Any) -> Any:
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


def _vars_listed(original: Any) -> Any:
    from numba.core import ir

    variable, plain = ir.Var, frozenset({str, int, bool, type(None), ir.Loc})
    collections = frozenset({dict, list, tuple})

    def _rec_list_vars(self: Any, value: Any) -> list[Any]:
        if type(value) not in collections:
            return original(self, value)  # type: ignore[no-any-return]
        found: list[Any] = []
        for part in value.values() if type(value) is dict else value:
            kind = type(part)
            if kind is variable:
                found.append(part)
            elif kind not in plain:
                found.extend(_rec_list_vars(self, part))
        return found

    return _rec_list_vars


def _ordered_once(original: Any) -> Any:
    orders: dict[Any, list[Any]] = {}

    def order_by_target_specificity(target: Any, templates: Any, fnkey: Any = "") -> list[Any]:
        key = target, tuple(templates)
        if key not in orders:
            orders[key] = original(target, templates, fnkey=fnkey)
        return list(orders[key])

    return order_by_target_specificity
