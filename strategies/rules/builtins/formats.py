"""Texts made of parts: f-strings, `%`, `str.format` and `str.join`."""

from __future__ import annotations

import ast
import re
import string
from typing import Any

from strategies.rules.builtins.declared import by_name, method
from strategies.rules.builtins.text_making import digits, plain_text, spelled, stringified
from strategies.rules.code.coercion import fail, in_row, number, parts_of, spread
from strategies.rules.code.storage import is_list, item_kind
from strategies.rules.code.val import Val
from strategies.rules.code.walk import EXPRESSIONS, Walk
from strategies.rules.kinds.kind import (
    BOOL,
    FLOAT,
    INT,
    NEVER,
    WORD,
    Either,
    Member,
    Record,
    Row,
    Tup,
    is_text,
)
from strategies.rules.kinds.record_classes import lookup
from strategies.rules.language.messages import Refusal
from strategies.rules.operations import operators
from strategies.rules.operations.sequences import joined_tuples, list_from
from strategies.rules.values import numbers, texts
from strategies.rules.values.texts import joined


def built(w: Walk, n: ast.JoinedStr) -> Val:
    """Return the text of an f-string: each value is evaluated and spelled in turn."""
    parts = []
    for e in n.values:
        if isinstance(e, ast.FormattedValue):
            a = w.eval(e.value)
            spec = w.eval(e.format_spec) if e.format_spec is not None else None
            if spec is not None and not spec.known:
                raise Refusal("a width that is not known before is not compiled; write rjust(…)")
            how = chr(e.conversion) if e.conversion > 0 else None
            a = _converted(w, a, how, spec.py if spec is not None else "")
        else:
            a = w.eval(e)
        if a.kind is NEVER:
            return a
        parts.append(a)
    return _all(w, parts)


def _converted(w: Walk, a: Val, how: str | None, spec: str) -> Val:
    """Return the text of a value by a format, after `!r` or `!s`."""
    if how == "a":
        raise Refusal("`!a` is not compiled")
    if how == "r":
        a = spelled(w, a, how=repr)
    elif how == "s":
        a = stringified(w, a)
    return spelled(w, a, spec)


def _all(w: Walk, parts: list[Val]) -> Val:
    """Return texts as one; each may be one of those that are known, or made."""
    if any(p.kind is NEVER for p in parts):
        return w.never
    if all(p.known for p in parts):
        return w.constant("".join(p.py for p in parts))
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
        parts.append(w.constant(before))
        if name is None:
            continue
        place = int(name) if name.isdigit() else at
        at += name == ""
        if "{" in (spec or "") or not (name in given or name == "" or name.isdigit()):
            field = name + (f":{spec}" if spec else "")
            raise Refusal(f"the place {{{field}}} of a format is not compiled; write an f-string")
        if name not in given and place >= len(values):
            return fail(w, IndexError, "there is no argument for a place of the format")
        if conversion not in (None, "a", "r", "s"):
            return fail(w, ValueError, f"there is no conversion !{conversion}")
        a = given[name] if name in given else values[place]
        parts.append(_converted(w, a, conversion, spec or ""))
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
    parts, left = [w.constant(pieces[0])], iter(values)
    for kind, after in zip(kinds, pieces[2::2], strict=True):
        if kind == "%":
            parts.append(w.constant("%"))
        elif (x := next(left, None)) is not None:
            parts.append(_placed(w, kind, x))
        else:
            return fail(w, TypeError, "the text has more places than arguments")
        parts.append(w.constant(after))
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
