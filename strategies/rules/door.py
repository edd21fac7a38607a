"""The door for people: one function as machine code, called with Python values."""

from __future__ import annotations

import ctypes
import types
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

from attrs import define, field
from llvmlite import ir

from strategies.rules import calls
from strategies.rules.boundary import Boundary, Unlike
from strategies.rules.code import Val, c32
from strategies.rules.kinds import EMPTY, I32, NEVER, PTR, Kind, form, size
from strategies.rules.machine import Code
from strategies.rules.memory import arena
from strategies.rules.messages import Refusal
from strategies.rules.program import Instance, Program
from strategies.rules.walk import walk

P = ParamSpec("P")
R = TypeVar("R")


@define(eq=False)
class Compiled(Generic[P, R]):
    """A function that runs as machine code, compiled for the kinds of its arguments at a call."""

    function: Callable[P, R]
    _made: list[_Entry] = field(factory=list, repr=False)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if kwargs:
            raise TypeError("a compiled function takes its arguments by place")
        for entry in self._made:
            try:
                return entry.call(args)  # type: ignore[no-any-return]
            except Unlike:
                continue
        entry = _Entry(self.function, args)  # type: ignore[arg-type]
        self._made.insert(0, entry)
        return entry.call(args)  # type: ignore[no-any-return]


def compile_function(function: Callable[P, R]) -> Compiled[P, R]:
    """Return the machine code of a function, which is called with Python values."""
    if not isinstance(function, types.FunctionType):
        raise Refusal(f"{function!r} is not a function that is written in Python")
    return Compiled(function)


class _Entry:
    """A function compiled for arguments of certain kinds."""

    def __init__(self, function: types.FunctionType, args: tuple[Any, ...]) -> None:
        self.program = Program(function.__name__, walk)
        source = calls.source_known(function)
        if source.is_generator:
            raise Refusal("a generator is compiled where a function uses it; return list(…)")
        self.kinds = [self.program.constants.kind(a) for a in args]
        values = [Val(k) for k in self.kinds]

        def root() -> Instance:
            probe = _probe(self.program, source)
            bound = calls.bind(
                probe, source.node, calls.Arguments(values, {}),
                lambda n: self.program.constants.value(source.defaults[n]) if n in source.defaults else None,
                source.name,
            )  # fmt: skip
            if bound is None:
                raise TypeError(f"wrong arguments for {source.name}")
            instance = self.program.instance(
                source, source.node, [a.kind for a in bound], False, source.name
            )
            self.program.analyse(instance)
            return instance

        if len(values) != len(root_parameters(source)):
            raise Refusal("the function is called with all its arguments, and without stars")
        self.instance: Instance = self.program.solve(root)
        self.program.declare(self.instance)
        self.program.emit()
        name = self._entry()
        self.code = Code(self.program.text())
        self.texts = dict(self.program.texts)
        self.run = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_uint64] * (2 + len(self.kinds)))(
            self.code.address(name)
        )

    def _entry(self) -> str:
        """Emit the function that takes the addresses of its arguments."""
        name = "entry"
        kind = ir.FunctionType(I32, [PTR] * (2 + len(self.kinds)))
        made = ir.Function(self.program.module, kind, name)
        b = ir.IRBuilder(made.append_basic_block())
        values = [
            b.load(p, typ=form(k)) for p, k in zip(made.args[2:], self.instance.kinds, strict=True)
        ]
        b.ret(b.call(self.instance.function, [made.args[0], made.args[1], *values]))
        return name

    def call(self, args: tuple[Any, ...]) -> Any:
        with arena().call() as memory:
            boundary = Boundary(memory, self.texts)
            if len(args) != len(self.kinds):
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
                error, message, function, line = self.program.errors[status]
                where = f" ({function}, line {line})" if function else ""
                raise error(message + where)
            return boundary.read(self.instance.returned, out)


def root_parameters(source: Any) -> list[str]:
    from strategies.rules.sources import parameters

    return parameters(source.node)


def _probe(program: Program, source: Any) -> Any:
    from strategies.rules.walk import Walk

    return Walk(program, Instance(-1, source, source.node, [], False, source.name), False)


__all__ = ["EMPTY", "NEVER", "Compiled", "Kind", "c32", "compile_function"]
