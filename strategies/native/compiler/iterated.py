"""Iteration in rules: moves as lists; sets and generators, refused where Python differs."""

from __future__ import annotations

from typing import Any

from numba import types

from strategies.native.compiler.parts import instruction, overload
from strategies.native.compiler.row_forms import refusal
from strategies.native.compiler.rows import (
    assigned_inside,
    changed_meanwhile,
    deleted_by_steps,
    in_order,
    kept_generator,
    list_form,
    listed,
)
from strategies.native.compiler.tuple_ops import owned


@instruction(listed)
def _instruction_listed(typing: Any, rows: Any) -> Any:
    """Return the result of a rule that does not return a list unchanged."""
    if _gives_list(rows):
        return None

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return owned(context, builder, rows, args[0])

    return rows(rows), build


@instruction(in_order)
def _instruction_in_order(typing: Any, rows: Any) -> Any:
    """Refuse to iterate over a set, whose order is not Python's: no rule may depend on it."""
    if isinstance(rows, types.Set):
        raise refusal("the order of a set is not defined: iterate over sorted(…)")
    return rows(rows), lambda context, builder, signature, args: owned(
        context, builder, signature.return_type, args[0]
    )


@overload(kept_generator)
def _overload_kept_generator() -> Any:
    raise refusal(
        "a generator stored in a variable can be iterated over only once, and computes its "
        "elements only then: write it where it is used, or make a list, [… for …]"
    )


@overload(changed_meanwhile)
def _overload_changed_meanwhile() -> Any:
    raise refusal(
        "a row is computed step by step here, and the loop changes what it reads: make a list of "
        "it first, or write out the loops"
    )


@overload(assigned_inside)
def _overload_assigned_inside() -> Any:
    raise refusal("a comprehension assigns a variable by := that is used outside it: write a loop")


@overload(deleted_by_steps)
def _overload_deleted_by_steps() -> Any:
    raise refusal("del with a step, as in row[::2], cannot be compiled: make a new list")


@overload(listed)
def _overload_listed(rows: Any) -> Any:
    return list_form(rows) if _gives_list(rows) else None


def _gives_list(rows: Any) -> bool:
    return getattr(getattr(rows, "gen_func", None), "gives_list", False)
