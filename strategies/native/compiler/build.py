"""Builds one C function from a kernel, a game's rules and a state."""

from __future__ import annotations

import typing
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from numba import types
from numba.core import errors, event
from numba.core.compiler_lock import global_compiler_lock

from games.game import has_chance
from strategies.native.compiler import (  # noqa: F401
    hook_overloads,
    rule_calls,
    stack_arrays,
    tuple_ops,
    u64_type,
)
from strategies.native.compiler.disk_cache import Wanted
from strategies.native.compiler.kernel_functions import is_own, kernel_dispatcher
from strategies.native.compiler.rules_in_numba import Bound
from strategies.native.compiler.stack_arrays import cells_type
from strategies.native.compiler.templates import Kept, filled, kept
from strategies.native.shield import leave
from strategies.rules.language.messages import Refusal
from strategies.support.stacks import gc_paused

SCALARS = {int: types.int64, float: types.float64, bool: types.boolean}
ROWS_OF_CELLS = "control", "policy", "searching", "shared", "source", "table"
CELLS = dict.fromkeys(ROWS_OF_CELLS, cells_type)


class Ends(event.Listener):
    """Ends a compilation between two passes of Numba's, if the process is ending."""

    def on_start(self, event: Any) -> None:
        """Check before a pass."""
        leave()

    def on_end(self, event: Any) -> None:
        """Do nothing after a pass."""


event.register("numba:run_pass", Ends())


def _refusal_in(error: BaseException | None) -> Refusal | None:
    """Return the refusal of a rule from which an error of Numba's came."""
    while error is not None and not isinstance(error, Refusal):
        error = error.__cause__ or error.__context__
    return error


def build(
    kernel: FunctionType, bound: Bound, state: Any, compiling: Callable[[], None], **constants: Any
) -> tuple[Any, Any, Path | None]:
    """Return the entry point of a kernel for the rules of a game and states like this one, its
    return type, and the file of its code, if code is kept.

    Requires: parameters named game, state or as one of `ROWS_OF_CELLS`, or annotated int, float or
    bool.
    Ensures: `compiling` is called if the code is not in the cache; in the code, the names in
    `constants` have these values instead of those in the kernel's module.
    Raises: `RuleError`.
    """
    known = bound.types_for(is_own(kernel)) | CELLS
    names = kernel.__code__.co_varnames[: kernel.__code__.co_argcount]
    declared = typing.get_type_hints(kernel)
    signature = tuple(known.get(name) or SCALARS[declared[name]] for name in names)
    constants |= {"HAS_CHANCE": has_chance(type(bound.game))} | getattr(kernel, "constants", {})
    made = kernel_dispatcher(kernel, **constants)
    files = made.kept.cache.files
    bound.prepare(files and files.folder)
    # Nearly all objects made here stay alive: collecting would take a fifteenth of the time.
    with global_compiler_lock, gc_paused():
        done, file = _code(made, signature, bound, compiling)
    stops = names.index("control") - 2 if "control" in names else None
    entry = bound.entry(
        done.entry_point, done.signature.return_type, stops,
        lambda wider: build(kernel, wider, state, compiling)[0],
    )  # fmt: skip
    return entry, done.signature.return_type, file


def _code(
    made: Any, signature: tuple[Any, ...], bound: Bound, compiling: Callable[[], None]
) -> tuple[Any, Path | None]:
    """Return a compiled kernel for a game, and its file."""
    cache, templates, games = made.kept
    context = made.targetctx
    wanted = Wanted(signature, bound.digest, bound.classes)
    file = cache.path(wanted, context)
    if wanted not in games:
        done = cache.load_overload(wanted, context)
        if done is None:
            compiling()
            known = templates.get(signature) or cache.load_template(signature, context)
            template = known or _template(made, signature)
            done = filled(template, context, bound.library(context), bound.filling)
            cache.save_overload(wanted, done)
            if known is None and not done.library.has_dynamic_globals:
                cache.save_template(signature, context.codegen(), template)
            templates[signature] = template
        games[wanted] = done
    return games[wanted], file


def _template(made: Any, signature: tuple[Any, ...]) -> Kept:
    """Compile the template of a kernel for the shape of a game."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", errors.NumbaWarning)  # not about the rules
        try:
            made.compile(signature)
        except Exception as error:
            raise _refusal_in(error) or error from None
    return kept(made.overloads[signature])
