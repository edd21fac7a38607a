"""Functions as values: `operator`, what makes functions of functions, `getattr` and `hasattr`.

An attribute's name must be known before.
"""

from __future__ import annotations

import ast
import functools
import inspect
import operator
from typing import Any

from strategies.rules.builtins.declared import LEFT_OUT, absent, function, written
from strategies.rules.code.coercion import (
    boolean,
    computed,
    fail,
    opposite,
    parts_of,
    spread,
    tuple_of,
)
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import UNSET, Kind, Member, Record, Static, Tup
from strategies.rules.kinds.parts import alternatives, class_of
from strategies.rules.kinds.record_classes import lookup, members_of
from strategies.rules.language.messages import Refusal, uncompiled
from strategies.rules.language.sources import BINARY, COMPARED, COMPARISONS, FUNCTIONS, UNARY
from strategies.rules.operations import items, operators
from strategies.rules.operations.attributes import attribute
from strategies.rules.values.numbers import as_index
from strategies.rules.values.specials import truth

function(operator.index, "a, /")(lambda w, node, a: as_index(w, a))


for _binary, _name in BINARY.items():
    function(getattr(operator, f"__{_name}__"), "a, b, /")(
        lambda w, node, a, b, op=_binary: operators.binary(w, op, a, b, node)
    )
    function(getattr(operator, f"__i{_name}__"), "a, b, /")(
        lambda w, node, a, b, op=_binary: operators.in_place(w, op, a, b, node)
    )
_compared = {COMPARED[symbol]: op for op, symbol in COMPARISONS.items()}
for _function, _op in (_compared | {operator.is_: ast.Is, operator.is_not: ast.IsNot}).items():
    function(_function, "a, b, /")(lambda w, node, a, b, op=_op: operators.compare(w, op(), a, b))
for _function, _unary in ({FUNCTIONS[op]: op for op in UNARY} | {operator.inv: ast.Invert}).items():
    function(_function, "a, /")(lambda w, node, a, op=_unary: operators.unary(w, op, a))
function(operator.not_, "a, /")(lambda w, node, a: opposite(w, truth(w, a)))
function(operator.truth, "a, /")(lambda w, node, a: truth(w, a))
function(operator.contains, "a, b, /")(lambda w, node, a, b: operators.compare(w, ast.In(), b, a))
function(operator.getitem, "a, b, /")(lambda w, node, a, b: items.get(w, a, b, node))
function(operator.setitem, "a, b, c, /")(lambda w, node, a, b, c: items.put(w, a, b, c))


@written(operator.indexOf)
def index_of(a: Any, b: Any, /) -> int:
    i = 0
    for x in a:
        if x == b:
            return i
        i += 1
    raise ValueError("sequence.index(x): x not in sequence")


# Getters: objects that are known before, which are called later


@functools.cache
def _getter(cls: Any, typed: tuple[Any, ...]) -> Any:
    return cls(*(x for _, x in typed))


def _known_getter(w: Walk, cls: Any, args: Val) -> Val:
    if not isinstance(args.kind, Tup) or not args.kind.items:
        return fail(w, TypeError, f"{cls.__name__} expected at least 1 argument")
    if not args.known:
        raise Refusal(f"{cls.__name__}() of what is not known before is not compiled; use a lambda")
    return computed(w, lambda: _getter(cls, tuple((type(x), x) for x in args.py)))


@function(operator.itemgetter, "*items")
def itemgetter(w: Walk, node: ast.AST, args: Val) -> Val:
    if isinstance(args.kind, Tup) and args.kind.items and not args.known:
        parts = parts_of(w, args)
        return w.call(_items, args) if len(parts) > 1 else w.call(_item, parts[0])
    return _known_getter(w, operator.itemgetter, args)


def _item(item: Any) -> Any:
    return lambda value, /: value[item]


def _items(items: Any) -> Any:
    return lambda value, /: tuple([value[item] for item in items])


function(operator.attrgetter, "*attrs")(
    lambda w, node, args: _known_getter(w, operator.attrgetter, args)
)


def call_getter(w: Walk, getter: Any, given: Any, node: ast.AST) -> Val:
    """Call an `itemgetter` or `attrgetter`."""
    if len(given.values) != 1 or given.named:
        return fail(w, TypeError, "a getter takes one argument")
    a, found = given.values[0], []
    for what in getter.__reduce__()[1]:
        if isinstance(getter, operator.attrgetter):
            x = a
            for name in what.split("."):
                x = attribute(w, x, name)
        else:
            x = items.get(w, a, w.constant(what), node)
        found.append(x)
    return found[0] if len(found) == 1 else tuple_of(w, found)


# functools


@written(functools.reduce)
def reduce(function: Any, iterable: Any, initial: Any = LEFT_OUT, /) -> Any:
    it = iter(iterable)
    if initial is LEFT_OUT:
        for total in it:
            break
        else:
            raise TypeError("reduce() of empty iterable with no initial value")
    else:
        total = initial
    for x in it:
        total = function(total, x)
    return total


def _partial(function: Any, args: Any, keywords: Any) -> Any:
    return lambda *more, **named: function(*args, *more, **keywords, **named)


function(functools.partial, "func, /, *args, **keywords")(
    lambda w, node, f, args, keywords: w.call(_partial, f, args, keywords)
)


@function(functools.wraps, "wrapped, *rest")
def wraps(w: Walk, node: ast.AST, wrapped: Val, rest: Val) -> Val:
    """What a function says of itself cannot be seen."""
    return w.constant(same)


def same(f: Any) -> Any:
    """Return a function as it is."""
    return f


# Attributes by their names


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
