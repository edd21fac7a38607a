"""The walk over one function: its variables, where control meets, and how it fails.

The same walk finds kinds and emits code. While it finds kinds, it notes in the instance's records
what it found where control meets; while it emits, it reads them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from attrs import frozen

from strategies.rules.code.coercion import coerce, fail, spread
from strategies.rules.code.polling import LOCAL, poll_again
from strategies.rules.code.program import Program
from strategies.rules.code.val import NOTHING, Arguments, Val, c32, c64
from strategies.rules.code.variables import Env, Variables, failed, merged, same_env
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.joining import apart, ended, hand_over, join, join_all, only_read
from strategies.rules.kinds.kind import I8, I64, NEVER, Closure, Either, Instance, Kind
from strategies.rules.language.messages import FIXED_FIELD, Refusal, unlike
from strategies.rules.language.sources import Source
from strategies.rules.machine.memory import CONTEXT, STACK

PATIENCE = 40  # rounds until the kinds in a loop must have settled


# What is done with the nodes of syntax trees, and how values of a kind are called. The modules of
# each subject add to these tables.
EXPRESSIONS: dict[type[ast.AST], Callable[[Walk, Any], Val]] = {}
STATEMENTS: dict[type[ast.AST], Callable[[Walk, Any], None]] = {}
TARGETS: dict[type[ast.AST], Callable[[Walk, Any, Val], None]] = {}
CALLS: dict[type[Kind], Callable[[Walk, Val, Arguments, ast.AST], Val]] = {}


class Merge:
    """A place where control meets: from several places, with a value or without."""

    def __init__(
        self, walk: Walk, node: ast.AST, what: str, valued: bool = False, env: Env | None = None
    ) -> None:
        self.walk, self.valued = walk, valued
        self.key = ("merge", id(node), walk.path, what)
        self.block = walk.block(what)
        self.envs: list[Env] = []
        self.kinds: list[Kind] = []
        self.target: Env | None = env
        self.kind: Kind = NEVER
        if env is None and not walk.infer:
            self.target, self.kind = walk.instance.records[self.key]
        self.out: Any = walk.temp(form(self.kind)) if valued and not walk.infer else NOTHING

    def arrive(self, a: Val | None = None) -> None:
        """Go there with the present variables."""
        w = self.walk
        if w.env is None:
            return
        if a is not None and a.kind is NEVER:
            w.stop()
            return
        if w.infer:
            self.envs.append(w.env)
            if a is not None:
                self.kinds.append(a.kind)
        else:
            if a is not None:
                w.store(coerce(w, a, self.kind).v, self.out)
            w.flow(self.target)
            w.goto(self.block)
        w.env = None

    def land(self) -> Val:
        """Continue there; return the value."""
        w = self.walk
        if w.infer:
            self.target, self.kind = merged(self.envs), join_all(self.kinds)
            w.instance.records[self.key] = self.target, self.kind
        w.at(self.block)
        w.env = None if self.target is None else dict(self.target)
        if w.env is None:
            w.unreachable()
            w.dead()
        if not self.valued or self.kind is NEVER:
            return w.never
        return Val(self.kind, w.load(self.out, form(self.kind)))


@frozen(eq=False)
class Loop:
    """A loop around the present place."""

    again: Merge
    after: Merge


@frozen(eq=False)
class Handler:
    """A `try` around the present place: where failures go, and what runs in any case.

    One that a library's loop makes goes on after StopIteration only: it is `quiet`.
    """

    caught: Merge
    status: Any
    finally_: list[ast.stmt]
    quiet: bool = False


class Walk(Variables):
    """One walk over an instance."""

    def __init__(self, program: Program, instance: Instance, emitting: bool) -> None:
        super().__init__(program, instance, emitting)
        self.frames: list[Loop | Handler] = []
        self.caught: list[Any] = []  # the statuses that `except` handles here; None in `finally`
        self.exceptions: dict[str, Any] = {}  # names of caught exceptions, and their statuses
        self.quiet = False  # whether failures are noted elsewhere
        self.comprehensions: list[Any] = []
        self.orderless: dict[ast.AST, list[Any]] = {}  # of loops over sets, what is asked of steps
        self.asked: ast.AST | None = None  # the comprehension whose reader asks for no order
        self.resumes = 0
        # Where the frame of the generator that is made next may lie, if only what uses it up sees
        # it: on the "stack", or in the "frame" of this generator; empty for the arena.
        self.used_up = ""
        self.choice: Any = NOTHING
        self.result: Any = NOTHING  # the place of a generator's result

    # Control

    def stop(self) -> None:
        """Nothing comes after this; what an expression still emits goes where nothing goes."""
        self.unreachable()
        self.dead()
        self.env = None

    def reached(self, a: Val) -> Val:
        """Return a value where control can be."""
        return a if self.env is not None else self.never

    def loop(
        self, node: ast.AST, what: str, step: Callable[[Merge], None], body: Callable[[], None],
        orelse: Iterable[ast.stmt] = (), polls: bool = False,
    ) -> None:  # fmt: skip
        """Run a loop. `step` goes on to the body, or arrives at `done`."""
        k = self.place(node, what + " head")
        assert self.env is not None
        if self.infer:
            head = dict(self.env)
            for _ in range(PATIENCE):
                self.env = dict(head)
                done, after, again = self._once(node, what, step, body, None, polls)
                new = merged([head, *again.envs]) or head
                if same_env(new, head):
                    break
                head = new
            else:
                raise Refusal("the kinds of the variables in this loop do not settle")
            self.instance.records[k] = head
        else:
            head = self.instance.records[k]
            self.flow(head)
            if polls:
                self.store(c64(LOCAL), self.slot((*self.place(node, what), "polls"), I64))
            top = self.block(what + " head")
            self.goto(top)
            self.at(top)
            self.env = dict(head)
            done, after, again = self._once(node, what, step, body, head, polls)
            self.at(again.block)
            self.goto(top)
        done.land()
        self.run(orelse)
        after.arrive()
        after.land()

    def _once(
        self, node: ast.AST, what: str, step: Callable[[Merge], None], body: Callable[[], None],
        head: Env | None, polls: bool,
    ) -> tuple[Merge, Merge, Merge]:  # fmt: skip
        polling = self.slot((*self.place(node, what), "polls"), I64) if polls else NOTHING
        done, after = Merge(self, node, what + " done"), Merge(self, node, what + " after")
        again = Merge(self, node, what + " again", env=head)
        self.frames.append(Loop(again, after))
        step(done)
        if self.env is not None:
            if polls:
                poll_again(self, polling)
            body()
        self.frames.pop()
        again.arrive()
        return done, after, again

    def go_on(self, test: Any, otherwise: Callable[[], None]) -> None:
        """Go on where something holds; else do something that leads away."""
        body, out = self.block("body"), self.block("done")
        self.branch(test, body, out)
        self.at(out)
        env = self.env
        self.env = dict(env or {})
        otherwise()
        self.env = None if env is None else dict(env)
        self.at(body)

    def check_stack(self) -> None:
        """Fail if the stack is nearly used up."""
        here = self.b.ptrtoint(self.temp(I8), I64)
        limit = self.b.ptrtoint(self.get(self.context, CONTEXT, STACK), I64)
        deep = self.b.icmp_unsigned("<", here, limit)
        self.check(deep, RecursionError, "the rules call themselves too deeply")

    # Failing

    def handler(self) -> Handler | None:
        return next((f for f in reversed(self.frames) if isinstance(f, Handler)), None)

    def fail(self, status: Any, error: type[BaseException] | None = None, always: str = "") -> None:
        """Leave with a status: to the innermost `try`, or to the caller."""
        if self.env is None:
            return
        handler, env = self.handler(), self.env
        if self.infer and error and always and handler is None and type(self.here) is not ast.Raise:
            told = Refusal(f"this always raises {error.__name__}, {always}")
            self.instance.failures.append(self.refused(self.here, told))
        if self.emitting and not self.quiet:
            for e in self.effects:
                e.errors.setdefault(error or Exception, self.here)
        if handler is not None:
            if self.infer or self.emitting:
                if self.emitting and handler.caught.target is None:
                    raise AssertionError("a failure that was not found while kinds were")
                self.env = dict(env)
                self.store(status, handler.status)
                handler.caught.arrive()
                self.env = env
        elif self.emitting:
            if self.source.is_generator:
                status = failed(self, status, error)
            self.b.ret(status)

    def give(self, a: Val) -> None:
        """Return a value from the function."""
        if self.env is None:
            return None
        if a.kind is NEVER:
            return self.stop()
        if self.infer:
            self.instance.returned = ended(join(self.instance.returned, a.kind))
        elif self.emitting:
            self.store(coerce(self, a, self.instance.returned).v, self.function.args[1])
            self.b.ret(c32(0))
        self.env = None
        return None

    def finish(self, a: Val | None = None) -> None:
        """End a generator, with a value that a `yield from` of it gets."""
        if self.env is None:
            return
        a = a or self.constant(None)
        if self.infer:
            self.instance.returned = ended(join(self.instance.returned, a.kind))
        if self.emitting:
            self.store(coerce(self, a, self.instance.returned).v, self.result)
            self.store(c64(-1), self.function.args[1])
            self.b.ret(c32(-1))
        self.env = None

    def yields(self, a: Val) -> None:
        """Hand a value to the loop around this generator, and go on when it asks for the next."""
        if self.env is None or a.kind is NEVER:
            return
        if self.infer:
            self.instance.yielded = ended(join(self.instance.yielded, a.kind))
            return
        if self.emitting:
            self.resumes += 1
            again = self.block(f"resume {self.resumes}")
            self.store(coerce(self, a, self.instance.yielded).v, self.function.args[2])
            self.store(c64(self.resumes), self.function.args[1])
            self.choice.add_case(c64(self.resumes), again)
            self.b.ret(c32(0))
            self.at(again)

    def checkpoint(self) -> None:
        """Let a library's generator go on from here after a failure, as it does from a yield."""
        if self.emitting:
            self.resumes += 1
            again = self.block(f"resume {self.resumes}")
            self.store(c64(self.resumes), self.function.args[1])
            self.choice.add_case(c64(self.resumes), again)
            self.goto(again)
            self.at(again)

    # Syntax

    def eval(self, node: ast.AST) -> Val:
        """Return the value of an expression."""
        if self.env is None:
            return self.never
        here, self.here = self.here, node
        try:
            build = EXPRESSIONS.get(type(node))
            if build is None:
                raise unlike(node)
            found = build(self, node)
        except Refusal as refusal:
            raise self.refused(node, refusal) from None
        self.here = here
        return found

    def eval_all(self, nodes: Iterable[ast.AST]) -> list[Val]:
        return [self.eval(n) for n in nodes]

    def run(self, statements: Iterable[ast.stmt]) -> None:
        """Run statements one after another, until control cannot be there."""
        for s in statements:
            if self.env is None:
                return
            self.here = s
            try:
                build = STATEMENTS.get(type(s))
                if build is None:
                    raise unlike(s)
                build(self, s)
            except Refusal as refusal:
                raise self.refused(s, refusal) from None

    def bind_target(self, target: ast.AST, a: Val) -> None:
        """Bind what stands on the left of `=`, after `for` or after `as` to a value."""
        build = TARGETS.get(type(target))
        if build is None:
            raise Refusal(FIXED_FIELD)
        build(self, target, a)

    # Calls

    def called(self, source: Source, args: Sequence[Val], closure: Val | None) -> Instance:
        """Return the instance of a function for arguments."""
        kind = closure.kind if closure is not None else None
        assert kind is None or isinstance(kind, Closure)
        read = only_read(source, [a.kind for a in args])
        kinds = [apart(a.kind) if i < read else a.kind for i, a in enumerate(args)]
        instance = self.program.instance(source, kinds, kind)
        for i, (a, k) in enumerate(zip(args, instance.kinds, strict=True)):
            hand_over(a.kind, k, i < read)
        self.note_call(instance)
        if self.infer:
            self.program.use(self.instance, instance)
        elif self.emitting:
            self.program.declare(instance)
        return instance

    def note_call(self, instance: Instance) -> None:
        """Note that the code calls a function."""
        self.instance.callees.add(instance)
        for e in self.effects if self.emitting else ():
            e.calls.setdefault(instance, self.here)
        tries = any(isinstance(f, Handler) and not f.quiet for f in self.frames)
        if self.emitting and tries and not self.source.is_builtin:
            self.program.guarded.add(instance)

    def note_write(self) -> None:
        """Note that the code writes to an array."""
        for e in self.effects if self.emitting else ():
            e.writes = True

    @contextmanager
    def noted(self, errors: Iterable[type[BaseException]] = ()) -> Iterator[None]:
        """Let failures here be known as certain errors, or as noted elsewhere."""
        before, self.quiet = self.quiet, True
        try:
            yield
        finally:
            self.quiet = before
        for e in self.effects if self.emitting and not before else ():
            e.errors = dict.fromkeys(errors, self.here) | e.errors

    def call(self, f: Any, *values: Val) -> Val:
        """Call a Python object that is known before."""
        given = Arguments(list(values), {})
        return self.call_value(self.constant(f), given, self.here)

    def call_value(self, f: Val, given: Arguments, node: ast.AST) -> Val:
        """Call a value with arguments."""
        if isinstance(f.kind, Either):
            return spread(self, f, lambda g: self.call_value(g, given, node))
        if f.kind is NEVER:
            return f
        build = CALLS.get(type(f.kind))
        if build is None:
            return fail(self, TypeError, f"{f.kind} is not callable")
        return build(self, f, given, node)
