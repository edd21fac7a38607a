"""Code: blocks, memory and calls of LLVM, for a function that is emitted or only walked.

A `Code` without a function emits nothing: its builder answers everything with `NOTHING`. So the
walk that finds kinds and the walk that emits are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from llvmlite.ir.instructions import InsertValue

from strategies.rules.code.val import NOTHING, ONE, ZERO, Held, Val, c1, c32, c64, undefined
from strategies.rules.kinds.forms import form, size
from strategies.rules.kinds.kind import I8, I32, I64, NEVER, PTR, ROW, VOID, Kind
from strategies.rules.language.messages import Refusal
from strategies.rules.machine.memory import ASK, CONTEXT, END, FREE


class Address:
    """An address that is called."""

    def __init__(self, address: Any, kind: ir.FunctionType) -> None:
        self.address, self.function_type, self.ftype = address, kind, kind
        self.type = PTR

    def get_reference(self) -> str:
        return str(self.address.get_reference())


class Code:
    """Emits into one LLVM function, or nowhere."""

    def __init__(self, program: Any, function: Any = None, handing: bool = True) -> None:
        self.program, self.function = program, function
        self.emitting = function is not None
        self.path: tuple[Any, ...] = ()  # tells apart what is walked several times
        self.env: Any = {}  # the variables, None where control cannot be
        self.b: Any = NOTHING
        self.entry: Any = NOTHING
        self.context: Any = NOTHING
        self.handing = handing  # whether the function returns a status
        self.errors: set[type[BaseException]] = set()  # those it fails with; Exception: any
        if self.emitting:
            entry = function.append_basic_block("entry")
            body = function.append_basic_block("body")
            self.entry = ir.IRBuilder(entry)
            self.entry.branch(body)
            self.entry.position_before(entry.terminator)
            self.b = ir.IRBuilder(body)
            self.context = function.args[0]

    # Blocks

    def block(self, name: str = "") -> Any:
        return self.function.append_basic_block(name) if self.emitting else NOTHING

    def at(self, block: Any) -> None:
        if self.emitting:
            self.b.position_at_end(block)

    @property
    def ended(self) -> bool:
        return self.emitting and self.b.block.is_terminated

    def goto(self, block: Any) -> None:
        if self.emitting and not self.ended:
            self.b.branch(block)

    def unreachable(self) -> None:
        if self.emitting and not self.ended:
            self.b.unreachable()

    def dead(self) -> None:
        """Continue in a block that nothing reaches."""
        self.at(self.block("dead"))

    def branch(self, test: Any, yes: Any, no: Any, rare: bool = False) -> None:
        if self.emitting:
            made = self.b.cbranch(test, yes, no)
            if rare:
                made.set_weights([1, 2000])

    @contextmanager
    def when(self, test: Any, rare: bool = False) -> Iterator[None]:
        yes, after = self.block("yes"), self.block("after")
        self.branch(test, yes, after, rare)
        self.at(yes)
        yield
        self.goto(after)
        self.at(after)

    @contextmanager
    def counting(self, n: Any) -> Iterator[Any]:
        """A loop over 0, ..., n - 1."""
        i = self.temp(I64)
        self.store(ZERO, i)
        head, body, after = self.block("head"), self.block("body"), self.block("after")
        self.goto(head)
        self.at(head)
        at = self.load(i, I64)
        self.branch(self.b.icmp_signed("<", at, n), body, after)
        self.at(body)
        yield at
        self.store(self.b.add(at, ONE), i)
        self.goto(head)
        self.at(after)

    @contextmanager
    def until(self) -> Iterator[Callable[[Any], None]]:
        """A loop, which is left where what it gives is told that something holds."""
        head, after = self.block("head"), self.block("after")
        self.goto(head)
        self.at(head)

        def leave(test: Any) -> None:
            more = self.block("more")
            self.branch(test, after, more)
            self.at(more)

        yield leave
        self.goto(head)
        self.at(after)

    def choose(
        self, test: Any, yes: Callable[[], None], no: Callable[[], None], rare: bool = False
    ) -> None:
        """Do one of two things; the first may be `rare`."""
        one, other, after = self.block("yes"), self.block("no"), self.block("after")
        self.branch(test, one, other, rare)
        for block, use in ((one, yes), (other, no)):
            self.at(block)
            use()
            self.goto(after)
        self.at(after)

    @contextmanager
    def apart(self, *step: Any) -> Iterator[None]:
        """Tell what is walked here apart from what is walked elsewhere for the same place."""
        path, self.path = self.path, (*self.path, *step)
        try:
            yield
        finally:
            self.path = path

    def close(self) -> None:
        """End the blocks that nothing reaches."""
        if self.emitting:
            for block in self.function.blocks:
                if not block.is_terminated:
                    ir.IRBuilder(block).unreachable()

    # Memory

    def temp(self, t: ir.Type) -> Any:
        """Room on the stack."""
        if not self.emitting:
            return NOTHING
        place = self.entry.alloca(t)
        place.type = PTR
        return place

    def load(self, place: Any, t: ir.Type) -> Any:
        return self.b.load(place, typ=t)

    def load_fixed(self, place: Any, t: ir.Type) -> Any:
        """Load what does not change while the code runs: LLVM does so once for a whole loop."""
        found = self.load(place, t)
        if self.emitting:
            found.set_metadata("invariant.load", self.b.module.add_metadata([]))
        return found

    def held(self, place: Any, k: Kind, shape: tuple[int, ...]) -> Held:
        """Load a table or a part of one: with a length that is known, LLVM drops tests of indices
        and unrolls loops."""
        found = self.load_fixed(place, form(k))
        if shape:
            found = self.b.insert_value(found, c64(shape[0]), 1)
        return Held(k, found, shape[1:])

    def store(self, v: Any, place: Any) -> None:
        self.b.store(v, place)

    def field(self, place: Any, t: ir.Type, *path: int) -> Any:
        return self.b.gep(place, [c32(0), *map(c32, path)], source_etype=t, inbounds=True)

    def element(self, place: Any, t: ir.Type, i: Any) -> Any:
        return self.b.gep(place, [i], source_etype=t, inbounds=True)

    def item(self, k: Kind, place: Any, i: Any) -> Val:
        """Return the element of a row of values of a kind."""
        return Val(k, self.load(self.element(place, form(k), i), form(k)))

    def get(self, place: Any, t: ir.LiteralStructType, i: int) -> Any:
        return self.load(self.field(place, t, i), t.elements[i])

    def put(self, place: Any, t: ir.LiteralStructType, i: int, v: Any) -> None:
        self.store(v, self.field(place, t, i))

    def bytes_of(self, n: Any, t: ir.Type) -> Any:
        return self.b.mul(n, c64(size(t)))

    def copy(self, to: Any, source: Any, n: Any, t: ir.Type) -> None:
        """Copy n elements that do not overlap."""
        self.helper("jam.copy", I64, [to, source, self.bytes_of(n, t)], _copy_bytes)

    def shift(self, to: Any, source: Any, n: Any, t: ir.Type) -> None:
        """Copy n elements that may overlap."""
        self.move_bytes("memmove", to, source, self.bytes_of(n, t))

    def move_bytes(self, how: str, to: Any, source: Any, n: Any) -> None:
        self.intrinsic(f"llvm.{how}.p0.p0.i64", VOID, [to, source, n, c1(False)])

    def alloc(self, n: Any) -> Any:
        """Room in the arena for n bytes; MemoryError if there is none."""
        if not self.emitting:
            self.fail(NOTHING)
            return NOTHING
        self.program.allocates = True
        b = self.b
        free = b.ptrtoint(self.get(self.context, CONTEXT, FREE), I64)
        end = b.ptrtoint(self.get(self.context, CONTEXT, END), I64)
        n = b.and_(b.add(n, c64(7)), c64(-8))
        # A count that wrapped or is negative is more than there is.
        self.check_memory(b.icmp_unsigned(">", n, b.sub(end, free)))
        self.put(self.context, CONTEXT, FREE, b.inttoptr(b.add(free, n), PTR))
        return b.inttoptr(free, PTR)

    def alloc_for(self, n: Any, t: ir.Type) -> Any:
        """Room in the arena for n elements."""
        if not self.emitting:
            return self.alloc(NOTHING)
        self.check_memory(self.b.icmp_unsigned(">", n, c64(1 << 40)))
        return self.alloc(self.bytes_of(n, t))

    # Structs

    def pack(self, t: ir.LiteralStructType, parts: Sequence[Any]) -> Any:
        if not self.emitting:
            return NOTHING
        if all(isinstance(p, ir.Constant) for p in parts):
            return ir.Constant(t, list(parts))
        v = undefined(t)
        for i, p in enumerate(parts):
            v = self.b.insert_value(v, p, i)
        return v

    def part(self, v: Any, i: int) -> Any:
        """Return a part of a struct; where it was just packed, what was packed."""
        while isinstance(v, InsertValue):
            if v.indices == [i]:
                return v.operands[1]
            v = v.operands[0]
        if isinstance(v, ir.Constant) and isinstance(v.constant, list | tuple):
            return v.constant[i]
        return self.b.extract_value(v, i)

    @property
    def never(self) -> Val:
        """Return the value of what does not end."""
        return Val(NEVER, self.undef(NEVER))

    def outcome(self, k: Kind, out: Any) -> Val:
        """Return what was stored in a place; there is nothing after what does not end."""
        if k is NEVER:
            self.unreachable()
            self.dead()
            return self.never
        return Val(k, self.load(out, form(k)))

    def undef(self, k: Kind) -> Any:
        return undefined(form(k)) if self.emitting else NOTHING

    def row(self, address: Any, n: Any) -> Any:
        return self.pack(ROW, [address, n])

    def constant(self, value: Any) -> Val:
        """Return a Python object that is known before, as a value of the code."""
        found: Val = self.program.constants.value(value)
        return found

    # Errors

    def check(self, bad: Any, error: type[BaseException], message: str) -> None:
        """Fail if a condition holds."""
        if isinstance(bad, ir.Constant) and not bad.constant:
            return
        status = NOTHING
        if self.emitting:
            status = c32(self.program.error(error, message, self.where()))
        self.fail_if(bad, status, error)

    def check_memory(self, bad: Any) -> None:
        """Fail with MemoryError if a condition holds."""
        self.check(bad, MemoryError, "more memory than rules may take")

    def where(self) -> tuple[str, int]:
        """The function and the line that errors name."""
        return "", 0

    def fail(self, status: Any, error: type[BaseException] | None = None, always: str = "") -> None:
        """Leave with a status, which is that of a certain error or of a call.

        `always` is what the error says where nothing else can happen.
        """
        if self.emitting:
            self.errors.add(error or Exception)
            if not self.handing:
                raise AssertionError("a helper that cannot fail does")
            self.b.ret(status)

    def fail_if(self, bad: Any, status: Any, error: type[BaseException] | None = None) -> None:
        """Leave with a status if a condition holds."""
        fail, fine = self.block("fail"), self.block("fine")
        self.branch(bad, fail, fine, rare=True)
        self.at(fail)
        self.fail(status, error)
        self.at(fine)

    def checked(self, status: Any) -> None:
        """Fail if a call did."""
        self.fail_if(self.b.icmp_signed("!=", status, c32(0)), status)

    @contextmanager
    def noted(self, errors: Iterable[type[BaseException]] = ()) -> Iterator[None]:
        """Let failures here be known as certain errors, or as noted elsewhere."""
        before = set(self.errors)
        yield
        self.errors = before.union(errors)

    # Calls

    def call(self, f: Any, *values: Val) -> Val:
        """Call a Python object that is known before, which only a walk can."""
        name = getattr(f, "__qualname__", f)
        raise Refusal(f"{name} is not compiled inside of a container")

    def helper(
        self, name: str, result: ir.Type, args: Sequence[Any], build: Callable[[Code, Any], Any]
    ) -> Any:
        """Call a function of the runtime that cannot fail; it is made when it is first called."""
        if not self.emitting:
            return NOTHING
        f = self.program.helper(name, result, [a.type for a in args], build, handing=False)
        return self.b.call(f, [self.context, *args])

    def risky(
        self, name: str, result: ir.Type, args: Sequence[Any], build: Callable[[Code, Any], Any]
    ) -> Any:
        """Call a function of the runtime that can fail. `build` returns its result."""
        if not self.emitting:
            self.fail(NOTHING)
            return NOTHING
        f = self.program.helper(name, result, [a.type for a in args], build, handing=True)
        out = self.temp(result)
        with self.noted(self.program.helper_errors[name]):
            self.checked(self.b.call(f, [self.context, out, *args]))
        return self.load(out, result)

    def intrinsic(self, name: str, result: ir.Type, args: Sequence[Any]) -> Any:
        if not self.emitting:
            return NOTHING
        f = self.program.external(name, result, [a.type for a in args])
        return self.b.call(f, list(args))

    def ask(self, question: int, *args: Any) -> tuple[Any, Any]:
        """Ask Python, for what is rare: return the status and the word that answer a question about
        up to three words."""
        if not self.emitting:
            return NOTHING, NOTHING
        out = self.temp(I64)
        words = [*args[:2], *[ZERO] * (2 - len(args))]
        if len(args) > 2:
            self.store(args[2], out)
        kind = ir.FunctionType(I32, [I64, I64, I64, PTR])
        f = self.b.bitcast(self.get(self.context, CONTEXT, ASK), PTR)
        status = self.b.call(Address(f, kind), [c64(question), *words, out])
        return status, self.load(out, I64)


def _copy_bytes(r: Code, args: Any) -> Any:
    """Copy bytes that do not overlap: as few as most lists have, without a call of the library."""
    to, source, n = args

    def ends(size: int) -> None:
        """Copy the first bytes and the last, some of which may be the same."""
        for at in (ZERO, r.b.sub(n, c64(size))):
            r.move_bytes("memcpy", r.element(to, I8, at), r.element(source, I8, at), c64(size))

    def fits(size: int) -> Any:
        return r.b.icmp_unsigned("<=", r.b.sub(n, c64(size)), c64(size))

    def longer() -> None:
        r.choose(fits(32), lambda: ends(32), lambda: r.move_bytes("memcpy", to, source, n))

    r.choose(fits(16), lambda: ends(16), longer)
    return ZERO
