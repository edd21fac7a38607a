"""`copy.copy` and `copy.deepcopy` of lists, sets, dicts and what cannot change."""

from __future__ import annotations

import ast
import copy

from strategies.rules.builtins.declared import METHODS, function
from strategies.rules.code.val import Arguments, Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import Atom, Either, Kind, Member, Row, Tup
from strategies.rules.kinds.parts import named, parts
from strategies.rules.language.messages import uncompiled

COPIED = ("list", "set", "dict")


def _is_fixed(k: Kind) -> bool:
    """Whether values of a kind are numbers, texts, and tuples of them, which are not copied."""
    plain = isinstance(k, Tup | Row | Either) and all(map(_is_fixed, parts(k)))
    return plain or isinstance(k, Atom | Member)


@function(copy.copy, "x", each=True)
def copy_(w: Walk, node: ast.AST, x: Val) -> Val:
    if _is_fixed(x.kind) or isinstance(x.kind, Tup | Row):
        return x
    if named(x.kind, COPIED):
        return METHODS[x.boxed.name, "copy"].call(w, Arguments([x], {}), node)
    raise uncompiled(copy.copy)


@function(copy.deepcopy, "x", each=True)
def deepcopy(w: Walk, node: ast.AST, x: Val) -> Val:
    if _is_fixed(x.kind) or (named(x.kind, COPIED) and all(map(_is_fixed, parts(x.kind)))):
        return copy_(w, node, x)
    raise uncompiled(copy.deepcopy)
