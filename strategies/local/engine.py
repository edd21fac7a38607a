"""The kernels over one problem: as machine code, or interpreted."""

from __future__ import annotations

from ctypes import addressof
from typing import Any

from games.problems import Assignment
from strategies.native import RuleError
from strategies.native.engine import KEPT, announce
from strategies.native.shield import shielded

_compiled: dict[Any, tuple[Any, Any]] = {}


def call(choice: str, kernel: Any, problem: Assignment, *args: Any) -> Any:
    """Runs ``kernel(problem, 0, *args)``, whose last two arguments are rows of cells.

    "auto" compiles if it can, "native" must, "interpreted" does not.
    Raises: RuleError, if the rules must be native and cannot be compiled.
    """
    if choice not in ("auto", "native", "interpreted"):
        raise ValueError(f"an engine is auto, native or interpreted, not {choice!r}")
    if choice != "interpreted":
        try:
            block, entry = _entry(kernel, problem)
            *given, control, table = args
            return entry(block.address, 0, *given, addressof(control), addressof(table))
        except RuleError:
            if choice == "native":
                raise
    return kernel(problem, 0, *args)


def warm(choice: str, kernel: Any, problem: Assignment) -> None:
    """Compiles a kernel for a problem now, or reads it from the cache, if it is to be compiled."""
    if choice != "interpreted":
        try:
            _entry(kernel, problem)
        except RuleError:
            if choice == "native":
                raise


def _entry(kernel: Any, problem: Assignment) -> tuple[Any, Any]:
    """The tables of a problem, and the C function of a kernel over it."""
    found = _compiled.get((kernel, type(problem), problem))
    return found or shielded(lambda: _built(kernel, problem))


def _built(kernel: Any, problem: Assignment) -> tuple[Any, Any]:
    key = kernel, type(problem), problem
    if key not in _compiled:
        from strategies.native.compiler.build import build, lay_out

        block, name = lay_out(problem), type(problem).__qualname__
        made = build(kernel, block, 0, lambda: announce(name))[0]
        while len(_compiled) >= KEPT:
            del _compiled[next(iter(_compiled))]
        _compiled[key] = block, made
    return _compiled[key]
