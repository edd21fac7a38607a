"""Constants: Python objects that are known before a function runs, as values of the code."""

from __future__ import annotations

import enum
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir

from games.fields import is_frozen_record
from games.u64 import U64
from strategies.rules.code.val import NOTHING, NULL, UNKNOWN, ZERO, Val, c1, c64, undefined
from strategies.rules.kinds import record_classes
from strategies.rules.kinds.forms import APART, form, is_scalar, place_in
from strategies.rules.kinds.joining import join, join_all
from strategies.rules.kinds.kind import (
    BOOL,
    EMPTY,
    F64,
    FLOAT,
    I8,
    I64,
    INT,
    NONE,
    PTR,
    RANGE,
    ROW,
    STR,
    TEXT,
    UNSET,
    WORD,
    Boxed,
    Either,
    Kind,
    Member,
    Record,
    Row,
    Static,
    Tup,
)
from strategies.rules.kinds.parts import is_flags, same, somewhere
from strategies.rules.kinds.record_classes import (
    check_enumeration,
    checked,
    field_names,
    filled,
    is_record,
    members_of,
    words_of,
)
from strategies.rules.language.messages import Refusal, TooWide

KNOWN = type | types.FunctionType | types.BuiltinFunctionType  # these are no records
BOUND = types.MethodType | types.BuiltinMethodType
# How objects of a class become values of the code. The modules of each subject add to this table.
MAKERS: dict[type, Callable[[Constants, Any, bool], Val]] = {}


