"""Compile a single rule, without a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

from strategies.native.compiler import build  # noqa: F401 - registers native forms
from strategies.native.compiler.linking import KernelCompiler
from strategies.native.compiler.rules import native_form


def compiled(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls the native form of a rule; the first call compiles it."""
    inner = native_form(rule)
    how = {"pipeline_class": KernelCompiler, "no_cfunc_wrapper": True}
    return njit(lambda *arguments: inner(*arguments), **how)  # type: ignore[no-any-return]
