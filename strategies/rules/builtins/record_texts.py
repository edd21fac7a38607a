"""Texts of records and members, by the special methods that their classes write."""

from __future__ import annotations

import types

from strategies.rules.calls.invoking import call_function
from strategies.rules.code.coercion import fail, spread
from strategies.rules.code.val import Arguments, Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds import record_classes
from strategies.rules.kinds.kind import NEVER, Either, Member, is_text
from strategies.rules.language.messages import SPELLED, Refusal


def spelled(w: Walk, a: Val, spec: str | None) -> Val:
    """Return `format(a, spec)`, or `repr(a)` if there is none."""
    if spec is None:
        return _made(w, a, "__repr__")
    if _own(a, "__format__") is not None:
        return _made(w, a, "__format__", w.program.constants.value(spec))
    if spec:
        return fail(w, TypeError, f"unsupported format string passed to {a.kind}.__format__")
    return stringified(w, a)


def stringified(w: Walk, a: Val) -> Val:
    """Return `str(a)`."""
    by_repr = _own(a, "__str__") is None and _own(a, "__repr__") is not None
    return _made(w, a, "__repr__" if by_repr else "__str__")


def of_member(w: Walk, a: Val, spec: str | None) -> Val | None:
    """Return `format(a, spec)`, or `repr(a)` if there is none; None if its class does not say."""
    if spec is None:
        return None if _own(a, "__repr__") is None else _made(w, a, "__repr__")
    if _own(a, "__format__") is None:
        return None
    return _made(w, a, "__format__", w.program.constants.value(spec))


def str_of_member(w: Walk, a: Val) -> Val | None:
    """Return `str(a)` of a member whose class says how."""
    return None if _own(a, "__str__") is None else _made(w, a, "__str__")


def _own(a: Val, name: str) -> types.FunctionType | None:
    """Return a special method that a user wrote, which NamedTuple and Enum do not make."""
    if isinstance(a.kind, Member):
        method = getattr(a.kind.of, name)
        if getattr(method, "__module__", "enum") == "enum":
            return None
    found = record_classes.own(a.kind, name)
    made = found is not None and found.__globals__.get("__name__") == "collections"
    return None if made else found


def _made(w: Walk, a: Val, name: str, *more: Val) -> Val:
    found = _own(a, name)
    if found is None:
        raise Refusal(f"{SPELLED.format(a.kind)}; or write {a.kind}.{name}")
    text = call_function(w, found, Arguments([a, *more], {}))

    def check(x: Val) -> Val:
        if x.kind is NEVER or is_text(x.kind):
            return x
        return fail(w, TypeError, f"{name} returned no text")

    return spread(w, text, check) if isinstance(text.kind, Either) else check(text)
