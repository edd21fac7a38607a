"""Expressions: names, constants, operators, and displays, with their stars."""

from __future__ import annotations

import ast
from functools import partial

from strategies.rules.calls.arguments import list_with_stars, starred, tuple_with_stars
from strategies.rules.calls.invoking import make_closure
from strategies.rules.code.coercion import fail, narrowed, opposite, tuple_of
from strategies.rules.code.val import Val
from strategies.rules.code.walk import EXPRESSIONS, Merge, Walk
from strategies.rules.containers import tables
from strategies.rules.containers.tables import MAPPINGS
from strategies.rules.kinds.kind import NEVER, Keywords
from strategies.rules.kinds.parts import alternatives, named
from strategies.rules.language.messages import Refusal, advised
from strategies.rules.operations import items, mappings, operators, sequences
from strategies.rules.operations.attributes import attribute
from strategies.rules.operations.sets import pour
from strategies.rules.syntax import comprehensions
from strategies.rules.syntax.conditions import branch_on, may_be_false, may_be_true, narrow
from strategies.rules.values import records
from strategies.rules.values.specials import truth

STACK = 30  # so many values does Python hold before it begins to build


def set_(w: Walk, n: ast.Set) -> Val:
    """Return a set of elements, some of which may be starred."""
    stars = [isinstance(e, ast.Starred) for e in n.elts]
    first = stars.index(True) if True in stars else len(stars)
    first = 0 if len(n.elts) > STACK else first
    values = w.eval_all(n.elts[:first])
    made = tables.new(w, n, "set")
    for v in values:
        tables.add(w, made, v)
    for i, e in enumerate(n.elts[first:]):
        if isinstance(e, ast.Starred):
            pour(w, e, made, w.eval(e.value), f"star {i}")
        else:
            tables.add(w, made, w.eval(e))
    return w.reached(made)


def dict_(w: Walk, n: ast.Dict) -> Val:
    """Return a dict of items, and of those of mappings with two stars."""
    made = tables.new(w, n, "dict")
    waiting: list[tuple[Val, Val]] = []

    def put_all() -> None:
        for i, x in waiting:
            tables.put(w, made, i, x)
        waiting.clear()

    for number, (k, v) in enumerate(zip(n.keys, n.values, strict=True)):
        if k is None:
            put_all()
            _merge(w, n, made, w.eval(v), f"stars {number}")
        else:
            i = w.eval(k)
            waiting.append((i, w.eval(v)))
            if 2 * len(n.keys) > STACK:
                put_all()
    put_all()
    return w.reached(made)


def _merge(w: Walk, node: ast.AST, made: Val, a: Val, what: str) -> None:
    if a.kind is NEVER:
        return
    if not named(a.kind, MAPPINGS):
        fail(w, TypeError, f"{a.kind} is not a mapping")
        return
    mappings.update(w, node, made, a, what)


def constant(w: Walk, n: ast.Constant) -> Val:
    if n.value is ... or isinstance(n.value, bytes | complex):
        instead = {bytes: "write a text, or a tuple of ints", complex: "write two floats"}
        raise advised(
            repr(n.value), instead.get(type(n.value), "write `pass`, or each index of an array")
        )
    return w.constant(n.value)


def name(w: Walk, n: ast.Name) -> Val:
    a = w.name(n.id)
    if isinstance(a.kind, Keywords):
        raise Refusal(f"`**{n.id}` is only passed on, as `**{n.id}`; name what is used")
    return a


def named_expression(w: Walk, n: ast.NamedExpr) -> Val:
    a = w.eval(n.value)
    # Inside of a comprehension, the name is the function's.
    scopes, w.scopes = w.scopes, []
    w.assign(n.target.id, a)
    w.scopes = scopes
    return a


def tuple_(w: Walk, n: ast.Tuple) -> Val:
    if any(isinstance(e, ast.Starred) for e in n.elts):
        return tuple_with_stars(w, _elements(w, n))
    return tuple_of(w, w.eval_all(n.elts))


def list_(w: Walk, n: ast.List) -> Val:
    if any(isinstance(e, ast.Starred) for e in n.elts):
        return list_with_stars(w, n, _elements(w, n))
    return sequences.list_of(w, n, w.eval_all(n.elts))


