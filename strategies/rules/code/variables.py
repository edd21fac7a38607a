"""Variables: the environment of a walk, and where their values lie.

Those of a generator lie in its frame, which also holds whether an error ends it.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from llvmlite import ir

from strategies.rules.code.coercion import coerce, fail, is_one_of, narrowed
from strategies.rules.code.emission import Code
from strategies.rules.code.program import Program
from strategies.rules.code.val import (
    FIXED,
    NOTHING,
    UNKNOWN,
    Counted,
    New,
    Val,
    c32,
    c64,
    undefined,
)
from strategies.rules.kinds.effects import Changed, Effects
from strategies.rules.kinds.forms import form, layout, offset
from strategies.rules.kinds.joining import Changes, join, join_all
from strategies.rules.kinds.kind import (
    EMPTY,
    I8,
    I64,
    INT,
    NEVER,
    PTR,
    UNSET,
    Boxed,
    Cell,
    Instance,
    Kind,
    Static,
)
from strategies.rules.kinds.parts import alternatives, is_cell, key, same
from strategies.rules.language.messages import Late, Refusal
from strategies.rules.language.names import names_of
from strategies.rules.language.reads import MISSING
from strategies.rules.language.sources import is_installed

CONSTANT = (
    "a list or table that rules share must not be changed; change a copy, list(…), or write "
    "functools.cache for what calls found"
)
INLINED = sys.version_info >= (3, 12)  # before, a comprehension is a function of its own
Env = dict[str, Kind]
FIELD = "/"  # before the name of a field in the name of what is known of it, as in `state/result`


def merged(envs: Iterable[Env]) -> Env | None:
    """Join the kinds of variables; one that is absent is not bound."""
    envs = list(envs)
    if not envs:
        return None
    names = {n: None for e in envs for n in e}
    names = {n: None for n in names if FIELD not in n or all(n in e for e in envs)}
    return {n: join_all(e.get(n, UNSET) for e in envs) for n in names}


def same_env(a: Env, b: Env) -> bool:
    return a.keys() == b.keys() and all(same(a[n], b[n]) for n in a)


class Variables(Code):
    """What a walk knows of the variables of its function, and of the places in it."""

    program: Program

    def __init__(self, program: Program, instance: Instance, emitting: bool) -> None:
        super().__init__(program, instance.function if emitting else None)
        self.instance, self.source = instance, instance.source
        self.infer = not emitting
        self.env: Env | None = {}
        self.scopes: list[dict[str, str]] = []
        self.here: ast.AST = instance.source.node
        self.slots: dict[Any, Any] = {}
        self.effects = [Effects()]  # of all code, and of comprehensions around this place
        self.small: dict[str, Any] = {}  # of loops' variables, whether all values are 0 to 63
        self.frame_end = 8  # of a generator: its state comes first

    # Places

    def where(self) -> tuple[str, int]:
        if self.source.is_ours:
            return "", 0
        return self.source.title, self.source.first + getattr(self.here, "lineno", 1)

    def refused(self, node: ast.AST, refusal: Refusal) -> Refusal:
        """Add the place to a refusal; inside of code of ours, the place is where it is called."""
        if self.source.is_ours:
            return refusal
        file = str(self.source.globals.get("__file__", ""))
        library = Path(file).name if is_installed(file) else ""
        return refusal.at(self.source.title, *self.source.place(node), library)

    def place(self, node: ast.AST, what: str) -> Any:
        return what, id(node), self.path

    def site(self, node: ast.AST, name: str, cells: int = 1, of: str = "") -> Boxed:
        """Return the kind of the containers that are made at a place, for one of its variables."""
        k = self.place(node, f"site {name} {of}")
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
                self.program.change()
            root.kind = met

    def change(self, a: Val, index: int, new: Kind) -> None:
        """Let a container that is changed have elements of a kind, too; those of rules may not."""
        k = a.boxed
        if not isinstance(a, New):
            if k.frozen:
                raise Refusal(CONSTANT)
            if k.mixed:
                words = c64(2 if k.name in ("list", "deque") else 5)  # its room, or what is filled
                found = self.load(self.element(a.v, I64, words), I64)
                self.check(self.b.icmp_signed("==", found, FIXED), Late, CONSTANT)
            self.note_change(k.cells[0])
        self.widen(k, index, new)

    def one_more(self, a: Val, x: Val) -> Any:
        """Let a list have an element, too; return it, or None if there is none."""
        if x.kind is NEVER:
            return None
        self.change(a, 0, x.kind)
        if a.boxed.item is NEVER:
            return None
        return coerce(self, x, a.boxed.item).v

    def note_change(self, one: Changed) -> None:
        """Note that the code changes something, which others may see."""
        for e in self.effects if self.emitting else ():
            e.changes.add(one)

    # Variables

    def slot(self, name: Any, t: ir.Type) -> Any:
        """Room that lasts as long as the call, in a generator's frame if this is one."""
        if not self.emitting:
            return NOTHING
        if name not in self.slots:
            self.slots[name] = self.room(t) if self.source.is_generator else self.temp(t)
        return self.slots[name]

    def room(self, t: ir.Type) -> Any:
        """Room in the frame of a generator."""
        width, align = layout(t)
        at = -(-self.frame_end // align) * align
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
        for known in [n for n in self.env if n.startswith(name + FIELD)]:
            del self.env[known]
        k = self.env.get(name)
        if a.kind is NEVER and not self.infer:
            if not is_cell(k):
                self.env[name] = NEVER
            return
        if isinstance(k, Boxed) and is_cell(k):
            self.note_change(k.cells[0])
            self.widen(k, 0, a.kind)
            if k.item is not NEVER:
                self.store(coerce(self, a, k.item).v, self.load(self.slot(("var", name), PTR), PTR))
            self.env[name] = Boxed("bound cell", *k.cells)
            return
        self.bind(name, a)

    def bind(self, name: str, a: Val) -> None:
        """Let a variable be its own, with a value."""
        assert self.env is not None
        t = form(a.kind)
        cell = is_cell(a.kind)
        if t != EMPTY:
            self.store(a.v, self.slot(("var", name) if cell else ("var", name, key(a.kind)), t))
        self.env[name] = a.kind

    def share(self, name: str, node: ast.AST) -> None:
        """Give a variable a cell, because inner functions see it change."""
        k = self.site(node, "cell", of=name)
        if self.infer and k.item is NEVER:
            k.cells[0].kind = UNSET
            Changes.note()
        t = form(k.item)
        place = self.alloc(c64(max(8, layout(t)[0])))
        if k.item is not NEVER:
            self.store(coerce(self, Val(UNSET, self.undef(UNSET)), k.item).v, place)
        self.bind(name, Val(k, place))

    def read(self, name: str) -> Val:
        """Return the value of a bound variable."""
        assert self.env is not None
        k = self.env[name]
        if isinstance(k, Boxed) and is_cell(k):
            place = self.load(self.slot(("var", name), PTR), PTR)
            a = Val(k.item, self.load(place, form(k.item)))
        else:
            a = self.read_raw(name)
        if UNSET not in alternatives(a.kind):
            return a
        # A builtin reads only what it has bound: Python's own is written in C.
        if self.source.is_builtin or (isinstance(k, Boxed) and k.name == "bound cell"):
            return self.known_bound(name, a)
        return self.bound(name, a)

    def place_of(self, node: ast.AST) -> str:
        """Return the name in the environment of a variable, or of a field that cannot change of the
        record in it; empty for others."""
        match node:
            case ast.Name(id=name) | ast.NamedExpr(target=ast.Name(id=name)):
                return self.full(name)
            case ast.Attribute(value=ast.Name() | ast.Attribute() as record, attr=field):
                place = self.place_of(record)
                return f"{place}{FIELD}{field}" if place else ""
        return ""

    def read_raw(self, name: str) -> Val:
        assert self.env is not None
        k = self.env[name]
        t = form(k)
        if t == EMPTY:
            return Val(k, undefined(EMPTY), _number_in(k))
        cell = is_cell(k)
        v = self.load(self.slot(("var", name) if cell else ("var", name, key(k)), t), t)
        return Counted(v, self.small[name]) if k is INT and name in self.small else Val(k, v)

    def bound(self, name: str, a: Val) -> Val:
        """Fail unless a variable is bound."""
        plain = name.partition("@")[0]
        own = plain in names_of(self.source.node).own
        error = self.unbound(name) if own else NameError
        message = f"{plain} is not bound"
        if a.kind is UNSET:
            return fail(self, error, message)
        unset = is_one_of(self, a, lambda i: i is UNSET)
        self.check(unset.v, error, message)
        return self.known_bound(name, a)

    def unbound(self, name: str) -> type[NameError]:
        """Return the error that Python raises for a variable of its function that is not bound."""
        outside = self.scopes and name not in self.scopes[-1].values()
        return NameError if outside and not INLINED else UnboundLocalError

    def known_bound(self, name: str, a: Val) -> Val:
        """Return the value of a variable that is bound, from now on."""
        assert self.env is not None
        if a.kind is UNSET:
            return self.never
        found, k = narrowed(self, a, lambda i: i is not UNSET), self.env[name]
        if isinstance(k, Boxed) and is_cell(k):
            self.env[name] = Boxed("bound cell", *k.cells)
        else:
            self.bind(name, found)
        return found

    def name(self, name: str) -> Val:
        """Return the value of a name."""
        full = self.full(name)
        if self.env is not None and full in self.env:
            return self.read(full)
        if name in names_of(self.source.node).own or full != name:
            return fail(self, self.unbound(full), f"{name} is not bound")
        found = self.outside(name)
        if found is not MISSING:
            return self.constant(found)
        missing = "bound" if self.outer_unbound(name) else "defined"
        return fail(self, NameError, f"{name} is not {missing}")

    def outside(self, name: str) -> Any:
        """Return what a name means outside of all functions around; `MISSING` if nothing."""
        source = self.source
        if name in source.closure:
            return source.closure[name]
        self.program.reads.name(source.globals, name)
        return source.globals.get(name, getattr(builtins, name, MISSING))

    def outer_unbound(self, name: str) -> bool:
        return self.instance.closure is not None and name in names_of(self.source.node).free

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


def _number_in(k: Kind) -> Any:
    """Return an int that is too wide to have a form."""
    return k.value if isinstance(k, Static) and type(k.value) is int else UNKNOWN


ENDED, RUNS = -1, -2  # states of a generator


def frame_places(instance: Instance) -> list[int]:
    """Return the offsets in a generator's frame of captures, arguments and the result."""
    kinds = [*instance.given, instance.returned]
    frame = ir.LiteralStructType([I64, *map(form, kinds)])  # its state comes first
    return [offset(frame, i + 1) for i in range(len(kinds))]


def failed(w: Variables, status: Any, error: type[BaseException] | None) -> Any:
    """Note an error in a generator's state; return the status that it is for who resumes it."""
    source, ends = w.source, c32(-1)
    if not source.is_builtin or source.name in source.globals.get("DIE", ()):  # it ends
        w.store(c64(ENDED), w.function.args[1])
    if not source.is_builtin:
        message = "generator raised StopIteration"
        ends = c32(w.program.error(RuntimeError, message, w.where()))
    if error is not None:
        return ends if issubclass(error, StopIteration) else status
    return w.b.select(w.b.call(w.program.matcher((StopIteration,)), [status]), ends, status)
