"""Validators of attrs: the user's functions, and those of its library."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from strategies.rules.builtins.conversions import len_
from strategies.rules.code.coercion import fail, is_one_of, opposite, spread
from strategies.rules.code.val import Arguments, Val
from strategies.rules.code.walk import Walk
from strategies.rules.iteration.steps import for_each
from strategies.rules.kinds.kind import NEVER, NONE
from strategies.rules.kinds.parts import class_of
from strategies.rules.language.messages import Refusal
from strategies.rules.language.sources import COMPARISONS
from strategies.rules.operations.comparisons import contains
from strategies.rules.operations.operators import compare
from strategies.rules.values.specials import truth

OPERATORS = {symbol: op() for op, symbol in COMPARISONS.items()}


def run_validator(
    w: Walk, validator: Any, made: Val, attribute: Any, v: Val, node: ast.AST
) -> bool:
    """Run a validator on a field; False if it always fails."""

    def deeper(inner: Any, x: Val) -> bool:
        return run_validator(w, inner, made, attribute, x, node)

    if v.kind is NEVER:
        return False
    kind = type(validator)
    if kind.__module__ != "attr.validators" and kind.__name__ != "_AndValidator":
        given = Arguments([made, w.program.constants.value(attribute), v], {})
        return w.call_value(w.program.constants.value(validator), given, node).kind is not NEVER
    match kind.__name__:
        case "_AndValidator":
            return _run_all(w, deeper, validator._validators, v)
        case "_OptionalValidator":
            return _unless_none(w, deeper, validator.validator, v)
        case "_InstanceOfValidator":
            return _holds(
                w, is_one_of(w, v, lambda k: issubclass(class_of(k), validator.type)), TypeError
            )
        case "_NumberValidator":
            bound = w.program.constants.value(validator.bound)
            return _holds(w, compare(w, OPERATORS[validator.compare_op], v, bound), ValueError)
        case "_InValidator":
            options = w.program.constants.value(validator.options)
            return _holds(w, contains(w, v, options), ValueError)
        case "_MinLengthValidator":
            least = w.program.constants.value(validator.min_length)
            return _holds(w, compare(w, ast.GtE(), _length(w, v, node), least), ValueError)
        case "_MaxLengthValidator":
            most = w.program.constants.value(validator.max_length)
            return _holds(w, compare(w, ast.LtE(), _length(w, v, node), most), ValueError)
        case "_DeepIterable":
            if validator.iterable_validator is not None and not deeper(
                validator.iterable_validator, v
            ):
                return False
            for_each(
                w,
                node,
                v,
                lambda x: _member(w, validator.member_validator, deeper, x),
                what="validated",
            )
            return w.env is not None
    raise Refusal(f"the validator {validator!r} is not compiled; write a function")


def _unless_none(w: Walk, deeper: Callable[[Any, Val], bool], inner: Any, v: Val) -> bool:
    """Run a validator, or several, on a field that may be None; False if it always fails."""
    several = inner if isinstance(inner, list | tuple) else (inner,)

    def unless_none(x: Val) -> Val:
        fine = x.kind is NONE or _run_all(w, deeper, several, x)
        return w.program.constants.value(None) if fine else w.never

    return spread(w, v, unless_none).kind is not NEVER


def _length(w: Walk, v: Val, node: ast.AST) -> Val:
    return spread(w, v, lambda x: len_(w, node, x))


def _member(w: Walk, validator: Any, deeper: Any, x: Val) -> None:
    if not deeper(validator, x):
        w.stop()


def _run_all(
    w: Walk, deeper: Callable[[Any, Val], bool], validators: Iterable[Any], v: Val
) -> bool:
    for i, validator in enumerate(validators):
        with w.apart("validator", i):
            if not deeper(validator, v):
                return False
    return True


def _holds(w: Walk, found: Val, error: type[Exception]) -> bool:
    """Fail with an error unless something holds; False if it never does."""
    t = truth(w, found)
    if t.kind is NEVER:
        return False
    if t.known:
        if not t.py:
            fail(w, error, "a validator fails")
        return bool(t.py)
    w.check(opposite(w, t).v, error, "a validator fails")
    return True
