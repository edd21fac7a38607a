"""Judges one program: an engine's outcome of each call against Python's."""

from __future__ import annotations

import ast
import importlib.util
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from tests.programs.engines import Function, Refused
from tests.programs.outcome import Outcome, raising, returned
from tests.programs.program import Program
from tests.programs.watched import TooLong, Watch, watched

ENDED: Final = ("same", "overflow", "refused", "meant", "unsure", "left out", "differs")
"""How a call can end: overflow is an int that needs more than 64 bits, as is allowed; meant is
refused as it is meant to be; unsure where the identity of a NaN or an overflow that the program
handles decides; left out if it runs long."""
MEANT: Final = (
    "must not be changed", "is chance", "may meet equal keys", "depends on its order", "64 bits",
    "a result of the kind function",
)  # fmt: skip
"""Words of the refusals of what rules may not do: change what they share, show the order of a set,
need ints of any width, or return functions."""
FATAL: Final = (TypeError, NameError, AttributeError)


@dataclass(frozen=True)
class Verdict:
    """How a call ended, what Python gave, and what the engine gave or why it refused."""

    ended: str
    python: str
    engine: str = ""


@contextmanager
def module_of(source: str, name: str = "generated_program") -> Iterator[ModuleType]:
    """Provide the module of a source, which lies in a file for as long as it is used."""
    folder = Path(tempfile.mkdtemp(prefix="program"))
    path = folder / f"{name}.py"
    path.write_text(source)
    found = importlib.util.spec_from_file_location(name, path)
    assert found
    assert found.loader
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
        yield module
    finally:
        sys.modules.pop(name, None)
        shutil.rmtree(folder, ignore_errors=True)


def outcome(function: Function, arguments: tuple[Any, ...]) -> Outcome:
    """Return the outcome of a call.

    Raises: Refused.
    """
    try:
        value = function(*arguments)
    except (Refused, TooLong):
        raise
    except Exception as error:
        return raising(error, arguments)
    return returned(value, arguments)


def arguments_in(module: ModuleType, call: str) -> tuple[Any, ...]:
    """Return new arguments of a call."""
    return tuple(eval(f"({call})", module.__dict__)) if call.strip() else ()


def handles_overflow(source: str) -> bool:
    """Return whether an OverflowError could be handled in the program."""
    words = ("OverflowError", "ArithmeticError", "Exception", "BaseException")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ExceptHandler):
            names = (
                [n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)]
                if node.type
                else ["Exception"]
            )
            if any(name in words for name in names):
                return True
        if isinstance(node, ast.Try) and node.finalbody:
            return True
    return False


def compared(
    found: Outcome, expected: Outcome, watch: Watch, source: Callable[[], bool]
) -> tuple[str, str]:
    """Return how a call ended, and the engine's text."""
    same = found.raised == expected.raised and found.value == expected.value
    if same and expected.raised == "RecursionError":
        return "same", found.text
    if same and found.arguments == expected.arguments:
        return "same", found.text
    if watch.big and found.raised == "OverflowError":
        return "overflow", found.text
    if watch.nan_held or (watch.big and source()):
        return "unsure", found.text
    if same:
        return "differs", f"{found.text}, and other arguments afterwards"
    return "differs", found.text


def judged(program: Program, engine: Callable[[Function], Function]) -> list[Verdict]:
    """Return the verdicts of a program's calls.

    Each of the three ways to run the program has a module of its own, since a call may change what
    later calls read.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            copy, watch = watched(program.source, "watched_program")
        except (Exception, TooLong) as error:
            return [Verdict("left out", f"{type(error).__name__}: {error}")] * len(program.calls)
        with module_of(program.source) as plain, module_of(program.source, "fast") as module:
            refusal, function = "", getattr(module, program.entry)
            try:
                function = engine(function)
            except Refused as error:
                refusal = str(error) or "no reason"
            return [
                verdict_of(program, call, (copy, watch), plain, module, function, refusal)
                for call in program.calls
            ]


def refused(expected: Outcome, reason: str) -> Verdict:
    """Return the verdict of a call that an engine refuses."""
    meant = any(words in reason.partition("\n")[0] for words in MEANT)
    return Verdict("meant" if meant else "refused", expected.text, reason)


def verdict_of(
    program: Program, call: str, copy: tuple[ModuleType, Watch], plain: ModuleType,
    module: ModuleType, fast: Function, refusal: str,
) -> Verdict:  # fmt: skip
    """Return the verdict of one call; the module is the engine's own."""
    watch = copy[1]
    watch.start()
    try:
        arguments = [arguments_in(one, call) for one in (copy[0], plain, module)]
    except Exception as error:
        return Verdict("left out", f"arguments: {type(error).__name__}")
    try:
        seen = outcome(getattr(copy[0], program.entry), arguments[0])
    except (TooLong, MemoryError):
        return Verdict("left out", "runs too long")
    expected = outcome(getattr(plain, program.entry), arguments[1])
    found = None
    try:
        if not refusal:
            found = outcome(fast, arguments[2])
    except Refused as error:
        refusal = str(error) or "no reason"
    if found is None:  # perhaps because its value is chance, and the copy has another
        return refused(expected, refusal)
    if (seen.raised, seen.value) != (expected.raised, expected.value):
        return Verdict("differs", expected.text, f"watched: {seen.text}")
    ended, text = compared(found, expected, watch, lambda: handles_overflow(program.source))
    return Verdict(ended, expected.text, text)
