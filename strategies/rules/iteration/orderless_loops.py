"""Loops over sets whose steps can be taken in any order: nobody can tell in which they were.

Such a loop stores the same value at places of a list that the elements name, removes elements from
a dict or set, adds to a set, or counts, also in a list or at keys that a dict has; or it changes
nothing, and returns the same wherever it returns. It reads nothing that it changes, and what it
binds is not read after it. The functions that it calls change nothing that is seen outside of a
step.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from attrs import define, field

from strategies.rules.code.val import Val
from strategies.rules.code.walk import Walk
from strategies.rules.iteration.orderless import (
    CHANCE,
    SEEN,
    check_effects,
    failing,
    is_exact,
    is_told_apart,
    mixes_numbers,
    outlasting,
    places_of,
    shows_first,
)
from strategies.rules.kinds.effects import Effects, outlasts_failure
from strategies.rules.kinds.kind import Boxed, Cell, Kind
from strategies.rules.kinds.parts import somewhere, within
from strategies.rules.language.messages import Refusal
from strategies.rules.language.names import names_in, names_of
from strategies.rules.language.sources import defaults_of

COUNTS = ast.Add | ast.Sub | ast.BitOr | ast.BitAnd | ast.BitXor
CAUGHT = "a step may fail inside of `try`, after some of the others"
RETURNS = "a step may return before another one that fails"
TAKING = {"set": ("add", "discard", "remove"), "dict": ("pop",)}
"""The methods that change tables in the same way in any order, if no others do."""


def check_loop(w: Walk, loop: ast.For, over: Val) -> None:
    """Refuse a loop over a set if the order of its steps may show."""
    found = _Body(w, set(names_in(loop.target, ast.Store)))
    found.run(loop.body)
    reads = [found.kind(name) for name in found.reads]
    changed = {cell for name in found.changed for cell in _cells(found.kind(name))}
    apart = not found.changed & (found.reads | found.bound)
    apart = apart and not any(changed & _cells(k) for k in (over.kind, *reads))
    alike = not found.returned or (len(found.returned) == 1 and not found.changed)
    steady = alike and not found.early & found.bound and not _read_outside(w, loop, found.bound)
    if loop.orelse or not (found.fine and apart and steady and found.commutes()):
        raise Refusal(CHANCE)
    outside = outlasting(w, {w.full(name) for name in found.bound})
    caught = w.handler() is not None
    shown = partial(_shown, w, changed, outside, caught, bool(found.returned))
    w.orderless.setdefault(loop, []).append((found.counted, shown))


@contextmanager
def stepping(w: Walk, loop: ast.For) -> Iterator[None]:
    """Note the effects of a loop's steps; refuse those of a loop over a set that show its order."""
    effects = Effects()
    w.effects.append(effects)
    yield
    w.effects.pop()
    for counted, shown in w.orderless.pop(loop, ()):
        for name in counted:
            if w.env is not None and not _is_exact(w.env.get(w.full(name))):
                raise Refusal(CHANCE)
        check_effects(w, loop, partial(shown, effects))


def _shown(
    w: Walk, changed: set[Cell], outside: list[Kind], caught: bool, returns: bool, effects: Effects
) -> str:
    """Return how the steps of a loop show their order; empty if they do not.

    Args:
        changed: what they may change.
        outside: the kinds of what outlasts a step.
        caught: whether the function goes on if a step fails; others may, which call it.
        returns: whether a step may return before the others.
    """
    if effects.are_seen(outside, but=changed):
        return SEEN
    errors = effects.raised()
    if errors and (caught or outlasts_failure(w.instance, changed, w.program.guarded)):
        return f"{CAUGHT}, as {places_of(effects)} may"
    if errors and returns:
        return f"{RETURNS}, as {places_of(effects)} may"
    return failing(effects)


def _cells(k: Kind | None) -> set[Cell]:
    """Return the cells of what can be changed in values of a kind."""
    boxes = [i for i in within(k) if isinstance(i, Boxed) and i.changes] if k is not None else []
    return {cell for one in boxes for cell in one.roots()}


def _is_exact(k: Kind | None) -> bool:
    """Whether sums, or unions, of values of a kind do not depend on their order."""
    if k is None:
        return False
    if isinstance(k, Boxed):
        return k.name == "set" and not shows_first(k.item)
    return is_exact(k)


def _read_outside(w: Walk, loop: ast.For, names: set[str]) -> bool:
    """Whether a name may be read outside of a loop that binds it, before it is bound again."""

    def reads(node: ast.AST, names: set[str]) -> bool:
        match node:
            case ast.For() if node is loop:
                return reads(node.iter, names)
            case ast.Name(id=name, ctx=ast.Load()):
                return name in names
            case ast.For(target=target, iter=over):
                own = names - names_in(target, ast.Store)
                return reads(over, names) or any(reads(s, own) for s in node.body)
            case ast.FunctionDef() | ast.Lambda() if node is not w.source.node:
                outside = [d for _, d in defaults_of(node)] + getattr(node, "decorator_list", [])
                used = names & names_of(node).free
                return bool(used) or any(reads(n, names) for n in outside)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                names = names.difference(*(names_in(g.target, ast.Store) for g in node.generators))
        return any(reads(n, names) for n in ast.iter_child_nodes(node))

    return reads(w.source.node, names)


