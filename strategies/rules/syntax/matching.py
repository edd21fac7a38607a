"""The `match` statement: patterns over numbers, tuples, lists, dicts, records and enumerations.

What a pattern captures is bound under hidden names until the whole pattern has matched. A subject
of several kinds is matched kind by kind, so that each case knows the kind that it has.
"""

from __future__ import annotations

import ast
import collections
import collections.abc
from collections.abc import Sequence
from typing import Any

from strategies.rules.code import storage
from strategies.rules.code.coercion import as_tuple, cases, dry, fail, opposite, payload
from strategies.rules.code.storage import item_kind, length
from strategies.rules.code.val import ZERO, Val, c64
from strategies.rules.code.walk import Merge, Walk
from strategies.rules.containers import finding, tables
from strategies.rules.containers.tables import MAPPINGS, hashable
from strategies.rules.kinds.kind import (
    BOOL,
    NEVER,
    UNSET,
    Boxed,
    Either,
    Kind,
    Member,
    Record,
    Row,
    Static,
    Tup,
)
from strategies.rules.kinds.parts import alternatives, class_of, is_cell, is_flags, named
from strategies.rules.kinds.record_classes import lookup
from strategies.rules.language.messages import Refusal
from strategies.rules.operations.attributes import attribute
from strategies.rules.operations.operators import compare, identical
from strategies.rules.operations.sets import copied
from strategies.rules.operations.unpacking import has_other_length, taken
from strategies.rules.syntax.conditions import branch_on, kind_at
from strategies.rules.values.specials import truth

CAPTURED = "@case"  # ends the name of what is captured, until all of a pattern matches
SELF = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)
Names = tuple[str, ...]  # the variables that hold the subject


def match_(w: Walk, s: ast.Match) -> None:
    """Run the first case that matches."""
    a = w.eval(s.subject)
    if a.kind is NEVER:
        return w.stop()
    subject = f"subject@{id(s)}"
    w.bind(subject, a)
    names = (subject, *_variable(w, s.subject, a))
    after = Merge(w, s, "after match")
    met: set[Any] = set()
    for case in s.cases:
        no = Merge(w, case.pattern, "no match")
        if case.guard is None:
            met |= _values(w, case.pattern)
        _pattern(w, case.pattern, w.read_raw(subject), no, names)
        _bind_captured(w)
        if case.guard is not None and w.env is not None:
            passed = Merge(w, case, "guard")
            branch_on(w, case.guard, passed, no)
            passed.land()
        w.run(case.body)
        _leave(w, subject, after)
        no.land()
        if w.env is None:
            break
        if met >= _all_values(w.read_raw(subject).kind):
            w.stop()  # no other value is left
            break
    _leave(w, subject, after)
    after.land()
    return None


def _values(w: Walk, p: ast.pattern) -> set[Any]:
    """Return the members of enumerations, and the bools, that surely match a pattern."""
    match p:
        case ast.MatchOr(patterns=several):
            return set().union(*(_values(w, one) for one in several))
        case ast.MatchAs(pattern=inner) if inner is not None:
            return _values(w, inner)
        case ast.MatchSingleton(value=bool(value)):
            return {(bool, value)}
        case ast.MatchValue(value=ast.Attribute() as value):
            env, w.env = w.env, dict(w.env or {})
            with dry(w):
                found = w.eval(value)
            w.env = env
            if found.known and isinstance(found.kind, Member):
                return {(found.kind.of, found.py.name)}
    return set()


def _all_values(k: Kind) -> set[Any]:
    """Return all values of a kind that has few; a value that no pattern matches for others."""
    if isinstance(k, Member) and not is_flags(k):
        return {(k.of, m.name) for m in k.of}
    return {(bool, True), (bool, False)} if k is BOOL else {None}


def _variable(w: Walk, node: ast.AST, a: Val) -> Names:
    """Return the local variable that the subject is, or the field of one, whose kind each case may
    narrow."""
    place = "" if isinstance(node, ast.NamedExpr) else w.place_of(node)
    k = kind_at(w, node, place)
    if k is None or is_cell(k) or UNSET in alternatives(k):
        return ()
    if isinstance(node, ast.Attribute):
        w.bind(place, a)
    return (place,)


