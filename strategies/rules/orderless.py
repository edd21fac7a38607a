"""Where a set may be iterated: only where no order can be told from another, for it is chance."""

from __future__ import annotations

import ast
from typing import Any

from strategies.rules.code import Val
from strategies.rules.contained import somewhere
from strategies.rules.kinds import (
    FLOAT,
    NONE,
    NUMBERS,
    Boxed,
    Generator,
    Kind,
    Member,
    Record,
    alternatives,
)
from strategies.rules.messages import Refusal
from strategies.rules.sources import parameters
from strategies.rules.walk import Walk

CHANCE = "the order of a set is chance; write sorted(…)"
HERE = "strategies.rules.builtins."
SUMS = ("sum_", "compensated_sum")
READERS = (*SUMS, "any_", "all_", "min_", "max_", "sorted_", "issuperset", "isdisjoint")
MARK = "orderless"
FOUND = "orderless found"
COMPREHENSION = "comprehension"  # says that a loop over a marked target is the comprehension's own
# Builtins whose result does not depend on the order of what they read.
SETTLED = (any, all, sum, min, max, sorted, set, frozenset)
STOPPING = (any, all)  # those that may not read everything
PURE = frozenset(
    (
        "abs",
        "all",
        "any",
        "bool",
        "divmod",
        "float",
        "int",
        "isinstance",
        "len",
        "max",
        "min",
        "range",
        "sorted",
        "sum",
        "tuple",
    )
)
PURE_FUNCTIONS: list[Any] = []
"""Functions that change nothing and cannot fail, besides Python's own."""


def check_order(w: Walk, node: ast.AST, a: Val, what: str) -> None:
    """Refuse an iteration over a set unless its order cannot matter."""
    item = a.boxed.item
    source = w.instance.source
    if source.globals.get("__name__", "").startswith(HERE) and source.name in READERS:
        return check_reader(source.name, w.instance, item)
    if what == COMPREHENSION and getattr(node, MARK, False):
        setattr(node, FOUND, True)
        return None
    raise Refusal(CHANCE)


def check_reader(name: str, instance: Any, item: Kind) -> None:
    """Refuse what a builtin makes of a set where the order shows."""
    if name in SUMS and not _is_exact(item):
        raise Refusal("the sum of floats depends on the order of a set; write sum(sorted(…))")
    if name in ("min_", "max_", "sorted_"):
        kinds = dict(zip(_parameters(instance), instance.kinds, strict=True))
        plain = name.removesuffix("_")
        if kinds.get("key") not in (None, NONE):
            raise Refusal(
                f"{plain} of a set by a key may meet equal keys; write {plain}(sorted(…), key=…)"
            )
        if somewhere(item, lambda k: k is FLOAT):
            raise Refusal(
                f"a set of floats may hold NaN, so {plain} depends on its order; write a list"
            )
        if somewhere(item, lambda k: isinstance(k, Boxed | Record)):
            raise Refusal(f"{plain} of a set of {item} depends on its order; write a list")


def _parameters(instance: Any) -> list[str]:
    return parameters(instance.node)


def _is_exact(k: Kind) -> bool:
    return all(i in NUMBERS and i is not FLOAT for i in alternatives(k))


def mixes_numbers(k: Kind) -> bool:
    """Whether equal values of a kind may differ in type, such as 1 and True."""
    return somewhere(k, _is_mixed)


def _is_mixed(k: Kind) -> bool:
    items = alternatives(k)
    many = [i for i in items if i in NUMBERS or (isinstance(i, Member) and issubclass(i.of, int))]
    return len(many) > 1 or sum(isinstance(i, Boxed) for i in items) > 1


# Comprehensions over sets


def mark(w: Walk, f: Any, node: ast.Call) -> None:
    """Let a generator expression read sets, if the builtin that reads it asks for no order."""
    if not any(f is s for s in SETTLED) or len(node.args) != 1 or node.keywords:
        return
    inner = node.args[0]
    if not isinstance(inner, ast.GeneratorExp | ast.ListComp | ast.SetComp):
        return
    mark_all(w, inner, f)


