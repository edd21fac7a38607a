"""Methods of numpy's arrays whose results are numbers or lists, and `prefetch`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from games.fields import prefetch
from strategies.rules.builtins.declared import FUNCTIONS, function, method, private
from strategies.rules.code.val import Arguments, Val, c32
from strategies.rules.code.walk import Walk
from strategies.rules.containers import arrays
from strategies.rules.containers.arrays import scalar, word_of
from strategies.rules.kinds.kind import BOOL, INT, NEVER, VOID, Array, Scalar
from strategies.rules.language.messages import Refusal


def _numbers(w: Walk, node: ast.AST, a: Val) -> Val:
    """Return the list of all elements of an array, as Python's numbers."""
    return w.call(_of_row if _is_row(a) else _of_rows, a)


numbers_of = private("a, /", each=True)(_numbers)


def _is_row(a: Val) -> bool:
    assert isinstance(a.kind, Array)
    return a.kind.ndim == 1


def _of_row(a: Any) -> Any:
    return [x.item() for x in a]


def _of_rows(a: Any) -> Any:
    return [x for row in a for x in numbers_of(row)]


method("array", "tolist", "self, /")(lambda w, node, a: w.call(_list if _is_row(a) else _lists, a))


def _list(a: Any) -> Any:
    return [x.item() for x in a]  # apart from `_of_row`, for its lists may be in lists


def _lists(a: Any) -> Any:
    return [row.tolist() for row in a]


def _declare(function: Any, kind_of: Callable[[Scalar], Scalar | None], of: str = "") -> None:
    """Declare a method that is a function of all numbers.

    Args:
        kind_of: returns the kind of the result by that of the elements; None if it is refused.
        of: the elements of which it is not refused, in words.
    """
    name = function.__name__

    @method("array", name, "self, /")
    def called(w: Walk, node: ast.AST, a: Val) -> Val:
        assert isinstance(a.kind, Array)
        kind = kind_of(a.kind.item)
        if kind is None:
            raise Refusal(
                f"{name}() is compiled for arrays of {of}, and this is an {a.kind}; "
                f"write {name}(x.item() for x in …)"
            )
        found = FUNCTIONS[function].call(w, Arguments([_numbers(w, node, a)], {}), node)
        return found if found.kind is NEVER else Val(kind, found.v)


def _sum_kind(item: Scalar) -> Scalar | None:
    if item.plain not in (INT, BOOL):
        return None
    return scalar(np.uint64 if np.dtype(item.type).kind == "u" else np.int64)


# Floats are added by numpy in an order of its own, and compared with NaN; uint64 wraps around.
_declare(sum, _sum_kind, "bools and of ints but uint64")
_declare(max, lambda item: item if item.plain is INT else None, "ints but uint64")
_declare(min, lambda item: item if item.plain is INT else None, "ints but uint64")
_declare(any, lambda item: scalar(np.bool_))
_declare(all, lambda item: scalar(np.bool_))


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
