"""Numba's types for rules: a game's rules, their values, and what they generate.

Values are opaque to Numba: their form in LLVM is that of `strategies.rules`.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.extending import NativeValue, box, register_model, unbox

from strategies.native import kept_code
from strategies.native.compiler.parts import instruction
from strategies.native.compiler.u64_type import word
from strategies.native.hooks import BOUNDS
from strategies.rules.code.val import c64
from strategies.rules.entries import found
from strategies.rules.kinds.forms import form, is_scalar, size
from strategies.rules.kinds.kind import (
    BOOL,
    FLOAT,
    I8,
    I64,
    INT,
    NEVER,
    PTR,
    WORD,
    Array,
    Either,
    Kind,
    Member,
    Record,
    Scalar,
    Tup,
)
from strategies.rules.kinds.parts import is_flags, same
from strategies.rules.kinds.record_classes import members_of

CELLS: Final = Array(Scalar(int, INT), 1, written=True)
"""The kind of a row of cells."""
PLAIN: Final = {INT: types.int64, FLOAT: types.float64, BOOL: types.boolean, WORD: word}
known_rules: dict[str, Any] = {}
"""The rules that were compiled in this process, by their digests."""


class RuleStops(Exception):
    """A rule failed in machine code; the context of the call says how."""


class RulesType(types.Type):
    """The rules of a game.  Its value is the address of a thread's context.

    If it `keeps`, loops over what rules generate keep what their steps make.
    """

    def __init__(self, bound: Any, keeps: bool = False) -> None:
        self.bound, self.cls, self.keeps = bound, type(bound.game), keeps
        self.ident = kept_code.identity(self.cls)
        name = f"{self.cls.__module__}.{self.cls.__qualname__}#{bound.digest}"
        super().__init__(f"Rules({name}{' kept' if keeps else ''})")

    @property
    def key(self) -> Any:
        return self.name

    @property
    def whole(self) -> bool:
        """Return whether all values of the game are ints."""
        return self.whole_results and self.bound.rules.instances["estimate"].returned is INT

    @property
    def whole_results(self) -> bool:
        """Return whether all results of the game are ints."""
        rules = self.bound.rules.instances
        return "outcomes" not in rules and rules["utility"].returned is INT

    @property
    def measured(self) -> Any:
        """Return the type of what nodes add to a fold over a tree; counts, without such a rule."""
        rule = self.bound.rules.instances.get("measure")
        return types.int64 if rule is None else numba_type(self.bound, found(rule))

    def __reduce__(self) -> Any:
        return _rules_of, (self.bound.digest, self.keeps)


class ValueType(types.Type):
    """A value of a kind, which is opaque to Numba."""

    def __init__(self, bound: Any, kind: Kind, number: int) -> None:
        self.bound, self.kind = bound, kind
        if isinstance(kind, Record):
            self.ident = kept_code.identity(kind.of)
        self.numbered = isinstance(kind, Either) or bool(_numbers_of(kind))
        super().__init__(f"Value({kind} {number} #{bound.digest})")

    @property
    def key(self) -> Any:
        return self.name

    def __reduce__(self) -> Any:
        return _value_of, (self.bound.digest, self.name)


class BranchesType(types.SimpleIteratorType):
    """What a rule generates."""

    def __init__(self, bound: Any, rule: str, item: Any, keeps: bool = False) -> None:
        self.bound, self.rule, self.item, self.keeps = bound, rule, item, keeps
        super().__init__(f"Branches({rule} #{bound.digest} {keeps})", item)

    def kept(self) -> BranchesType:
        """Return the type of the same, where what a loop's body makes is kept."""
        return BranchesType(self.bound, self.rule, self.item, keeps=True)


def _rules_of(digest: str, keeps: bool) -> Any:
    """Return the type of rules in code that is read from a file, which the rules were found for."""
    bound = known_rules[digest]
    return bound.native_keeping if keeps else bound.native


def _value_of(digest: str, name: str) -> Any:
    return known_rules[digest].types[name]


@register_model(RulesType)
class RulesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, I64)


def _form_in_numba(kind: Kind) -> Any:
    return I64 if form(kind) == PTR else form(kind)


@register_model(ValueType)
class ValueModel(models.PrimitiveModel):
    """An address, such as that of a frozenset, is a number to Numba, whose pointers have types."""

    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, _form_in_numba(native.kind))


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
    made = c.builder.load(at, typ=_form_in_numba(native.kind))
    return NativeValue(made, is_error=c.pyapi.c_api_error())


