"""Loads the compiler on first use, and turns every error of it into a `RuleError`.

`on_compile` registers functions that are called before the rules of a game are compiled.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from strategies.native.versions import releases
from strategies.rules.language.messages import RuleError

_broken: str = ""
"""Why the compiler cannot be loaded in this process.  Modules that failed to load are not run
again."""


Compiling = Callable[[str], None]
_watchers: list[Compiling] = []
_purposes: list[str] = []


@contextmanager
def on_compile(watcher: Compiling) -> Iterator[None]:
    """Call `watcher`, inside the block, with the name of each game before its rules are compiled.

    A game that is compiled for another purpose than its search has that with its name.

    >>> with on_compile(lambda name: print(f"compiling the rules of {name} …")):
    ...     pass
    """
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


@contextmanager
def compiled_to(purpose: str) -> Iterator[None]:
    """Announce games that are compiled inside the block together with a purpose.

    >>> with on_compile(lambda name: print(f"compiling the rules of {name} …")):
    ...     with compiled_to("measure this machine"):
    ...         announce("Nim")
    compiling the rules of Nim to measure this machine …
    """
    _purposes.append(f" to {purpose}")
    try:
        yield
    finally:
        _purposes.pop()


def announce(name: str) -> None:
    """Call the watchers before the rules of the game of this name are compiled."""
    for watcher in list(_watchers):
        watcher(name + "".join(_purposes[-1:]))


@contextmanager
def compiler() -> Iterator[tuple[Callable[..., Any], Callable[..., Any]]]:
    """Return `build` and `bind` of the compiler, which is loaded on first use.

    Ensures: an error inside the block is a `RuleError`; one that is not the rules' fault names the
    installed versions, and is chained to its cause.
    Raises: `RuleError` if the compiler cannot be loaded.

    >>> with compiler() as (build, bind):
    ...     raise KeyError("a fault of a library")
    Traceback (most recent call last):
    strategies.rules.language.messages.RuleError: the rule compiler fails with Python ...
    """
    global _broken
    if _broken:
        raise RuleError(_broken)
    try:
        from strategies.native.compiler.build import build
        from strategies.native.compiler.rules_in_numba import bind
    except Exception as error:
        _broken = _compiler_error("cannot be loaded", error)
        raise RuleError(_broken) from error
    try:
        yield build, bind
    except RuleError:
        raise
    except Exception as error:
        raise RuleError(_compiler_error("fails", error)) from error


def _compiler_error(what: str, error: Exception) -> str:
    """Describe an error of the compiler in one line, with the installed versions."""
    at_hand = f"Python {platform.python_version()}, {releases()}"
    first = (str(error).strip().splitlines() or [""])[0]
    return f"the rule compiler {what} with {at_hand}: {type(error).__name__}: {first}"
