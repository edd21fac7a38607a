"""The kernels over one problem: as machine code, or interpreted."""

from __future__ import annotations

from ctypes import addressof
from typing import Any

from games.problems import Assignment
from strategies.native import RuleError
from strategies.native.compiling import compiler
from strategies.native.engine import KEPT, announce
from strategies.native.shield import shielded

_compiled: dict[Any, tuple[Any, Any] | str] = {}


def call(choice: str, kernel: Any, problem: Assignment, *args: Any) -> Any:
    """Runs ``kernel(problem, 0, *args)``, whose last two arguments are rows of cells.

    "auto" compiles if it can, "native" must, "interpreted" does not.
    Raises: RuleError, if the rules must be native and cannot be compiled.
    """
    if choice not in ("auto", "native", "interpreted"):
        raise ValueError(f"an engine is auto, native or interpreted, not {choice!r}")
    if choice != "interpreted":
        found = _found(choice, kernel, problem)
        if found is not None:
            block, entry = found
            *given, control, table = args
            return entry(block.address, 0, *given, addressof(control), addressof(table))
    return kernel(problem, 0, *args)


def warm(choice: str, kernel: Any, problem: Assignment) -> str:
    """Compiles a kernel for a problem now, or reads it from the cache, if it is to be compiled.

    Ensures: why it is interpreted, or an empty text.
    """
    if choice == "interpreted":
        return "interpreted was asked for"
    _found(choice, kernel, problem)
    found = _entry(kernel, problem)
    return found if isinstance(found, str) else ""


def _found(choice: str, kernel: Any, problem: Assignment) -> tuple[Any, Any] | None:
    """The tables of a problem, and the C function of a kernel over it; None to interpret it."""
    found = _entry(kernel, problem)
    if isinstance(found, str):
        if choice == "native":
            raise RuleError(found)
        return None
    return found


def _entry(kernel: Any, problem: Assignment) -> tuple[Any, Any] | str:
    """The tables and the function, or why there is none."""
    found = _compiled.get((kernel, type(problem), problem))
    return found or shielded(lambda: _built(kernel, problem))


def _built(kernel: Any, problem: Assignment) -> tuple[Any, Any] | str:
    key = kernel, type(problem), problem
    if key not in _compiled:
        made: tuple[Any, Any] | str
        try:
            with compiler() as (build, lay_out):
                block, name = lay_out(problem), type(problem).__qualname__
                made = block, build(kernel, block, 0, lambda: announce(name))[0]
        except RuleError as error:
            made = str(error)
        while len(_compiled) >= KEPT:
            del _compiled[next(iter(_compiled))]
        _compiled[key] = made
    return _compiled[key]