@box(ValueType)
def _box_value(native: Any, value: Any, c: Any) -> Any:
    """Return the bytes of a value, of which `Bound` makes a Python object."""
    place = room_for(c.builder, _form_in_numba(native.kind))
    c.builder.store(value, place)
    start = c.builder.bitcast(place, c.pyapi.cstring)
    return c.pyapi.bytes_from_string_and_size(start, c64(size(form(native.kind))))


def room_for(builder: Any, t: Any) -> Any:
    """Return room on the frame of the function; Numba's own would be filled with zeros."""
    with builder.goto_entry_block():
        return opaque(builder.alloca(t))


def opaque(place: Any) -> Any:
    place.type = PTR
    return place


# Values on the two sides


def numba_type(bound: Any, kind: Kind) -> Any:
    """Return Numba's type of a kind: numbers are Numba's own, all else is opaque."""
    if kind is NEVER:
        return types.float64
    if kind in PLAIN:
        return PLAIN[kind]
    for known in bound.types.values():
        if same(known.kind, kind):
            return known
    made = ValueType(bound, kind, len(bound.types))  # two kinds may be called the same
    bound.types[made.name] = made
    return made


ROWS: Final = frozenset({
    "children", "outcomes", "estimate", "utility", "promise", "learned_promise", *BOUNDS,
})  # fmt: skip
"""The rules whose tuples kernels take apart: branches, outcomes, and values of several players."""


def returned_type(bound: Any, rule: str, kind: Kind) -> Any:
    """Return Numba's type of what a rule returns or yields."""
    if kind is NEVER and rule in ("estimate", "utility") and bound.numbers["players"] > 2:
        return types.UniTuple(types.float64, bound.numbers["players"])
    if kind is NEVER and rule in BOUNDS:
        return types.UniTuple(types.float64, 2)
    if rule in ROWS and isinstance(kind, Tup):
        return types.Tuple([numba_type(bound, k) for k in kind.items])
    return numba_type(bound, kind)


def to_numba(context: Any, builder: Any, native: Any, value: Any) -> Any:
    """Return a value of the rules as Numba has it; zeros in place of one that no rule returns."""
    if value.type == ir.LiteralStructType([]) and isinstance(native, types.BaseTuple | types.Float):
        return context.get_constant_null(native)
    if isinstance(native, types.BaseTuple):
        parts = [
            to_numba(context, builder, t, builder.extract_value(value, i))
            for i, t in enumerate(native.types)
        ]
        return context.make_tuple(builder, native, parts)
    if isinstance(native, ValueType) and value.type == PTR:
        return builder.ptrtoint(value, I64)
    return value


def from_numba(builder: Any, kind: Kind, value: Any) -> Any:
    """Return a value of Numba's as the rules have it."""
    return builder.inttoptr(value, PTR) if form(kind) == PTR else value


def row_of_cells(builder: Any, address: Any, length: int) -> Any:
    """Return a row of cells of a kernel as an array of the rules."""
    start = opaque(builder.bitcast(address, I8.as_pointer()))
    made = ir.Constant(form(CELLS), ir.Undefined)
    for i, part in enumerate((start, c64(length), c64(8))):
        made = builder.insert_value(made, part, i)
    return made


def move_number(move: Any, index: int) -> int:
    """Return an int, or a member that is one, as a number, also where moves are of several kinds;
    of another move its place; compiled code only."""
    raise NotImplementedError


@instruction(move_number)
def _move_number(typing: Any, move: Any, index: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _number(builder, move.kind, *args)

    return types.int64(move, types.int64), build


def _number(builder: Any, kind: Kind, value: Any, index: Any) -> Any:
    if isinstance(kind, Either):
        tag, made = builder.extract_value(value, 0), index
        for i, item in enumerate(kind.items):
            if is_scalar(form(item)):
                found = _number(builder, item, builder.extract_value(value, 1), index)
                made = builder.select(builder.icmp_unsigned("==", tag, I8(i)), found, made)
        return made
    if kind in (INT, BOOL, WORD) or (is_flags(kind) and _numbers_of(kind)):
        return value
    made = index
    for i, n in enumerate(_numbers_of(kind)):
        made = builder.select(builder.icmp_signed("==", value, c64(i)), c64(n), made)
    return made


def _numbers_of(kind: Kind) -> list[int]:
    """Return the members of an enumeration as numbers, if they are ints."""
    members = members_of(kind.of) if isinstance(kind, Member) else ()
    return [int(m) for m in members if isinstance(m, int)]
