"""Items: `a[i]`, slices, assignment and deletion."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Sequence
from typing import Any, cast

from attrs import frozen
from llvmlite import ir

from strategies.rules.code import coercion
from strategies.rules.code.coercion import (
    as_text,
    as_tuple,
    computed,
    fail,
    in_row,
    parts_of,
    put_item,
    refuse,
    spread,
    tuple_of,
)
from strategies.rules.code.storage import is_list, is_table, item_kind, range_length, span
from strategies.rules.code.val import ONE, ZERO, Held, Val, c64
from strategies.rules.code.walk import Walk
from strategies.rules.containers import arrays, tables
from strategies.rules.containers.arrays import within, word_of
from strategies.rules.kinds import record_classes
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.joining import join_all
from strategies.rules.kinds.kind import (
    BOOL,
    FLOAT,
    INT,
    NEVER,
    NONE,
    RANGE,
    STR,
    TEXT,
    WORD,
    Array,
    Boxed,
    Either,
    Kind,
    Record,
    Row,
    Static,
    Tup,
    is_text,
)
from strategies.rules.language.messages import Refusal, advised, unlike
from strategies.rules.operations import sequences
from strategies.rules.values import enums, texts


@frozen(eq=False)
class Slice:
    """The bounds of a slice."""

    start: Val
    stop: Val
    step: Val


Index = Val | Slice


def each_kind(w: Walk, i: Index, use: Callable[[Index], Val]) -> Val:
    """Use an index, of which each part has one kind: a bound of a slice may be None or an int."""
    if isinstance(i, Val):
        return spread(w, i, use)
    return coercion.each_kind(w, lambda *parts: use(Slice(*parts)), i.start, i.stop, i.step)


def _kinds(i: Index) -> list[Kind]:
    return [i.kind] if isinstance(i, Val) else [p.kind for p in (i.start, i.stop, i.step)]


def index_of(w: Walk, node: ast.AST) -> Index:
    """Evaluate what stands between brackets."""
    if isinstance(node, ast.Slice):
        none = w.constant(None)
        parts = [w.eval(x) if x is not None else none for x in (node.lower, node.upper, node.step)]
        return Slice(*parts)
    return w.eval(node)


def get(w: Walk, a: Val, i: Index, node: ast.AST) -> Val:
    """Return `a[i]`."""
    a = as_text(w, as_tuple(a))
    k = a.kind
    if NEVER in (k, *_kinds(i)):
        return w.never
    if isinstance(k, Either):
        return spread(w, a, lambda x: get(w, x, i, node))
    if isinstance(k, Record):
        own = record_classes.own(k, "__getitem__")
        if own is None:
            return fail(w, TypeError, f"{k} has no items")
        if isinstance(i, Slice):
            raise advised(f"a slice of {k}", "write a method, or slice what is in a field")
        return w.call(own, a, i)
    if isinstance(k, Static) and isinstance(k.value, enum.EnumMeta) and isinstance(i, Val):
        return enums.item(w, k.value, i)
    if isinstance(k, Static):
        return _of_constant(w, a, i)
    if any(isinstance(p, Either) for p in _kinds(i)):
        return each_kind(w, i, lambda x: get(w, a, x, node))
    if isinstance(i, Slice) and isinstance(k, Array):
        return view(w, a, [i])
    if isinstance(i, Slice):
        refuse(k)
        return _slice(w, a, i, node)
    if isinstance(k, Array):
        return arrays.get(w, a, i)
    refuse(k)
    if is_table(k):
        return tables.get(w, a, i, node)
    at = word_of(w, i)
    if at is None:
        return fail(w, TypeError, f"{k} takes no index of {i.kind}")
    if isinstance(k, Tup):
        return _of_tuple(w, a, i, at)
    if isinstance(k, Row) or is_list(k):
        return _of_list(w, a, i, at)
    if k is RANGE:
        at = within(w, at, i, range_length(w, a))
        return Val(INT, w.b.add(w.part(a.v, 0), w.b.mul(at, w.part(a.v, 2))))
    if k is STR:
        return get(w, texts.letters(w, a), i, node)
    if k is TEXT:
        place, n = span(w, texts.codes(w, a))
        return texts.letter(w, place, within(w, at, i, n, "string index out of range"))
    return fail(w, TypeError, f"{k} has no items")


def view(w: Walk, a: Val, indices: Sequence[Index]) -> Val:
    """Return `a[i, …]` of an array, where one index is a slice."""
    if isinstance(a.kind, Either):
        return spread(w, a, lambda x: view(w, x, indices))
    if NEVER in (a.kind, *(kind for i in indices for kind in _kinds(i))):
        return w.never
    if not isinstance(a.kind, Array):
        raise unlike(ast.Slice())
    several = (n for n, i in enumerate(indices) if any(isinstance(k, Either) for k in _kinds(i)))
    at = next(several, None)
    if at is not None:
        before, after = indices[:at], indices[at + 1 :]
        return each_kind(w, indices[at], lambda x: view(w, a, [*before, x, *after]))
    plain = [i for i in indices if isinstance(i, Val)]
    failed = arrays.misfit(w, a, plain, len(indices) - len(plain))
    if failed is not None:
        return failed
    parts: list[Any] = []
    for axis, i in enumerate(indices):
        if isinstance(i, Val):
            parts.append(arrays.place(w, a, axis, i))
        else:
            parts.append(_bounds(w, i, arrays.size(w, a, axis)))
            if parts[-1] is None:
                return w.never
    return arrays.view(w, a, parts)


def _of_constant(w: Walk, a: Val, i: Index) -> Val:
    """Return `a[i]` of a Python object that is known."""
    value: Any = cast(Static, a.kind).value
    if (
        isinstance(i, Val)
        and i.known
        and isinstance(value, type)
        and hasattr(type(value), "__getitem__")
    ):
        return computed(w, lambda: value[i.py])  # type: ignore[index] # its class has `__getitem__`
    if hasattr(type(value), "__getitem__") or hasattr(value, "__class_getitem__"):
        raise Refusal(
            f"items of {type(value).__name__} are not compiled; write a tuple, list or dict"
        )
    return fail(w, TypeError, f"{type(value).__name__} has no items")


def _of_list(w: Walk, a: Val, i: Val, at: Any) -> Val:
    """Return the item of a list or row at a number."""
    item = item_kind(a.kind)
    place, n = span(w, a)
    at = within(w, at, i, n)
    if item is NEVER:
        w.dead() if w.emitting and not w.ended else None
        return w.never
    part = w.element(place, form(item), at)
    if isinstance(a, Held):
        return w.held(part, item, a.shape)
    return Val(item, w.load(part, form(item)))


def _of_tuple(w: Walk, a: Val, i: Val, at: Any) -> Val:
    """Return an element of a tuple of known length."""
    k = a.kind
    assert isinstance(k, Tup)
    n = len(k.items)
    if i.known:
        place = int(i.py)
        if not -n <= place < n:
            return fail(w, IndexError, "tuple index out of range")
        return parts_of(w, a)[place]
    at = within(w, at, i, c64(n), "tuple index out of range")
    met = join_all(k.items)
    if met is NEVER or not w.emitting:
        return Val(met)
    if a.known:
        return w.item(met, w.program.constants.row(a.py, met).constant[0], at)
    room = w.temp(ir.ArrayType(form(met), n))
    for j, x in enumerate(parts_of(w, a)):
        put_item(w, met, room, c64(j), x)
    return w.item(met, room, at)


# Slices


def _bounds(w: Walk, s: Slice, n: Any) -> tuple[Any, Any, Any] | None:
    """Return start, step and number of a slice of n elements, as `slice.indices` does; None where
    Python raises TypeError."""
    given = (s.start, s.stop, s.step)
    start, stop, step = (None if p.kind is NONE else word_of(w, p) for p in given)
    if any(
        x is None and p.kind is not NONE for x, p in zip((start, stop, step), given, strict=True)
    ):
        fail(w, TypeError, "a bound of a slice must be an int or None")
        return None
    if step is None:
        step = ONE
    elif not (s.step.known and s.step.py != 0):
        w.check(w.b.icmp_signed("==", step, ZERO), ValueError, "slice step cannot be zero")
    b = w.b
    back = b.icmp_signed("<", step, ZERO)
    lowest = b.select(back, c64(-1), ZERO)
    highest = b.select(back, b.sub(n, ONE), n)

    def bound(word: Any, default: Any) -> Any:
        if word is None:
            return default
        word = b.select(b.icmp_signed("<", word, ZERO), b.add(word, n), word)
        word = b.select(b.icmp_signed("<", word, lowest), lowest, word)
        return b.select(b.icmp_signed(">", word, highest), highest, word)

    first = bound(start, b.select(back, highest, lowest))
    last = bound(stop, b.select(back, lowest, highest))
    low, high = b.select(back, last, first), b.select(back, first, last)
    by = b.select(back, b.sub(ZERO, step), step)
    some = b.icmp_signed("<", low, high)
    many = b.add(b.udiv(b.sub(b.sub(high, low), ONE), by), ONE)
    return first, step, b.select(some, many, ZERO)


def _slice(w: Walk, a: Val, s: Slice, node: ast.AST) -> Val:
    k = a.kind
    bounds = [p.py if p.known else None for p in (s.start, s.stop, s.step)]
    if isinstance(k, Tup) and all(p.known for p in (s.start, s.stop, s.step)):
        try:
            return tuple_of(w, parts_of(w, a)[slice(*bounds)])
        except (TypeError, ValueError) as error:
            return fail(w, type(error), str(error))
    if is_text(k):
        return _part_of_text(w, a, s, bounds, node)
    a = in_row(w, a)
    k = a.kind
    if k is RANGE:
        raise Refusal("a slice of a range is not compiled; write tuple(range(…))[…]")
    if not (isinstance(k, Row) or (isinstance(k, Boxed) and k.name == "list")):
        return fail(w, TypeError, f"{k} has no slices")
    item = k.item
    place, n = span(w, a)
    found = _bounds(w, s, n)
    if found is None:
        return w.never
    first, step, many = found
    if isinstance(k, Boxed):
        k = w.site(node, "list")
        w.widen(k, 0, item)
    if item is NEVER:
        return Val(k, sequences.new_list(w, k) if isinstance(k, Boxed) else a.v)
    if isinstance(k, Row) and s.step.kind is NONE:  # tuples share their memory
        return Val(k, w.row(w.element(place, form(item), first), many))
    made, room = sequences.new_sequence(w, k, many)
    with w.counting(many) as i:
        at = w.b.add(first, w.b.mul(i, step))
        put_item(w, k.item, room, i, w.item(item, place, at))
    return Val(k, made.v)


def _part_of_text(w: Walk, a: Val, s: Slice, bounds: list[Any], node: ast.AST) -> Val:
    if all(p.known for p in (a, s.start, s.stop, s.step)):
        return computed(w, lambda: a.py[slice(*bounds)])
    return texts.made(w, _slice(w, texts.codes(w, a), s, node))


# Change


def put(w: Walk, a: Val, i: Index, x: Val) -> None:
    """Do `a[i] = x`."""
    if NEVER not in (a.kind, x.kind, *_kinds(i)):
        spread(w, a, lambda y: _put(w, y, i, x))


def _put(w: Walk, a: Val, i: Index, x: Val) -> Val:
    k, nothing = a.kind, w.constant(None)
    if (
        isinstance(k, Tup | Row | Record)
        or k is RANGE
        or k in (INT, BOOL, FLOAT, WORD, NONE, STR, TEXT)
    ):
        return fail(w, TypeError, f"{k} does not support item assignment")
    if is_table(k) and isinstance(i, Val):
        tables.put(w, a, i, x)
        return nothing
    if isinstance(k, Array) and isinstance(i, Val):
        return spread(w, i, lambda y: arrays.put(w, a, y, x))
    if not is_list(k):
        raise Refusal(f"assigning to an item of {k} is not compiled")
    if any(isinstance(p, Either) for p in _kinds(i)):
        return each_kind(w, i, lambda y: _put(w, a, y, x))
    assert isinstance(k, Boxed)
    if isinstance(i, Slice):
        return _change_slice(w, a, i, sequences.put_slice, x)
    at = word_of(w, i)
    if at is None:
        return fail(w, TypeError, f"{k} takes no index of {i.kind}")
    w.change(a, 0, x.kind)
    place, n = span(w, a)
    at = within(w, at, i, n, "list assignment index out of range")
    if k.item is not NEVER:
        put_item(w, k.item, place, at, x)
    return nothing


def delete(w: Walk, a: Val, i: Index) -> None:
    """Do `del a[i]`."""
    if NEVER not in (a.kind, *_kinds(i)):
        spread(w, a, lambda y: _delete(w, y, i))


def _delete(w: Walk, a: Val, i: Index) -> Val:
    k, nothing = a.kind, w.constant(None)
    if is_table(k) and isinstance(i, Val):
        tables.delete(w, a, i)
        return nothing
    if not is_list(k):
        refuse(k)
        if isinstance(k, Static) or is_table(k):
            raise Refusal(f"deleting from {k} is not compiled")
        return fail(w, TypeError, f"{k} does not support item deletion")
    if any(isinstance(p, Either) for p in _kinds(i)):
        return each_kind(w, i, lambda y: _delete(w, a, y))
    assert isinstance(k, Boxed)
    w.change(a, 0, NEVER)
    if isinstance(i, Slice):
        return _change_slice(w, a, i, sequences.delete_slice)
    at = word_of(w, i)
    if at is None:
        return fail(w, TypeError, f"{k} takes no index of {i.kind}")
    _, n = span(w, a)
    sequences.remove_at(w, a, within(w, at, i, n))
    return nothing


def _change_slice(w: Walk, a: Val, s: Slice, how: Any, *values: Val) -> Val:
    """Assign to a slice of a list, or delete it, by a function that is written in Python."""
    k = a.kind
    assert isinstance(k, Boxed)
    if k.name == "deque":
        return fail(w, TypeError, "a deque has no slices")
    w.change(a, 0, NEVER)
    found = _bounds(w, s, span(w, a)[1])
    if found is None:
        return w.never
    bounds = [Val(INT, v) for v in found]
    return w.call(how, a, *bounds, *values)
