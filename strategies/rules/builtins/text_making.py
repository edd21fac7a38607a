"""Texts that are made of other values: `str`, f-strings, `%`, `format`, `chr`, and back: `ord`."""

from __future__ import annotations

import ast
import enum
import re
import string
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from strategies.rules.builtins import record_texts
from strategies.rules.builtins.declared import by_name, function, method, private
from strategies.rules.code.coercion import (
    as_text,
    bits,
    computed,
    fail,
    in_row,
    number,
    parts_of,
    spread,
)
from strategies.rules.code.storage import is_list, item_kind, span
from strategies.rules.code.val import ONE, ZERO, Val, c64
from strategies.rules.code.walk import EXPRESSIONS, Walk
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
    Row,
    Scalar,
    Tup,
    is_text,
)
from strategies.rules.kinds.parts import is_flags
from strategies.rules.kinds.record_classes import lookup, members_of
from strategies.rules.language.messages import SPELLED, Refusal
from strategies.rules.machine import questions
from strategies.rules.operations import operators
from strategies.rules.operations.sequences import joined_tuples, list_from
from strategies.rules.values import numbers, texts
from strategies.rules.values.numbers import as_index, asked
from strategies.rules.values.texts import joined

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
        return w.program.constants.value("")
    return texts.made(w, Val(texts.CODES, w.row(*span(w, a))))


# Letters


@function(chr, "i, /", each=True)
def chr_(w: Walk, node: ast.AST, a: Val) -> Val:
    n = as_index(w, a)
    if n.kind is NEVER:
        return n
    if a.known and 0 <= int(a.py) < 0x110000:
        return w.program.constants.value(chr(int(a.py)))
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
        return w.program.constants.value(ord(a.py))
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
        return record_texts.spelled(w, a, spec if how is format else None)
    raise Refusal(SPELLED.format(k))


def stringified(w: Walk, a: Val) -> Val:
    """Return `str(a)`."""
    if isinstance(a.kind, Either):
        return spread(w, a, lambda x: stringified(w, x))
    if isinstance(a.kind, Member):
        if is_flags(a.kind) and a.kind.of.__str__ is int.__repr__:
            return spelled(w, bits(a))
        return record_texts.str_of_member(w, a) or _of_members(w, a, str)
    return record_texts.stringified(w, a) if isinstance(a.kind, Record) else spelled(w, a)


def _of_member(w: Walk, a: Val, spec: str, how: Callable[..., str]) -> Val:
    """Return the text of a member, as its class says, or else by a table."""
    cls = cast(Any, a.kind).of
    found = record_texts.of_member(w, a, spec if how is format else None)
    if found is None and how is format and cls.__format__ is enum.Enum.__format__:
        text = record_texts.str_of_member(w, a)
        found = None if text is None else spelled(w, text, spec)
    if found is not None:
        return found
    return _of_members(w, a, (lambda m: how(m, spec)) if how is format else how)


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


@function(str, "object='', /, *more")
def str_(w: Walk, node: ast.AST, a: Val, more: Val) -> Val:
    if not isinstance(more.kind, Tup) or more.kind.items:
        raise Refusal("str() of bytes is not compiled")
    return stringified(w, a)


@function(repr, "obj, /")
def repr_(w: Walk, node: ast.AST, a: Val) -> Val:
    return spelled(w, a, how=repr)


@function(format, "value, format_spec='', /")
def format_(w: Walk, node: ast.AST, a: Val, spec: Val) -> Val:
    if not spec.known:
        raise Refusal("a format that is not known before is not compiled; write it as a constant")
    if not isinstance(spec.py, str):
        return fail(w, TypeError, "the format must be a text")
    return spelled(w, a, spec.py)


def _based(value: Any, spec: str) -> None:
    @function(value, "number, /", each=True)
    def spelled_in_base(w: Walk, node: ast.AST, a: Val) -> Val:
        n = as_index(w, a)
        return n if n.kind is NEVER else spelled(w, n, spec)


for _value, _spec in ((bin, "#b"), (oct, "#o"), (hex, "#x")):
    _based(_value, _spec)


# f-strings and formats


def built(w: Walk, n: ast.JoinedStr) -> Val:
    """Return the text of an f-string: each value is evaluated and spelled in turn."""
    parts = []
    for e in n.values:
        if isinstance(e, ast.FormattedValue):
            a = w.eval(e.value)
            spec = w.eval(e.format_spec) if e.format_spec is not None else None
            if spec is not None and not spec.known:
                raise Refusal("a width that is not known before is not compiled; write rjust(…)")
            if e.conversion == ord("a"):
                raise Refusal("`!a` is not compiled")
            if e.conversion == ord("r"):
                a = spelled(w, a, how=repr)
            elif e.conversion == ord("s"):
                a = stringified(w, a)
            a = spelled(w, a, spec.py if spec is not None else "")
        else:
            a = w.eval(e)
        if a.kind is NEVER:
            return a
        parts.append(a)
    return _all(w, parts)


