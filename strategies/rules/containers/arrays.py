"""Arrays of numpy, and the numbers of numpy's own types that they hold; and indices.

An index of an array, list or deque is a word that is counted from the start. Rules write only to
arrays in fields that are marked as `games.fields.WRITTEN`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir

from strategies.rules.code.coercion import ARRAY_ADVICE, fail, parts_of, plain, spread, tuple_of
from strategies.rules.code.constants import MAKERS, Constants
from strategies.rules.code.emission import Code
from strategies.rules.code.val import ONE, ZERO, Val, c1, c64
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import (
    BOOL,
    F64,
    FLOAT,
    I8,
    I64,
    INT,
    NEVER,
    NONE,
    RANGE,
    STR,
    TEXT,
    WORD,
    Array,
    Atom,
    Scalar,
    Static,
    Tup,
)
from strategies.rules.language.messages import Refusal
from strategies.rules.values import numbers
from strategies.rules.values.arithmetic import wide_number
from strategies.rules.values.numbers import as_int


def word_of(c: Code, i: Val) -> Any:
    """Return an index as a word; None if it is none."""
    if isinstance(i.kind, Scalar) and i.kind.plain is BOOL:
        return None
    n = wide_number(c, plain(c, i))
    if n is None or n.kind is FLOAT:
        return None
    if n.kind is WORD and not (n.known and n.py < 1 << 63):
        # Beyond the end of everything.
        return c.b.select(c.b.icmp_signed("<", n.v, ZERO), c64(2**63 - 1), n.v)
    return as_int(c, n)


def within(c: Code, at: Any, i: Val, n: Any, message: str = "index out of range") -> Any:
    """Return an index counted from the start, or fail with IndexError."""
    if not (i.known and i.py >= 0):
        at = c.b.select(c.b.icmp_signed("<", at, ZERO), c.b.add(at, n), at)
    c.check(c.b.icmp_unsigned(">=", at, n), IndexError, message)
    return at


CODE_ARRAY_BYTES = 1 << 24  # bytes of an array that code contains
ELEMENTS = {"bool", "float32", "float64"} | {
    f"{s}int{n}" for s in ("", "u") for n in (8, 16, 32, 64)
}


def scalar(type_: Any) -> Scalar:
    """Return the kind of numbers of a type of numpy's."""
    dtype = np.dtype(type_)
    if dtype.name not in ELEMENTS or not dtype.isnative:
        raise Refusal(f"numpy's {dtype.name} is not compiled; use int64, float64 or bool")
    plain = {"b": BOOL, "f": FLOAT, "i": INT}.get(dtype.kind)
    return Scalar(dtype.type, plain or (WORD if dtype.itemsize == 8 else INT))


def array(value: Any, written: bool = False) -> Array:
    """Return the kind of an array."""
    if type(value) is not np.ndarray or not value.flags.aligned:
        raise Refusal("an array that is not plain is not compiled; make it one, numpy.array(…)")
    if value.ndim == 0:
        raise Refusal("an array without dimensions is not compiled; use a number")
    return Array(scalar(value.dtype), value.ndim, written)


def constant(constants: Constants, value: Any, argument: bool) -> Val:
    """Return an array or number of numpy's as a value of the code."""
    if isinstance(value, np.generic):
        k = scalar(type(value))
        plain = value.item()
        if k.plain is FLOAT:
            return Val(k, F64(plain))
        return Val(k, c1(plain) if k.plain is BOOL else c64(plain))
    kind = array(value)
    if argument:
        return Val(kind)
    if value.nbytes > CODE_ARRAY_BYTES:
        raise Refusal("an array of more than 16 MB is not compiled; pass it as an argument")
    name = "array", id(value)
    if name not in constants.made:
        constants.program.reads.contents(value)
        content = bytearray(np.ascontiguousarray(value).tobytes())
        place = constants.place("array", ir.Constant(ir.ArrayType(I8, len(content)), content))
        place.align = 8
        strides = np.empty(value.shape, value.dtype).strides
        words = [place, *map(c64, value.shape), *map(c64, strides)]
        constants.made[name] = ir.Constant(form(kind), words)
    return Val(kind, constants.made[name])


