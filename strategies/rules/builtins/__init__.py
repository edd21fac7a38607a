"""Builtins: each is declared with its signature, and written in Python or made of code.

What is not declared is refused. It may import `calls` and what is below. Start with `declared`.
"""

from __future__ import annotations

import ast
import types
from typing import Any

from strategies.rules.builtins import (  # noqa: F401 - each declares its builtins
    array_methods,
    caching,
    choices,
    combining,
    conversions,
    dicts,
    formats,
    functions,
    iterators,
    lists,
    mathematics,
    numeric,
    sets,
    sorting,
    text_forms,
    text_methods,
)
from strategies.rules.builtins.declared import FUNCTIONS, METHODS
from strategies.rules.calls.arguments import arguments, first_apart
from strategies.rules.code.coercion import as_text, fail, refuse, spread
from strategies.rules.code.val import Arguments, Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers import arrays
from strategies.rules.containers.tables import SETS
from strategies.rules.iteration import orderless
from strategies.rules.kinds.kind import Array, Either, Member, Record, Scalar, Static
from strategies.rules.kinds.parts import FAMILIES, class_of, family, inherits, is_hashable, named
from strategies.rules.language.messages import Refusal, uncompiled, unmade_method
from strategies.rules.operations.attributes import attribute


def call_builtin(w: Walk, value: Any, given: Any, node: ast.AST) -> Val:
    """Call a builtin function, or refuse."""
    declared = FUNCTIONS.get(value) if is_hashable(value) else None
    if declared is None:
        if not callable(value):
            return fail(w, TypeError, f"{type(value).__name__} is not callable")
        if isinstance(value, types.MethodDescriptorType):
            return _by_class(w, value, given, node)
        raise uncompiled(value)
    return declared.call(w, given, node)


def _by_class(w: Walk, value: Any, given: Arguments, node: ast.AST) -> Val:
    """Call a method by its class, as in `str.lower(text)`."""
    cls, name = value.__objclass__, value.__name__
    parted = first_apart(w, given)
    if parted is None:
        return fail(w, TypeError, f"{cls.__name__}.{name} needs an argument")
    owner, rest = parted

    def call(a: Val) -> Val:
        if FAMILIES.get(family(a.kind)) is cls:
            return _of_family(w, a, name, rest, node)
        if isinstance(a.kind, Static) or issubclass(class_of(a.kind), cls):
            raise uncompiled(value)
        return fail(w, TypeError, f"{cls.__name__}.{name} is not for {a.kind}")

    return spread(w, owner, call)


def method(w: Walk, owner: Val, name: str, node: ast.Call) -> Val:
    """Call a method of a value of the library's own kinds."""
    reads = orderless.METHODS.get(name) if named(owner.kind, SETS) and len(node.args) == 1 else None
    if reads is not None:
        orderless.mark_all(w, node.args[0])
    given = arguments(w, node)
    if not given.known:
        return w.never
    if reads is not None and given.rest is None:
        orderless.check_call(w, reads, node, given, owner.boxed.item)
    return method_of(w, owner, name, given, node)


def method_of(w: Walk, owner: Val, name: str, given: Any, node: ast.AST) -> Val:
    """Call a method with arguments that are evaluated."""
    k = owner.kind
    if isinstance(k, Either):
        return spread(w, owner, lambda x: method_of(w, x, name, given, node))
    if isinstance(k, Static | Record) or (isinstance(k, Member) and not inherits(k, name)):
        return w.call_value(attribute(w, owner, name), given, node)
    return _of_family(w, owner, name, given, node)


def _of_family(w: Walk, owner: Val, name: str, given: Any, node: ast.AST) -> Val:
    """Call a method as the library's own class defines it, of which a value may be a member."""
    if isinstance(owner.kind, Member) and name in ("split", "rsplit", "partition", "rpartition"):
        raise Refusal(f"{name}() may give back the member itself; write x.value.{name}(…)")
    owner = as_text(w, owner)
    k = owner.kind
    if isinstance(k, Scalar) and name == "item" and not (given.values or given.named):
        return arrays.item(w, owner)
    declared = METHODS.get((family(k), name))
    if declared is None:
        refuse(k)
        if hasattr(FAMILIES.get(family(k), object), name):
            raise unmade_method(name, family(k))
        return fail(w, AttributeError, f"{k} has no attribute {name}")
    if isinstance(k, Array) and (given.values or given.named or given.rest is not None):
        raise Refusal(f"{name}() of an array is compiled without arguments; write a loop")
    return declared.call(w, given.after([owner]), node)
