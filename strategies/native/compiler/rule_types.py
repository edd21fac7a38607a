"""Numba's types for rules: a game's rules, their values, and what they generate.

Values are opaque to Numba: their form in LLVM is a hole, which a game's own fills.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.extending import NativeValue, box, register_model, unbox

from strategies.native.compiler.shapes import Code, Hole, RuleShape, Shape, number_hole, value_hole
from strategies.native.compiler.u64_type import word
from strategies.rules.code.val import c64
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import EMPTY, I8, I64, INT, PTR, Array, Scalar

CELLS: Final = Array(Scalar(int, INT), 1, written=True)
"""The kind of a row of cells."""
TYPES: Final = {
    "int64": types.int64, "float64": types.float64, "boolean": types.boolean, "word": word,
    "never": types.float64,
}  # fmt: skip
"""Numba's types of values that are not opaque."""


class RuleStops(Exception):
    """A rule failed in machine code; the context of the call says how."""


class RulesType(types.Type):
    """The rules of games of one shape.  The value is the address of a thread's context.

    If it `keeps`, loops over what rules generate keep what their steps make.
    """

    def __init__(self, shape: Shape, keeps: bool = False) -> None:
        self.shape, self.keeps = shape, keeps
        super().__init__(f"Rules({shape.digest}{' kept' if keeps else ''})")

    @property
    def whole(self) -> bool:
        """Return whether all values of the game are ints."""
        return self.whole_results and self.shape.rule["estimate"].gives == "int64"

    @property
    def whole_results(self) -> bool:
        """Return whether all results of the game are ints."""
        rules = self.shape.rule
        return "outcomes" not in rules and rules["utility"].gives == "int64"

    @property
    def measured(self) -> Any:
        """Return the type of what nodes add to a fold over a tree; counts, without such a rule."""
        rule = self.shape.rule.get("measure")
        return types.int64 if rule is None else type_of(self.shape, rule.gives)


class ValueType(types.Type):
    """A value that is opaque to Numba, known by its number among those of the shape."""

    def __init__(self, shape: Shape, number: int) -> None:
        self.shape, self.number, self.about = shape, number, shape.opaque[number]
        super().__init__(f"Value({number} {shape.digest})")


class BranchesType(types.SimpleIteratorType):
    """What a rule generates."""

    def __init__(self, shape: Shape, rule: str, keeps: bool = False) -> None:
        self.shape, self.rule, self.keeps = shape, rule, keeps
        item = type_of(shape, shape.rule[rule].gives)
        super().__init__(f"Branches({rule} {shape.digest} {keeps})", item)

    def kept(self) -> BranchesType:
        """Return the type of the same, where what a loop's body makes is kept."""
        return BranchesType(self.shape, self.rule, keeps=True)


def type_of(shape: Shape, code: Code) -> Any:
    """Return Numba's type of a value."""
    if isinstance(code, tuple):
        return types.Tuple([type_of(shape, c) for c in code])
    return TYPES[code] if isinstance(code, str) else ValueType(shape, code)


@register_model(RulesType)
class RulesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, I64)


def _form_in_numba(native: ValueType) -> Any:
    if native.about.is_address:
        return I64
    return Hole(native.about.form) if native.about.form else value_hole(native.number)


@register_model(ValueType)
class ValueModel(models.PrimitiveModel):
    """An address, such as that of a frozenset, is a number to Numba, whose pointers have types."""

    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, _form_in_numba(native))


@register_model(BranchesType)
class BranchesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, I8.as_pointer())


@unbox(RulesType)
def _unbox_rules(native: Any, value: Any, c: Any) -> Any:
    return NativeValue(c.pyapi.long_as_ulonglong(value), is_error=c.pyapi.c_api_error())


@unbox(ValueType)
def _unbox_value(native: Any, value: Any, c: Any) -> Any:
    """Read a value from the address at which `rules_in_numba.Bound` wrote it."""
    at = c.builder.inttoptr(c.pyapi.long_as_ulonglong(value), PTR)
    made = c.builder.load(at, typ=_form_in_numba(native))
    return NativeValue(made, is_error=c.pyapi.c_api_error())


@box(ValueType)
def _box_value(native: Any, value: Any, c: Any) -> Any:
    """Return the bytes of a value, of which `Bound` makes a Python object."""
    place = room_for(c.builder, _form_in_numba(native))
    c.builder.store(value, place)
    start = c.builder.bitcast(place, c.pyapi.cstring)
    return c.pyapi.bytes_from_string_and_size(start, number_hole(f"bytes.{native.number}"))


def room_for(builder: Any, t: Any) -> Any:
    """Return room on the frame of the function; Numba's own would be filled with zeros."""
    with builder.goto_entry_block():
        return opaque(builder.alloca(t))


def opaque(place: Any) -> Any:
    place.type = PTR
    return place


# Values on the two sides


def form_in_rules(context: Any, shape: Shape, code: Code) -> Any:
    """Return the LLVM type that a value has in the code of rules."""
    if isinstance(code, tuple):
        return ir.LiteralStructType([form_in_rules(context, shape, c) for c in code])
    if code in ("cells", "never"):
        return form(CELLS) if code == "cells" else EMPTY
    if isinstance(code, int) and shape.opaque[code].is_address:
        return PTR
    return context.get_value_type(type_of(shape, code))


def form_returned(context: Any, shape: Shape, rule: RuleShape) -> Any:
    """Return the LLVM type of what a rule returns or yields."""
    return EMPTY if rule.never else form_in_rules(context, shape, rule.gives)


def to_numba(context: Any, builder: Any, native: Any, value: Any) -> Any:
    """Return a value of the rules as Numba has it; zeros in place of one that no rule returns."""
    if value.type == EMPTY and isinstance(native, types.BaseTuple | types.Float):
        return context.get_constant_null(native)
    if isinstance(native, types.BaseTuple):
        parts = [
            to_numba(context, builder, t, builder.extract_value(value, i))
            for i, t in enumerate(native.types)
        ]
        return context.make_tuple(builder, native, parts)
    if isinstance(native, ValueType) and native.about.is_address:
        return builder.ptrtoint(value, I64)
    return value


def from_numba(builder: Any, shape: Shape, code: Code, value: Any) -> Any:
    """Return a value of Numba's as the rules have it."""
    if code == "cells":
        return row_of_cells(builder, value)
    if isinstance(code, int) and shape.opaque[code].is_address:
        return builder.inttoptr(value, PTR)
    return value


def row_of_cells(builder: Any, address: Any) -> Any:
    """Return a row of cells of a kernel as an array of the rules."""
    start = opaque(builder.bitcast(address, I8.as_pointer()))
    made = ir.Constant(form(CELLS), ir.Undefined)
    for i, part in enumerate((start, number_hole("cells"), c64(8))):
        made = builder.insert_value(made, part, i)
    return made
