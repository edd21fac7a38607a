"""Kernels as Numba's dispatchers: copies of them in which every name is bound to its native form.

A kernel calls rules of the game, other kernels, and functions beside it, which are compiled as
parts of it.
"""

from __future__ import annotations

import enum
import sys
from types import CellType, FunctionType
from typing import Any, NamedTuple

from numba import njit, types

from strategies.native.compiler.disk_cache import RuleCache, Wanted
from strategies.native.compiler.numba_compilers import InnerKernelCompiler, KernelCompiler
from strategies.native.compiler.numba_speed import speed_up_numba
from strategies.native.compiler.parts import NATIVE, OPTIONS, PART
from strategies.native.compiler.templates import Kept
from strategies.native.fingerprint import reach
from strategies.native.references import globals_in, is_fixed, is_foreign, module_of

CONSTANTS = {"HAS_CHANCE": False, "EVERY_LEAF": False, "TUNED": False, "DEEP": False}
"""The names that are constants in the code of a kernel, with what they are unless it is said."""

NUMBERS = (float, int, bool, "float", "int", "bool")
"""What a kernel returns that gives back the memory of its call."""


class Made(NamedTuple):
    """What was made of a kernel: its files, its templates by the types of their arguments, and the
    code of games."""

    cache: RuleCache
    templates: dict[Any, Kept]
    games: dict[Wanted, Any]


PRESENT = "strategies.algorithms.kernels"
"""The module that a function gets whose own is absent."""
HOW: dict[str, Any] = {"nogil": True, "error_model": "python"}
_dispatchers: dict[Any, Any] = {}
speed_up_numba()


def kernel_dispatcher(kernel: FunctionType, **constants: Any) -> Any:
    """Return the dispatcher of a kernel: cached, and callable from Python.

    Ensures: inside its own code, its name refers to the dispatcher; a kernel that it calls gets the
    same `constants`; those not given are as in `CONSTANTS`.
    """
    constants = CONSTANTS | constants
    how = {**HOW, "pipeline_class": KernelCompiler, "no_cfunc_wrapper": True}
    made = _dispatcher(kernel, constants, how)
    if not hasattr(made, "kept"):
        made.kept = Made(RuleCache(kernel, constants), {}, {})
    return made


def _dispatcher(function: FunctionType, constants: dict[str, Any], how: dict[str, Any]) -> Any:
    """Return the dispatcher of a function that is compiled by the compiler among the options."""
    key = (function, _version(function), how["pipeline_class"], *sorted(constants.items()))
    if key not in _dispatchers:
        copy = _copied(function)
        _dispatchers[key] = njit(copy, **how)
        _link(copy, function, constants, _dispatchers[key])
    return _dispatchers[key]


def _part_dispatcher(kernel: FunctionType, constants: dict[str, Any]) -> Any:
    """Return the dispatcher of a kernel as a part of another one, into whose code it is linked."""
    inlined = constants.get("HAS_CHANCE", False) and hasattr(kernel, "is_last")
    how = {**PART, **HOW, "forceinline": inlined, "pipeline_class": InnerKernelCompiler}
    return _dispatcher(kernel, constants, how)


def _version(function: FunctionType) -> str:
    """Return what a function is now, with all that it reaches, if it may be edited."""
    return "" if is_fixed(module_of(function)) else reach(function).digest


def _copied(function: FunctionType) -> FunctionType:
    """Return a function with its own globals, to be linked once its dispatcher exists.

    Numba looks up its module, by which some calls name it and the code of others that loads it
    again: one that came by value names a module that may be absent here, and gets one of ours.
    """
    module = function.__module__
    if getattr(sys.modules.get(module), "__name__", None) != module:
        module = PRESENT
    cells = tuple(CellType(None) for _ in function.__code__.co_freevars)
    scope = {"__name__": function.__module__, "__builtins__": function.__globals__["__builtins__"]}
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__module__, copy.__qualname__ = module, function.__qualname__
    if getattr(function, "is_kernel", False):
        returns = function.__annotations__.get("return")
        copy.returned = _declared(str(returns))  # type: ignore[attr-defined]
        copy.gives_back = not is_own(function) and returns in NUMBERS  # type: ignore[attr-defined]
    return copy


def is_own(kernel: FunctionType) -> bool:
    """Return whether a kernel belongs to this package."""
    return kernel.__module__.startswith("strategies.")


RETURNED: dict[str, Any] = {
    "float": types.float64,
    "int": types.int64,
    "Value": lambda given: types.int64 if given[0].whole else types.float64,
    "Result": lambda given: types.int64 if given[0].whole_results else types.float64,
    "Measure": lambda given: given[0].measured,
}
"""The types that kernels declare to return: those of numbers, and of values of a game, whose rules
are the first of the given arguments.  A `Value` or `Result` may be an int."""


def _declared(returned: str) -> Any:
    """Return the type that a kernel declares to return, if it is known by name, or a tuple of
    numbers; else None."""
    if returned in RETURNED:
        return RETURNED[returned]
    names = returned.removeprefix("tuple[").removesuffix("]").split(", ")
    numbers = [RETURNED[name] for name in names if name in ("float", "int")]
    return types.Tuple(numbers) if 1 < len(names) == len(numbers) else None


def _link(
    copy: FunctionType, function: FunctionType, constants: dict[str, Any], dispatcher: Any
) -> None:
    """Fill the copy's globals with the native forms of what the function refers to; its own is the
    dispatcher."""
    for name in set(globals_in(function.__code__)) & function.__globals__.keys():
        value = function.__globals__[name]
        if value is function:
            copy.__globals__[name] = dispatcher
        elif getattr(value, "is_kernel", False):
            copy.__globals__[name] = _part_dispatcher(value, constants)
        else:
            copy.__globals__[name] = native_form(value)
    copy.__globals__.update(constants)
    for mine, original in zip(copy.__closure__ or (), function.__closure__ or (), strict=True):
        mine.cell_contents = native_form(original.cell_contents)


def native_form(value: Any) -> Any:
    """Return what replaces the value of a name when a kernel is compiled."""
    if isinstance(value, FunctionType) and value not in NATIVE and not is_foreign(value):
        return _dispatcher(value, {}, PART | OPTIONS)
    return int(value) if isinstance(value, enum.IntEnum) else value
