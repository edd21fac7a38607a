"""The door for people: one function as machine code, called with Python values."""

from __future__ import annotations

import ctypes
import types
from collections.abc import Callable
from contextlib import suppress
from inspect import CO_VARARGS, CO_VARKEYWORDS, signature
from threading import RLock
from typing import Any, Generic, ParamSpec, TypeVar

from attrs import define
from llvmlite import ir

from strategies.rules.boundary.conversion import Boundary, Layout, UnknownText, Unlike
from strategies.rules.code.program import Program
from strategies.rules.code.val import c32, c64
from strategies.rules.kinds.forms import form, size
from strategies.rules.kinds.kind import I8, I32, I64, PTR, Instance
from strategies.rules.language.messages import Late, Refusal, RuleError, TooWide
from strategies.rules.language.sources import source_of
from strategies.rules.machine import compilation
from strategies.rules.machine.compilation import Code, object_code, optimized
from strategies.rules.machine.memory import CONTEXT, STACK, arena
from strategies.rules.placing import at_return, check_result
from strategies.rules.syntax.bodies import walk
from strategies.support.fork_locks import fork_lock

P = ParamSpec("P")
R = TypeVar("R")


OURS: dict[type[BaseException], type[BaseException]] = {TooWide: OverflowError, Late: RuleError}
UNKNOWN_STACK = 1 << 19
"""Bytes of a stack that a call may use where the end of the stack is not known."""
ARGUMENT_KINDS = 32
"""How many kinds of arguments of one function are kept."""
_lock = fork_lock(RLock)


@define(eq=False, repr=False)
class Compiled(Generic[P, R]):
    """A function that runs as machine code, compiled for the kinds of its arguments at a call.

    A call gives what the function itself gives: the value, with the types of all its parts, or an
    exception of the same type. Lists among the arguments are changed as the function changes them.
    """

    function: Callable[P, R]
    _made: tuple[_Entry, ...] = ()

    def __repr__(self) -> str:
        return f"compile_function({self.function.__qualname__})"

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        given, another_text = self._bound(*args, **kwargs), False
        for entry in self._made:
            if entry.program.reads.hold():
                try:
                    known: R = entry.call(given)
                    return known
                except UnknownText:
                    another_text = True
                except Unlike:
                    pass
        with _lock:
            entry = _compiled(self.function, given, another_text)
            kept = [e for e in self._made if e.program.reads.hold()]
            self._made = (entry, *kept[: ARGUMENT_KINDS - 1])
        try:
            found: R = entry.call(given)
        except Refusal:  # of values that cannot be written, or read
            self._made = tuple(e for e in self._made if e is not entry)
            raise
        return found

    def _bound(self, *args: P.args, **kwargs: P.kwargs) -> tuple[Any, ...]:
        """Return the values of all parameters, in their order."""
        code = self.function.__code__
        stars = bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]
        if not kwargs and len(args) == len(names) == code.co_argcount:
            return args
        bound = signature(self.function).bind(*args, **kwargs)
        bound.apply_defaults()
        return tuple(bound.arguments[name] for name in names)


def compile_function(function: Callable[P, R]) -> Compiled[P, R]:
    """Return the machine code of a function, which is called with Python values.

    This is how to try a helper of a game, or to time it: rules are compiled in the same way.

    Requires: a function written in Python, in a file, of numbers, tuples, records, and lists, sets
        and dicts of them. It may call other such functions, and be recursive.
    Ensures: a call gives what the function gives, or an exception of the same type. It compiles for
        the kinds of the arguments when they first occur, in some 0.1 s, and again when something
        that it read of the function, its module or its classes has changed.
    Raises: RuleError at once if this is no function, or at a call if it cannot be compiled. A call
        raises OverflowError where an int needs more than 64 bits, and MemoryError beyond 1 GB.
    Source: the kinds are inferred by abstract interpretation of the syntax tree, once for each
        combination of kinds of arguments (as in Agesen's Cartesian product algorithm, 1995).

    >>> from strategies import compile_function
    >>> def steps(n):
    ...     count = 0
    ...     while n != 1:
    ...         n = n // 2 if n % 2 == 0 else 3 * n + 1
    ...         count += 1
    ...     return count
    >>> compile_function(steps)(27)
    111
    """
    if not isinstance(function, types.FunctionType):
        raise Refusal(f"{function!r} is not a function that is written in Python")
    return Compiled(function)


