"""Rules in Numba: lets kernels, which Numba compiles, call rules that our own compiler made.

States and moves are opaque to Numba: a value of a type of ours, whose form in LLVM is that of the
rules. A rule is one call of a function that is linked into the kernel, and inlined if it is small.
"""

from __future__ import annotations

import ctypes
import hashlib
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.core.imputils import RefType, iternext_impl, lower_builtin
from numba.core.typing import signature as signature_of
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.extending import NativeValue, box, lower_getattr_generic, register_model, unbox

from strategies.native import kept_code
from strategies.native.compiler.linking import PartLibrary
from strategies.native.compiler.parts import instruction
from strategies.native.compiler.rule_code import RuleCode, file_of, keep, load, read, split
from strategies.native.compiler.rule_forms import define_text_words, finished, forms, hooks_of
from strategies.native.compiler.u64_type import word
from strategies.rules.boundary import Boundary, Unlike
from strategies.rules.code import CONTEXT, FAILED, FREE, MEMOS, c32, c64
from strategies.rules.door import OURS
from strategies.rules.entries import Entries, found
from strategies.rules.flat import writer
from strategies.rules.forms import form, size
from strategies.rules.frames import frame_places
from strategies.rules.joining import join
from strategies.rules.kinds import (
    BOOL,
    FLOAT,
    I8,
    I64,
    INT,
    NEVER,
    PTR,
    WORD,
    Kind,
    Member,
    Record,
    Tup,
    in_memory,
    key,
)
from strategies.rules.machine import prepared
from strategies.rules.memory import Arena, arena
from strategies.rules.messages import Refusal
from strategies.rules.record_classes import members_of

PLAIN: Final = {INT: types.int64, FLOAT: types.float64, BOOL: types.boolean, WORD: word}
MOST: Final = 20
"""The most kinds of states for which rules are compiled again, one after another."""
_bound: dict[str, Bound] = {}


class RuleStops(Exception):
    """A rule failed in machine code; the context of the call says how."""


class RulesType(types.Type):
    """The rules of a game.  Its value is the address of a thread's context."""

    def __init__(self, bound: Bound) -> None:
        self.bound, self.cls = bound, type(bound.game)
        self.ident = kept_code.identity(self.cls)
        self.constants = (("players", bound.game.players),)
        super().__init__(f"Rules({self.cls.__module__}.{self.cls.__qualname__}#{bound.digest})")

    @property
    def key(self) -> Any:
        return self.name

    def __reduce__(self) -> Any:
        return _rules_of, (self.bound.digest,)


class ValueType(types.Type):
    """A value of a kind, which is opaque to Numba."""

    def __init__(self, bound: Bound, kind: Kind) -> None:
        self.bound, self.kind = bound, kind
        if isinstance(kind, Record):
            self.ident = kept_code.identity(kind.of)
        members = members_of(kind.of) if isinstance(kind, Member) else []
        self.numbers = [int(m) for m in members if isinstance(m, int)]
        super().__init__(f"Value({kind} #{bound.digest})")

    @property
    def key(self) -> Any:
        return self.name

    def __reduce__(self) -> Any:
        return _value_of, (self.bound.digest, self.name)


class BranchesType(types.SimpleIteratorType):
    """What a rule generates."""

    def __init__(self, bound: Bound, rule: str, item: Any, keeps: bool = False) -> None:
        self.bound, self.rule, self.item, self.keeps = bound, rule, item, keeps
        super().__init__(f"Branches({rule} #{bound.digest} {keeps})", item)

    def kept(self) -> BranchesType:
        """Return the type of the same, where what a loop's body makes is kept."""
        return BranchesType(self.bound, self.rule, self.item, keeps=True)


def _rules_of(digest: str) -> Any:
    """Return the type of rules in code that is read from a file, which the rules were found for."""
    return _bound[digest].native


def _value_of(digest: str, name: str) -> Any:
    return _bound[digest].types[name]


@register_model(RulesType)
class RulesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, I64)


