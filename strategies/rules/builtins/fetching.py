"""Announcements of what will be read: `prefetch`."""

from __future__ import annotations

import ast

from games.memory import prefetch
from strategies.rules.builtins.declared import function
from strategies.rules.code.val import Val, c32
from strategies.rules.code.walk import Walk
from strategies.rules.containers import arrays
from strategies.rules.containers.arrays import word_of
from strategies.rules.kinds.kind import VOID, Array
from strategies.rules.language.messages import Refusal

READ, KEPT, DATA = c32(0), c32(3), c32(1)
"""What LLVM is told: that an element will be read, is kept in all caches, and is data."""


@function(prefetch, "row, index, /")
def announced(w: Walk, node: ast.AST, row: Val, index: Val) -> None:
    if not (isinstance(row.kind, Array) and row.kind.ndim == 1):
        raise Refusal(f"prefetch takes an array of one dimension and an index, not {row.kind}")
    at = word_of(w, index)
    if at is None:
        raise Refusal(f"prefetch takes an index that is an int, not {index.kind}")
    w.intrinsic("llvm.prefetch.p0", VOID, [arrays.address(w, row, [at]), READ, KEPT, DATA])