def _leave(w: Walk, subject: str, after: Merge) -> None:
    if w.env is not None:
        w.env.pop(subject, None)
        after.arrive()


def _bind_captured(w: Walk) -> None:
    for name in [n for n in w.env or () if n.endswith(CAPTURED)]:
        assert w.env is not None
        a = w.read_raw(name)
        del w.env[name]
        w.assign(name.removesuffix(CAPTURED), a)


def _miss(w: Walk, no: Merge) -> None:
    """Go on to the next case."""
    if w.env is not None:
        w.env = {n: k for n, k in w.env.items() if not n.endswith(CAPTURED)}
        no.arrive()


def _test(w: Walk, found: Val, no: Merge) -> None:
    """Go on if something is true."""
    t = truth(w, found)
    if t.kind is NEVER:
        return w.stop()
    if t.known:
        return None if t.py else _miss(w, no)
    return w.go_on(t.v, lambda: _miss(w, no))


def _is_structural(p: ast.pattern | None) -> bool:
    match p:
        case ast.MatchClass() | ast.MatchSequence() | ast.MatchMapping() | ast.MatchSingleton():
            return True
        case ast.MatchAs(pattern=inner):
            return _is_structural(inner)
        case ast.MatchOr(patterns=several):
            return any(map(_is_structural, several))
    return False


def _pattern(w: Walk, p: ast.pattern, a: Val, no: Merge, names: Names = ()) -> None:
    """Go on where a value matches a pattern; arrive at `no` where it does not."""
    if w.env is None:
        return
    w.here = p
    try:
        if isinstance(a.kind, Either) and _is_structural(p):
            _each_kind(w, p, a, no, names)
        else:
            _one(w, p, a, no, names)
    except Refusal as refusal:
        raise w.refused(p, refusal) from None


def _each_kind(w: Walk, p: ast.pattern, a: Val, no: Merge, names: Names) -> None:
    """Match each kind that a value can have."""
    matched = Merge(w, p, "matched")
    for i in cases(w, a):
        x = payload(w, a, i)
        for n in names:
            w.bind(n, x)
        _one(w, p, x, no, names)
        matched.arrive()
    matched.land()


def _one(w: Walk, p: ast.pattern, a: Val, no: Merge, names: Names) -> None:
    match p:
        case ast.MatchAs(pattern=inner, name=name):
            if inner is not None:
                _pattern(w, inner, a, no, names)
            if name is not None and w.env is not None:
                w.bind(name + CAPTURED, a)
        case ast.MatchValue(value=value):
            b = w.eval(value)
            _test(w, compare(w, ast.Eq(), a, b), no)
        case ast.MatchSingleton(value=value):
            _test(w, identical(w, a, w.constant(value)), no)
        case ast.MatchOr(patterns=several):
            _any(w, p, several, a, no, names)
        case ast.MatchSequence(patterns=several):
            _sequence(w, p, several, a, no)
        case ast.MatchClass():
            _class(w, p, a, no)
        case ast.MatchMapping():
            _mapping(w, p, a, no)


def _any(
    w: Walk, p: ast.MatchOr, several: Sequence[ast.pattern], a: Val, no: Merge, names: Names
) -> None:
    yes = Merge(w, p, "one matches")
    for i, inner in enumerate(several):
        other = Merge(w, p, f"other {i}")
        with w.apart("or", i):
            _pattern(w, inner, a, other, names)
            yes.arrive()
        other.land()
        if w.env is None:
            break
    _miss(w, no)
    yes.land()


# Sequences