def mark_all(w: Walk, node: ast.GeneratorExp | ast.ListComp | ast.SetComp, f: Any) -> None:
    """Let a comprehension that a builtin reads iterate over sets, if nothing can tell."""
    stops = any(f is s for s in STOPPING) and isinstance(node, ast.GeneratorExp)
    if is_pure(w, node, 0 if stops else 1, node.generators[0].iter):
        for g in node.generators:
            setattr(g.target, MARK, True)


def _is_builtin(w: Walk, name: str) -> bool:
    own = w.full(name) in (w.env or ()) or name in w.source.globals or name in w.source.closure
    return name in PURE and not own


def _is_declared(w: Walk, name: str) -> bool:
    """Whether a name is one of `PURE_FUNCTIONS`."""
    own = w.full(name) in (w.env or ()) or name in w.source.closure
    return not own and any(w.source.globals.get(name) is f for f in PURE_FUNCTIONS)


def is_pure(w: Walk, node: ast.expr, failing: int, before: ast.expr | None = None) -> bool:
    """Whether no step of a comprehension, or a loop, can be told from another but by its value.

    It changes nothing, calls nothing unknown, and has at most so many places that can fail. What
    is evaluated `before` the steps may do all that.
    """
    found = 0
    outside = set(ast.walk(before)) if before is not None else set()
    for n in ast.walk(node):
        if n in outside:
            continue
        match n:
            case ast.Call(func=ast.Name(id=name), keywords=[]) if _is_builtin(w, name):
                found += name not in ("len", "abs", "bool", "isinstance", "tuple")
            case ast.Call(func=ast.Name(id=name), keywords=[]) if _is_declared(w, name):
                pass
            case ast.Subscript():
                found += 1
            case ast.BinOp(
                op=ast.FloorDiv() | ast.Mod() | ast.Div() | ast.Pow() | ast.LShift() | ast.RShift(),
                right=right,
            ):
                found += not (
                    isinstance(right, ast.Constant) and type(right.value) is int and right.value > 0
                )
            case (
                ast.Call()
                | ast.NamedExpr()
                | ast.Lambda()
                | ast.Await()
                | ast.Starred()
                | ast.JoinedStr()
            ):
                return False
            case ast.GeneratorExp() | ast.ListComp() | ast.SetComp() | ast.DictComp() if (
                n is not node
            ):
                return False
    return found <= failing


def check_call(w: Walk, f: Any, node: ast.Call, values: list[Val]) -> None:
    """Refuse a builtin that reads a comprehension over sets, if the order shows in its result."""
    inner = node.args[0] if len(node.args) == 1 else None
    if not isinstance(inner, ast.GeneratorExp | ast.ListComp | ast.SetComp):
        return
    if not any(getattr(g.target, FOUND, False) for g in inner.generators):
        return
    k = values[0].kind
    if isinstance(k, Generator):
        check_result(f, k.instance.yielded)
    elif isinstance(k, Boxed):
        check_result(f, k.item)


def check_result(f: Any, k: Kind) -> None:
    """Refuse what a builtin makes of values that come in the order of a set."""
    if f is sum and not _is_exact(k):
        raise Refusal(
            "the sum of floats depends on the order of a set; write sum(… for x in sorted(…))"
        )
    if f in (min, max, sorted) and (
        mixes_numbers(k) or somewhere(k, lambda i: i is FLOAT or isinstance(i, Boxed | Record))
    ):
        raise Refusal(
            f"{f.__name__} of {k} depends on the order of a set; write … for x in sorted(…)"
        )
    if f in (set, frozenset) and mixes_numbers(k):
        raise Refusal(
            "which of two equal elements stays depends on the order of a set; write sorted(…)"
        )
