"""Rules in Numba: a game's rules, made by `strategies.rules`, for kernels that Numba makes.

States and moves are opaque to Numba: a value of a type of ours, whose form in LLVM is that of the
rules. A rule is one call of a function that is linked into the kernel, and inlined if it is small.
"""

from __future__ import annotations

import ctypes
import hashlib
import struct
from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path
from threading import RLock
from typing import Any, Final

from llvmlite import ir
from numba import types

from games.game import Game
from graphs.limits import STATE_KINDS
from strategies.native.compiler.linking import PartLibrary
from strategies.native.compiler.rule_code import RuleCode, file_of, keep, load, read, split
from strategies.native.compiler.rule_forms import define_text_words, finished, forms, hooks_of
from strategies.native.compiler.rule_types import (
    CELLS,
    PLAIN,
    RuleStops,
    RulesType,
    ValueType,
    known_rules,
    numba_type,
    returned_type,
)
from strategies.rules.boundary.conversion import Boundary, Layout, Unlike
from strategies.rules.boundary.flat import writer
from strategies.rules.boundary.held import Tables, served
from strategies.rules.code.val import c32, c64
from strategies.rules.door import error_of
from strategies.rules.entries import Entries, found
from strategies.rules.kinds.forms import form, size
from strategies.rules.kinds.kind import I64, NUMBERS, PTR, Instance, Row, Tup
from strategies.rules.language.messages import Refusal
from strategies.rules.language.reads import Reads
from strategies.rules.machine.compilation import prepared
from strategies.rules.machine.memory import (
    CONTEXT,
    END,
    FREE,
    MEMOS,
    OTHER_END,
    OTHER_FREE,
    Arena,
    arena,
)
from strategies.support.fork_locks import fork_lock

POISON = False
"""Whether kernels overwrite the memory that they give back: a test finds what reads it later."""
_widening: Final = fork_lock(RLock)


