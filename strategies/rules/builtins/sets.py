"""Sets: how they are made, and their methods."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from strategies.rules.builtins.declared import function, method, private, written_method
from strategies.rules.code import storage
from strategies.rules.code.coercion import parts_of
from strategies.rules.code.storage import is_table
from strategies.rules.code.val import ZERO, Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers import tables
from strategies.rules.containers.contents import subset, within
from strategies.rules.containers.tables import SETS, hashable, member
from strategies.rules.iteration import walking
from strategies.rules.iteration.steps import for_each
from strategies.rules.kinds.kind import BOOL, NEVER, Row
from strategies.rules.kinds.parts import named
from strategies.rules.language.messages import Refusal
from strategies.rules.operations import sets
from strategies.rules.operations.sets import copied, pour, replace_entries


def _has_keys(x: Val) -> bool:
    """Whether the elements of a value are the keys of a table."""
    return is_table(x.kind) and not named(x.kind, ("values", "items"))


def set_of(w: Walk, node: ast.AST, x: Val, name: str, what: str = "set") -> Val:
    """Return a new set of the elements of an iterable."""
    if _has_keys(x):
        return copied(w, node, x, name, what)
    made = tables.new(w, node, name)
    pour(w, node, made, x, what)
    return w.reached(made)


function(set, "iterable=(), /", each=True)(lambda w, node, x: set_of(w, node, x, "set"))
function(frozenset, "iterable=(), /", each=True)(
    lambda w, node, x: x if named(x.kind, ("frozenset",)) else set_of(w, node, x, "frozenset")
)


@private("x, /")
def keyed(w: Walk, node: ast.AST, x: Val) -> Val:
    """Return a value, or fail with TypeError if it has no hash."""
    return hashable(w, x)


# One element


method("set", "add", "self, x, /")(lambda w, node, a, x: tables.add(w, a, x))


for _name in ("remove", "discard"):

    @method("set", _name, "self, x, /", changes=True)
    def remove(w: Walk, node: ast.AST, a: Val, x: Val, name: str = _name) -> Val | None:
        x = member(w, x, a)
        if x.kind is NEVER:
            return x
        missing = w.b.icmp_signed("<", sets.discard(w, a, x), ZERO)
        if name == "remove":
            w.check(missing, KeyError, "the element is not in the set")
        return None


@method("set", "pop", "self, /")
def pop(w: Walk, node: ast.AST, a: Val) -> Val:
    raise Refusal(
        "which element pop() takes from a set is chance; write x = min(…), then remove(x)"
    )


method("set dict counter defaultdict", "clear", "self, /", changes=True)(
    lambda w, node, a: storage.clear(w, a.v)
)
method("set", "copy", "self, /")(lambda w, node, a: copied(w, node, a, "set"))
method("frozenset", "copy", "self, /")(lambda w, node, a: a)


# Several sets


def each_operand(
    w: Walk, node: ast.AST, others: Val, use: Callable[[Val, str], None], what: str
) -> None:
    """Use the arguments that a star takes, one after the other."""
    if isinstance(others.kind, Row):
        for_each(w, node, others, lambda x: use(x, f"each {what}"), what=what)
        return
    for i, x in enumerate(parts_of(w, others)):
        use(x, f"{what} {i}")


def as_table(w: Walk, node: ast.AST, x: Val, what: str) -> Val:
    """Return an iterable as a set, of which the first of equal elements stays."""
    return x if _has_keys(x) else set_of(w, node, x, "set", what)


def _shared(w: Walk, node: ast.AST, a: Val, x: Val, what: str) -> Val:
    """Return the elements that a set and an iterable share."""

    def use(y: Val) -> None:
        y = hashable(w, y)
        if y.kind is not NEVER:
            with w.when(within(w, y, a)):
                tables.add(w, made, y)

    with w.apart(what):
        if named(x.kind, SETS):
            return sets.intersection(w, a, x, node, a.boxed.name)
        made = tables.new(w, node, a.boxed.name)
        walking.each(w, node, x, use, what)
        return made


def _shared_by_all(w: Walk, node: ast.AST, a: Val, others: Val) -> Val:
    """Return the elements that a set shares with all iterables of a tuple of any length."""
    made = copied(w, node, a, a.boxed.name)

    def use(x: Val, what: str) -> None:
        replace_entries(w, made, _shared(w, node, made, x, what))

    each_operand(w, node, others, use, "other")
    return made


@method("set frozenset", "intersection", "self, /, *others")
def intersection(w: Walk, node: ast.AST, a: Val, others: Val) -> Val:
    if isinstance(others.kind, Row) or not parts_of(w, others):
        return _shared_by_all(w, node, a, others)
    for i, x in enumerate(parts_of(w, others)):
        a = _shared(w, node, a, x, f"other {i}")
    return a


method("set", "intersection_update", "self, /, *others", changes=True)(
    lambda w, node, a, others: replace_entries(w, a, intersection(w, node, a, others))
)


def _several(name: str, in_place: str, use: Callable[[Walk, ast.AST, Val, Val, str], None]) -> None:
    """Declare what is done with one iterable after another: to a copy of a set, and to a set."""

    def all_of(w: Walk, node: ast.AST, a: Val, others: Val) -> None:
        each_operand(w, node, others, lambda x, what: use(w, node, a, x, what), "other")

    @method("set frozenset", name, "self, /, *others")
    def of_copy(w: Walk, node: ast.AST, a: Val, others: Val) -> Val:
        made = copied(w, node, a, a.boxed.name)
        all_of(w, node, made, others)
        return made

    @method("set", in_place, "self, /, *others", changes=True)
    def of_itself(w: Walk, node: ast.AST, a: Val, others: Val) -> None:
        all_of(w, node, a, others)


_several("union", "update", pour)
_several("difference", "difference_update", sets.take_out)


@method("set frozenset", "symmetric_difference", "self, other, /")
def symmetric_difference(w: Walk, node: ast.AST, a: Val, x: Val) -> Val:
    name = a.boxed.name
    other = as_table(w, node, x, "other")
    if other.kind is NEVER:
        return other
    return sets.combined(w, ast.BitXor, a, other, node, name)


@method("set", "symmetric_difference_update", "self, other, /", changes=True)
def symmetric_difference_update(w: Walk, node: ast.AST, a: Val, x: Val) -> Val | None:
    other = as_table(w, node, x, "other")
    if other.kind is NEVER:
        return other
    sets.take_out(w, node, a, other, "right", swap=True)
    return None


# Tests


@method("set frozenset", "issubset", "self, other, /")
def issubset(w: Walk, node: ast.AST, a: Val, x: Val) -> Val:
    other = as_table(w, node, x, "other")
    if other.kind is NEVER:
        return other
    return Val(BOOL, subset(w, a, other))


@written_method("set frozenset", "issuperset")
def issuperset(self: Any, other: Any, /) -> bool:
    for x in other:
        if keyed(x) not in self:
            return False
    return True


@written_method("set frozenset keys items", "isdisjoint")
def isdisjoint(self: Any, other: Any, /) -> bool:
    for x in other:
        if keyed(x) in self:
            return False
    return True
