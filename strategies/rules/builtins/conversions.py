"""Conversions: `int`, `float`, `bool`, `list`, `tuple`, `range`; also `len`, `isinstance`, `copy`.

What cannot change is its own copy.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from strategies.rules.builtins.declared import METHODS, absent, function
from strategies.rules.builtins.text_forms import float_of, int_of
from strategies.rules.code.coercion import as_text, as_tuple, bits, computed, fail, is_one_of, plain
from strategies.rules.code.storage import length
from strategies.rules.code.val import ZERO, Arguments, Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers import arrays
from strategies.rules.kinds.kind import (
    FLOAT,
    INT,
    NEVER,
    NONE,
    RANGE,
    STR,
    Array,
    Atom,
    Either,
    Kind,
    Member,
    Record,
    Row,
    Static,
    Tup,
    is_text,
)
from strategies.rules.kinds.parts import class_of, is_flags, named, parts
from strategies.rules.language.messages import Refusal, uncompiled
from strategies.rules.operations import sequences
from strategies.rules.values import numbers, texts
from strategies.rules.values.arithmetic import wide_number
from strategies.rules.values.numbers import as_index
from strategies.rules.values.specials import length_of_object, truth


@function(int, "x=0, /, base=...", each=True)
def int_(w: Walk, node: ast.AST, x: Val, base: Val) -> Val:
    x, with_base = as_text(w, plain(w, x)), not absent(base)
    if x.known and isinstance(x.py, int) and not with_base:
        return w.constant(int(x.py))
    n = wide_number(w, x)
    if is_text(x.kind) and not (x.known and (base.known or not with_base)):
        ten = w.constant(10)
        return w.call(int_of, texts.as_made(w, x), as_index(w, base) if with_base else ten)
    if with_base and not (x.known and base.known):
        return fail(w, TypeError, "int() can't convert non-string with explicit base")
    if (x.known and isinstance(x.py, str)) or with_base:
        return computed(w, lambda: int(x.py, base.py) if with_base else int(x.py))
    if n is None:
        return fail(w, TypeError, "int() takes a number")
    return numbers.to_int(w, n)


@function(float, "x=0.0, /", each=True)
def float_(w: Walk, node: ast.AST, x: Val) -> Val:
    x = as_text(w, plain(w, x))
    if x.known and isinstance(x.py, str | int):
        return computed(w, lambda: float(x.py))
    n = wide_number(w, x)
    if n is None:
        if is_text(x.kind):
            return w.call(float_of, texts.as_made(w, x))
        return fail(w, TypeError, "float() takes a number")
    return Val(FLOAT, numbers.as_float(w, n))


function(bool, "x=False, /", each=True)(lambda w, node, x: truth(w, x))


@function(len, "obj, /", each=True)
def len_(w: Walk, node: ast.AST, x: Val) -> Val:
    x = as_text(w, x)
    if is_flags(x.kind):
        return METHODS["int", "bit_count"].call(w, Arguments([bits(x)], {}), node)
    k = x.kind
    if isinstance(k, Record):
        own = length_of_object(w, x)
        if own is not None:
            return own
        x = as_tuple(x)
        k = x.kind
    if isinstance(k, Tup):
        return w.constant(len(k.items))
    if isinstance(k, Array):
        return arrays.length(w, x)
    n = length(w, x)
    if n is not None:
        return Val(INT, n)
    if isinstance(k, Static):
        try:
            return w.constant(w.program.reads.answer(len, k.value))
        except TypeError:
            pass
    if k is STR:
        return texts.asked(w, "len", INT, lambda t, _: len(t), x)
    return fail(w, TypeError, f"{k} has no len()")


@function(range, "first, second=None, step=1, /", each=True)
def range_(w: Walk, node: ast.AST, first: Val, second: Val, step: Val) -> Val:
    start, stop = (w.constant(0), first) if second.kind is NONE else (first, second)
    given = [as_index(w, x) for x in (start, stop, step)]
    if any(n.kind is NEVER for n in given):
        return w.never
    words = [n.v for n in given]
    if step.known:
        if step.py == 0:
            return fail(w, ValueError, "range() arg 3 must not be zero")
    else:
        w.check(w.b.icmp_signed("==", words[2], ZERO), ValueError, "range() arg 3 must not be zero")
    return Val(RANGE, w.pack(RANGE.form, words))


function(list, "iterable=(), /", each=True)(sequences.list_from)
function(tuple, "iterable=(), /", each=True)(sequences.tuple_from)


@function(isinstance, "obj, classes, /")
def isinstance_(w: Walk, node: ast.AST, x: Val, classes: Val) -> Val:
    found: Any
    if isinstance(classes.kind, Static):
        found = classes.kind.value
    elif isinstance(classes.kind, Tup) and all(isinstance(i, Static) for i in classes.kind.items):
        found = tuple(i.value for i in classes.kind.items if isinstance(i, Static))
    else:
        raise Refusal("isinstance() with classes that are not known before is not compiled")
    try:
        return is_one_of(w, x, lambda k: issubclass(class_of(k), found))
    except Refusal:
        raise
    except TypeError as error:
        return fail(w, TypeError, str(error))


function(type, "obj, /", each=True)(lambda w, node, x: w.constant(class_of(x.kind)))


COPIED = ("list", "set", "dict")


def _is_fixed(k: Kind) -> bool:
    """Whether values of a kind are numbers, texts, and tuples of them, which are not copied."""
    plain = isinstance(k, Tup | Row | Either) and all(map(_is_fixed, parts(k)))
    return plain or isinstance(k, Atom | Member)


@function(copy.copy, "x", each=True)
def copy_(w: Walk, node: ast.AST, x: Val) -> Val:
    if _is_fixed(x.kind) or isinstance(x.kind, Tup | Row):
        return x
    if named(x.kind, COPIED):
        return METHODS[x.boxed.name, "copy"].call(w, Arguments([x], {}), node)
    raise uncompiled(copy.copy)


@function(copy.deepcopy, "x", each=True)
def deepcopy(w: Walk, node: ast.AST, x: Val) -> Val:
    if _is_fixed(x.kind) or (named(x.kind, COPIED) and all(map(_is_fixed, parts(x.kind)))):
        return copy_(w, node, x)
    raise uncompiled(copy.deepcopy)