class Bound:
    """The rules of a game for kernels: compiled once, then linked into each kernel."""

    address = 0
    """Each call finds the context of its thread."""

    def __init__(self, game: Any, states: Sequence[Any], lengths: int = 1) -> None:
        prepared()
        self.game, self.states = game, list(states)
        self.lengths = lengths
        """How many games, one after another, have differed in the lengths of their tables."""
        self.numbers = numbers_of(game)
        given = {
            "state": self.states, "move": (), "number": (0,), "real": (0.0,), "cells": (CELLS,),
            "measured": (),
        }  # fmt: skip
        declared = forms(game)
        self.absent, constant = "", lengths <= MOST_LENGTHS
        try:
            self.rules = Entries(game, given, declared | hooks_of(game), finished, constant)
        except Refusal as refusal:
            self.absent = str(refusal)
            self.rules = Entries(game, given, declared, finished, constant)
        define_text_words(self.rules.program)
        self.text = self.rules.program.text()
        self.texts = self.rules.program.texts.copy()
        made_from = f"{self.text} {self.numbers} {self.absent}" + "poison" * POISON
        self.digest = hashlib.sha256(made_from.encode()).hexdigest()[:16]
        self.native, self.native_keeping = RulesType(self), RulesType(self, keeps=True)
        self.state = self.rules.kinds["state"]
        self.types: dict[str, ValueType] = {}
        self.tables = Tables(game, self.rules.program.held)
        self.reads = self.rules.program.reads
        """What the compiler read of Python's objects."""
        self.flat = writer(self.state)
        self._room = size(form(self.state)) + 8
        self.native_state = numba_type(self, self.state)
        for name, instance in self.rules.instances.items():
            _check_value(name, instance, self.numbers.get("players"))
            returned_type(self, name, found(instance))
        self._library: Any = None
        self._code: RuleCode | None = None
        self._loaded: Any = None
        self._ready = False
        self.file: Path | None = None
        self.widened: Bound | None = None
        self.layouts: dict[int, Layout] = {}
        known_rules[self.digest] = self

    @property
    def cells(self) -> int:
        """Return the length of the row of cells that the rules of a problem read and write."""
        return 2 * self.numbers["variables"] + self.numbers["counters"]

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
            if len(self.states) > STATE_KINDS:
                raise Refusal(f"the states of {type(self.game).__qualname__} are of too many kinds")
            self.widened = Bound(self.game, [*self.states, state], self.lengths)
        return self.widened

    def over(self, game: Any, states: Sequence[Any]) -> Bound | None:
        """Return these rules with the tables of another game, if they are right for it."""
        reads = self.right_for(game, states)
        if reads is None:
            return None
        made = copy(self)
        made.game, made.reads, made.widened = game, reads, None
        made.tables = Tables(game, self.rules.program.held)
        return made

    def right_for(self, game: Any, states: Sequence[Any], any_length: bool = False) -> Reads | None:
        """Return what these rules read of a game, but for the lengths of its tables if asked; None
        if they are not right for it."""
        program = self.rules.program
        if not program.reads.hold() or numbers_of(game) != self.numbers:
            return None
        reads = served(self.rules.about, game, program, any_length=any_length)
        return reads if all(map(self.fits, states)) else None

    def fits(self, state: Any) -> bool:
        """Return whether a state can be written as those for which the code is.

        The kinds of the code do not change by this: joined with that of the state, they would no
        longer say how the code reads its memory.
        """
        with arena().call() as memory:
            at = memory.take(self._room)
            try:
                Boundary(memory, self.texts, self.layouts).write(self.state, state, at)
            except Unlike:
                return False
        return True

    # Memory

    def mark(self, builder: Any, address: Any) -> Any:
        """Return how far the arena is used."""
        if not self.rules.program.allocates:
            return c64(0)
        return builder.load(place_of(builder, builder.inttoptr(address, PTR), FREE), typ=I64)

    def release(self, builder: Any, address: Any, mark: Any) -> None:
        """Give back what was taken since a mark."""
        if not self.rules.program.allocates:
            return
        at = builder.inttoptr(address, PTR)
        if POISON:
            _fill(builder, mark, builder.load(place_of(builder, at, FREE), typ=I64))
        builder.store(mark, place_of(builder, at, FREE))
        if any(i.remembering() for i in self.rules.instances.values()):
            builder.store(
                c64(0), place_of(builder, at, MEMOS)
            )  # they may lie in what is given back

    def swap(self, builder: Any, address: Any) -> None:
        """Let memory be taken from that of caches, or again from the arena."""
        if self.rules.program.allocates:
            at = builder.inttoptr(address, PTR)
            for one, other in ((FREE, OTHER_FREE), (END, OTHER_END)):
                places = [place_of(builder, at, i) for i in (one, other)]
                a, b = (builder.load(place, typ=I64) for place in places)
                builder.store(b, places[0])
                builder.store(a, places[1])

    # Calls

    def entry(
        self, compiled: Callable[..., Any], returns: Any, stops: int | None,
        rebuilt: Callable[[Bound], Any],
    ) -> Any:  # fmt: skip
        """Return a kernel that takes and returns Python's values.

        Argument `stops` after the state is the address of a word that is not 0 once it is to stop.
        `rebuilt` returns the same kernel for rules whose states are of more kinds.
        """

        room, plain = self._room, self.state in PLAIN
        whole = not _is_opaque(returns)
        wide: list[Any] = []  # this kernel for states of more kinds, once there are some

        def call(address: int, state: Any, *args: Any) -> Any:
            memory = arena()
            mark = memory.begin()
            try:
                memory.context.held = self.tables.address
                memory.context.stops = 0 if stops is None else args[stops]
                at = memory.take(room)
                try:
                    if self.flat is not None:
                        self.flat(state, memory.pages, at - memory.start)
                    else:
                        Boundary(memory, self.texts, self.layouts).write(self.state, state, at)
                except (Unlike, struct.error):
                    with _widening:
                        if not wide:
                            wide.append(rebuilt(self.wider(state)))
                    return wide[0](address, state, *args)
                result = compiled(memory.address, state if plain else at, *args)
                return result if whole else self._read(memory, returns, result)
            except RuleStops:
                memory.raise_pending()
                if memory.stopped():
                    return _nothing(returns, state)
                raise error_of(self.rules.program, int(memory.context.failed)) from None
            finally:
                memory.end(mark)

        return call

    def _read(self, memory: Arena, native: Any, value: Any) -> Any:
        """Return a result with Python's values in the place of bytes."""
        if isinstance(native, ValueType):
            place = ctypes.create_string_buffer(value, len(value))
            return Boundary(memory, self.texts, self.layouts).read(
                native.kind, ctypes.addressof(place)
            )
        if isinstance(native, types.BaseTuple):
            pairs = zip(native.types, value, strict=True)
            return tuple(self._read(memory, t, v) for t, v in pairs)
        return value