class Constants:
    """The constants of a program."""

    def __init__(self, program: Any) -> None:
        self.program = program
        self.kept: list[Any] = []  # objects whose addresses are keys below
        self.lists: dict[int, Boxed] = {}
        self.made: dict[Any, Any] = {}
        self.bound: dict[Any, Any] = {}
        self.wide: dict[int, int] = {}
        self.wide_texts = False  # whether texts among the arguments are made
        self.one: object = None  # an object that is known as a whole, with all that it holds

    def kind(self, value: Any) -> Kind:
        """Return the kind of a Python object as an argument of a function."""
        return self.value(value, argument=True).kind

    def value(self, value: Any, argument: bool = False) -> Val:
        """Return a Python object as a value of the code."""
        t = type(value)
        if t is bool:
            return Val(BOOL, c1(value), value)
        if t is U64:
            return Val(WORD, c64(int(value)), value)
        if t is int:
            if not -(2**63) <= value < 2**63:
                if argument:
                    raise TooWide("an int needs more than 64 bits")
                value = self.wide.setdefault(value, value)  # one object, so one kind
                return Val(Static(value), undefined(EMPTY), value)
            return Val(INT, c64(value), value)
        if t is float:
            return Val(FLOAT, F64(value), value)
        if t is str and argument and self.wide_texts:
            return Val(TEXT)
        if t is str:
            return Val(STR, c64(self.program.texts.number(value)), value)
        if value is None:
            return Val(NONE, undefined(EMPTY), None)
        if t is range and all(-(2**63) <= n < 2**63 for n in (value.start, value.stop, value.step)):
            bounds = [c64(n) for n in (value.start, value.stop, value.step)]
            return Val(RANGE, ir.Constant(RANGE.form, bounds))
        if isinstance(value, enum.Enum):
            check_enumeration(t)
            word = words_of(t)(value)
            if word >> 63:
                raise (TooWide if argument else Refusal)(f"a {t.__name__} of more than 63 bits")
            return Val(Member(t), c64(word), value)
        if t is tuple:
            return self._tuple(value, argument)
        if t in MAKERS:
            return MAKERS[t](self, value, argument)
        record = value is not self.one and not isinstance(value, KNOWN) and is_record(t)
        if record and (argument or is_frozen_record(t)):
            return self._record(value, argument)
        if isinstance(value, np.ndarray | np.generic):
            return MAKERS[np.ndarray](self, value, argument)
        if argument and not callable(value) and value is not self.one:
            raise Refusal(
                f"a value of the class {t.__name__} is not compiled: hold its parts in a tuple, "
                "or in a frozen class of attrs, a frozen dataclass or a NamedTuple"
            )
        if isinstance(value, BOUND):  # Python makes one anew each time that it is looked up
            value = self.bound.setdefault(value, value)
        return Val(Static(value), undefined(EMPTY))

    def _tuple(self, value: tuple[Any, ...], argument: bool) -> Val:
        parts = [self.value(v, argument) for v in value]
        wide = any(isinstance(p.kind, Static) and isinstance(p.py, int) for p in parts)
        if wide or any(somewhere(p.kind, lambda k: isinstance(k, Boxed)) for p in parts):
            known: Any = UNKNOWN
        else:
            known = value if all(p.known for p in parts) else UNKNOWN
        if len(parts) > APART and not any(isinstance(p.kind, Static) for p in parts):
            k = Row(join_all(p.kind for p in parts))
            return Val(k, NOTHING if argument else self.row(value, k.item), known)
        t = Tup(p.kind for p in parts)
        return Val(t, NOTHING if argument else ir.Constant(form(t), [p.v for p in parts]), known)

    def keep(self, value: Any, k: Boxed, argument: bool) -> None:
        """Remember the kind of an object with an identity."""
        self.kept.append(value)
        self.lists[id(value)] = k
        if not argument:
            self.program.reads.contents(value)

    def _record(self, value: Any, argument: bool) -> Val:
        checked(type(value))
        names = field_names(type(value))
        k = self.program.record(type(value), names)
        parts = [self._field(value, n, argument) for n in names]
        filled(self, k, [p.kind for p in parts])
        if argument:
            return Val(k)
        pairs = zip(parts, k.kinds, names, strict=True)
        made = [self.as_kind(p, kind, getattr(value, n)) for p, kind, n in pairs]
        return Val(k, ir.Constant(form(k), made), value if all(p.known for p in parts) else UNKNOWN)

    def _field(self, value: Any, name: str, argument: bool) -> Val:
        try:
            found = self.value(getattr(value, name), argument)
        except AttributeError:
            return Val(UNSET, undefined(EMPTY))
        except Refusal as refusal:
            if argument and not refusal.reason.startswith("in "):
                refusal.reason = f"in {type(value).__name__}.{name}, {refusal.reason}"
            raise
        except TooWide as wide:
            if str(wide).startswith("in "):
                raise
            raise TooWide(f"in {type(value).__name__}.{name}, {wide}") from None
        record_classes.checked_field(type(value), name, found.kind)
        return found

    def place(self, name: str, content: ir.Constant) -> Any:
        module = self.program.module
        g = ir.GlobalVariable(module, content.type, f"jam.{name}.{len(module.globals)}")
        g.linkage, g.global_constant, g.initializer = "internal", True, content
        g.type = PTR  # an address without a type
        return g

    def row(self, values: Sequence[Any], item: Kind) -> Any:
        """Return address and number of constant elements."""
        if not len(values):
            return ir.Constant(ROW, [NULL, ZERO])
        parts = [self.as_kind(self.value(v), item, v) for v in values]
        array = ir.Constant(ir.ArrayType(form(item), len(parts)), parts)
        name = "row", str(array)
        if name not in self.made:
            self.made[name] = self.place("row", array)
        return ir.Constant(ROW, [self.made[name], c64(len(parts))])

    def as_kind(self, a: Val, k: Kind, value: Any) -> Any:
        """Return a constant, made of a Python value, as one of a wider kind."""
        if same(a.kind, k):
            return a.v
        if isinstance(k, Either):
            for i, item in enumerate(k.items):
                if same(join(item, a.kind), item):
                    return self._tagged(a, k, i, item, value)
        if k is TEXT:
            return self.row(tuple(map(ord, value)), INT)
        if isinstance(k, Row) and isinstance(a.kind, Tup | Row):
            return self.row(value, k.item)
        if isinstance(k, Tup) and isinstance(a.kind, Tup):
            pairs = zip(value, k.items, strict=True)
            return ir.Constant(form(k), [self.as_kind(self.value(v), i, v) for v, i in pairs])
        if isinstance(k, Record | Boxed):
            return a.v
        raise Refusal(f"a constant {a.kind} among {k}")

    def _tagged(self, a: Val, k: Either, i: int, item: Kind, value: Any) -> Any:
        t, place = form(k), place_in(k, i)
        made = [I8(i), *(undefined(e) if not is_scalar(e) else c64(0) for e in t.elements[1:])]
        if place is not None:
            inner = self.as_kind(a, item, value)
            if not is_scalar(form(item)):
                made[place] = inner
            elif form(item) == F64:
                made[place] = inner.bitcast(I64)
            elif form(item) == ir.PointerType():
                made[place] = inner.ptrtoint(I64)
            else:
                made[place] = c64(int(a.py)) if a.kind is BOOL else inner
        return ir.Constant(t, made)

    def of_members(self, c: Any, a: Val, use: Callable[[Any], Any]) -> Val:
        """Return what a function of Python gives for a member of an enumeration, by a table."""
        assert isinstance(a.kind, Member)
        if a.known:
            return self.value(use(a.py))
        if is_flags(a.kind):
            raise Refusal(f"names and texts of {a.kind}, a Flag, are not compiled; write x.value")
        found = [use(m) for m in members_of(a.kind.of)]
        kind = join_all(self.value(x).kind for x in found)
        if not c.emitting:
            return Val(kind)
        made: Val = c.item(kind, self.row(found, kind).constant[0], a.v)
        return made
