"""Local names that a rule may read before they are bound: machine code raises, as Python does.

Numba reads 0 from such a name.  Here each name that is not bound on every path to where it is read
gets a flag that records whether it is bound; LLVM removes most of the flags again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dis import get_instructions
from functools import lru_cache
from types import CodeType
from typing import Any

from numba.core import ir
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.errors import UnsupportedError

from strategies.native.compiler.stubs import stub
from strategies.native.compiler.syntax import is_lifted

check_bound = stub("check_bound")
"""Takes a flag and a name, and raises `UnboundLocalError` for the name if the flag is not set."""

_WRITE = "⟦a comprehension reads {0}, which some path leaves unassigned: assign it on every path⟧"


def flag_unbound(function: Any) -> bool:
    """Add flags and checks to Numba's representation of a function; return whether there are any.

    Requires: names are still assigned in several places, as in the rule.
    Ensures: a part of a rule that became a function of its own stays as it is.
    Raises: an error of Numba's, with a message for the author of the rule, if a comprehension reads
    a name that may not be bound: it gets names as arguments, and Python raises only when it reads
    the name.
    """
    if is_lifted(function.func_id.code.co_name):
        return False
    entries = _bound_at_entry(function)
    flagged = {
        name
        for label, block in function.blocks.items()
        for _, name in _reads_unbound(function, block, entries[label])
    }
    if not flagged:
        return False
    for label, block in function.blocks.items():
        unbound = set(_reads_unbound(function, block, entries[label]))
        body: list[Any] = []
        for at, statement in enumerate(block.body):
            for name in sorted(name for where, name in unbound if where == at):
                body += _check(block.scope, name, statement.loc)
            body.append(statement)
            if isinstance(statement, ir.Assign) and statement.target.name in flagged:
                body.append(_flag(block.scope, statement.target.name, True, statement.loc))
        block.body = body
    first = function.blocks[min(function.blocks)]
    first.body[:0] = [_flag(first.scope, name, False, first.loc) for name in sorted(flagged)]
    return True


def _bound_at_entry(function: Any) -> dict[int, set[str]]:
    """Return the names that are bound on every path to a block."""
    blocks = function.blocks
    graph = compute_cfg_from_blocks(blocks)
    assigned = {
        label: {s.target.name for s in block.find_insts(ir.Assign)}
        for label, block in blocks.items()
    }
    first = min(blocks)
    every = set().union(*assigned.values())
    entries = {label: set() if label == first else every for label in blocks}
    changed = True
    while changed:
        changed = False
        for label in sorted(blocks):
            before = [entries[p] | assigned[p] for p, _ in graph.predecessors(label)]
            found = set.intersection(*before) if before and label != first else entries[label]
            changed = changed or found != entries[label]
            entries[label] = found
    return entries


def _reads_unbound(function: Any, block: Any, entry: set[str]) -> Iterator[tuple[int, str]]:
    """Yield where a block reads a name that may not be bound: the number of the statement, and the
    name."""
    bound, own = set(entry), _names(function.func_id.code)
    lifted: set[str] = set()
    for at, statement in enumerate(block.body):
        value = statement.value if isinstance(statement, ir.Assign) else statement
        if isinstance(value, ir.Global) and is_lifted(value.name):
            lifted.add(statement.target.name)
        if isinstance(value, ir.Del):
            continue
        handed = isinstance(value, ir.Expr) and value.op == "call" and value.func.name in lifted
        for read in _read(value):
            if read not in bound and read.split(".")[0] in own:
                if handed:
                    raise UnsupportedError(_WRITE.format(read.split(".")[0]), statement.loc)
                yield at, read
                bound.add(read)
        if isinstance(statement, ir.Assign):
            bound.add(statement.target.name)


@lru_cache(maxsize=64)
def _names(code: CodeType) -> frozenset[str]:
    """Return a function's local names, except those that a comprehension borrows temporarily."""
    borrowed = {i.argval for i in get_instructions(code) if i.opname == "LOAD_FAST_AND_CLEAR"}
    return frozenset(code.co_varnames) - borrowed


def _read(value: Any) -> list[str]:
    if isinstance(value, ir.Var):
        return [value.name]
    return [v.name for v in value.list_vars()] if hasattr(value, "list_vars") else []


def _flag(scope: Any, name: str, bound: bool, loc: Any) -> Any:
    return ir.Assign(ir.Const(bound, loc), _flag_of(scope, name, loc), loc)


def _flag_of(scope: Any, name: str, loc: Any) -> Any:
    return scope.get_or_define(f"$bound.{name}", loc)


def _check(scope: Any, name: str, loc: Any) -> list[Any]:
    function, text, result = (scope.redefine(f"${w}.{name}", loc) for w in ("check", "name", "ok"))
    given = [_flag_of(scope, name, loc), text]
    return [
        ir.Assign(ir.Global("check_bound", check_bound, loc), function, loc),
        ir.Assign(ir.Const(name.split(".")[0], loc), text, loc),
        ir.Assign(ir.Expr.call(function, given, (), loc), result, loc),
    ]
