"""Speeds up five steps of Numba's without changing their results.

For a function that calls itself, Numba types a copy without these calls, and does so again at each
such call; if the function's `returned` gives its type, or maps the types of arguments to it, that
is not needed.

After each pass, Numba finds where each variable is alive, which only the last pass and generators
read.  To rename the assignments of one variable, it treats all statements as if each used it.  And
to find the variables of a statement, it asks whether names, numbers and places are instructions.

At each addition or comparison of two numbers, it tries all functions of that name until one fits,
and writes a message for each that does not.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

KERNELS: Final = "strategies.native"
"""The package of the functions in which no `with` and no unrolled loop reads what is alive."""
POSTPROCESSING: Final = (
    "transforms", "canonicalize_cfg", "func_ir", "blocks", "VariableLifetime", "variable_lifetime",
    "analysis", "compute_live_variables", "cfg", "usedefs", "defmap", "deadmaps", "combined",
    "items", "block_entry_vars", "is_generator", "GeneratorInfo", "generator_info",
    "_compute_generator_info", "_insert_var_dels",
)  # fmt: skip
REWRITING: Final = (
    "items", "_logger", "debug", "ir", "Block", "scope", "loc", "_run_ssa_block_pass", "append",
    "body",
)  # fmt: skip
CALLING: Final = (
    "_ResolutionFailures", "_depth", "numba.core.target_extension", "get_local_target", "utils",
    "order_by_target_specificity", "templates", "key", "prefer_literal", "apply", "tuple",
    *(("_unlit_non_poison",) if sys.version_info >= (3, 12) else ()),  # in a comprehension
    "items", "get_impl_key", "_impl_keys", "args", "getattr", "join", "add_error", "Exception",
    "isinstance", "errors", "NumbaError", "raise_error",
)  # fmt: skip
"""What three steps refer to; a step that refers to anything else is left as it is."""


def speed_up_numba() -> None:
    """Install the changes, once; a step that a Numba version has changed stays as it is."""
    from numba.core import ir, postproc, ssa, typeinfer
    from numba.core.types import functions

    _change(typeinfer, "TypeInferer", "return_types_from_partial", _declared_types)
    _change(postproc, "PostProcessor", "run", _alive_at_the_end, POSTPROCESSING)
    _change(ssa, "", "_run_block_rewrite", _where_named, REWRITING)
    _change(ssa, "", "_run_ssa", _without_names)
    _change(ir, "Inst", "_rec_list_vars", _variables)
    _change(functions, "BaseFunction", "get_call_type", _known_calls, CALLING)


def _change(
    module: Any, cls: str, name: str, changed: Callable[[Any], Any], refers: tuple[str, ...] = ()
) -> None:
    """Replace a function; one that should refer to certain names only if it does."""
    owner = getattr(module, cls, None) if cls else module
    original = getattr(owner, name, None)
    if refers and getattr(getattr(original, "__code__", None), "co_names", None) != refers:
        return
    if original is not None and not hasattr(original, "sooner"):
        made = changed(original)
        made.sooner = original
        setattr(owner, name, made)


def _declared_types(original: Any) -> Any:
    def return_types_from_partial(self: Any) -> Any:
        declared = getattr(self.func_ir.func_id.func, "returned", None)
        if isinstance(declared, FunctionType):  # types of Numba's can be called, too
            declared = declared([self.typevars[v].getone() for v in self.arg_names.values()])
        return declared or original(self)

    return return_types_from_partial


def _alive_at_the_end(original: Any) -> Any:
    from numba.core.postproc import VariableLifetime
    from numba.core.transforms import canonicalize_cfg

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        code = self.func_ir
        if emit_dels or code.is_generator or not code.func_id.modname.startswith(KERNELS):
            original(self, emit_dels, extend_lifetimes)
            return
        code.blocks = canonicalize_cfg(code.blocks)
        code.variable_lifetime = VariableLifetime(code.blocks)  # it finds what is asked of it
        code.generator_info = None

    return run


def _where_named(original: Any) -> Any:
    """Rewrite the blocks that name the variable, and copy the others."""

    def rewrite(blocks: dict[int, Any], states: dict[str, Any], handler: Any) -> dict[int, Any]:
        naming, others = {}, {}
        for label, block in blocks.items():
            if not hasattr(block, "names"):
                block.names = {v.name for one in block.body for v in one.list_vars()}
            if states["varname"] in block.names:
                naming[label] = block
            else:
                others[label] = copy = block.copy()
                copy.names = block.names  # except for new versions of variables that are done
        made = original(naming, states, handler) | others
        return {label: made[label] for label in blocks}

    return rewrite


def _without_names(original: Any) -> Any:
    def run(blocks: dict[int, Any]) -> dict[int, Any]:
        made: dict[int, Any] = original(blocks)
        for block in (*blocks.values(), *made.values()):
            vars(block).pop("names", None)
        return made

    return run


def _variables(original: Any) -> Any:
    from numba.core import ir

    plain = frozenset({ir.Loc, ir.Scope, str, int, float, bool, type(None)})

    def variables(self: Any, value: Any) -> list[Any]:
        if type(value) is not dict:
            return original(self, value)  # type: ignore[no-any-return]
        found = []
        for part in value.values():
            kind = type(part)
            if kind is ir.Var:
                found.append(part)
            elif kind not in plain:
                found.extend(original(self, part))
        return found

    return variables


def _known_calls(original: Any) -> Any:
    """Look a call up that was typed before: one of numbers alone, by a list of signatures."""
    from numba import types
    from numba.core.typing.templates import ConcreteTemplate

    numbers = types.Number, types.Boolean
    known: dict[Any, Any] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or not all(isinstance(arg, numbers) for arg in args):
            return original(self, context, args, kws)
        call = self, context, args
        if call in known:
            found, self._impl_keys[found.args] = known[call]
            return found
        found = original(self, context, args, kws)
        listed = (t.cases for t in self.templates if issubclass(t, ConcreteTemplate))
        if any(found is case for cases in listed for case in cases):
            known[call] = found, self._impl_keys[found.args]
        return found

    return get_call_type
