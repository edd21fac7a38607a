"""The door to the compiler: whatever fails behind it is one error; loading is tried once.

Whoever asks by `on_compile` is told of each game before its rules are compiled.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from strategies.native.errors import RuleError
from strategies.native.versions import releases

_broken: str = ""
"""Why the compiler cannot be loaded in this process: half-loaded modules are not run again."""


Compiling = Callable[[str], None]
_watchers: list[Compiling] = []


@contextmanager
def on_compile(watcher: Compiling) -> Iterator[None]:
    """Tells `watcher`, inside the block, the name of each game before its rules are compiled.

    >>> with on_compile(lambda name: print(f"compiling the rules of {name} …")):
    ...     pass
    """
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def announce(name: str) -> None:
    """Tells the watchers that rules of this name are about to be compiled."""
    for watcher in list(_watchers):
        watcher(name)


@contextmanager
def compiler() -> Iterator[tuple[Callable[..., Any], Callable[..., Any]]]:
    """Gives `build` and `lay_out` of the compiler, which is loaded on first use.

    Ensures: an error inside the block is a `RuleError`; one that is not the rules' fault names the
    versions at hand, and is chained to its cause.
    Raises: `RuleError` if the compiler cannot be loaded.

    >>> with compiler() as (build, lay_out):
    ...     raise KeyError("a fault of a library")
    Traceback (most recent call last):
    strategies.native.errors.RuleError: the rule compiler fails with Python ...
    """
    global _broken
    if _broken:
        raise RuleError(_broken)
    try:
        from strategies.native.compiler.build import build
        from strategies.native.compiler.layout import lay_out
    except Exception as error:
        _broken = _told("cannot be loaded", error)
        raise RuleError(_broken) from error
    try:
        yield build, lay_out
    except RuleError:
        raise
    except Exception as error:
        raise RuleError(_told("fails", error)) from error


def forget(stale: Any) -> None:
    """Drops what was compiled of rules that have been defined anew."""
    from strategies.native.compiler.rules import forget

    forget(stale)


def _told(what: str, error: Exception) -> str:
    """Describe an error of the compiler in one line, with the installed versions."""
    at_hand = f"Python {platform.python_version()}, {releases()}"
    first = (str(error).strip().splitlines() or [""])[0]
    return f"the rule compiler {what} with {at_hand}: {type(error).__name__}: {first}"
