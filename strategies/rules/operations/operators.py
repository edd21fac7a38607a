"""Operators by kinds of operands, with Python's TypeError where it has none."""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Callable
from functools import partial
from typing import Any

from strategies.rules.code.coercion import (
    as_text,
    boolean,
    each_kind,
    fail,
    number,
    opposite,
    spread,
)
from strategies.rules.code.storage import is_list, is_table
from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers.tables import MAPPINGS, SETS, VIEWS
from strategies.rules.kinds.kind import (
    BOOL,
    FLOAT,
    I64,
    INT,
    NEVER,
    NONE,
    NUMBERS,
    TEXT,
    WORD,
    Array,
    Boxed,
    Closure,
    Either,
    Generator,
    Kind,
    Member,
    Method,
    Record,
    Row,
    Scalar,
    Static,
    Tup,
    is_text,
)
from strategies.rules.kinds.parts import alternatives, is_flags, named, somewhere
from strategies.rules.language.messages import PLAIN, Refusal, advised
from strategies.rules.language.sources import COMPARISONS, FUNCTIONS, UNARY
from strategies.rules.operations import mappings, sequences, sets
from strategies.rules.operations.comparisons import contains, ordered
from strategies.rules.operations.mappings import counter_unary, is_counter
from strategies.rules.values import arithmetic, enums, numbers, numpy_numbers, specials
from strategies.rules.values.arithmetic import wide_binary
from strategies.rules.values.equality import equal

PERCENT: list[Callable[[Walk, Val, Val], Val]] = []  # `text % values`, which a module above adds

SMALL = 1 << 256  # constants that are folded
SIGNS = {
    ast.USub: arithmetic.negative,
    ast.UAdd: arithmetic.plain,
    ast.Invert: arithmetic.inverted,
}


def folded(w: Walk, op: type[ast.AST], *values: Any) -> Val | None:
    """Return the result of an operator on known numbers, or its failure."""
    if not all(isinstance(v, int | float) for v in values):
        return None
    if op in (ast.LShift, ast.Pow) and not (abs(values[1]) <= 256 and abs(values[0]) < SMALL):
        return None
    try:
        found = FUNCTIONS[op](*values)
    except (ArithmeticError, ValueError, TypeError) as error:
        return fail(w, type(error), str(error))
    if isinstance(found, complex):
        raise Refusal("the power is a complex number, which is not compiled")
    return w.constant(found)


