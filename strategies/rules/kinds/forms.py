"""Forms: how the values of a kind lie in memory."""

from __future__ import annotations

from llvmlite import ir

from strategies.rules.kinds.kind import (
    EMPTY,
    I8,
    I64,
    PTR,
    ROW,
    Array,
    Atom,
    Boxed,
    Either,
    Generator,
    Keywords,
    Kind,
    Member,
    Method,
    Row,
    Scalar,
    Shared,
    Static,
    Tup,
)

APART = 8
"""The length of tuples up to which their elements are kept apart, and not in a row in memory.

Containers of unlike elements are kept apart in longer ones, too.
"""


def is_scalar(t: ir.Type) -> bool:
    return isinstance(t, ir.IntType | ir.DoubleType | ir.PointerType)


def form(k: Kind) -> ir.Type:
    """Return the LLVM type of the values of a kind."""
    match k:
        case Atom():
            return k.form
        case Static():
            return EMPTY
        case Member():
            return I64
        case Tup() | Keywords():
            return ir.LiteralStructType([form(i) for i in k.items])
        case Row():
            return ROW
        case Boxed() | Generator():
            return PTR
        case Either():
            forms = [form(i) for i in k.items]
            wide = [t for t in forms if not is_scalar(t) and t != EMPTY]
            return ir.LiteralStructType([I8, *([I64] if any(map(is_scalar, forms)) else []), *wide])
        case Shared():
            return ir.LiteralStructType([form(i) for i in k.kinds])
        case Method():
            return form(k.self_kind)
        case Scalar():
            return form(k.plain)
        case Array():
            return ir.LiteralStructType([PTR, *[I64] * (2 * k.ndim)])
    raise TypeError(k)


def place_in(k: Either, index: int) -> int | None:
    """Return the part of an `Either`'s form that holds an alternative; None if it needs none."""
    forms = [form(i) for i in k.items]
    own = forms[index]
    if own == EMPTY:
        return None
    if is_scalar(own):
        return 1
    scalars = 1 if any(map(is_scalar, forms)) else 0
    return 1 + scalars + sum(1 for t in forms[:index] if not is_scalar(t) and t != EMPTY)


def layout(t: ir.Type) -> tuple[int, int]:
    """Return size and alignment in bytes of an LLVM type in memory."""
    if isinstance(t, ir.IntType):
        n = max(1, t.width // 8)
        return n, n
    if isinstance(t, ir.LiteralStructType):
        at, most = 0, 1
        for size, align in map(layout, t.elements):
            at = -(-at // align) * align + size
            most = max(most, align)
        return -(-at // most) * most, most
    if isinstance(t, ir.ArrayType):
        size, align = layout(t.element)
        return size * t.count, align
    return 8, 8


def size(t: ir.Type) -> int:
    """Return the bytes that a value of an LLVM type takes in an array."""
    return layout(t)[0]


def offset(t: ir.LiteralStructType, index: int) -> int:
    """Return where a part of a struct begins, in bytes."""
    at = 0
    for i, (width, align) in enumerate(map(layout, t.elements)):
        at = -(-at // align) * align
        if i == index:
            return at
        at += width
    raise IndexError(index)