@register_model(ValueType)
class ValueModel(models.PrimitiveModel):
    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, form(native.kind))


@register_model(BranchesType)
class BranchesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, I8.as_pointer())


@unbox(RulesType)
def _unbox_rules(native: Any, value: Any, c: Any) -> Any:
    return NativeValue(c.pyapi.long_as_ulonglong(value), is_error=c.pyapi.c_api_error())


@unbox(ValueType)
def _unbox_value(native: Any, value: Any, c: Any) -> Any:
    """Read a value from the address at which `Bound` wrote it."""
    at = c.builder.inttoptr(c.pyapi.long_as_ulonglong(value), PTR)
    made = c.builder.load(at, typ=form(native.kind))
    return NativeValue(made, is_error=c.pyapi.c_api_error())


@box(ValueType)
def _box_value(native: Any, value: Any, c: Any) -> Any:
    """Return the bytes of a value, of which `Bound` makes a Python object."""
    place = _room(c.builder, form(native.kind))
    c.builder.store(value, place)
    start = c.builder.bitcast(place, c.pyapi.cstring)
    return c.pyapi.bytes_from_string_and_size(start, c64(size(form(native.kind))))


def _room(builder: Any, t: Any) -> Any:
    """Return room on the frame of the function; Numba's own would be filled with zeros."""
    with builder.goto_entry_block():
        return _opaque(builder.alloca(t))


def _opaque(place: Any) -> Any:
    place.type = PTR
    return place


# Values on the two sides


def numba_type(bound: Bound, kind: Kind) -> Any:
    """Return Numba's type of a kind: numbers and tuples of them are Numba's own."""
    if kind is NEVER:
        return types.float64
    if kind in PLAIN:
        return PLAIN[kind]
    if isinstance(kind, Tup):
        return types.Tuple([numba_type(bound, k) for k in kind.items])
    made = ValueType(bound, kind)
    bound.types[made.name] = made
    return made


def to_numba(context: Any, builder: Any, native: Any, kind: Kind, value: Any) -> Any:
    if kind is NEVER:
        return ir.Constant(ir.DoubleType(), 0.0)
    if not isinstance(kind, Tup):
        return value
    parts = [
        to_numba(context, builder, t, k, builder.extract_value(value, i))
        for i, (t, k) in enumerate(zip(native.types, kind.items, strict=True))
    ]
    return context.make_tuple(builder, native, parts)


def from_numba(builder: Any, kind: Kind, value: Any) -> Any:
    if not isinstance(kind, Tup):
        return value
    made = ir.Constant(form(kind), ir.Undefined)
    for i, k in enumerate(kind.items):
        made = builder.insert_value(
            made, from_numba(builder, k, builder.extract_value(value, i)), i
        )
    return made


def member_number(move: Any) -> int:
    """Return the number of a move that is a member of an IntEnum; compiled code only."""
    raise NotImplementedError


