"""Texts that are made of other values: `str`, `repr`, `format`, `chr`, and back: `ord`.

Of records and members, by the special methods that their classes write.
"""

from __future__ import annotations

import ast
import enum
import re
import types
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn, cast

from strategies.rules.builtins.declared import function, private
from strategies.rules.calls.invoking import call_function
from strategies.rules.code.coercion import as_text, bits, computed, fail, in_row, spread
from strategies.rules.code.storage import item_kind, span
from strategies.rules.code.val import ONE, ZERO, Arguments, Val, c64
from strategies.rules.code.walk import Walk
from strategies.rules.kinds import record_classes
from strategies.rules.kinds.kind import (
    BOOL,
    FLOAT,
    I32,
    I64,
    INT,
    NEVER,
    NONE,
    WORD,
    Either,
    Kind,
    Member,
    Record,
    Scalar,
    Tup,
    is_text,
)
from strategies.rules.kinds.parts import is_flags
from strategies.rules.kinds.record_classes import members_of
from strategies.rules.language.messages import SPELLED, Refusal
from strategies.rules.machine import questions
from strategies.rules.values import texts
from strategies.rules.values.numbers import as_index, asked

NUMBER_LETTERS = 700  # letters of a number that is not filled up


@private("text, /")
def codes_of(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return the tuple of the numbers of a text's letters."""
    return texts.codes(w, a)


@private("text, /")
def plain_text(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return a text, also one that is a member, as a plain one."""
    return as_text(w, a)


@private("codes, i, /")
def letter_at(w: Walk, node: ast.AST, a: Val, i: Val) -> Val:
    """Return the number of a letter at a place of a text, which has so many letters."""
    row = in_row(w, a)
    return w.item(item_kind(row.kind), span(w, row)[0], i.v)


@private("numbers, /")
def text_of(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return the text whose letters a list has, which is not used afterwards."""
    if a.boxed.item is NEVER:
        return w.constant("")
    return texts.made(w, Val(texts.CODES, w.row(*span(w, a))))


# Letters


@function(chr, "i, /", each=True)
def chr_(w: Walk, node: ast.AST, a: Val) -> Val:
    n = as_index(w, a)
    if n.kind is NEVER:
        return n
    if a.known and 0 <= int(a.py) < 0x110000:
        return w.constant(chr(int(a.py)))
    wide = w.b.icmp_signed("!=", w.b.sext(w.b.trunc(n.v, I32), I64), n.v)
    w.check(wide, BEYOND, "the number of a letter is too large")
    w.check(w.b.icmp_unsigned(">=", n.v, c64(0x110000)), ValueError, "there is no such letter")
    place = w.alloc_for(ONE, I64)
    w.store(n.v, place)
    return texts.letter(w, place, ZERO)


@function(ord, "c, /", each=True)
def ord_(w: Walk, node: ast.AST, a: Val) -> Val:
    a = as_text(w, a)
    if not is_text(a.kind):
        return fail(w, TypeError, "ord() takes a text of one letter")
    if a.known and len(a.py) == 1:
        return w.constant(ord(a.py))
    place, n = span(w, texts.codes(w, a))
    w.check(w.b.icmp_signed("!=", n, ONE), TypeError, "ord() takes a text of one letter")
    return Val(INT, w.load(place, I64))


def _failure(use: Callable[[], object]) -> Exception | None:
    try:
        use()
    except (ValueError, TypeError, OverflowError) as error:
        return error
    return None


BEYOND = type(_failure(lambda: chr(1 << 40)) or ValueError())

# Numbers and others as texts


def digits(n: int) -> Any:
    if 0 <= n < 10:
        return "0123456789"[n : n + 1]
    found = []
    m = n if n < 0 else -n  # since the least int has no opposite
    while m < 0:
        digit = -(m % 10) % 10
        found.append(48 + digit)
        m = (m + digit) // 10
    if n < 0:
        found.append(45)
    found.reverse()
    return text_of(found)


def truth(x: bool) -> str:
    return "True" if x else "False"


def spelled(w: Walk, a: Val, spec: str = "", how: Callable[..., str] = format) -> Val:
    """Return `format(a, spec)`, or `repr(a)`."""
    k = a.kind
    if isinstance(k, Either):
        return spread(w, a, lambda x: spelled(w, x, spec, how))
    if k is NEVER:
        return a
    if k is NONE or (a.known and type(a.py) in (int, float, bool, str)):
        known = None if k is NONE else a.py
        return computed(w, lambda: how(known, spec) if how is format else how(known))
    if isinstance(k, Member):
        if is_flags(k) and how is format and k.of.__format__ is int.__format__:
            return spelled(w, bits(a), spec)
        return _of_member(w, a, spec, how)
    if is_text(k):
        return _of_text(w, a, spec, how)
    if k is BOOL and not spec:
        return w.call(truth, a)
    if k in (INT, BOOL) and spec in ("", "d"):
        return w.call(digits, as_index(w, a))
    if k in (INT, BOOL, FLOAT) or (k is WORD and how is format):
        sample: Any = 1.0 if k is FLOAT else 1
        if spec and (found := _failure(lambda: format(sample, spec))):
            return fail(w, type(found), str(found))
        return _asked(w, a if k is not BOOL else as_index(w, a), spec)
    if isinstance(k, Scalar):
        raise Refusal("a number of numpy's is not made a text; write int(…) or float(…) of it")
    if isinstance(k, Record):
        return _record_spelled(w, a, spec if how is format else None)
    raise Refusal(SPELLED.format(k))


def stringified(w: Walk, a: Val) -> Val:
    """Return `str(a)`."""
    if isinstance(a.kind, Either):
        return spread(w, a, lambda x: stringified(w, x))
    if isinstance(a.kind, Member):
        if is_flags(a.kind) and a.kind.of.__str__ is int.__repr__:
            return spelled(w, bits(a))
        return _said(w, a, "__str__") or _of_members(w, a, str)
    return _record_stringified(w, a) if isinstance(a.kind, Record) else spelled(w, a)


def _of_member(w: Walk, a: Val, spec: str, how: Callable[..., str]) -> Val:
    """Return the text of a member, as its class says, or else by a table."""
    cls = cast(Any, a.kind).of
    if how is not format:
        return _said(w, a, "__repr__") or _of_members(w, a, how)
    found = _said(w, a, "__format__", w.constant(spec))
    if found is None and cls.__format__ is enum.Enum.__format__:
        text = _said(w, a, "__str__")
        found = None if text is None else spelled(w, text, spec)
    return found or _of_members(w, a, lambda m: format(m, spec))


def _of_members(w: Walk, a: Val, use: Callable[[Any], Any]) -> Val:
    """Return the texts that Python makes of members, by a table."""
    cls = cast(Any, a.kind).of
    for m in members_of(cls):
        if error := _failure(partial(use, m)):
            return fail(w, type(error), str(error))
        if type(use(m)) is not str:
            raise Refusal(f"a text of {cls.__name__} is itself a member; write x.value in it")
    return w.program.constants.of_members(w, a, use)


def _room(spec: str) -> int:
    """Return how many letters a format may add."""
    return NUMBER_LETTERS + 2 * sum(map(int, re.findall(r"\d+", spec)))


def _asked(w: Walk, a: Val, spec: str) -> Val:
    """Return the text of a number, which Python says."""
    place = w.alloc_for(c64(_room(spec)), I64)
    for i, n in enumerate([len(spec), *map(ord, spec)]):
        w.store(c64(n), w.element(place, I64, c64(i)))
    kinds: dict[Kind, str] = {FLOAT: "fi", WORD: "ui"}
    n = asked(w, "spelled", kinds.get(a.kind, "ii"), [a.v, w.b.ptrtoint(place, I64)], I64)
    return texts.made(w, Val(texts.CODES, w.row(place, n)))


def _of_text(w: Walk, a: Val, spec: str, how: Callable[..., str]) -> Val:
    if how is not format:
        return whole(w, a, "__repr__", 10)
    if not spec:
        return a
    if error := _failure(lambda: format("a", spec)):
        return fail(w, type(error), str(error))
    source, n = span(w, texts.codes(w, a))
    before = c64(len(spec) + 2)
    room = w.b.add(w.b.add(n, before), c64(_room(spec)))
    place = w.alloc_for(room, I64)
    for i, x in enumerate([c64(len(spec)), *(c64(ord(s)) for s in spec), n]):
        w.store(x, w.element(place, I64, c64(i)))
    w.copy(w.element(place, I64, before), source, n, I64)
    found = asked(w, "formatted", "i", [w.b.ptrtoint(place, I64)], I64)
    return texts.made(w, Val(texts.CODES, w.row(place, found)))


def whole(w: Walk, a: Val, name: str, times: int = 3) -> Val:
    """Return a text that Python makes of a whole text, up to so many times as long."""
    source, n = span(w, texts.codes(w, a))
    place = w.alloc_for(w.b.add(w.b.mul(n, c64(times)), c64(2)), I64)
    w.copy(place, source, n, I64)
    how = c64(questions.WHOLE.index(name))
    found = asked(w, "whole", "iii", [w.b.ptrtoint(place, I64), n, how], I64)
    return texts.made(w, Val(texts.CODES, w.row(place, found)))


def number_of(w: Walk, a: Val, how: Any) -> Any:
    """Return a number that Python reads in a text."""
    place, n = span(w, texts.codes(w, a))
    return asked(w, "whole", "iii", [w.b.ptrtoint(place, I64), n, how], I64)


@function(str, "object='', *more")
def str_(w: Walk, node: ast.AST, a: Val, more: Val) -> Val:
    if not isinstance(more.kind, Tup) or more.kind.items:
        raise Refusal("str() of bytes is not compiled")
    return stringified(w, a)


function(repr, "obj, /")(lambda w, node, a: spelled(w, a, how=repr))


@function(format, "value, format_spec='', /")
def format_(w: Walk, node: ast.AST, a: Val, spec: Val) -> Val:
    if not spec.known:
        raise Refusal("a format that is not known before is not compiled; write it as a constant")
    if not isinstance(spec.py, str):
        return fail(w, TypeError, "the format must be a text")
    return spelled(w, a, spec.py)


for _value, _spec in ((bin, "#b"), (oct, "#o"), (hex, "#x")):
    function(_value, "number, /", each=True)(
        lambda w, node, a, spec=_spec: spelled(w, as_index(w, a), spec)
    )


# Records and members


def _record_spelled(w: Walk, a: Val, spec: str | None) -> Val:
    """Return `format(a, spec)`, or `repr(a)` if there is none."""
    if spec is None:
        return _said(w, a, "__repr__") or _unsaid(a, "__repr__")
    found = _said(w, a, "__format__", w.constant(spec))
    if found is None and spec:
        return fail(w, TypeError, f"unsupported format string passed to {a.kind}.__format__")
    return found or _record_stringified(w, a)


def _record_stringified(w: Walk, a: Val) -> Val:
    """Return `str(a)`."""
    return _said(w, a, "__str__") or _said(w, a, "__repr__") or _unsaid(a, "__str__")


def _unsaid(a: Val, name: str) -> NoReturn:
    """Refuse the text of a record whose class writes none."""
    raise Refusal(f"{SPELLED.format(a.kind)}; or write {a.kind}.{name}")


def _said(w: Walk, a: Val, name: str, *more: Val) -> Val | None:
    """Return the text that a special method of a class gives; None if the class writes none."""
    found = _written_by_user(a, name)
    if found is None:
        return None

    def check(x: Val) -> Val:
        if x.kind is NEVER or is_text(x.kind):
            return x
        return fail(w, TypeError, f"{name} returned no text")

    return spread(w, call_function(w, found, Arguments([a, *more], {})), check)


def _written_by_user(a: Val, name: str) -> types.FunctionType | None:
    """Return a special method that a user wrote, which NamedTuple and Enum do not make."""
    if isinstance(a.kind, Member):
        method = getattr(a.kind.of, name)
        if getattr(method, "__module__", "enum") == "enum":
            return None
    found = record_classes.own(a.kind, name)
    made = found is not None and found.__globals__.get("__name__") == "collections"
    return None if made else found