def _fill(builder: Any, start: Any, end: Any) -> None:
    """Overwrite memory, so that a later read of it is wrong, or a fault."""
    one, eight = ir.IntType(8), c64(8)
    kind = ir.FunctionType(ir.VoidType(), [PTR, one, I64, ir.IntType(1)])
    name = "llvm.memset.p0.i64"
    fill = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    room = builder.and_(builder.sub(end, start), builder.neg(eight))
    builder.call(
        fill, [builder.inttoptr(start, PTR), one(0x5A), room, ir.Constant(ir.IntType(1), 0)]
    )


def place_of(builder: Any, at: Any, field: int) -> Any:
    """Return the address of a field of a context."""
    return builder.gep(at, [c32(0), c32(field)], source_etype=CONTEXT, inbounds=True)


def _nothing(native: Any, state: Any) -> Any:
    """Return what a kernel returns when it was stopped, which nobody reads."""
    if isinstance(native, types.BaseTuple):
        return tuple(_nothing(t, state) for t in native.types)
    if isinstance(native, ValueType):
        return state
    return 0.0 if isinstance(native, types.Float) else 0


def _check_value(name: str, instance: Instance, players: int | None) -> None:
    """Refuse a value that has not one number for each player, or a tuple for one or two."""
    kind = found(instance)
    if players is None or name not in ("estimate", "utility"):
        return
    other = isinstance(kind, Tup) and len(kind.items) != players
    if isinstance(kind, Tup | Row) == (players > 2) and not other:
        return
    if kind in NUMBERS or isinstance(kind, Tup | Row):
        wanted = f"a tuple of {players} numbers, one per player" if players > 2 else "a number"
        raise Refusal(f"{name} returns {kind}, not {wanted}")


def _is_opaque(native: Any) -> bool:
    """Return whether a result holds values that Numba does not know."""
    if isinstance(native, types.BaseTuple):
        return any(map(_is_opaque, native.types))
    return isinstance(native, ValueType)


def numbers_of(game: Any) -> dict[str, int]:
    """Return the numbers of a game, or of a problem of local search, that kernels read."""
    names = (
        ("players", "sorted_bounds")
        if isinstance(game, Game)
        else ("variables", "choices", "counters")
    )
    return {name: int(getattr(game, name, 0)) for name in names}


MOST_LENGTHS: Final = 2
"""The games of a class, one after another, whose tables may have lengths that are constants of the
code, so that LLVM drops tests of indices; the code of further ones is for tables of any length."""
FEW: Final = 8
"""The rules of one class that are remembered, such as those for tables of whole numbers and of
floats."""
_recent: dict[type, list[Bound]] = {}
"""The rules that were used last, for each class of the last `STATE_KINDS` classes of games."""


def bind(game: Any, state: Any) -> Bound:
    """Return the rules of a game for kernels, whose states are like its first and this one.

    Ensures: a game that differs from a recent one of its class in what rules read from memory alone
    shares its rules: in the numbers of tables, and from the third on in their lengths.
    Raises: `RuleError` if they cannot be compiled.
    """
    recent = _recent.pop(type(game), [])
    states = [game.start(), state] if isinstance(game, Game) else [state]
    for old in recent:
        if (found := old.over(game, states)) is not None:
            break
    else:
        alike = (b.lengths for b in recent if b.right_for(game, states, any_length=True))
        old = found = Bound(game, states, 1 + max(alike, default=0))
    _recent[type(game)] = [old, *(b for b in recent if b is not old)][:FEW]
    while len(_recent) > STATE_KINDS:
        del _recent[next(iter(_recent))]
    return found