def _compiled(function: Any, args: tuple[Any, ...], another_text: bool) -> _Entry:
    """Compile a function, after another text than before for any texts, if that can be."""
    if another_text:
        with suppress(Refusal):
            return _Entry(function, args, wide_texts=True)
    return _Entry(function, args)


class _Entry:
    """A function compiled for arguments of certain kinds.

    Args:
        wide_texts: whether texts among the arguments may be any, which are as those that are made.
    """

    def __init__(self, function: Any, args: tuple[Any, ...], wide_texts: bool = False) -> None:
        self.program = Program(function.__name__, walk)
        self.program.constants.wide_texts = self.program.texts.made = wide_texts
        self.program.reads.function(function)
        source = source_of(function)
        if source.is_generator:
            raise Refusal("a generator is compiled where a function uses it; return list(…)")
        kinds = [self.program.constants.kind(a) for a in args]

        def root() -> Instance:
            instance = self.program.instance(source, kinds)
            self.program.analyse(instance)
            return instance

        self.instance: Instance = self.program.solve(root)
        try:
            check_result(self.instance.kinds, self.instance.returned)
        except Refusal as refusal:
            at_return(refusal, source)
            raise
        self.program.declare(self.instance)
        self.program.emit()
        entry = self._entry()
        self.code = Code(
            object_code(optimized(self.program.text(), compilation.LEVEL), compilation.LEVEL)
        )
        self.texts = self.program.texts.copy()
        self.layouts: dict[int, Layout] = {}
        words = [ctypes.c_uint64] * (2 + len(kinds))
        self.run = ctypes.CFUNCTYPE(ctypes.c_int32, *words)(self.code.address(entry))

    def _entry(self) -> str:
        """Emit the function that takes the addresses of its arguments."""
        name = "entry"
        kind = ir.FunctionType(I32, [PTR] * (2 + len(self.instance.kinds)))
        made = ir.Function(self.program.module, kind, name)
        b = ir.IRBuilder(made.append_basic_block())
        _bound_stack(b, made.args[0])
        values = [
            b.load(p, typ=form(k)) for p, k in zip(made.args[2:], self.instance.kinds, strict=True)
        ]
        b.ret(b.call(self.instance.function, [made.args[0], made.args[1], *values]))
        return name

    def call(self, args: tuple[Any, ...]) -> Any:
        with arena().call() as memory:
            boundary = Boundary(memory, self.texts, self.layouts)
            if len(args) != len(self.instance.kinds):
                raise Unlike("another number of arguments")
            places = []
            for k, a in zip(self.instance.kinds, args, strict=True):
                places.append(memory.take(size(form(k)) + 8))
                boundary.write(k, a, places[-1])
            out = memory.take(size(form(self.instance.returned)) + 8)
            status = self.run(memory.address, out, *places)
            boundary.give_back()
            if status:
                memory.raise_pending()
                raise error_of(self.program, status)
            return boundary.read(self.instance.returned, out)


def error_of(program: Program, status: int) -> BaseException:
    """Return the exception that a status of a program's code stands for."""
    error, message, function, line = program.errors[status]
    text = f"{message} ({function}, line {line})".strip() if function else message
    error = OURS.get(error, error)
    try:
        return error(text)
    except Exception:  # a class of errors with arguments of its own
        return error.__new__(error, text)


def _bound_stack(b: ir.IRBuilder, context: Any) -> None:
    """Where the end of the stack is not known, let the call use some of it from here on."""
    place = b.gep(context, [c32(0), c32(STACK)], source_etype=CONTEXT, inbounds=True)
    known = b.ptrtoint(b.load(place, typ=PTR), I64)
    room = b.alloca(I8)
    room.type = PTR
    some = b.sub(b.ptrtoint(room, I64), c64(UNKNOWN_STACK))
    end = b.select(b.icmp_unsigned("==", known, c64(0)), some, known)
    b.store(b.inttoptr(end, PTR), place)
