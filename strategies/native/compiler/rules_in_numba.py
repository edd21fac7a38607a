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

from numba import types

from games.game import Game
from graphs.limits import STATE_KINDS
from strategies.native.compiler.filling import Filling
from strategies.native.compiler.linking import PartLibrary
from strategies.native.compiler.rule_code import RuleCode, file_of, keep, load, read, split
from strategies.native.compiler.rule_forms import define_text_words, finished, forms, hooks_of
from strategies.native.compiler.rule_types import CELLS, RuleStops, RulesType, ValueType, type_of
from strategies.native.compiler.shapes import PLAIN, code_of, shape_of, with_forms
from strategies.native.kept_code import Ident, identity
from strategies.rules.boundary.conversion import Boundary, Layout, Unlike
from strategies.rules.boundary.flat import writer
from strategies.rules.boundary.held import Tables, served
from strategies.rules.door import error_of
from strategies.rules.entries import Entries, found
from strategies.rules.kinds.forms import form, size
from strategies.rules.kinds.kind import NUMBERS, Instance, Record, Row, Tup
from strategies.rules.language.messages import Refusal
from strategies.rules.language.reads import Reads
from strategies.rules.machine.compilation import prepared
from strategies.rules.machine.memory import Arena, arena
from strategies.support.cached import cached_property
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
        self.state = self.rules.kinds["state"]
        self.tables = Tables(game, self.rules.program.held)
        self.reads = self.rules.program.reads
        """What the compiler read of Python's objects."""
        self.flat = writer(self.state)
        self._room = size(form(self.state)) + 8
        for name, instance in self.rules.instances.items():
            _check_value(name, instance, self.numbers.get("players"))
        self.shape, self.values = shape_of(self.rules, self.numbers, self.absent, POISON)
        self.shapes = self.shape, with_forms(self.shape, self.values)
        self._library: Any = None
        self._code: RuleCode | None = None
        self._ready = False
        self.file: Path | None = None
        self.widened: Bound | None = None
        self.layouts: dict[int, Layout] = {}

    @property
    def classes(self) -> tuple[Ident, ...]:
        """Return the identities of the classes of the game and its states."""
        records = [self.state.of] if isinstance(self.state, Record) else []
        return tuple(map(identity, [type(self.game), *records]))

    def types_for(self, own: bool) -> dict[str, Any]:
        """Return the types of a kernel's arguments `game` and `state`: of this package's own
        kernels, or of a user's, whose loops keep what their steps make."""
        shape = self.shapes[not own]
        state = type_of(shape, code_of(self.values, self.state))
        return {"game": RulesType(shape, keeps=not own), "state": state}

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
            load(self.digest, *kept)
        self._ready = True

    def _split(self) -> RuleCode:
        if self._code is None:
            self._code = split(self.text, self.digest)
            if not self._ready:
                load(self.digest, self._code.machine, self._code.names)
                if self.file is not None:
                    keep(self.file, self._code)
        return self._code

    def library(self, context: Any) -> Any:
        """Return the code of the rules, to be linked into a kernel."""
        if self._library is None:
            made = PartLibrary(context.codegen(), f"rules.{self.digest}", {})
            made.add_llvm_module(self._split().module.clone())
            made.finalize()
            self._library = made
        return self._library

    @cached_property
    def filling(self) -> Filling:
        """Return what fills the holes of a template."""
        return Filling(self, self._split().names)

    def wider(self, state: Any) -> Bound:
        """Return the rules for states like this one, too.

        Raises: `RuleError` if there is no end of their kinds.
        """
        if self.widened is None or not self.widened.fits(state):
            if len(self.states) > STATE_KINDS:
                raise Refusal(f"the states of {type(self.game).__qualname__} are of too many kinds")
            self.widened = compiled(self.game, [*self.states, state], self.lengths)
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
                self.values[native.number], ctypes.addressof(place)
            )
        if isinstance(native, types.BaseTuple):
            pairs = zip(native.types, value, strict=True)
            return tuple(self._read(memory, t, v) for t, v in pairs)
        return value


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


ATTEMPTS: Final = 5
"""How often rules are compiled that change meanwhile."""


def compiled(game: Any, states: Sequence[Any], lengths: int) -> Bound:
    """Return the rules of a game as `Bound` compiles them, all of one version.

    Another thread may edit them meanwhile, or load their classes again: a rule that is compiled for
    the kinds of another version returns whatever lies in memory.
    Raises: `RuleError` if they cannot be compiled.
    """
    for _ in range(ATTEMPTS):
        try:
            made = Bound(game, states, lengths)
        except Refusal as refusal:
            failed = refusal
            if refusal.reads is None or refusal.reads.hold():
                raise
        else:
            if made.reads.hold():
                return made
            name = type(game).__qualname__
            why = "changed as they were compiled; do not edit them meanwhile"
            failed = Refusal(f"the rules of {name} {why}")
            failed.reads = made.reads
    raise failed


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
        old = found = compiled(game, states, 1 + max(alike, default=0))
    _recent[type(game)] = [old, *(b for b in recent if b is not old)][:FEW]
    while len(_recent) > STATE_KINDS:
        del _recent[next(iter(_recent))]
    return found
