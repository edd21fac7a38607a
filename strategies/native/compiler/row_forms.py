"""Comprehensions and slices in rules: each becomes a value if its length is known, else a list."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

from numba import types
from numba.core import errors
from numba.extending import intrinsic

from strategies.native.compiler.known_lengths import Form, length_of, meant_length
from strategies.native.compiler.layout import RowType
from strategies.native.compiler.parts import OPTIONS, PART, overload
from strategies.native.compiler.stack_arrays import RoomType, on_frame, slot
from strategies.native.compiler.table_types import TableType
from strategies.native.compiler.tuple_ops import owned

UNKNOWN_LENGTH = (
    "the length of this tuple is not known at compile time: build it from a tuple, a range of "
    "constants, or a list that was made from a tuple and keeps its length"
)


def refusal(text: str) -> errors.TypingError:
    """Return an error whose text is shown unchanged."""
    return errors.TypingError(f"⟦{text}⟧")


class Linker(NamedTuple):
    """How a function is made ready to compile: copied, then its names bound to their native
    forms."""

    copied: Callable[[FunctionType], FunctionType]
    link: Callable[[FunctionType, FunctionType, dict[str, Any]], None]


def row_form(form: Form, scope: dict[str, Any], function: FunctionType, linker: Linker) -> Any:
    """Return the function that replaces a part of a rule: its code depends on whether a length is
    known."""
    stub = scope[form.name]
    ready: dict[Any, Any] = {}
    plain = scope[f"{form.name}_counted"]
    counted = FunctionType(plain.__code__, {**scope, "sorted": lambda row, **_: list(row)})

    def made(which: str, length: int = 0, kind: str = "") -> Any:
        if (which, length, kind) not in ready:
            plain = scope[f"{form.name}_{which}"]
            plain.__qualname__ = function.__qualname__
            native = ready[which, length, kind] = linker.copied(plain)
            more = {"_length": length, "_cells": _cells(length), "_loaded": loaded_as(kind)}
            linker.link(native, plain, more if which == "filled" else {})
        return ready[which, length, kind]

    @overload(stub, **OPTIONS)
    def choose(*given: Any) -> Any:
        by_name = dict(zip(form.given, given, strict=True))
        kind = form.kind
        if form.source and isinstance(by_name.get(form.source), types.BaseTuple):
            return made("plain")
        if kind == "slice":
            source = _type_of(made("source"), given)
            if not isinstance(source, types.BaseTuple):
                return made("plain" if not isinstance(source, TableType) else "grown")
            kind = "list" if isinstance(source, RowType) else "tuple"
        length = length_of(counted, given)
        if length is None:
            length = meant_length(form, given)
        if length is not None:
            return made("filled", length, kind)
        if form.kind == "tuple":
            raise refusal(UNKNOWN_LENGTH)
        return made("grown")

    stub.has_native_form = True
    return stub


def _type_of(native: Any, given: Any) -> Any:
    from numba import njit

    dispatcher = _typed.setdefault(native, njit(native, **PART, **OPTIONS))
    dispatcher.compile(tuple(given))
    return dispatcher.overloads[tuple(given)].signature.return_type


_typed: dict[Any, Any] = {}


@cache
def _cells(length: int) -> Any:
    """Return an intrinsic that reserves room on the frame for `length` values like a given one."""

    @intrinsic
    def cells(typing: Any, like: Any) -> Any:
        native = RoomType(whole(like), length)

        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return on_frame(context, builder, native)

        return native(like), build

    return cells


@intrinsic
def fill(typing: Any, cells: Any, index: Any, value: Any) -> Any:
    """Set an element of an array on the frame."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = slot(context, builder, cells, args[0], args[1])
        value = context.cast(builder, args[2], signature.args[2], cells.element)
        builder.store(owned(context, builder, cells.element, value), place)
        return context.get_dummy_value()

    return types.void(cells, types.int64, value), build


def whole(native: Any) -> Any:
    native = types.unliteral(native)
    return types.int64 if isinstance(native, types.Integer) else native


@cache
def loaded_as(kind: str) -> Any:
    @intrinsic
    def loaded(typing: Any, cells: Any) -> Any:
        native = (RowType if kind == "list" else types.UniTuple)(cells.element, cells.size)

        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer = context.get_value_type(native).as_pointer()
            return builder.load(builder.bitcast(args[0], pointer))

        return native(cells), build

    return loaded


def checked(count: int, length: int) -> int:
    if count >= length:
        raise ValueError("a tuple has more elements than its field")
    return count


def complete(count: int, length: int) -> None:
    if count != length:
        raise ValueError("a tuple has fewer elements than its field")
