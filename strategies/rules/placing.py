"""Places of refusals that no walk over a rule has: of what a rule returns, and of first values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from strategies.rules.kinds.kind import (
    Array,
    Boxed,
    Closure,
    Generator,
    Keywords,
    Kind,
    Method,
    Record,
    Scalar,
)
from strategies.rules.kinds.parts import named, parts, somewhere, within
from strategies.rules.language.messages import OWN_FACTORY, UNREAD, Refusal
from strategies.rules.language.sources import Source, own_nodes, source_of, yields

UNREADABLE = Method | Closure | Generator | Keywords
"""The kinds of values that cannot be given to Python."""
FALLS = "; a path of it ends without `return`"
NONE = "; return another value if it is None, or write `assert … is not None` before"


def at_rule(refusal: Refusal, about: Any, name: str) -> Refusal:
    """Point at the last `return` of a rule, or at its first line, unless a place is known."""
    function = getattr(type(about), name, None)
    function = getattr(function, "__wrapped__", function)  # of one under `functools.cache`
    if refusal.line or not isinstance(function, FunctionType):
        return refusal
    try:
        source = source_of(function)
    except Refusal:
        return refusal
    if source.is_ours:
        return refusal
    falls = at_return(refusal, source)
    told = f"{type(about).__qualname__}.{name}"
    if source.name.rpartition(".")[2] != name:
        refusal.function = told  # the function has another name
    if refusal.reason.startswith(f"{told} "):
        refusal.reason = "it " + refusal.reason.removeprefix(f"{told} ")
        if " None" in refusal.reason.partition(", not ")[0]:
            refusal.reason += FALLS if falls else NONE
    return refusal


def at_return(refusal: Refusal, source: Source) -> bool:
    """Point at the last `return` of a function, or at its first line if it may end without; return
    whether it may."""
    node = source.node
    if not isinstance(node, ast.FunctionDef):
        return False
    nodes = own_nodes(node)
    falls = not yields(nodes) and may_end(node.body)
    last = [n for n in nodes if isinstance(n, ast.Return) and n.value is not None]
    refusal.at(source.name, *source.place(node if falls or not last else last[-1]))
    return falls


def check_result(given: Sequence[Kind], returned: Kind) -> None:
    """Refuse what Python cannot be given: as a result, or in an argument that can change."""
    for k in (returned, *(g for g in given if isinstance(g, Boxed))):
        for i in within(k):
            if named(i, ("defaultdict",)) and isinstance([*parts(i)][-1], UNREADABLE):
                raise Refusal(OWN_FACTORY)
            if isinstance(i, UNREADABLE):
                raise Refusal(UNREAD.format(i))
            if isinstance(i, Array) and k is returned:
                raise Refusal("an array is no result; return numbers, tuples or lists")
            if isinstance(i, Array):
                raise Refusal("an array in a list is no argument; pass it by itself")


def may_end(body: Sequence[ast.stmt]) -> bool:
    """Whether statements may end without a `return` or `raise`.

    >>> may_end(ast.parse("if x: y = 1").body), may_end(ast.parse("while True: pass").body)
    (True, False)
    """
    match body[-1] if body else None:
        case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
            return False
        case ast.If(body=one, orelse=other):
            return may_end(one) or may_end(other)
        case ast.While(test=ast.Constant(value=value), body=one) if value:
            return any(isinstance(n, ast.Break) for s in one for n in ast.walk(s))
        case ast.Try(body=one, handlers=handlers, orelse=other, finalbody=last):
            if last and not may_end(last):
                return False
            return may_end([*one, *other]) or any(may_end(h.body) for h in handlers)
        case ast.Match(cases=cases):
            final = cases[-1]
            anything = isinstance(final.pattern, ast.MatchAs) and final.pattern.pattern is None
            whole = final.guard is None and anything
            return not whole or any(may_end(c.body) for c in cases)
    return True


def field_of(kind: Kind, is_meant: Callable[[Kind], bool], owner: str) -> tuple[str, Kind] | None:
    """Return the field of a record that holds something, and its kind; None if nothing does.

    >>> from strategies.rules.kinds.kind import FLOAT, INT
    >>> from strategies.rules.kinds.kind import Tup
    >>> field_of(Tup([INT, FLOAT]), lambda k: k is FLOAT, "a move")
    ('a move', float)
    """
    if is_meant(kind):
        return owner, kind
    for i, part in enumerate(parts(kind)):
        inner = f"{kind.of.__name__}.{kind.names[i]}" if isinstance(kind, Record) else owner
        if somewhere(part, is_meant):
            return field_of(part, is_meant, inner)
    return None


def own_equality(kind: Kind, of: type, owner: str) -> str:
    """Return where a kind holds values of a class that has an == of its own; empty if nowhere."""
    found = field_of(kind, lambda k: isinstance(k, Record) and k.of is of, owner)
    if not found:
        return ""
    verb, inside = "is" if found[1] is kind else "holds", found[0] if found[0] != owner else ""
    return f"{owner} {verb} a {of.__name__}{inside and ' in '}{inside}, with an == of its own"


def of_numpy(kind: Kind) -> bool:
    """Whether values of a kind are numbers of numpy's."""
    return isinstance(kind, Scalar)


def changes(kind: Kind) -> bool:
    """Whether values of a kind are containers that can be changed."""
    return isinstance(kind, Boxed) and kind.changes