def _sequence(w: Walk, p: ast.AST, several: Sequence[ast.pattern], a: Val, no: Merge) -> None:
    a = as_tuple(a)
    star, named_star = next(
        ((i, x.name is not None) for i, x in enumerate(several) if isinstance(x, ast.MatchStar)),
        (None, False),
    )
    n = len(several)
    where = several[star] if star is not None else p
    if isinstance(a.kind, Tup | Row) or named(a.kind, ("list",)):
        _test(w, opposite(w, has_other_length(w, a, n, star)), no)
        if w.env is None:
            return None
        if not isinstance(a.kind, Tup) and item_kind(a.kind) is NEVER and n > (star is not None):
            return _miss(w, no)
        values = taken(w, where, a, n, star, named_star)
    else:
        cls = class_of(a.kind)
        if issubclass(cls, collections.abc.Sequence | collections.deque) and not issubclass(
            cls, str
        ):
            raise Refusal(f"a pattern of the elements of {a.kind} is not compiled; match tuple(…)")
        return _miss(w, no)
    for inner, v in zip(several, values, strict=True):
        if isinstance(inner, ast.MatchStar):
            if inner.name is not None and w.env is not None:
                w.bind(inner.name + CAPTURED, v)
        else:
            _pattern(w, inner, v, no)
    return None


# Mappings


def _mapping(w: Walk, p: ast.MatchMapping, a: Val, no: Merge) -> None:
    """Look all keys up, then match what is found."""
    if not named(a.kind, MAPPINGS):
        return _miss(w, no)
    assert isinstance(a.kind, Boxed)
    _test(w, Val(BOOL, w.b.icmp_signed(">=", length(w, a), c64(len(p.keys)))), no)
    found, keys = [], [w.eval(key) for key in p.keys]
    if len({key.py for key in keys if key.known}) < len(keys):
        raise Refusal("the keys of this pattern are not known before, or some are equal")
    for key in keys:
        if w.env is None:
            return None
        if NEVER in (a.kind.item, a.kind.value):
            return _miss(w, no)
        at = finding.find(w, a.kind, a.v, hashable(w, key))
        _test(w, Val(BOOL, w.b.icmp_signed(">=", at, ZERO)), no)
        found.append(storage.value_at(w, a.kind, a.v, at))
    for inner, x in zip(p.patterns, found, strict=True):
        _pattern(w, inner, x, no)
    if p.rest is not None and w.env is not None:
        rest = copied(w, p, a, "dict", "rest")
        for key in keys:
            tables.delete(w, rest, key)
        w.bind(p.rest + CAPTURED, rest)
    return None


# Classes


def _class(w: Walk, p: ast.MatchClass, a: Val, no: Merge) -> None:
    c = w.eval(p.cls)
    if c.kind is NEVER:
        return w.stop()
    if not isinstance(c.kind, Static) or not isinstance(c.kind.value, type):
        raise Refusal("a pattern of a class that is not known before is not compiled")
    cls = c.kind.value
    if not issubclass(class_of(a.kind), cls):
        return _miss(w, no)
    wanted: list[tuple[str | None, ast.pattern]] = []
    names = getattr(cls, "__match_args__", None)
    if names is None and issubclass(cls, SELF) and len(p.patterns) == 1:
        wanted.append((None, p.patterns[0]))
    elif len(p.patterns) > len(names or ()):
        fail(w, TypeError, f"{cls.__name__}() accepts fewer positional sub-patterns")
        return w.stop()
    else:
        wanted += zip(names or (), p.patterns, strict=False)
    wanted += zip(p.kwd_attrs, p.kwd_patterns, strict=True)
    given = [name for name, _ in wanted if name is not None]
    if len(set(given)) != len(given):
        fail(w, TypeError, f"{cls.__name__}() got several sub-patterns for an attribute")
        return w.stop()
    for name, inner in wanted:
        if w.env is None:
            return None
        if name is None:
            _pattern(w, inner, a, no)
        elif _has(a.kind, name):
            _pattern(w, inner, attribute(w, a, name), no)
        else:
            return _miss(w, no)
    return None


def _has(k: Kind, name: str) -> bool:
    """Whether a value has an attribute."""
    if not isinstance(k, Record | Member):
        raise Refusal(f"attributes of {k} in a pattern are not compiled")
    if isinstance(lookup(k.of, name), property):
        raise Refusal(f"the property {name} in a pattern is not compiled; write a guard")
    if isinstance(k, Record) and name in k.names:
        if UNSET in alternatives(k.kinds[k.names.index(name)]):
            raise Refusal(f"{name} may be unset, which is not compiled in a pattern")
        return True
    return lookup(k.of, name) is not None or (isinstance(k, Member) and name in ("name", "value"))