@instruction(member_number)
def _member_number(typing: Any, move: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = c64(0)
        for i, n in enumerate(move.numbers):
            made = builder.select(builder.icmp_signed("==", args[0], c64(i)), c64(n), made)
        return made

    return types.int64(move), build


# A game


class Bound:
    """The rules of a game for kernels: compiled once, then linked into each kernel."""

    address = 0
    """Each call finds the context of its thread."""

    def __init__(self, game: Any, states: Sequence[Any]) -> None:
        prepared()
        self.game, self.states = game, list(states)
        given = {"state": self.states, "move": (), "number": (0,)}
        declared = forms(game)
        self.absent = ""
        try:
            self.rules = Entries(game, given, declared | hooks_of(game), finished)
        except Refusal as refusal:
            self.absent = str(refusal)
            self.rules = Entries(game, given, declared, finished)
        define_text_words(self.rules.program)
        self.text = self.rules.program.text()
        self.texts = dict(self.rules.program.texts)
        self.digest = hashlib.sha256(self.text.encode()).hexdigest()[:16]
        self.native = RulesType(self)
        self.state = self.rules.kinds["state"]
        self.types: dict[str, ValueType] = {}
        self.flat = writer(self.state)
        self.native_state = numba_type(self, self.state)
        for instance in self.rules.instances.values():
            numba_type(self, found(instance))
        self._library: Any = None
        self._code: RuleCode | None = None
        self._loaded: Any = None
        self._ready = False
        self.file: Path | None = None
        self.widened: Bound | None = None
        _bound[self.digest] = self

    def holds(self) -> bool:
        """Return whether all that the compiler read is as it was."""
        return self.rules.program.reads.hold()

    # Code

    def prepare(self, folder: Path | None) -> None:
        """Load the functions that kernels call by address: from a file, or compile them.

        This must come before code of a kernel is loaded.
        """
        if self._ready:
            return
        self.file = file_of(folder, self.digest) if folder is not None else None
        kept = read(self.file) if self.file is not None else None
        if kept is None:
            self._split()
        else:
            self._loaded = load(*kept)
        self._ready = True

    def _split(self) -> RuleCode:
        if self._code is None:
            self._code = split(self.text, self.digest)
            if not self._ready:
                self._loaded = load(self._code.machine, self._code.names)
                if self.file is not None:
                    keep(self.file, self._code)
        return self._code

    def library(self, context: Any) -> Any:
        """Return the code of the rules, to be linked into a kernel."""
        if self._library is None:
            self._library = PartLibrary(context.codegen(), f"rules.{self.digest}")
            self._library.add_llvm_module(self._split().module)
            self._library.finalize()
        return self._library

    def function(self, context: Any, builder: Any, name: str) -> Any:
        """Return a rule as a function of the module that is being built."""
        context.active_code_library.add_linking_library(self.library(context))
        made = self.rules.instances[name].function
        called = self._split().names.get(made.name, made.name)
        known = builder.module.globals.get(called)
        return known or ir.Function(builder.module, made.ftype, called)

    def wider(self, state: Any) -> Bound:
        """Return the rules for states like this one, too.

        Raises: `RuleError` if there is no end of their kinds.
        """
        if self.widened is None or not self.widened.fits(state):
            if len(self.states) > MOST:
                raise Refusal(f"the states of {type(self.game).__qualname__} are of too many kinds")
            self.widened = Bound(self.game, [*self.states, state])
        return self.widened

    def fits(self, state: Any) -> bool:
        """Return whether a state is of the kind of the states."""
        kind = self.rules.program.constants.kind(state)
        return bool(key(join(self.state, kind)) == key(self.state))

    # Memory

    def mark(self, builder: Any, address: Any) -> Any:
        """Return how far the arena is used."""
        if not self.rules.program.allocates:
            return c64(0)
        return builder.load(_place(builder, builder.inttoptr(address, PTR), FREE), typ=I64)

    def release(self, builder: Any, address: Any, mark: Any) -> None:
        """Give back what was taken since a mark."""
        if not self.rules.program.allocates:
            return
        at = builder.inttoptr(address, PTR)
        builder.store(mark, _place(builder, at, FREE))
        if any(i.remembering() for i in self.rules.instances.values()):
            builder.store(c64(0), _place(builder, at, MEMOS))  # they may lie in what is given back

    # Calls

    def entry(
        self, compiled: Callable[..., Any], returns: Any, stops: int | None,
        rebuilt: Callable[[Bound], Any],
    ) -> Any:  # fmt: skip
        """Return a kernel that takes and returns Python's values.

        Argument `stops` after the state is the address of a word that is not 0 once it is to stop.
        `rebuilt` returns the same kernel for rules whose states are of more kinds.
        """

        room, plain = size(form(self.state)) + 8, self.state in PLAIN
        whole = not _is_opaque(returns)

        def call(address: int, state: Any, *args: Any) -> Any:
            memory = arena()
            mark = memory.begin()
            try:
                if stops is not None:
                    memory.context.stops = args[stops]
                at = memory.take(room)
                try:
                    if self.flat is not None:
                        self.flat(state, memory.pages, at - memory.start)
                    else:
                        Boundary(memory, self.texts).write(self.state, state, at)
                except (Unlike, struct.error):
                    return rebuilt(self.wider(state))(address, state, *args)
                result = compiled(memory.address, state if plain else at, *args)
                return result if whole else self._read(memory, returns, result)
            except RuleStops:
                memory.raise_pending()
                if memory.stopped():
                    return _nothing(returns, state)
                raise self._error(int(memory.context.failed)) from None
            finally:
                memory.context.stops = 0
                memory.end(mark)

        return call

    def _read(self, memory: Arena, native: Any, value: Any) -> Any:
        """Return a result with Python's values in the place of bytes."""
        if isinstance(native, ValueType):
            place = ctypes.create_string_buffer(value, len(value))
            return Boundary(memory, self.texts).read(native.kind, ctypes.addressof(place))
        if isinstance(native, types.BaseTuple):
            pairs = zip(native.types, value, strict=True)
            return tuple(self._read(memory, t, v) for t, v in pairs)
        return value

    def _error(self, status: int) -> BaseException:
        error, message, function, line = self.rules.program.errors[status]
        text = f"{message} ({function}, line {line})" if function else message
        error = OURS.get(error, error)
        try:
            return error(text)
        except Exception:  # a class of errors with arguments of its own
            return error.__new__(error, text)


def _nothing(native: Any, state: Any) -> Any:
    """Return what a kernel returns when it was stopped, which nobody reads."""
    if isinstance(native, types.BaseTuple):
        return tuple(_nothing(t, state) for t in native.types)
    if isinstance(native, ValueType):
        return state
    return 0.0 if isinstance(native, types.Float) else 0


def _is_opaque(native: Any) -> bool:
    """Return whether a result holds values that Numba does not know."""
    if isinstance(native, types.BaseTuple):
        return any(map(_is_opaque, native.types))
    return isinstance(native, ValueType)


def bind(game: Any, state: Any) -> Bound:
    """Return the rules of a game for kernels, whose states are like its first and this one.

    Raises: `RuleError` if they cannot be compiled.
    """
    return Bound(game, [game.start(), state])


# Rules in a kernel


@infer_getattr
class RulesAttributes(AttributeTemplate):
    key = RulesType

    def generic_resolve(self, rules: Any, name: str) -> Any:
        if name == "players":
            return types.int64
        bound = rules.bound
        instance = bound.rules.instances.get(name)
        if instance is None:
            if bound.absent:
                raise Refusal(bound.absent)
            return None
        item = numba_type(bound, found(instance))
        returns = BranchesType(bound, name, item) if instance.is_generator else item

        class Rule(AbstractTemplate):
            key = (RulesType, name)

            def generic(self, args: Any, kws: Any) -> Any:
                return signature_of(returns, *args, recvr=rules)

        return types.BoundFunction(Rule, rules)


@lower_getattr_generic(RulesType)
def _getattr(context: Any, builder: Any, native: Any, value: Any, name: str) -> Any:
    if name == "players":
        return c64(native.bound.game.players)
    return context.get_dummy_value()


def call_rule(context: Any, builder: Any, rules: Any, name: str, args: Sequence[Any]) -> Any:
    """Call a rule; the first argument is the context's address."""
    bound = rules.bound
    instance = bound.rules.instances[name]
    at = builder.inttoptr(args[0], PTR)
    kinds = instance.kinds[1:]
    given = [from_numba(builder, k, v) for k, v in zip(kinds, args[1:], strict=True)]
    nothing = ir.Constant(form(instance.kinds[0]), ir.Undefined)
    function = bound.function(context, builder, name)
    if instance.is_generator:
        return _started(builder, bound, args[0], instance, given)
    returned = instance.returned
    out = _room(builder, form(returned))
    back = not in_memory(returned) and not instance.remembering()
    free = _place(builder, at, FREE)
    mark = builder.load(free, typ=PTR) if back else None
    status = builder.call(function, [at, out, nothing, *given])
    _check(context, builder, at, status)
    if mark is not None:
        builder.store(mark, free)
    value = builder.load(out, typ=form(returned))
    return to_numba(context, builder, numba_type(bound, returned), returned, value)


def _place(builder: Any, at: Any, field: int) -> Any:
    return builder.gep(at, [c32(0), c32(field)], source_etype=CONTEXT, inbounds=True)


def _check(context: Any, builder: Any, at: Any, status: Any) -> None:
    """Raise in the kernel if a rule failed."""
    bad = builder.icmp_signed("!=", status, c32(0))
    with builder.if_then(bad, likely=False):
        builder.store(builder.zext(status, I64), _place(builder, at, FAILED))
        context.call_conv.return_user_exc(builder, RuleStops, ())


def _frame(instance: Any) -> Any:
    """Return the form of a generator's frame in a kernel, with the context's address and a mark."""
    length = instance.frame_size.initializer.constant
    return ir.LiteralStructType([ir.ArrayType(I64, -(-length // 8)), I64, I64])


def _started(builder: Any, bound: Bound, address: Any, instance: Any, given: Sequence[Any]) -> Any:
    """Return a new generator, whose frame is on the kernel's stack."""
    frame = _frame(instance)
    with builder.goto_entry_block():
        place = _opaque(builder.alloca(frame))
        place.align = 16
    builder.store(c64(0), place)
    parts = zip(frame_places(instance)[1:-1], instance.kinds[1:], given, strict=True)
    for offset, _, value in parts:
        builder.store(value, builder.gep(place, [c64(offset)], source_etype=I8, inbounds=True))
    builder.store(address, builder.gep(place, [c32(0), c32(1)], source_etype=frame, inbounds=True))
    mark = builder.gep(place, [c32(0), c32(2)], source_etype=frame, inbounds=True)
    builder.store(bound.mark(builder, address), mark)
    return builder.bitcast(place, I8.as_pointer())


@lower_builtin("getiter", BranchesType)
def _getiter(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return args[0]


@lower_builtin("iternext", BranchesType)
@iternext_impl(RefType.BORROWED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> Any:
    native = sig.args[0]
    bound, instance = native.bound, native.bound.rules.instances[native.rule]
    place = _opaque(builder.gep(args[0], [c64(0)], source_etype=I8))
    whose, mark = (
        builder.gep(place, [c32(0), c32(i)], source_etype=_frame(instance), inbounds=True)
        for i in (1, 2)
    )
    address = builder.load(whose, typ=I64)
    at = builder.inttoptr(address, PTR)
    if not native.keeps:
        bound.release(builder, address, builder.load(mark, typ=I64))
    out = _room(builder, form(instance.yielded))
    status = builder.call(bound.function(context, builder, native.rule), [at, place, out])
    failed = builder.icmp_signed(">", status, c32(0))
    _check(context, builder, at, builder.select(failed, status, c32(0)))
    if not native.keeps:
        builder.store(bound.mark(builder, address), mark)
    going = builder.icmp_signed("==", status, c32(0))
    result.set_valid(going)
    with builder.if_then(going):
        value = builder.load(out, typ=form(instance.yielded))
        result.yield_(to_numba(context, builder, native.yield_type, instance.yielded, value))


def _lower(name: str) -> None:
    @lower_builtin((RulesType, name), RulesType, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return call_rule(context, builder, sig.args[0], name, args)


for _name in (
    *("status", "player", "moves", "make_move", "outcomes", "estimate", "utility", "children"),
    *("moves_in_play", "candidates", "rollout_moves", "nth_move", "count_moves", "promise", "key"),
    *("bounds", "candidate_bounds", "digest", "number"),
):
    _lower(_name)

__all__ = ["MEMOS", "Bound", "RuleStops", "RulesType", "Unlike", "ValueType", "call_rule"]
