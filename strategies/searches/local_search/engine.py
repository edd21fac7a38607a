"""The kernels over one problem: as machine code, or interpreted."""

from __future__ import annotations

from ctypes import addressof
from typing import Any

from games.problems import Assignment
from graphs.errors import ArgumentError
from strategies.native.compiling import announce, compiler, forget
from strategies.native.digest import Sources
from strategies.native.engine import KEPT
from strategies.native.errors import RuleError
from strategies.native.shield import shielded

_compiled: dict[Any, tuple[tuple[Any, Any] | str, Sources]] = {}


def call(choice: str, kernel: Any, problem: Assignment, *args: Any) -> Any:
    """Run ``kernel(problem, 0, *args)``, whose last two arguments are rows of cells.

    "auto" compiles if it can, "native" must, "interpreted" does not.
    Raises: RuleError, if the rules must be native and cannot be compiled.
    """
    if choice not in ("auto", "native", "interpreted"):
        raise ArgumentError(f"an engine is auto, native or interpreted, not {choice!r}")
    if choice != "interpreted":
        found = _found(choice, kernel, problem)
        if found is not None:
            block, entry = found
            *given, control, table = args
            return entry(block.address, 0, *given, addressof(control), addressof(table))
    return kernel(problem, 0, *args)


def warm(choice: str, kernel: Any, problem: Assignment) -> str:
    """Compile a kernel for a problem now, or read it from the cache, if it is to be compiled.

    Ensures: why it is interpreted, or an empty text.
    """
    if choice == "interpreted":
        return "interpreted was asked for"
    _found(choice, kernel, problem)
    entry = _entry(kernel, problem)
    return entry if isinstance(entry, str) else ""


def _found(choice: str, kernel: Any, problem: Assignment) -> tuple[Any, Any] | None:
    """Return a problem's tables, and the C function of a kernel over it; None to interpret it."""
    entry = _entry(kernel, problem)
    if isinstance(entry, str):
        if choice == "native":
            raise RuleError(entry)
        return None
    return entry


def _entry(kernel: Any, problem: Assignment) -> tuple[Any, Any] | str:
    """Return the tables and the function, or why there is none."""
    entry, sources = _compiled.get((kernel, type(problem), problem), (None, None))
    if entry is not None and sources is not None and not sources.stale:
        return entry
    return shielded(lambda: _built(kernel, problem))


def _built(kernel: Any, problem: Assignment) -> tuple[Any, Any] | str:
    key = kernel, type(problem), problem
    if key in _compiled and not _compiled[key][1].stale:
        return _compiled[key][0]
    if key in _compiled:
        forget(_compiled.pop(key)[1].stale)
    entry: tuple[Any, Any] | str
    sources = Sources()
    try:
        with compiler() as (build, lay_out):
            sources.add(problem)
            block, name = lay_out(problem), type(problem).__qualname__
            entry = block, build(kernel, block, 0, lambda: announce(name))[0]
    except RuleError as error:
        entry = str(error)
    while len(_compiled) >= KEPT:
        del _compiled[next(iter(_compiled))]
    _compiled[key] = entry, sources
    return entry