# Elements


def size(c: Code, a: Val, axis: int) -> Any:
    """Return the number of elements in an axis of an array."""
    return c.part(a.v, 1 + axis)


def length(c: Code, a: Val) -> Val:
    """Return `len(a)`."""
    return Val(INT, size(c, a, 0))


def attribute(w: Walk, a: Val, name: str) -> Val:
    """Return a field of an array, or refuse."""
    assert isinstance(a.kind, Array)
    if name == "shape":
        return tuple_of(w, [Val(INT, size(w, a, i)) for i in range(a.kind.ndim)])
    if name == "T":
        return view(w, a, [], backward=True)
    if name == "ndim":
        return w.constant(a.kind.ndim)
    if name == "size":
        many: Any = ONE
        for i in range(a.kind.ndim):
            many = w.b.mul(many, size(w, a, i))
        return Val(INT, many)
    raise Refusal(ARRAY_ADVICE.format(f"the attribute {name} of an array"))


def get(w: Walk, a: Val, i: Val) -> Val:
    """Return `a[i]`: an element, or the part of an array with fewer dimensions."""
    words = _places(w, a, i)
    return words if isinstance(words, Val) else at_place(w, a, words)


def put(w: Walk, a: Val, i: Val, x: Val) -> Val:
    """Do `a[i] = x`."""
    k, nothing = a.kind, w.constant(None)
    assert isinstance(k, Array)
    if not k.written:
        raise Refusal(
            "rules only read the arrays of a game; compute a new tuple in place of changing one"
        )
    words = _places(w, a, i)
    if isinstance(words, Val):
        return words
    if len(words) < k.ndim:
        raise Refusal("assigning to a part of an array is not compiled; assign to each element")
    made = spread(w, plain(w, x), lambda n: _converted(w, k.item, n))
    if made.kind is NEVER:
        return made
    dtype = np.dtype(k.item.type)
    v = made.v
    if dtype.name == "float32":
        v = w.b.fptrunc(v, ir.FloatType())
    elif dtype.kind == "b":
        v = w.b.zext(v, I8)
    w.store(v, address(w, a, words))
    w.note_write()
    return nothing


def _converted(w: Walk, item: Scalar, x: Val) -> Val:
    """Return a number as an array stores it, of the kind that `item.plain` is."""
    if item.plain is FLOAT and x.kind in (INT, BOOL, FLOAT):
        return Val(FLOAT, numbers.as_float(w, x))
    if item.type in (np.int64, int) and x.kind in (INT, BOOL):
        return Val(INT, numbers.as_int(w, x))
    if item.plain is BOOL and x.kind is BOOL:
        return x
    raise Refusal(
        f"storing {x.kind} in {Array(item, 1)} is not compiled; use arrays of float64 or int64"
    )


def _places(w: Walk, a: Val, i: Val) -> list[Any] | Val:
    """Return the places that an index means, one for each of its parts, or what a failure gives."""
    assert isinstance(a.kind, Array)
    indices = parts_of(w, i) if isinstance(i.kind, Tup) else [i]
    if not indices:
        raise Refusal(ARRAY_ADVICE.format("an array without an index"))
    failed = misfit(w, a, indices)
    return failed or [place(w, a, axis, one) for axis, one in enumerate(indices)]


def misfit(w: Walk, a: Val, indices: Sequence[Val], slices: int = 0) -> Val | None:
    """Fail if an array cannot have these indices and so many slices; return None if it can."""
    assert isinstance(a.kind, Array)
    if not all(_is_index(w, one) for one in indices):
        return fail(w, IndexError, "only ints are indices of an array here")
    if len(indices) + slices > a.kind.ndim:
        return fail(w, IndexError, "too many indices for an array")
    return None


