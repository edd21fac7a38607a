"""Builds one C function from a kernel, a game and a state."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from numba import types
from numba.core import errors, event

from games.game import Game
from strategies.native.compiler import (  # noqa: F401
    arithmetic,
    cell_type,
    class_names,
    hook_overloads,
    iterated,
    record_types,
    row_methods,
    rule_calls,
    stack_arrays,
    table_types,
    tuple_ops,
    u64_type,
    unbound_check,
)
from strategies.native.compiler import cell_type as memory
from strategies.native.compiler.diagnostics import check_hooks, check_rules, explain
from strategies.native.compiler.disk_cache import RuleCache
from strategies.native.compiler.layout import Block, hints, lay_out, native_type
from strategies.native.compiler.rules import kernel_dispatcher
from strategies.native.compiler.rules_in_numba import Bound
from strategies.native.shield import leave
from strategies.support.gc_pause import gc_paused

__all__ = ["Block", "build", "lay_out"]


class Ends(event.Listener):
    """Ends a compilation between two passes of Numba's, if the process is ending."""

    def on_start(self, event: Any) -> None:
        """Check before a pass."""
        leave()

    def on_end(self, event: Any) -> None:
        """Do nothing after a pass."""


event.register("numba:run_pass", Ends())


def build(
    kernel: FunctionType,
    block: Block | Bound,
    state: Any,
    compiling: Callable[[], None],
    **constants: Any,
) -> tuple[Any, Any, Path | None]:
    """Return the entry point of a kernel for the types of a game and a state, its return type, and
    the file of its code, if code is kept.

    The rules of a `Game` are checked beforehand; another object, such as a problem of local search,
    has none.

    Requires: parameters named game, state, control, policy, searching, table, or annotated int,
    float or bool.
    Ensures: `compiling` is called if the code is not in the cache; in the code, the names in
    `constants` have these values instead of those in the kernel's module.
    Raises: `RuleError`.
    """
    typed = isinstance(block, Bound)
    native_state = block.native_state if isinstance(block, Bound) else native_type(state)
    known = {
        "game": block.native,
        "state": native_state,
        "control": memory.cells_type,
        "policy": memory.cells_type,
        "searching": memory.cells_type,
        "table": memory.cells_type,
    }
    scalars = {int: types.int64, float: types.float64, bool: types.boolean}
    names = kernel.__code__.co_varnames[: kernel.__code__.co_argcount]
    declared = hints(kernel)
    signature = tuple(known.get(name) or scalars[declared[name]] for name in names)
    cls = block.native.cls
    chance = getattr(cls, "outcomes", Game.outcomes) is not Game.outcomes
    constants |= {"HAS_CHANCE": chance, "EVERY_LEAF": False}
    made = kernel_dispatcher(kernel, **constants)
    if isinstance(block, Bound):
        block.prepare(made._cache.folder if isinstance(made._cache, RuleCache) else None)
    done = made.overloads.get(signature)
    if done is None:
        done = made._cache.load_overload(signature, made.targetctx)
        if done is not None:  # kernels that are compiled later may call it
            made.targetctx.insert_user_function(done.entry_point, done.fndesc, [done.library])
            made.add_overload(done)
    if done is None:
        compiling()
        # Nearly all objects made here stay alive: collecting would take a fifteenth of the time.
        with gc_paused(), warnings.catch_warnings():
            warnings.simplefilter("ignore", errors.NumbaWarning)  # not about the rules
            if issubclass(cls, Game) and not typed:
                check_rules(block.native, native_state)
            try:
                made.compile(signature)
            except Exception as error:  # Numba also lets errors of other kinds through
                if issubclass(cls, Game) and not typed:
                    check_hooks(block.native, native_state)
                raise explain(error, cls) from error
        done = made.overloads[signature]
    kept = isinstance(made._cache, RuleCache)
    file = made._cache.path(signature, made.targetctx) if kept else None
    entry, returns = done.entry_point, done.signature.return_type
    if isinstance(block, Bound):
        stops = names.index("control") - 2 if "control" in names else None
        entry = block.entry(
            entry, returns, stops, lambda wider: build(kernel, wider, state, compiling)[0]
        )
    return entry, returns, file