def _all(w: Walk, parts: list[Val]) -> Val:
    """Return texts as one; each may be one of those that are known, or made."""
    if any(p.kind is NEVER for p in parts):
        return w.never
    if all(p.known for p in parts):
        return w.program.constants.value("".join(p.py for p in parts))
    pieces = [texts.codes(w, p) for p in parts if not (p.known and not p.py)]
    return texts.made(w, pieces[0] if len(pieces) == 1 else joined_tuples(w, pieces))


EXPRESSIONS[ast.JoinedStr] = built


@method("str", "format", "self, /, *args, **keywords")
def format_method(w: Walk, node: ast.AST, a: Val, args: Val, named: Val) -> Val:
    if not (a.known and isinstance(args.kind, Tup)):
        raise Refusal("format() is compiled of a constant text; write an f-string")
    given = by_name(w, named)
    values, parts, at = parts_of(w, args), list[Val](), 0
    try:
        places = list(string.Formatter().parse(a.py))
    except ValueError as error:
        return fail(w, ValueError, str(error))
    names = {name for _, name, _, _ in places if name is not None}
    if "" in names and any(map(str.isdigit, names)):
        return fail(w, ValueError, "places with and without numbers are mixed in a format")
    for before, name, spec, conversion in places:
        parts.append(w.program.constants.value(before))
        if name is None:
            continue
        place = int(name) if name.isdigit() else at
        at += name == ""
        simple = not conversion and "{" not in (spec or "")
        if not simple or not (name in given or name == "" or name.isdigit()):
            raise Refusal("this format is not compiled; write an f-string")
        if name not in given and place >= len(values):
            return fail(w, IndexError, "there is no argument for a place of the format")
        parts.append(spelled(w, given[name] if name in given else values[place], spec or ""))
    return _all(w, parts)


def percent(w: Walk, a: Val, b: Val) -> Val:
    """Return `a % b` of a constant text with places for texts and ints."""
    pieces = re.split(r"%(.)", a.py) if a.known else []
    kinds = pieces[1::2]
    if not a.known or not set(kinds) <= set("sdi%") or any("%" in p for p in pieces[::2]):
        raise Refusal("`%` of a text is compiled with %s and %d alone; write an f-string")
    values = parts_of(w, b) if isinstance(b.kind, Tup) else [b]
    plain = is_text(b.kind) or b.kind in (INT, BOOL, FLOAT)
    if isinstance(b.kind, Record | Member):
        cls = b.kind.of
        plain = issubclass(cls, str) or not (issubclass(cls, tuple) or lookup(cls, "__getitem__"))
    if not (isinstance(b.kind, Tup) or plain):
        raise Refusal("`%` of a text is compiled with a tuple of known length; write an f-string")
    parts, left = [w.program.constants.value(pieces[0])], iter(values)
    for kind, after in zip(kinds, pieces[2::2], strict=True):
        if kind == "%":
            parts.append(w.program.constants.value("%"))
        elif (x := next(left, None)) is not None:
            parts.append(_placed(w, kind, x))
        else:
            return fail(w, TypeError, "the text has more places than arguments")
        parts.append(w.program.constants.value(after))
    if next(left, None) is not None:
        return fail(w, TypeError, "the text has fewer places than arguments")
    return _all(w, parts)


def _placed(w: Walk, kind: str, a: Val) -> Val:
    if kind == "s":
        return stringified(w, a)
    if isinstance(a.kind, Either):
        return spread(w, a, lambda x: _placed(w, kind, x))
    n = number(w, a)
    if n is not None and n.kind is not WORD:
        return w.call(digits, numbers.to_int(w, n))
    if n is not None:
        raise Refusal("%d of a U64 is not compiled; write int(…)")
    return fail(w, TypeError, "%d takes a number")


operators.PERCENT.append(percent)


@method("str text", "join", "self, iterable, /")
def join(w: Walk, node: ast.AST, a: Val, parts: Val) -> Val:
    if not (
        isinstance(parts.kind, Tup | Row) or (is_list(parts.kind) and parts.boxed.name == "list")
    ):
        parts = list_from(w, node, parts)
    if parts.kind is NEVER:
        return parts
    parts = in_row(w, parts)
    item = item_kind(parts.kind)
    if item is not NEVER and not is_text(item):
        parts = w.call(only_texts, parts)
        if parts.kind is NEVER:
            return parts
    return joined(w, a, parts)


def only_texts(parts: Any) -> Any:
    found = []
    for x in parts:
        if not isinstance(x, str):
            raise TypeError("join() takes texts only")
        found.append(plain_text(x))
    return found
