"""What is known of tables by their kinds: their elements, and which values can be keys.

A view of a dict is the address of its dict, and shares the cells of its kinds.
"""

from __future__ import annotations

from typing import Any

from strategies.rules.code.coercion import fail, is_one_of, narrowed
from strategies.rules.code.emission import Code
from strategies.rules.code.storage import key_at, value_at, value_kind
from strategies.rules.code.val import Val
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.joining import endless
from strategies.rules.kinds.kind import NEVER, Boxed, Kind, Tup
from strategies.rules.kinds.parts import alternatives, named, somewhere
from strategies.rules.language.messages import Refusal
from strategies.rules.values.hashing import unhashable
from strategies.rules.values.numbers import is_wide

MAPPINGS = ("dict", "counter", "defaultdict")
SETS = ("set", "frozenset")
VIEWS = ("keys", "values", "items")
SET_LIKE = (*SETS, "keys", "items")


def view(a: Val, name: str) -> Val:
    """Return the keys, values or items of a mapping."""
    return Val(Boxed(name, *a.boxed.cells[:2]), a.v)


def element_kind(k: Kind) -> Kind:
    """Return the kind of what an iteration over a table gives."""
    assert isinstance(k, Boxed)
    if k.name == "values":
        return value_kind(k)
    if k.name == "items":
        return NEVER if NEVER in (k.item, value_kind(k)) else Tup([k.item, value_kind(k)])
    return k.item


def item_at(c: Code, a: Val, i: Any) -> Val:
    """Return what an iteration over a table gives for an entry."""
    k = a.boxed
    if k.name == "values":
        return value_at(c, k, a.v, i)
    x = key_at(c, k, a.v, i)
    if k.name != "items":
        return x
    both = element_kind(k)
    if both is NEVER:
        return c.never
    return Val(both, c.pack(form(both), [x.v, value_at(c, k, a.v, i).v]))


# Keys


def hashable(c: Code, x: Val) -> Val:
    """Return a key, or fail with TypeError if it has no hash."""
    if somewhere(x.kind, lambda k: is_wide(Val(k))):
        raise Refusal("an int of more than 64 bits as a key is not compiled")
    if endless(x.kind):
        raise Refusal("a key of a kind that contains itself is not compiled")
    bad = is_one_of(c, x, unhashable)
    if bad.known and not bad.py:
        return x
    if bad.known or all(map(unhashable, alternatives(x.kind))):
        return fail(c, TypeError, f"unhashable type: {x.kind}")
    c.check(bad.v, TypeError, "unhashable type")
    return narrowed(c, x, lambda k: not unhashable(k))


def member(c: Code, x: Val, a: Val) -> Val:
    """Return the key that a set looks for: a set stands for a frozenset of its elements."""
    if isinstance(x.kind, Boxed) and x.kind.name == "set" and named(a.kind, SETS):
        return Val(Boxed("frozenset", *x.kind.cells), x.v)
    return hashable(c, x)
