"""`getattr` and `hasattr` with a name that is known before."""

from __future__ import annotations

import ast
import functools
import inspect
from typing import Any

from strategies.rules.builtins.declared import absent, function
from strategies.rules.code.coercion import boolean, spread
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import UNSET, Kind, Member, Record, Static
from strategies.rules.kinds.parts import alternatives, class_of
from strategies.rules.kinds.record_classes import lookup, members_of
from strategies.rules.language.messages import Refusal, uncompiled
from strategies.rules.operations.attributes import attribute


def _known_name(w: Walk, f: Any, name: Val) -> str:
    if not (name.known and isinstance(name.py, str)):
        raise uncompiled(f)
    return name.py


def _has(w: Walk, k: Kind, name: str, f: Any) -> bool:
    """Whether values of a kind have an attribute, if that can be told before."""
    if name.startswith("__"):
        raise uncompiled(f)
    if isinstance(k, Record) and name in k.names:
        if UNSET in alternatives(k.kinds[k.names.index(name)]):
            raise Refusal(f"whether {name} is set is known only when it runs; give it a default")
        return True
    owner: Any = k.value if isinstance(k, Static) else class_of(k)
    if isinstance(k, Member):
        owner = members_of(k.of)[0]
    instance = isinstance(k, Static | Member)
    try:
        found = inspect.getattr_static(owner, name) if instance else lookup(owner, name)
    except AttributeError:
        if not isinstance(k, Static):
            return False
        if not isinstance(owner, type) and hasattr(type(owner), "__getattr__"):
            raise uncompiled(f) from None
        found = None
    if isinstance(found, property | functools.cached_property):
        raise Refusal(f"{name} is a property, which may raise AttributeError; write x.{name}")
    if isinstance(k, Static):
        w.program.reads.attribute(owner, name)  # as it may be set or deleted later
        return hasattr(owner, name)
    return instance or found is not None or any(name in vars(c) for c in owner.__mro__)


@function(hasattr, "obj, name, /")
def hasattr_(w: Walk, node: ast.AST, a: Val, name: Val) -> Val:
    text = _known_name(w, hasattr, name)
    return spread(w, a, lambda x: boolean(_has(w, x.kind, text, hasattr)))


@function(getattr, "obj, name, default=..., /")
def getattr_(w: Walk, node: ast.AST, a: Val, name: Val, default: Val) -> Val:
    text = _known_name(w, getattr, name)
    if absent(default):
        return attribute(w, a, text)

    def found(x: Val) -> Val:
        return attribute(w, x, text) if _has(w, x.kind, text, getattr) else default

    return spread(w, a, found)