@define
class _Body:
    """What the body of a loop does.

    Attributes:
        surely: the names that each step has bound so far.
        bound: all names that it binds.
        changes: the names of what it changes, and in which manner, one after another.
        reads, early: the names that it reads, and those which the same step has not bound before.
        counted: the names of numbers and sets to which it adds.
        returned: the texts of what it returns.
        depth: how many statements there are around the present one.
        fine: whether it does nothing else.
    """

    w: Walk
    surely: set[str]
    bound: set[str] = field(factory=set)
    changes: list[tuple[str, str]] = field(factory=list)
    reads: set[str] = field(factory=set)
    early: set[str] = field(factory=set)
    counted: set[str] = field(factory=set)
    returned: set[str] = field(factory=set)
    depth: int = 0
    fine: bool = True

    def __attrs_post_init__(self) -> None:
        self.bound |= self.surely

    def run(self, body: Iterable[ast.stmt]) -> None:
        before = set(self.surely)
        self.depth += 1
        for s in body:
            if not self.step(s):
                self.fine = False
        self.depth -= 1
        self.surely = before

    @property
    def changed(self) -> set[str]:
        return {name for name, _ in self.changes}

    def commutes(self) -> bool:
        """Whether what is changed is changed in one manner only.

        Or else elements are taken from a set, and then the same are added to it in each step.
        """
        for name in self.changed:
            cells = _cells(self.kind(name))
            one = {n for n in self.changed if n == name or _cells(self.kind(n)) & cells}
            manners = [manner for n, manner in self.changes if n in one]
            taken = [i for i, manner in enumerate(manners) if manner == "discard"]
            last = manners[len(taken) :]
            in_turn = taken == list(range(len(taken))) and set(last) == {"add the same"}
            if len({m.removesuffix(" the same") for m in manners}) > 1 and not in_turn:
                return False
        return True

    def step(self, s: ast.stmt) -> bool:
        match s:
            case ast.Pass():
                return True
            case ast.Return(value=value):
                self.returned.add(ast.dump(value) if value else "")
                return value is None or (self.is_same(value) and self.pure(value))
            case ast.Continue():
                self.depth += 1  # not each step comes to what follows
                return True
            case ast.If(test=test):
                pure = self.pure(test)
                self.run(s.body)
                self.run(s.orelse)
                return pure
            case ast.For(target=target, iter=over, orelse=[]):
                pure = self.pure(over) and self.bind(target)
                self.run(s.body)
                self.surely -= names_in(target, ast.Store)
                return pure
            case ast.Assign(targets=[ast.Name() | ast.Tuple() as target], value=value):
                return self.pure(value) and self.bind(target)
            case ast.Assign(targets=[ast.Subscript() as target], value=value):
                stored = self.item(target, f"store {ast.dump(value)}")
                return self.is_same(value) and self.pure(value) and stored is not None
            case ast.AugAssign(target=ast.Subscript() as target, op=op, value=value):
                exact = _is_exact(self.item(target, "count"))
                return exact and isinstance(op, ast.Add | ast.Sub) and self.pure(value)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                of_set = {ast.BitOr: "add", ast.Sub: "discard"}
                of_number = {ast.Add: "count", ast.Sub: "count"}
                manners = of_set if self.is_table(name, "set") else of_number
                self.changes.append((name, manners.get(type(op), type(op).__name__)))
                self.counted.add(name)
                return isinstance(op, COUNTS) and self.pure(value)
            case ast.Delete(targets=[ast.Subscript(value=ast.Name(id=name), slice=i)]):
                self.changes.append((name, "remove"))
                return self.is_table(name, "dict") and self.pure(i)
            case ast.Expr(value=ast.Call(ast.Attribute(ast.Name(id=name), how), args, [])):
                self.changes.append((name, self.manner(how, args)))
                known = any(self.is_table(name, t, how) and how in TAKING[t] for t in TAKING)
                return known and len(args) > 0 and all(map(self.pure, args))
        return False

    def manner(self, how: str, args: list[ast.expr]) -> str:
        """Return in which manner a method changes a table."""
        if how == "add" and self.depth == 1 and all(map(self.is_same, args)):
            return "add the same"
        if how == "pop":
            return "discard" if len(args) == 2 else "remove"
        return how

    def is_same(self, value: ast.expr) -> bool:
        """Whether an expression has the same value in each step."""
        return not names_in(value, ast.Load) & self.bound

    def bind(self, target: ast.expr) -> bool:
        """Note the names of a target, which must be nothing else."""
        names = names_in(target, ast.Store)
        self.bound |= names
        self.surely |= names
        return all(isinstance(n, ast.Name) for n in getattr(target, "elts", [target]))

    def pure(self, node: ast.expr) -> bool:
        names = names_in(node, ast.Load)
        self.reads |= names
        self.early |= names - self.surely
        return not any(isinstance(n, ast.NamedExpr) for n in ast.walk(node))

    def item(self, node: ast.expr, manner: str) -> Kind | None:
        """Return the kind of an item of a list, or of a list in lists; None if it is no such.

        It may count in a dict, too: the number is there already, so the order of keys stays.
        """
        depth = 0
        while isinstance(node, ast.Subscript):
            if not self.pure(node.slice):
                return None
            node, depth = node.value, depth + 1
        if not isinstance(node, ast.Name):
            return None
        self.changes.append((node.id, manner))
        k = self.kind(node.id)
        tables = ("list", "dict") if manner == "count" else ("list",)
        for _ in range(depth):
            if not (isinstance(k, Boxed) and k.name in tables):
                return None
            k = k.cells[-1].root().kind
        return k

    def kind(self, name: str) -> Kind | None:
        kind: Kind | None = (self.w.env or {}).get(self.w.full(name))
        return kind

    def is_table(self, name: str, table: str, how: str = "") -> bool:
        """Whether a name is of a table, which gets none of several equal elements that differ."""
        k = self.kind(name)
        if not (isinstance(k, Boxed) and k.name == table):
            return False
        return not (mixes_numbers(k.item) or (how == "add" and somewhere(k.item, is_told_apart)))