def _elements(w: Walk, n: ast.Tuple | ast.List) -> list[tuple[bool, Val]]:
    """Return the elements, and whether each is a tuple that was starred."""
    return [
        (True, starred(w, e)) if isinstance(e, ast.Starred) else (False, w.eval(e)) for e in n.elts
    ]


def conditional(w: Walk, n: ast.IfExp) -> Val:
    yes, no, after = Merge(w, n, "then"), Merge(w, n, "else"), Merge(w, n, "value", valued=True)
    branch_on(w, n.test, yes, no)
    for merge, e in ((yes, n.body), (no, n.orelse)):
        merge.land()
        if w.env is not None:
            after.arrive(w.eval(e))
    return after.land()


def either(w: Walk, n: ast.BoolOp) -> Val:
    """`and` or `or` as a value: the first operand that decides, or the last."""
    stop = isinstance(n.op, ast.Or)
    after = Merge(w, n, "value", valued=True)

    def decide(a: Val) -> None:
        # It is no longer of a kind that cannot decide.
        possible = may_be_true if stop else may_be_false
        after.arrive(narrowed(w, a, possible) if any(map(possible, alternatives(a.kind))) else a)

    for e in n.values[:-1]:
        a = w.eval(e)
        t = truth(w, a)
        if t.kind is NEVER:
            break
        if t.known:
            if t.py == stop:
                after.arrive(a)
                break
            narrow(w, e, t.py)
            continue
        w.go_on(w.b.not_(t.v) if stop else t.v, partial(decide, a))
        narrow(w, e, not stop)
    else:
        after.arrive(w.eval(n.values[-1]))
    return after.land()


def unary(w: Walk, n: ast.UnaryOp) -> Val:
    if isinstance(n.op, ast.Not):
        return opposite(w, truth(w, w.eval(n.operand)))
    return operators.unary(w, type(n.op), w.eval(n.operand))


def comparison(w: Walk, n: ast.Compare) -> Val:
    left = w.eval(n.left)
    if len(n.ops) == 1:
        return operators.compare(w, n.ops[0], left, w.eval(n.comparators[0]))
    after = Merge(w, n, "value", valued=True)
    for i, (op, e) in enumerate(zip(n.ops, n.comparators, strict=True)):
        right = w.eval(e)
        found = operators.compare(w, op, left, right)
        if found.kind is NEVER or i == len(n.ops) - 1:
            after.arrive(found)
            break
        t = truth(w, found)
        if t.kind is NEVER:
            w.stop()
            break
        w.go_on(t.v, partial(after.arrive, Val(found.kind, found.v)))
        left = right
    return after.land()


def subscript(w: Walk, n: ast.Subscript) -> Val:
    a = w.eval(n.value)
    if isinstance(n.slice, ast.Tuple) and any(isinstance(e, ast.Slice) for e in n.slice.elts):
        return items.view(w, a, [items.index_of(w, e) for e in n.slice.elts])
    return items.get(w, a, items.index_of(w, n.slice), n)


def attribute_(w: Walk, n: ast.Attribute) -> Val:
    if records.is_super(n.value):
        return records.super_attribute(w, n.attr)
    place = w.place_of(n)
    if w.env is not None and place in w.env:  # a condition has told its kind
        return w.read_raw(place)
    return attribute(w, w.eval(n.value), n.attr)


EXPRESSIONS.update(
    {
        ast.Constant: constant,
        ast.Name: name,
        ast.NamedExpr: named_expression,
        ast.Tuple: tuple_,
        ast.List: list_,
        ast.Set: set_,
        ast.Dict: dict_,
        ast.IfExp: conditional,
        ast.BoolOp: either,
        ast.UnaryOp: unary,
        ast.BinOp: lambda w, n: operators.binary(w, type(n.op), w.eval(n.left), w.eval(n.right), n),
        ast.Compare: comparison,
        ast.Subscript: subscript,
        ast.Attribute: attribute_,
        ast.Lambda: make_closure,
        ast.ListComp: comprehensions.list_comprehension,
        ast.SetComp: comprehensions.set_comprehension,
        ast.DictComp: comprehensions.dict_comprehension,
        ast.GeneratorExp: comprehensions.generator_expression,
    }
)