def _is_index(w: Walk, one: Val) -> bool:
    """Whether a value is an index of an array: Python raises IndexError if it is none."""
    whole = plain(w, one).kind
    if isinstance(one.kind, Static) or whole in (BOOL, NONE) or not isinstance(whole, Atom):
        raise Refusal(f"an index of {one.kind} for an array is not compiled; use ints")
    return whole not in (FLOAT, STR, TEXT, RANGE)


def place(w: Walk, a: Val, axis: int, one: Val) -> Any:
    """Return the place that an index means in an axis of an array."""
    at = word_of(w, plain(w, one))
    if plain(w, one).kind is WORD:
        w.check(w.b.icmp_signed("<", one.v, ZERO), OverflowError, "the index is too large")
    return within(w, at, one, size(w, a, axis))


def view(c: Code, a: Val, parts: Sequence[Any], backward: bool = False) -> Val:
    """Return a part of an array, in the same memory; or the whole with its axes backward.

    Args:
        parts: for each of the first axes a place that is within, or first, step and number of a
            slice.
    """
    k = a.kind
    assert isinstance(k, Array)
    gap, axes = ZERO, []
    for axis in range(k.ndim):
        at = parts[axis] if axis < len(parts) else (ZERO, ONE, size(c, a, axis))
        first, step, many = at if isinstance(at, tuple) else (at, None, None)
        stride = c.part(a.v, 1 + k.ndim + axis)
        gap = c.b.add(gap, c.b.mul(first, stride))
        if step is not None:
            axes.append((many, c.b.mul(step, stride)))
    sizes, strides = zip(*(axes[::-1] if backward else axes), strict=True)
    kind = Array(k.item, len(axes), k.written)
    start = c.element(c.part(a.v, 0), I8, gap)
    return Val(kind, c.pack(form(kind), [start, *sizes, *strides]))


def at_place(c: Code, a: Val, words: Sequence[Any]) -> Val:
    """Return the element, or the part, at places that are within."""
    k = a.kind
    assert isinstance(k, Array)
    if len(words) < k.ndim:
        return view(c, a, words)
    return Val(k.element, _loaded(c, np.dtype(k.item.type), address(c, a, words)))


def address(c: Code, a: Val, words: Sequence[Any]) -> Any:
    """Return the address at places that are within."""
    assert isinstance(a.kind, Array)
    gap: Any = ZERO
    for axis, word in enumerate(words):
        gap = c.b.add(gap, c.b.mul(word, c.part(a.v, 1 + a.kind.ndim + axis)))
    return c.element(c.part(a.v, 0), I8, gap)


def _loaded(c: Code, dtype: Any, place: Any) -> Any:
    if dtype.kind == "b":
        return c.b.icmp_unsigned("!=", c.load(place, I8), I8(0))
    if dtype.kind == "f":
        v = c.load(place, F64 if dtype.itemsize == 8 else ir.FloatType())
        return v if dtype.itemsize == 8 else c.b.fpext(v, F64)
    v = c.load(place, ir.IntType(8 * dtype.itemsize))
    if dtype.itemsize == 8:
        return v
    return c.b.sext(v, I64) if dtype.kind == "i" else c.b.zext(v, I64)


def item(w: Walk, a: Val) -> Val:
    """Return `a.item()` of a number of numpy's."""
    found = plain(w, a)
    return numbers.to_int(w, found) if found.kind is WORD else found


# The boundary


def write(k: Array, value: Any, at: int, unlike: Callable[[Any], Exception]) -> None:
    """Write where an array lies, and its shape."""
    if type(value) is not np.ndarray or value.dtype.type is not k.item.type:
        raise unlike(k)
    if value.ndim != k.ndim or not (value.flags.aligned and value.dtype.isnative):
        raise unlike(k)
    for i, word in enumerate((value.ctypes.data, *value.shape, *value.strides)):
        ctypes.c_int64.from_address(at + 8 * i).value = word


MAKERS[np.ndarray] = constant
