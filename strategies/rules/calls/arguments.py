"""Arguments of calls: evaluated from left to right, and bound to the parameters of a function.

A star before a tuple of unknown length leaves arguments whose number only running tells: `rest`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from strategies.rules.code.coercion import as_tuple, coerce, fail, in_row, parts_of, tuple_of
from strategies.rules.code.storage import item_kind, span
from strategies.rules.code.val import NULL, ONE, ZERO, Arguments, Val, c64
from strategies.rules.code.walk import Walk
from strategies.rules.iteration import lazy
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.joining import join
from strategies.rules.kinds.kind import NEVER, Keywords, Row, Static, Tup
from strategies.rules.language.messages import Refusal
from strategies.rules.language.sources import FunctionNode
from strategies.rules.operations import sequences

WRONG = "a wrong number of arguments"


def arguments(w: Walk, node: ast.Call, used_up: dict[int, bool] | None = None) -> Arguments:
    """Evaluate the arguments of a call.

    Args:
        used_up: the places of iterables that the call uses up, and whether what makes them may be
            left to it.
    """
    values: list[tuple[bool, Val]] = []
    for i, e in enumerate(node.args):
        if isinstance(e, ast.Starred):
            values.append((True, starred(w, e)))
        elif used_up and i in used_up and len(node.args) <= max(used_up) + 2:
            values.append((False, lazy.used_up(w, e, pending=used_up[i])))
        else:
            values.append((False, w.eval(e)))
    named: dict[str, Val] = {}
    for keyword in node.keywords:
        if keyword.arg is not None:
            named[keyword.arg] = w.eval(keyword.value)
        else:
            named |= _keywords(w, keyword.value, named)
    first: list[Val] = []
    for i, (star, a) in enumerate(values):
        if star and not isinstance(a.kind, Tup):
            return Arguments(first, named, tuple_with_stars(w, values[i:]))
        first += parts_of(w, a) if star else [a]
    return Arguments(first, named)


def starred(w: Walk, e: ast.Starred) -> Val:
    """Return the elements of what is starred, taken now, as a tuple."""
    a = as_tuple(lazy.used_up(w, e.value))
    if isinstance(a.kind, Tup | Row) or a.kind is NEVER:
        return a
    return sequences.tuple_from(w, e, sequences.list_from(w, e, a))


def list_with_stars(w: Walk, node: ast.AST, values: list[tuple[bool, Val]]) -> Val:
    """Return the list of values, of which some are tuples of them."""
    if any(a.kind is NEVER for _, a in values):
        return w.never
    made = sequences.list_of(w, node, [])
    for star, a in values:
        if star:
            sequences.extend(w, node, made, in_row(w, a))
        else:
            sequences.append(w, made, a)
    return made


def tuple_with_stars(w: Walk, values: list[tuple[bool, Val]]) -> Val:
    """Return the tuple of values, of which some are tuples of them."""
    if any(a.kind is NEVER for _, a in values):
        return w.never
    if len(values) == 1:
        return values[0][1]
    return sequences.joined_tuples(w, [a if star else tuple_of(w, [a]) for star, a in values])


def _is_text(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _keywords(w: Walk, node: ast.expr, before: dict[str, Val]) -> dict[str, Val]:
    """Return the arguments that two stars stand for."""
    found: dict[str, Val] = {}
    kept = w.env.get(w.full(node.id)) if isinstance(node, ast.Name) and w.env else None
    if isinstance(kept, Keywords) and isinstance(node, ast.Name):
        a = w.read(w.full(node.id))
        found = dict(zip(kept.names, parts_of(w, a), strict=True))
    elif isinstance(node, ast.Dict) and all(_is_text(n) for n in node.keys):
        for n, value in zip(node.keys, node.values, strict=True):
            found[n.value] = w.eval(value)  # type: ignore[union-attr]  # each key is a constant
    else:
        a = w.eval(node)
        if a.kind is NEVER:
            return {}
        if not (isinstance(a.kind, Static) and isinstance(a.kind.value, dict)):
            raise Refusal("two stars before what is not known before is not compiled; name each")
        if not all(isinstance(n, str) for n in a.kind.value):
            fail(w, TypeError, "keywords must be texts")
            return {}
        found = {n: w.constant(x) for n, x in a.kind.value.items()}
    if found.keys() & before.keys() and not w.source.is_builtin:
        fail(w, TypeError, "an argument is named twice")
    return found


def known_defaults(w: Walk, defaults: Mapping[str, Any]) -> Callable[[str], Val | None]:
    """Return how the default of a parameter is found among Python objects."""

    def default(name: str) -> Val | None:
        return w.constant(defaults[name]) if name in defaults else None

    return default


def bind(
    w: Walk,
    node: FunctionNode,
    given: Arguments,
    default: Callable[[str], Val | None],
) -> list[Val] | None:
    """Return the values of all parameters; None where Python raises TypeError."""
    assert not isinstance(node, ast.GeneratorExp)
    a = node.args
    only, plain = [p.arg for p in a.posonlyargs], [p.arg for p in a.args]
    places, keywords = [*only, *plain], [p.arg for p in a.kwonlyargs]
    first = given.first
    rest: Val | None = given.rest
    found = dict(zip(places, first, strict=False))
    more = first[len(places) :]
    if more and a.vararg is None:
        return None
    others: dict[str, Val] = {}
    named: dict[str, Val] = {}
    for n, v in given.named.items():
        if n in plain or n in keywords:
            named[n] = v
        elif a.kwarg is not None:
            others[n] = v
        else:
            return None
    if found.keys() & named.keys():
        return None
    found |= named
    open_ = places[len(first) :]
    taken: list[Val] = []
    if rest is not None:
        got = _take(w, rest, open_, named, default, a.vararg is not None)
        if got is None:
            return None
        taken = got[0]
        rest = got[1]
    by_place = dict(zip(open_, taken, strict=False))
    ordered = []
    for n in [*places, *keywords]:
        value = by_place.get(n) or found.get(n) or default(n)
        if value is None:
            return None
        ordered.append(value)
    if a.vararg is not None:
        ordered.append(_surplus(w, more, rest))
    if a.kwarg is not None:
        k = Keywords(tuple(others), [v.kind for v in others.values()])
        ordered.append(Val(k, w.pack(form(k), [v.v for v in others.values()])))
    return ordered


def _take(
    w: Walk,
    rest: Val,
    open_: list[str],
    named: dict[str, Val],
    default: Callable[[str], Val | None],
    star: bool,
) -> tuple[list[Val], Val] | None:
    """Return the values of the parameters that are still open, and what is left for a star."""
    assert isinstance(rest.kind, Row)
    item, t = rest.kind.item, form(rest.kind.item)
    place, n = (w.part(rest.v, i) for i in (0, 1))
    instead = [named.get(p) or default(p) for p in open_]
    needed = 1 + max((i for i, x in enumerate(instead) if x is None), default=-1)
    most = min((i for i, p in enumerate(open_) if p in named), default=len(open_))
    if needed > most:
        return None
    if needed:
        w.check(w.b.icmp_signed("<", n, c64(needed)), TypeError, WRONG)
    if not star or most < len(open_):
        w.check(w.b.icmp_signed(">", n, c64(most)), TypeError, WRONG)
    taken: list[Val] = []
    for i, other in enumerate(instead):
        if i >= most or (item is NEVER and i >= needed):
            assert other is not None
            taken.append(other)
            continue
        address = w.element(place, t, c64(i))
        if i < needed:
            taken.append(Val(item, w.load(address, t)))
            continue
        assert other is not None
        k = join(item, other.kind)
        out = w.temp(form(k))
        w.store(coerce(w, other, k).v, out)
        with w.when(w.b.icmp_signed(">", n, c64(i))):
            w.store(coerce(w, Val(item, w.load(address, t)), k).v, out)
        taken.append(Val(k, w.load(out, form(k))))
    left = w.b.sub(n, c64(len(open_)))
    some = w.b.icmp_signed(">", left, ZERO)
    start = w.b.select(some, w.element(place, t, c64(len(open_))), NULL)
    return taken, Val(rest.kind, w.row(start, w.b.select(some, left, ZERO)))


def first_apart(w: Walk, given: Arguments) -> tuple[Val, Arguments] | None:
    """Return the first argument, and the others; None if there is none."""
    if given.first:
        return given.first[0], Arguments(given.first[1:], given.named, given.rest)
    if given.rest is None or item_kind(given.rest.kind) is NEVER:
        return None
    place, n = span(w, given.rest)
    t = form(item_kind(given.rest.kind))
    w.check(w.b.icmp_signed("<", n, ONE), TypeError, WRONG)
    others = Val(given.rest.kind, w.row(w.element(place, t, ONE), w.b.sub(n, ONE)))
    return Val(item_kind(given.rest.kind), w.load(place, t)), Arguments([], given.named, others)


def _surplus(w: Walk, more: list[Val], rest: Val | None) -> Val:
    """Return the tuple that a starred parameter gets."""
    if rest is None:
        return tuple_of(w, more)
    return tuple_with_stars(w, [*((False, x) for x in more), (True, rest)])
