"""The walk over one function: its variables, where control meets, and how it fails.

The same walk finds kinds and emits code. While it finds kinds, it notes in the instance's records
what it found where control meets; while it emits, it reads them.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable
from typing import Any

from llvmlite import ir

from strategies.rules.code import (
    CONTEXT,
    COUNTDOWN,
    FIXED,
    MAIN,
    NOTHING,
    ONE,
    RAISED,
    STACK,
    STOPS,
    UNKNOWN,
    Code,
    Val,
    c1,
    c32,
    c64,
    undefined,
)
from strategies.rules.kinds import (
    EMPTY,
    I1,
    I8,
    I32,
    I64,
    NEVER,
    PTR,
    UNSET,
    VOID,
    Boxed,
    Cell,
    Kind,
    Static,
    alternatives,
    form,
    join,
    join_all,
    key,
    layout,
    same,
)
from strategies.rules.messages import Late, Refusal, unlike
from strategies.rules.program import Instance, Program
from strategies.rules.sources import names_of, parameters
from strategies.rules.values import coerce, fail, is_one_of, narrowed

PATIENCE = 40  # rounds until the kinds in a loop must have settled
POLL_EVERY = 1 << 16
CONSTANT = "a list or table that rules share must not be changed; change a copy, list(…)"
POLL_LOCAL = 128  # the steps of a loop after which it counts them with those of others
Env = dict[str, Kind]


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
            return Val(NEVER, w.undef(NEVER))
        return Val(self.kind, w.load(self.out, form(self.kind)))


class Loop:
    """A loop around the present place."""

    def __init__(self, again: Merge, after: Merge) -> None:
        self.again, self.after = again, after


class Handler:
    """A `try` around the present place: where failures go, and what runs in any case."""

    def __init__(
        self, caught: Merge, status: Any, finally_: list[ast.stmt], path: tuple[Any, ...]
    ) -> None:
        self.caught, self.status, self.finally_, self.path = caught, status, finally_, path


def merged(envs: Iterable[Env]) -> Env | None:
    """Join the kinds of variables; one that is absent is not bound."""
    envs = list(envs)
    if not envs:
        return None
    names = {n: None for e in envs for n in e}
    return {n: join_all(e.get(n, UNSET) for e in envs) for n in names}


def same_env(a: Env, b: Env) -> bool:
    return a.keys() == b.keys() and all(same(a[n], b[n]) for n in a)


class Walk(Code):
    """One walk over an instance."""

    def __init__(self, program: Program, instance: Instance, emitting: bool) -> None:
        super().__init__(program, instance.function if emitting else None)
        self.instance, self.source = instance, instance.source
        self.infer = not emitting
        self.env: Env | None = {}
        self.frames: list[Loop | Handler] = []
        self.scopes: list[dict[str, str]] = []
        self.caught: list[Any] = []  # the statuses that `except` handles here; None in `finally`
        self.exceptions: dict[str, Any] = {}  # names of caught exceptions, and their statuses
        self.here: ast.AST = instance.node
        self.slots: dict[Any, Any] = {}
        self.frame_end = 8  # of a generator: its state comes first
        self.resumes = 0
        self.used_up = (
            False  # whether the generator that is made next lasts only as long as this call
        )
        self.count = 0
        self.choice: Any = NOTHING
        self.result: Any = NOTHING  # the place of a generator's result

    # Places

    def where(self) -> tuple[str, int]:
        return self.instance.name, self.source.first + getattr(self.here, "lineno", 1)

    def refused(self, node: ast.AST, refusal: Refusal) -> Refusal:
        line = getattr(node, "lineno", 1)
        source = self.source.lines[line - 1] if line <= len(self.source.lines) else ""
        indent = len(source) - len(source.lstrip())
        column = max(0, getattr(node, "col_offset", 0) - indent)
        return refusal.at(self.instance.name, self.source.first + line, column, source.strip())

    def place(self, node: ast.AST, what: str) -> Any:
        return what, id(node), self.path

    def site(self, node: ast.AST, name: str, cells: int = 1) -> Boxed:
        """Return the kind of the containers that are made at a place."""
        k = self.place(node, "site " + name)
        if k not in self.instance.records:
            self.instance.records[k] = Boxed(name, *(Cell() for _ in range(cells)))
        found: Boxed = self.instance.records[k]
        return found

    def widen(self, k: Boxed, index: int, new: Kind) -> None:
        """Let a container have elements of a kind, too."""
        root = k.cells[index].root()
        if self.infer:
            met = join(root.kind, new)
            root = root.root()
            if not same(met, root.kind):
                self.program.changed = True
            root.kind = met

    def change(self, a: Val, index: int, new: Kind) -> None:
        """Let a container that is changed have elements of a kind, too; those of rules may not."""
        k = a.kind
        assert isinstance(k, Boxed)
        if k.frozen:
            raise Refusal(CONSTANT)
        if k.mixed:
            words = c64(2 if k.name in ("list", "deque") else 5)  # its room, or what is filled
            found = self.load(self.element(a.v, I64, words), I64)
            self.check(self.b.icmp_signed("==", found, FIXED), Late, CONSTANT)
        self.widen(k, index, new)

    # Variables

    def slot(self, name: Any, t: ir.Type) -> Any:
        """Room that lasts as long as the call, in a generator's frame if this is one."""
        if not self.emitting:
            return NOTHING
        if name not in self.slots:
            self.slots[name] = self.room(t) if self.instance.is_generator else self.temp(t)
        return self.slots[name]

    def room(self, t: ir.Type) -> Any:
        """Room in the frame of a generator."""
        width, align = layout(t)
        at = -(-self.frame_end // max(align, 1)) * align if align else self.frame_end
        self.frame_end = at + width
        return self.entry.gep(self.function.args[1], [c64(at)], source_etype=I8, inbounds=True)

    def full(self, name: str) -> str:
        """Return the name of a variable, which differs in a comprehension."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return name

    def assign(self, name: str, a: Val) -> None:
        """Bind a variable."""
        if self.env is None:
            return
        name = self.full(name)
        k = self.env.get(name)
        if a.kind is NEVER and not self.infer:
            if not (isinstance(k, Boxed) and k.name == "cell"):
                self.env[name] = NEVER
            return
        if isinstance(k, Boxed) and k.name == "cell":
            self.widen(k, 0, a.kind)
            if k.item is not NEVER:
                self.store(coerce(self, a, k.item).v, self.load(self.slot(("var", name), PTR), PTR))
            return
        self.bind(name, a)

    def bind(self, name: str, a: Val) -> None:
        """Let a variable be its own, with a value."""
        assert self.env is not None
        t = form(a.kind)
        cell = isinstance(a.kind, Boxed) and a.kind.name == "cell"
        if t != EMPTY:
            self.store(a.v, self.slot(("var", name) if cell else ("var", name, key(a.kind)), t))
        self.env[name] = a.kind

    def share(self, name: str, node: ast.AST) -> None:
        """Give a variable a cell, because inner functions see it change."""
        k = self.site(node, "cell")
        if self.infer and k.item is NEVER:
            k.cells[0].kind = UNSET
        t = form(k.item)
        place = self.alloc(c64(max(8, layout(t)[0])))
        if k.item is not NEVER:
            self.store(coerce(self, Val(UNSET, self.undef(UNSET)), k.item).v, place)
        self.bind(name, Val(k, place))

    def read(self, name: str) -> Val:
        """Return the value of a bound variable."""
        assert self.env is not None
        k = self.env[name]
        if isinstance(k, Boxed) and k.name == "cell":
            place = self.load(self.slot(("var", name), PTR), PTR)
            a = Val(k.item, self.load(place, form(k.item)))
        else:
            a = self.read_raw(name)
        if UNSET in alternatives(a.kind):
            return self.bound(name, a, cell=isinstance(k, Boxed) and k.name == "cell")
        return a

    def read_raw(self, name: str) -> Val:
        assert self.env is not None
        k = self.env[name]
        t = form(k)
        if t == EMPTY:
            return Val(k, undefined(EMPTY), _number_in(k))
        cell = isinstance(k, Boxed) and k.name == "cell"
        return Val(k, self.load(self.slot(("var", name) if cell else ("var", name, key(k)), t), t))

    def bound(self, name: str, a: Val, cell: bool) -> Val:
        """Fail unless a variable is bound."""
        plain = name.partition("@")[0]
        own = plain in names_of(self.instance.node).own
        error = UnboundLocalError if own else NameError
        message = f"{plain} is not bound"
        if a.kind is UNSET:
            return fail(self, error, message)
        unset = is_one_of(self, a, lambda k: k is UNSET)
        self.check(unset.v, error, message)
        found = narrowed(self, a, lambda k: k is not UNSET)
        if not cell:
            self.bind(name, found)
        return found

    def name(self, name: str) -> Val:
        """Return the value of a name."""
        full = self.full(name)
        if self.env is not None and full in self.env:
            return self.read(full)
        if name in names_of(self.instance.node).own or full != name:
            return fail(self, UnboundLocalError, f"{name} is not bound")
        source = self.source
        if name in source.closure:
            return self.program.constants.value(source.closure[name])
        self.program.reads.name(source.globals, name)
        if name in source.globals:
            return self.program.constants.value(source.globals[name])
        if hasattr(builtins, name):
            return self.program.constants.value(getattr(builtins, name))
        if self.outer_unbound(name):
            return fail(self, NameError, f"{name} is not bound")
        return fail(self, NameError, f"{name} is not defined")

    def outer_unbound(self, name: str) -> bool:
        return self.instance.closure is not None and name in names_of(self.instance.node).free

    def flow(self, target: Env | None) -> None:
        """Bring the variables to the kinds that they have where control meets."""
        if target is None or self.env is None or not self.emitting:
            return
        for n, k in target.items():
            have = self.env.get(n)
            if have is None:
                self.bind(n, coerce(self, Val(UNSET, self.undef(UNSET)), k))
            elif not same(have, k):
                self.bind(n, coerce(self, self.read_raw(n), k))

    # Control

    def stop(self) -> None:
        """Nothing comes after this; what an expression still emits goes where nothing goes."""
        self.unreachable()
        self.dead()
        self.env = None

    def loop(
        self, node: ast.AST, what: str, step: Callable[[Merge], None], body: Callable[[], None],
        orelse: Iterable[ast.stmt] = (), polls: bool = False,
    ) -> None:  # fmt: skip
        """Run a loop. `step` goes on to the body, or arrives at `done`."""
        from strategies.rules.statements import run

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
                self.store(c64(POLL_LOCAL), self.slot((*self.place(node, what), "polls"), I64))
            top = self.block(what + " head")
            self.goto(top)
            self.at(top)
            self.env = dict(head)
            done, after, again = self._once(node, what, step, body, head, polls)
            self.at(again.block)
            self.goto(top)
        done.land()
        run(self, list(orelse))
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
                self.poll_again(polling)
            body()
        self.frames.pop()
        again.arrive()
        return done, after, again

    def poll_again(self, place: Any) -> None:
        """Ask from time to time whether to stop, by a count of the loop's own, which is cheap."""
        left = self.b.sub(self.load(place, I64), ONE)
        self.store(left, place)
        with self.when(self.b.icmp_signed("<", left, c64(0)), rare=True):
            self.store(c64(POLL_LOCAL), place)
            self.poll(POLL_LOCAL)

    def poll(self, steps: int = 1) -> None:
        """Ask from time to time whether to stop."""
        left = self.b.sub(self.get(self.context, CONTEXT, COUNTDOWN), c64(steps))
        self.put(self.context, CONTEXT, COUNTDOWN, left)
        with self.when(self.b.icmp_signed("<", left, c64(0)), rare=True):
            self.put(self.context, CONTEXT, COUNTDOWN, c64(POLL_EVERY))
            self.check(self.signalled(), KeyboardInterrupt, "stopped")

    def signalled(self) -> Any:
        """Return whether to stop: a search was stopped, or a handler of Python's signals raised,
        which the caller finds."""

        def build(r: Code, _: Any) -> Any:
            out = r.temp(I1)
            stops = r.get(r.context, CONTEXT, STOPS)
            r.store(c1(False), out)
            with r.when(r.b.icmp_unsigned("!=", r.b.ptrtoint(stops, I64), c64(0))):
                r.store(r.b.icmp_signed("!=", r.load(stops, I64), c64(0)), out)
            with r.when(r.b.icmp_signed("!=", r.get(r.context, CONTEXT, MAIN), c64(0))):
                r.store(r.b.or_(r.load(out, I1), handled(r)), out)
            return r.load(out, I1)

        def handled(r: Code) -> Any:
            held = r.intrinsic("jam.python.PyGILState_Ensure", I32, [])
            found = r.intrinsic("jam.python.PyErr_CheckSignals", I32, [])
            raised = r.b.icmp_signed("!=", found, c32(0))
            with r.when(raised, rare=True):
                places = [r.field(r.context, CONTEXT, i) for i in RAISED]
                r.intrinsic("jam.python.PyErr_Fetch", VOID, places)
            r.intrinsic("jam.python.PyGILState_Release", VOID, [held])
            return raised

        return self.helper("jam.signalled", I1, [], build)

    def check_stack(self) -> None:
        """Fail if the stack is nearly used up."""
        here = self.b.ptrtoint(self.temp(I8), I64)
        limit = self.b.ptrtoint(self.get(self.context, CONTEXT, STACK), I64)
        deep = self.b.icmp_unsigned("<", here, limit)
        self.check(deep, RecursionError, "the rules call themselves too deeply")

    # Failing

    def handler(self) -> Handler | None:
        return next((f for f in reversed(self.frames) if isinstance(f, Handler)), None)

    def fail(self, status: Any, error: type[BaseException] | None = None) -> None:
        """Leave with a status: to the innermost `try`, or to the caller."""
        if self.env is None:
            return
        handler, env = self.handler(), self.env
        if handler is not None:
            if self.infer or self.emitting:
                if self.emitting and handler.caught.target is None:
                    raise AssertionError("a failure that was not found while kinds were")
                self.env = dict(env)
                self.store(status, handler.status)
                handler.caught.arrive()
                self.env = env
        elif self.emitting:
            if self.instance.is_generator:
                from strategies.rules.generators import failed

                status = failed(self, status, error)
            self.b.ret(status)

    def give(self, a: Val) -> None:
        """Return a value from the function."""
        if self.env is None:
            return None
        if a.kind is NEVER:
            return self.stop()
        if self.infer:
            self.instance.returned = join(self.instance.returned, a.kind)
        elif self.emitting:
            self.store(coerce(self, a, self.instance.returned).v, self.function.args[1])
            self.b.ret(c32(0))
        self.env = None
        return None

    def finish(self, a: Val | None = None) -> None:
        """End a generator, with a value that a `yield from` of it gets."""
        if self.env is None:
            return
        a = a or self.program.constants.value(None)
        if self.infer:
            self.instance.returned = join(self.instance.returned, a.kind)
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
            self.instance.yielded = join(self.instance.yielded, a.kind)
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

    # Expressions

    def eval(self, node: ast.AST) -> Val:
        """Return the value of an expression."""
        from strategies.rules.expressions import EXPRESSIONS

        if self.env is None:
            return Val(NEVER, self.undef(NEVER))
        here, self.here = self.here, node
        try:
            build = EXPRESSIONS.get(type(node))
            if build is None:
                raise unlike(node)
            found: Val = build(self, node)
        except Refusal as refusal:
            raise self.refused(node, refusal) from None
        self.here = here
        return found

    def eval_all(self, nodes: Iterable[ast.AST]) -> list[Val]:
        return [self.eval(n) for n in nodes]


def _number_in(k: Kind) -> Any:
    """Return an int that is too wide to have a form."""
    return k.value if isinstance(k, Static) and type(k.value) is int else UNKNOWN


def walk(program: Program, instance: Instance, emitting: bool) -> None:
    """Walk over an instance once."""
    from strategies.rules.statements import run

    w = Walk(program, instance, emitting)
    try:
        _begin(w)
        node = instance.node
        if isinstance(node, ast.Lambda):
            w.give(w.eval(node.body))
        elif isinstance(node, ast.GeneratorExp):
            from strategies.rules.comprehensions import generate

            generate(w, node)
        else:
            run(w, node.body)
    except Refusal as refusal:
        raise w.refused(node, refusal) from None
    if w.env is not None:
        if instance.is_generator:
            w.finish()
        else:
            w.give(program.constants.value(None))
    if emitting and instance.is_generator:
        instance.frame_size.initializer = c64(w.frame_end)
    w.close()


def _begin(w: Walk) -> None:
    """Bind the parameters and what the function captured."""
    instance = w.instance
    names, closure = parameters(instance.node), instance.closure
    captured = list(zip(closure.names, closure.kinds, strict=True)) if closure else []
    given = [*captured, *zip(names, instance.kinds, strict=True)]
    if instance.is_generator:
        from strategies.rules.generators import entered

        entered(w)
        places = [w.room(form(k)) if w.emitting else NOTHING for _, k in given]
        w.result = w.room(form(instance.returned)) if w.emitting else NOTHING
        values = [Val(k, w.load(p, form(k))) for (_, k), p in zip(given, places, strict=True)]
    else:
        args = list(w.function.args[2:]) if w.emitting else []
        if w.emitting and closure:
            captured_values = [w.part(args[0], i) for i in range(len(captured))]
            args = [*captured_values, *args[1:]]
        values = [Val(k, args[i] if w.emitting else NOTHING) for i, (_, k) in enumerate(given)]
        if instance.recursive():
            w.check_stack()
            w.poll()
    shared = names_of(instance.node).shared
    for (n, _), a in zip(given, values, strict=True):
        if n in shared:
            w.share(n, instance.node if len(shared) == 1 else _Named(instance.node, n))
        w.assign(n, a) if n in shared else w.bind(n, a)
    for n in sorted(shared - set(names)):
        w.share(n, _Named(instance.node, n))


_named: dict[tuple[int, str], ast.AST] = {}


def _Named(node: ast.AST, name: str) -> ast.AST:
    """A node that stands for a variable of a function."""
    return _named.setdefault((id(node), name), ast.Name(name))


def frame_places(instance: Instance) -> list[int]:
    """Return the offsets in a generator's frame of captures, arguments and the result."""
    at, places = 8, []
    captured = list(instance.closure.kinds) if instance.closure else []
    for k in [*captured, *instance.kinds, instance.returned]:
        width, align = layout(form(k))
        at = -(-at // align) * align
        places.append(at)
        at += width
    return places
