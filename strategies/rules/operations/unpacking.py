"""Unpacking: `a, b, *rest = values`."""

from __future__ import annotations

import ast

from strategies.rules.code.coercion import as_tuple, boolean, fail, parts_of, spread, tuple_of
from strategies.rules.code.storage import is_list, is_table, item_kind, span
from strategies.rules.code.val import Val, c64
from strategies.rules.code.walk import Merge, Walk
from strategies.rules.containers import tables
from strategies.rules.iteration.steps import Iteration, steps
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import BOOL, NEVER, Either, Row, Tup
from strategies.rules.language.sources import COMPARED
from strategies.rules.operations import sequences

WRONG = "the wrong number of values to unpack"


def unpack(w: Walk, target: ast.Tuple | ast.List, a: Val) -> None:
    """Bind targets to the elements of an iterable, from left to right."""
    star = next((i for i, t in enumerate(target.elts) if isinstance(t, ast.Starred)), None)
    plain = [t.value if isinstance(t, ast.Starred) else t for t in target.elts]
    values = elements(w, target, a, len(plain), star)
    for one, x in zip(plain, values, strict=True):
        if w.env is not None:
            w.bind_target(one, x)


def elements(w: Walk, node: ast.AST, a: Val, n: int, star: int | None) -> list[Val]:
    """Return the n values that n targets get, of which one may be starred."""
    never = [w.never] * n
    if a.kind is NEVER:
        return never
    if isinstance(a.kind, Either):
        made = spread(w, a, lambda x: tuple_of(w, elements(w, node, x, n, star)))
        return parts_of(w, made) if isinstance(made.kind, Tup) else never
    a = as_tuple(a)
    if n == 1 and star is None and is_table(a.kind):
        return [tables.only(w, a)]
    if not (isinstance(a.kind, Tup | Row) or is_list(a.kind)):
        if star is None:
            return _one_by_one(w, node, a, n) or never
        a = sequences.list_from(w, node, a)
        if a.kind is NEVER:
            return never
    misfit = has_other_length(w, a, n, star)
    if not misfit.known:
        w.check(misfit.v, ValueError, WRONG)
    elif misfit.py:
        fail(w, ValueError, WRONG)
        return never
    return taken(w, node, a, n, star)


def has_other_length(w: Walk, a: Val, n: int, star: int | None) -> Val:
    """Whether n targets, of which one may be starred, cannot take a tuple or list by its length."""
    op, least = ("!=", n) if star is None else ("<", n - 1)
    if isinstance(a.kind, Tup):
        return boolean(COMPARED[op](len(a.kind.items), least))
    return Val(BOOL, w.b.icmp_signed(op, span(w, a)[1], c64(least)))


def taken(
    w: Walk, node: ast.AST, a: Val, n: int, star: int | None, rest_wanted: bool = True
) -> list[Val]:
    """Return the n values that n targets get of a tuple or list, which has enough."""
    before, after = (n, 0) if star is None else (star, n - star - 1)
    rest = w.never
    if isinstance(a.kind, Tup):
        parts = parts_of(w, a)
        end = len(parts) - after
        first, last = parts[:before], parts[end:]
        if star is not None and rest_wanted:
            rest = sequences.list_of(w, node, parts[star:end])
    else:
        item = item_kind(a.kind)
        place, many = span(w, a)
        first = [w.item(item, place, c64(i)) for i in range(before)]
        last = [w.item(item, place, w.b.sub(many, c64(after - j))) for j in range(after)]
        if star is not None and rest_wanted:
            middle = w.row(w.element(place, form(item), c64(star)), w.b.sub(many, c64(n - 1)))
            rest = sequences.list_from(w, node, Val(Row(item), middle))
    return first if star is None else [*first, rest, *last]


def _one_by_one(w: Walk, node: ast.AST, a: Val, n: int) -> list[Val] | None:
    """Take n elements from an iterator, and see that there are no more."""
    it = steps(Iteration(w, node, "unpack"), a)
    if it is None:
        return None
    found = []

    def short() -> None:
        fail(w, ValueError, WRONG)
        w.env = None

    for i in range(n):
        with w.apart("unpack", i):
            found.append(it.next(short))
    with w.apart("unpack", n):
        end = Merge(w, node, "unpacked")
        it.next(end.arrive)
        short()
        end.land()
    return found
