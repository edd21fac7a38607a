"""Programs: the functions that a root calls, each for certain kinds of arguments.

Rounds of inference repeat until no kind changes; then each function is emitted once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from llvmlite import ir

from strategies.rules.code.constants import Constants
from strategies.rules.code.emission import Code
from strategies.rules.code.val import c32, c64
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.joining import Changes, join
from strategies.rules.kinds.kind import (
    I1,
    I32,
    I64,
    PTR,
    Closure,
    Instance,
    Keywords,
    Kind,
    Record,
    Shared,
    Static,
)
from strategies.rules.kinds.parts import key, same
from strategies.rules.language.messages import LIMITS, TOO_DEEP, Refusal
from strategies.rules.language.reads import Reads
from strategies.rules.language.sources import FunctionNode, Source
from strategies.rules.language.text_numbers import Texts
from strategies.rules.machine import questions

ROUNDS = 40
RARE = ("jam.signalled",)  # helpers that are seldom called, so that their code stays apart
NESTED_CALLS = 200  # functions in each other while their kinds are found


def _stay_apart(source: Source, running: list[Kind], kinds: list[Kind]) -> bool:
    """Whether two calls of a function are never compiled as one, by wider kinds of arguments.

    Two calls of a builtin stay apart if one leaves out an argument of the other, or if they are
    given different functions; calls of any function, if `**names` have different names.
    """
    return any(map(partial(_differ, source.is_builtin), running, kinds))


def _differ(in_builtin: bool, a: Kind, b: Kind) -> bool:
    if isinstance(a, Keywords) and isinstance(b, Keywords):
        return a.names != b.names
    if not in_builtin:
        return False
    if isinstance(a, Static) and isinstance(b, Static):
        return callable(a.value) and callable(b.value) and not same(a, b)
    return isinstance(a, Static) or isinstance(b, Static)


class Place(NamedTuple):
    """Where a table of the object lies: its kind, its offset in bytes, and the lengths of it and of
    its parts that are known."""

    kind: Kind
    offset: int
    shape: tuple[int, ...]


class Program:
    """All that is compiled for one root."""

    def __init__(self, name: str, walk: Callable[[Program, Instance, bool], None]) -> None:
        self.name, self.walk = name, walk
        self.module = ir.Module(name)
        self.constants = Constants(self)
        self.reads = Reads()
        self.errors: list[tuple[type[BaseException], str, str, int]] = [
            (error, message, "", 0) for error, message in questions.ERRORS
        ]
        self._error_numbers: dict[Any, int] = {}
        self.texts = Texts()
        self.tables_of_texts: dict[str, Any] = {}
        self.helpers: dict[str, Any] = {}
        self.helper_errors: dict[str, set[type[BaseException]]] = {}
        self.matchers: dict[tuple[type[BaseException], ...], Any] = {}
        self.instances: dict[Any, Instance] = {}
        self.records: dict[Any, Record] = {}
        self.closures: dict[Any, Closure] = {}
        self.changed, self.round = True, 0
        self.held: dict[str, Place] = {}  # tables of the object
        self.constant_lengths = True  # whether the lengths of these are constants of the code
        self.paths: dict[int, str] = {}  # the object, and records of arrays in it: paths to them
        self.guarded: set[Instance] = set()  # those that rules call inside of `try`
        self.allocates = False  # whether its code takes memory of the arena
        self.running: list[Instance] = []
        self.queue: list[Instance] = []
        self.checks: list[Callable[[], None]] = []  # once all bodies are emitted
        self._begun: set[Instance] = set()  # those whose bodies are emitted, or being emitted
        self._wider: dict[Any, Any] = {}

    # Numbers of things

    def error(self, error: type[BaseException], message: str, where: tuple[str, int]) -> int:
        """Return the status of an error at a place."""
        k = (error, message, where)
        if k not in self._error_numbers:
            self._error_numbers[k] = len(self.errors)
            self.errors.append((error, message, *where))
        return self._error_numbers[k]

    def external(self, name: str, result: ir.Type, args: list[ir.Type]) -> Any:
        found = self.module.globals.get(name)
        return found or ir.Function(self.module, ir.FunctionType(result, args), name)

    def helper(
        self,
        name: str,
        result: ir.Type,
        args: list[ir.Type],
        build: Callable[[Code, Any], Any],
        *,
        handing: bool,
    ) -> Any:
        """Return a function of the runtime, made when it is first asked for."""
        found = self.helpers.get(name)
        if found is None:
            kinds = [PTR, PTR, *args] if handing else [PTR, *args]
            kind = ir.FunctionType(I32 if handing else result, kinds)
            short = f"jam.{len(self.helpers)}.{name.partition('.')[2].partition('.')[0]}"
            found = self.helpers[name] = ir.Function(self.module, kind, short)
            found.linkage = "internal"
            if name in RARE:
                found.attributes.add("noinline")
                found.attributes.add("cold")
            r = Code(self, found, handing)
            self.helper_errors[name] = r.errors
            made = build(r, found.args[2 if handing else 1 :])
            if not r.ended:
                if handing:
                    r.store(made, found.args[1])
                    r.b.ret(c32(0))
                else:
                    r.b.ret(made)
            r.close()
            self.helper_errors[name] = r.errors
        return found

    # Kinds

    def record(self, cls: type, names: list[str], stage: Any = True) -> Record:
        """Return the kind of a class's instances, of which a stage of construction has its own."""
        if (cls, stage) not in self.records:
            self.reads.space(cls)
            self.records[cls, stage] = Record(cls, names, len(self.records))
        return self.records[cls, stage]

    def closure(self, where: Any, node: FunctionNode, names: list[str], source: Source) -> Closure:
        """Return the kind of the inner functions that are made at a place."""
        if where not in self.closures:
            self.closures[where] = Closure(source.inner(node), names, len(self.closures))
        return self.closures[where]

    def fill(self, k: Shared, kinds: list[Kind]) -> None:
        """Let a record or closure have parts of these kinds, too."""
        for i, new in enumerate(kinds):
            met = join(k.kinds[i], new)
            if not same(met, k.kinds[i]):
                self.change()
            k.kinds[i] = met

    def instance(
        self, source: Source, kinds: list[Kind], closure: Closure | None = None, *,
        is_entry: bool = False,
    ) -> Instance:  # fmt: skip
        """Return the instance of a function for kinds of arguments.

        A recursive call with other kinds joins them with those that are running, so that the number
        of instances is finite. An entry keeps its kinds, because it is called from outside.
        """
        where = id(source.node), source.outside, closure.number if closure else None
        k = (where, tuple(map(key, kinds)))
        while k in self._wider and not is_entry:
            k = self._wider[k]
        found = self.instances.get(k)
        if found is not None:
            found.is_entry |= is_entry
            return found
        for its in self.running:
            alike = its.source.node is source.node and its.source.outside == source.outside
            alike = alike and not its.is_entry
            if alike and its.closure is closure and not _stay_apart(source, its.kinds, kinds):
                joined = [join(a, b) for a, b in zip(its.kinds, kinds, strict=True)]
                wide = (where, tuple(map(key, joined)))
                if wide != its.key and its.key not in self._wider:
                    self._wider[its.key] = wide
                    self.change()
                if wide != k:
                    self._wider[k] = wide
                while wide in self._wider:
                    wide = self._wider[wide]
                k, kinds = wide, joined
                break
        found = self.instances.get(k)
        if found is None:
            found = Instance(len(self.instances), source, list(kinds), closure)
            found.key, found.is_entry = k, is_entry
            self.instances[k] = found
        return found

    def change(self) -> None:
        """Note that a kind changed that functions share."""
        self.changed = True
        Changes.note()

    def analyse(self, instance: Instance) -> None:
        """Find the kinds in an instance, once a round, unless nothing that it uses changed."""
        if instance.round == self.round:
            return
        instance.round = self.round
        if len(self.running) > NESTED_CALLS:
            raise Refusal(f"the kinds of {instance.source.title} have no end")
        self.running.append(instance)
        if not self._is_settled(instance):
            before = key(instance.returned), key(instance.yielded)
            instance.walked_at, instance.used, instance.failures = Changes.last, {}, []
            self.walk(self, instance, False)
            if (key(instance.returned), key(instance.yielded)) != before:
                self.changed = True
                instance.version += 1
        self.running.pop()

    def use(self, user: Instance, instance: Instance) -> None:
        """Find the kinds in an instance whose results another one uses."""
        self.analyse(instance)
        user.used.setdefault(instance, instance.version)

    def _is_settled(self, instance: Instance) -> bool:
        """Whether another walk over an instance would find what the last one found."""
        for one, version in list(instance.used.items()):
            if instance.walked_at != Changes.last:
                return False
            self.analyse(one)
            if one.version != version:
                return False
        return instance.walked_at == Changes.last

    def solve(self, roots: Callable[[], Any]) -> Any:
        """Find all kinds: `roots` asks for instances, and is repeated until nothing changes."""
        before = None
        for _ in range(ROUNDS):
            self.round += 1
            self.changed = False
            try:
                found = roots()
            except RecursionError:
                raise Refusal(TOO_DEEP) from None
            now = self._state()
            if not self.changed and now == before:
                return found
            before = now
        raise Refusal("the kinds of this function do not settle")

    def _state(self) -> Any:
        live = [i for i in self.instances.values() if i.round == self.round]
        kinds = [key(k) for i in live for k in i.records.values() if isinstance(k, Kind)]
        shared = [
            tuple(map(key, s.kinds)) for s in (*self.records.values(), *self.closures.values())
        ]
        return len(self.instances), kinds, shared

    # Code

    def declare(self, instance: Instance) -> None:
        """Give an instance its LLVM function; its body is emitted later."""
        if instance.function is not None:
            return
        name = f"rule.{len(self.queue)}.{instance.source.title}".replace("<", "").replace(">", "")
        if instance.source.is_generator:
            kind = ir.FunctionType(I32, [PTR, PTR, PTR])
            size = ir.GlobalVariable(self.module, I64, name + ".size")
            size.linkage, size.global_constant = "internal", True
            size.initializer = c64(0)  # known when the body is emitted
            instance.frame_size = size
        else:
            own = [form(k) for k in instance.kinds]
            outer = [form(instance.closure)] if instance.closure else []
            kind = ir.FunctionType(I32, [PTR, PTR, *outer, *own])
        instance.function = ir.Function(self.module, kind, name)
        instance.function.linkage = "internal"
        self.queue.append(instance)

    def emit(self) -> None:
        """Emit the bodies of all that was declared."""
        for instance in self.queue:  # it grows meanwhile
            self._emit_body(instance)
        for check in self.checks:
            check()
        for classes, function in self.matchers.items():
            self._emit_matcher(classes, function)

    def _emit_body(self, instance: Instance) -> None:
        if instance not in self._begun:
            self._begun.add(instance)
            self.walk(self, instance, True)

    def frame_size(self, instance: Instance) -> int:
        """Return the size of a generator's frame; 0 while its body is being emitted."""
        self._emit_body(instance)
        return int(instance.frame_size.initializer.constant)

    def matcher(self, classes: tuple[type[BaseException], ...]) -> Any:
        """Return the function that says whether a status is of one of these exceptions."""
        if classes not in self.matchers:
            made = ir.Function(
                self.module, ir.FunctionType(I1, [I32]), f"jam.match.{len(self.matchers)}"
            )
            made.linkage = "internal"
            self.matchers[classes] = made
        return self.matchers[classes]

    def _emit_matcher(self, classes: tuple[type[BaseException], ...], function: Any) -> None:
        """Emit the test of a status; of no classes, whether it is an error of the own limits."""
        b = ir.IRBuilder(function.append_basic_block())
        yes, no = function.append_basic_block("yes"), function.append_basic_block("no")
        choice = b.switch(function.args[0], no)
        for number, (error, *_) in enumerate(self.errors):
            limit = issubclass(error, LIMITS)
            if number and (limit if not classes else issubclass(error, classes) and not limit):
                choice.add_case(c32(number), yes)
        for block, found in ((yes, 1), (no, 0)):
            ir.IRBuilder(block).ret(ir.Constant(I1, found))

    def text(self) -> str:
        return str(self.module)
