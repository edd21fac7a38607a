"""Kernels as Numba's dispatchers: copies of them in which every name is bound to its native form.

A kernel calls rules of the game, other kernels, and functions beside it, which are compiled as
parts of it.

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

import enum
from collections.abc import Callable, Sequence
from types import CellType, FunctionType
from typing import Any, Final

from numba import njit, types

from strategies.native.compiler.disk_cache import cache_for
from strategies.native.compiler.linking import InnerKernelCompiler, KernelCompiler
from strategies.native.compiler.parts import NATIVE, OPTIONS, PART
from strategies.native.references import globals_in, is_foreign

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
    "order_by_target_specificity", "templates", "key", "prefer_literal", "apply", "tuple", "items",
    "get_impl_key", "_impl_keys", "args", "getattr", "join", "add_error", "Exception", "isinstance",
    "errors", "NumbaError", "raise_error",
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


CONSTANTS = {"HAS_CHANCE": False, "EVERY_LEAF": False, "TUNED": False, "DEEP": False}
"""The names that are constants in the code of a kernel, with what they are unless it is said."""

HOW: dict[str, Any] = {"nogil": True, "error_model": "python"}
_dispatchers: dict[Any, Any] = {}
speed_up_numba()


def kernel_dispatcher(kernel: FunctionType, **constants: Any) -> Any:
    """Return the dispatcher of a kernel: cached, and callable from Python.

    Ensures: inside its own code, its name refers to the dispatcher; a kernel that it calls gets the
    same `constants`; those not given are as in `CONSTANTS`.
    """
    constants = CONSTANTS | constants
    key = (kernel, *sorted(constants.items()))
    if key not in _dispatchers:
        copy = _copied(kernel)
        made = njit(copy, pipeline_class=KernelCompiler, no_cfunc_wrapper=True, **HOW)
        made._cache = cache_for(kernel, constants)
        _dispatchers[key] = made
        _link(copy, kernel, constants)
    return _dispatchers[key]


def _part_dispatcher(kernel: FunctionType, **constants: Any) -> Any:
    """Return the dispatcher of a kernel as a part of another one, into whose code it is linked."""
    key = (kernel, "part", *sorted(constants.items()))
    if key not in _dispatchers:
        copy = _copied(kernel)
        inlined = constants.get("HAS_CHANCE", False) and hasattr(kernel, "is_last")
        how = {**PART, **HOW, "forceinline": inlined, "pipeline_class": InnerKernelCompiler}
        _dispatchers[key] = njit(copy, **how)
        _link(copy, kernel, constants)
        copy.__globals__[kernel.__name__] = _dispatchers[key]
    return _dispatchers[key]


def _helper_dispatcher(function: FunctionType) -> Any:
    """Return the dispatcher of a function that kernels call."""
    if function not in _dispatchers:
        copy = _copied(function)
        _dispatchers[function] = njit(copy, **{**PART, **OPTIONS})
        _link(copy, function, {})
    return _dispatchers[function]


def _copied(function: FunctionType) -> FunctionType:
    """Return a function with its own globals, to be linked once its dispatcher exists."""
    cells = tuple(CellType(None) for _ in function.__code__.co_freevars)
    scope = {"__name__": function.__module__, "__builtins__": function.__globals__["__builtins__"]}
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    if getattr(function, "is_kernel", False):
        copy.returned = _declared(str(function.__annotations__.get("return")))  # type: ignore[attr-defined]
    return copy


def _declared(returned: str) -> Any:
    """Return the type of the numbers that a kernel declares to return; None for all else.

    A `Value` of the game may be an int.
    """
    kinds = {"float": types.float64, "int": types.int64}
    if returned == "Value":
        return _value_type
    if returned == "Measure":
        return _measure_type
    if returned in kinds:
        return kinds[returned]
    names = returned.removeprefix("tuple[").removesuffix("]").split(", ")
    if len(names) < 2 or not all(name in kinds for name in names):
        return None
    return types.Tuple([kinds[name] for name in names])


def _value_type(given: Sequence[Any]) -> Any:
    """Return the type of the values of a game, whose rules are the first of these arguments."""
    return types.int64 if given[0].whole else types.float64


def _measure_type(given: Sequence[Any]) -> Any:
    """Return the type of what nodes add to a fold over a tree."""
    return given[0].measured


def _link(copy: FunctionType, function: FunctionType, constants: dict[str, Any]) -> None:
    """Fill the copy's globals with the native forms of what the function refers to."""
    for name in set(globals_in(function.__code__)) & function.__globals__.keys():
        value = function.__globals__[name]
        if value is function:
            copy.__globals__[name] = _dispatchers.get((function, *sorted(constants.items())))
        elif getattr(value, "is_kernel", False):
            copy.__globals__[name] = _part_dispatcher(value, **constants)
        else:
            copy.__globals__[name] = native_form(value)
    copy.__globals__.update(constants)
    for mine, original in zip(copy.__closure__ or (), function.__closure__ or (), strict=True):
        mine.cell_contents = native_form(original.cell_contents)


def native_form(value: Any) -> Any:
    """Return what replaces the value of a name when a kernel is compiled."""
    if isinstance(value, FunctionType) and value not in NATIVE and not is_foreign(value):
        return _helper_dispatcher(value)
    return int(value) if isinstance(value, enum.IntEnum) else value
