"""Kernels as Numba's dispatchers: copies of them in which every name is bound to its native form.

A kernel calls rules of the game, other kernels, and functions beside it, which are compiled as
parts of it.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
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


HOW: dict[str, Any] = {"nogil": True, "error_model": "python"}
_dispatchers: dict[Any, Any] = {}
speed_up_numba()


def kernel_dispatcher(kernel: FunctionType, **constants: Any) -> Any:
    """Return the dispatcher of a kernel: cached, and callable from Python.

    Ensures: inside its own code, its name refers to the dispatcher; a kernel that it calls gets the
    same `constants`; those not given are as in `CONSTANTS`.
    """
    constants = CONSTANTS | constants
    key = (kernel, _version(kernel), *sorted(constants.items()))
    if key not in _dispatchers:
        copy = _copied(kernel)
        made = njit(copy, pipeline_class=KernelCompiler, no_cfunc_wrapper=True, **HOW)
        made.kept = Made(RuleCache(kernel, constants), {}, {})
        _dispatchers[key] = made
        _link(copy, kernel, constants)
    return _dispatchers[key]


def _part_dispatcher(kernel: FunctionType, **constants: Any) -> Any:
    """Return the dispatcher of a kernel as a part of another one, into whose code it is linked."""
    key = (kernel, _version(kernel), "part", *sorted(constants.items()))
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
    key = function, _version(function)
    if key not in _dispatchers:
        copy = _copied(function)
        _dispatchers[key] = njit(copy, **{**PART, **OPTIONS})
        _link(copy, function, {})
    return _dispatchers[key]


def _version(function: FunctionType) -> str:
    """Return what a function is now, with all that it reaches, if it may be edited."""
    return "" if is_fixed(module_of(function)) else reach(function).digest


def _copied(function: FunctionType) -> FunctionType:
    """Return a function with its own globals, to be linked once its dispatcher exists."""
    cells = tuple(CellType(None) for _ in function.__code__.co_freevars)
    scope = {"__name__": function.__module__, "__builtins__": function.__globals__["__builtins__"]}
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    if getattr(function, "is_kernel", False):
        returns = function.__annotations__.get("return")
        copy.returned = _declared(str(returns))  # type: ignore[attr-defined]
        copy.gives_back = not is_own(function) and returns in NUMBERS  # type: ignore[attr-defined]
    return copy


def is_own(kernel: FunctionType) -> bool:
    """Return whether a kernel belongs to this package."""
    return kernel.__module__.startswith("strategies.")


def _declared(returned: str) -> Any:
    """Return the type of the numbers that a kernel declares to return; None for all else.

    A `Value` or `Result` of the game may be an int.
    """
    kinds = {"float": types.float64, "int": types.int64}
    if returned == "Value":
        return _value_type
    if returned == "Result":
        return _result_type
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


def _result_type(given: Sequence[Any]) -> Any:
    """Return the type of the results of a game."""
    return types.int64 if given[0].whole_results else types.float64


def _measure_type(given: Sequence[Any]) -> Any:
    """Return the type of what nodes add to a fold over a tree."""
    return given[0].measured


def _link(copy: FunctionType, function: FunctionType, constants: dict[str, Any]) -> None:
    """Fill the copy's globals with the native forms of what the function refers to."""
    for name in set(globals_in(function.__code__)) & function.__globals__.keys():
        value = function.__globals__[name]
        if value is function:
            copy.__globals__[name] = _dispatchers.get(
                (function, _version(function), *sorted(constants.items()))
            )
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