def binary(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val:
    """Return `a op b`."""
    if NEVER in (a.kind, b.kind):
        return w.never
    if a.known and b.known:
        found = folded(w, op, a.py, b.py)
        if found is not None:
            return found
    if isinstance(a.kind, Either) or isinstance(b.kind, Either):
        return each_kind(w, lambda x, y: binary(w, op, x, y, node), a, b)
    own = specials.binary(w, op, a, b, lambda: _failed(w, op, a, b, node))
    if own is not None:
        return own
    if numpy_numbers.concerns(a.kind, b.kind):
        found = numpy_numbers.binary(w, op, a, b)
        if found is not None:
            return found
    if op is ast.BitOr and (_is_class(a) or _is_class(b)):
        classes = [x.kind.value if isinstance(x.kind, Static) else None for x in (a, b)]
        if all(_is_class(x) or x.kind is NONE for x in (a, b)):
            return w.constant(_union(*classes))
    flags = enums.combined(w, op, a, b)
    if flags is not None:
        return flags
    a, b = as_text(w, a), b if op is ast.Mod else as_text(w, b)
    x, y = number(w, a), number(w, b)
    if x is not None and y is not None and op is not ast.MatMult:
        if y.kind is WORD and (a.kind is BOOL or isinstance(a.kind, Member)) and op is not ast.Div:
            y = numbers.to_int(w, y)  # the operators of U64 are for ints and its own
        if op is ast.FloorDiv and {x.kind, y.kind} <= {INT, BOOL}:
            return arithmetic.floor_divide(w, x, y)
        return arithmetic.arithmetic(w, op, x, y)
    for v, n in ((a, y), (b, x)):
        if numbers.is_wide(v) and n is not None:
            return wide_binary(w, op, *((v, n) if v is a else (n, v)))
        if isinstance(v.kind, Static):
            raise advised(f"an operator on a {v.kind}", PLAIN)
        if isinstance(v.kind, Member) and number(w, v) is None and not is_text(a.kind):
            return fail(w, TypeError, "a member of an enumeration is no number")
    if WORD in (a.kind, b.kind) and (is_text(a.kind) or is_text(b.kind)):
        raise Refusal("an operator on a text and a U64 is not compiled; write int(…)")
    if op is ast.Mod and is_text(a.kind):
        return PERCENT[0](w, a, b)
    return _failed(w, op, a, b, node)


@functools.cache
def _union(a: Any, b: Any) -> Any:
    """Return `a | b` of classes, the same object each time."""
    return a | b


def _is_class(a: Val) -> bool:
    return isinstance(a.kind, Static) and isinstance(a.kind.value, type | types.UnionType)


def _failed(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val:
    """Return `a op b` of what are no numbers: sequences, sets, dicts, or else TypeError."""
    found = sequences.binary(w, op, a, b, node) or _of_tables(w, op, a, b, node)
    if found is not None:
        return found
    return fail(w, TypeError, f"unsupported operands: {a.kind} and {b.kind}")


def in_place(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val:
    """Return `a` after `a op= b`, which changes a list, set or dict."""
    if NEVER in (a.kind, b.kind):
        return w.never
    if isinstance(a.kind, Either) and any(isinstance(k, Boxed) for k in a.kind.items):
        return spread(w, a, lambda x: in_place(w, op, x, b, node))
    if isinstance(a.kind, Record):
        if isinstance(b.kind, Either):
            return spread(w, b, lambda x: in_place(w, op, a, x, node))
        own = specials.binary(w, op, a, b, lambda: _failed(w, op, a, b, node), changing=True)
        if own is not None:
            return own
    if is_list(a.kind):
        found = sequences.in_place(w, op, a, b, node)
        if found is not None:
            return found
    if is_table(a.kind):
        found = _tables_in_place(w, op, a, b, node)
        if found is not None:
            return found
    return binary(w, op, a, b, node)


def _of_tables(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Return `a op b`; None if Python has no such operator."""
    if not (is_table(a.kind) or is_table(b.kind)):
        return None
    if named(a.kind, SETS) or named(b.kind, SETS) or named(a.kind, VIEWS) or named(b.kind, VIEWS):
        return sets.binary(w, op, a, b, node)
    return mappings.binary(w, op, a, b, node)


def _tables_in_place(w: Walk, op: type[ast.operator], a: Val, b: Val, node: ast.AST) -> Val | None:
    """Change a table by `a op= b`."""
    if named(a.kind, ("set",)) and named(b.kind, SETS):
        return sets.in_place(w, op, a, b, node)
    return mappings.in_place(w, op, a, b, node) if named(a.kind, MAPPINGS) else None


def unary(w: Walk, op: type[ast.unaryop], a: Val) -> Val:
    """Return `-a`, `+a` or `~a`."""
    if a.kind is NEVER:
        return a
    if a.known:
        found = folded(w, op, a.py)
        if found is not None:
            return found
    if isinstance(a.kind, Either):
        return spread(w, a, lambda x: unary(w, op, x))
    own = specials.unary(w, UNARY[op], a)
    if own is not None:
        return own
    if isinstance(a.kind, Scalar):
        return numpy_numbers.unary(w, op, a)
    if op is ast.Invert and is_flags(a.kind):
        return enums.inverted(w, a)
    x = number(w, a)
    if x is None:
        if is_counter(a.kind):
            return counter_unary(w, op, a)
        if isinstance(a.kind, Static):
            raise advised(f"an operator on a {a.kind}", PLAIN)
        return fail(w, TypeError, f"unsupported operand: {a.kind}")
    if op is ast.Invert and x.kind is FLOAT:
        return fail(w, TypeError, "floats have no bits")
    return SIGNS[op](w, x)


# Comparisons


def compare(w: Walk, op: ast.cmpop, a: Val, b: Val) -> Val:
    """Return `a op b` of a comparison, `in` and `is` included."""
    if NEVER in (a.kind, b.kind):
        return w.never
    if type(op) in COMPARISONS and (_has_own(a.kind) or _has_own(b.kind)):
        return _by_own(w, op, a, b)
    if type(op) in COMPARISONS and numpy_numbers.concerns(a.kind, b.kind):
        return _by_numpy(w, op, a, b)
    if isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) and _holds_numpy(w, a.kind, b.kind):
        raise Refusal(
            "the order of tuples or lists that hold numbers of numpy's is not compiled; write "
            "int(…) or float(…) of each"
        )
    match op:
        case ast.In():
            return contains(w, a, b)
        case ast.NotIn():
            return opposite(w, contains(w, a, b))
        case ast.Is():
            return identical(w, a, b)
        case ast.IsNot():
            return opposite(w, identical(w, a, b))
    return _by_value(w, op, a, b)


def _by_value(w: Walk, op: ast.cmpop, a: Val, b: Val) -> Val:
    """Return `a op b` of a comparison for which classes say nothing themselves."""
    if isinstance(op, ast.Eq):
        return equal(w, a, b)
    if isinstance(op, ast.NotEq):
        return opposite(w, equal(w, a, b))
    return ordered(w, COMPARISONS[type(op)], a, b)


def _holds_numpy(w: Walk, *kinds: Kind) -> bool:
    """Whether containers hold numbers of numpy's, whose order is a number of numpy's again; where
    Python only asks for the truth, as in `sorted`, it does not show."""
    if w.source.is_builtin:
        return False
    return any(somewhere(k, lambda i: isinstance(i, Scalar)) for k in kinds)


def _by_numpy(w: Walk, op: ast.cmpop, a: Val, b: Val) -> Val:
    """Return `a op b` of a comparison in which a number of numpy's may take part."""
    if isinstance(a.kind, Either) or isinstance(b.kind, Either):
        return each_kind(w, partial(compare, w, op), a, b)
    found = numpy_numbers.compare(w, COMPARISONS[type(op)], a, b)
    if found is None:
        raise Refusal(
            f"comparing {a.kind} with {b.kind} is not compiled; write int(…) or float(…) of each "
            "that is numpy's"
        )
    return found


def _has_own(k: Kind) -> bool:
    return any(isinstance(i, Record | Member) for i in alternatives(k))


def _by_own(w: Walk, op: ast.cmpop, a: Val, b: Val) -> Val:
    """Return `a op b` of a comparison in which records or members take part."""
    if isinstance(a.kind, Either) or isinstance(b.kind, Either):
        return each_kind(w, partial(_by_own, w, op), a, b)
    inherited = partial(_by_value, w, op, a, b)
    return specials.compare(w, op, a, b, inherited) or inherited()


def identical(w: Walk, a: Val, b: Val) -> Val:
    """Return `a is b`, of what has an identity."""
    if isinstance(a.kind, Either) or isinstance(b.kind, Either):
        return each_kind(w, partial(identical, w), a, b)
    ka, kb = a.kind, b.kind
    if isinstance(ka, Generator) and isinstance(kb, Generator) and ka.instance is kb.instance:
        return Val(BOOL, w.b.icmp_signed("==", _address(w, a), _address(w, b)))
    if isinstance(ka, Closure | Method) and isinstance(kb, Closure | Method):
        raise Refusal(
            "functions made inside of a function have no identity; compare something else"
        )
    if isinstance(ka, Boxed) and isinstance(kb, Boxed) and ka.name == kb.name:
        return Val(BOOL, w.b.icmp_signed("==", _address(w, a), _address(w, b)))
    if isinstance(ka, Member) and isinstance(kb, Member):
        return equal(w, a, b) if ka.of is kb.of else boolean(False)
    if isinstance(ka, Static) and isinstance(kb, Static):
        return boolean(ka.value is kb.value)
    if ka is BOOL and kb is BOOL:
        return equal(w, a, b)
    if isinstance(ka, Scalar | Array) and isinstance(kb, Scalar | Array):
        raise Refusal("the identity of numpy's arrays and numbers is not compiled")
    if ka in NUMBERS and kb in NUMBERS:
        if ka is not kb:
            return boolean(False)
        raise Refusal("numbers have no identity; compare them with `==`")
    if isinstance(ka, Tup | Row | Record) and isinstance(kb, Tup | Row | Record):
        raise Refusal("tuples and records have no identity; compare them with `==`")
    if TEXT in (ka, kb) and is_text(ka) and is_text(kb):
        raise Refusal("texts that are made have no identity; compare them with `==`")
    if ka is kb:
        return equal(w, a, b)
    return boolean(False)


def _address(w: Walk, a: Val) -> Any:
    return w.b.ptrtoint(a.v, I64)
