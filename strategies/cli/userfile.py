"""Loads games, algorithms and strategies from a user's own file: ``FILE.py:NAME`` or
``FILE.py:NAME(width=5)``."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from inspect import Parameter, signature
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from games import Game
from graphs.arguments import shown
from strategies.algebra.calls import CallError, parse_call
from strategies.algebra.strategy import Strategy
from strategies.values.notation import register_strategy

NAMED = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
EXAMPLE = "write it as in mygame.py:MyGame or mygame.py:MyGame(width=5)"


def found_or_loaded(find: Callable[[str], Any], kind: type, what: str) -> Callable[[str], Any]:
    """Return a function that loads FILE.py:NAME, and finds what any other text names."""

    def read(text: str) -> Any:
        own = ".py:" in text or text.endswith(".py")
        return load(text, kind, what) if own else find(text)

    return read


def load(text: str, kind: type = Game, what: str = "game") -> Any:
    """Return the game that `text` names, after running its file as an import would.

    `kind` is the class that the object must have, and `what` its name in messages.

    Raises: click.UsageError, one line: no such file or name, or the line at which the file failed.
    """
    file, _, wanted = text.removesuffix(":").rpartition(".py:")
    if not file:
        raise click.UsageError(_choice(Path(text.removesuffix(":")), kind, what))
    path = Path(file + ".py")
    try:
        call = parse_call(wanted)
        (args, named), name = call.arguments(), call.name
    except CallError as error:
        raise click.UsageError(f"{shown(text)} names no {what}: {error}; {EXAMPLE}") from None
    module = _run(path)
    found = getattr(module, name, None)
    there = f"{what}s in it: {', '.join(_named(module, path, kind)) or _none(kind)}"
    if found is None:
        raise click.UsageError(f"{path} has no {name}; {there}")
    other = isinstance(found, type) and not issubclass(found, kind)
    if not isinstance(found, kind) and callable(found) and not other:
        try:
            signature(found).bind(*args, **named)
        except TypeError as error:
            takes = ", ".join(signature(found).parameters) or "nothing"
            raise click.UsageError(
                f"{wanted} of {path}: {error}; it takes {takes}; {there}"
            ) from None
        except ValueError:  # it has no signature
            pass
        try:
            found = found(*args, **named)
        except Exception as error:
            raise click.UsageError(f"{wanted} of {path} fails: {_said(error)}") from None
    if not isinstance(found, kind):
        whole = f"{kind.__module__.rpartition('.')[0]}.{kind.__name__}"
        raise click.UsageError(f"{name} of {path} is not a {what}, derived from {whole}; {there}")
    return found


def without_file(text: str) -> str:
    """Return the text of a strategy; of FILE.py:TEXT, run the file, whose classes TEXT may use."""
    file, colon, wanted = text.partition(".py:")
    if not colon:
        return text
    module = _run(Path(f"{file}.py"))
    for found in [*vars(module).values()]:
        own = isinstance(found, type) and found.__module__ == module.__name__
        if own and issubclass(found, Strategy):
            register_strategy(found)
    return wanted


def _choice(path: Path, kind: type, what: str) -> str:
    """Return the message for a file without a NAME: how to write its games."""
    names = _named(_run(path), path, kind)
    if names:
        return f"{path} is a file: write {' or '.join(names)}"
    return f"{path}: {what}s: {_none(kind)}"


def _none(kind: type) -> str:
    return f"none (derive from {kind.__name__})"


def _named(module: ModuleType, path: Path, kind: type) -> list[str]:
    """Return how to write each class of a kind that a module defines."""
    return [
        f"{path}:{name}{_takes(value)}"
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, kind)
        and value.__module__ == module.__name__
    ]  # fmt: skip


def _takes(value: type) -> str:
    """Return the required arguments of a class, to be filled in: ``(size=…)``.

    >>> from games import Maze, Nim
    >>> _takes(Maze), _takes(Nim)
    ('(rows=…)', '')
    """
    try:
        parameters = signature(value).parameters.values()
    except ValueError:
        return ""
    needed = [f"{p.name}=…" for p in parameters if p.default is p.empty and p.kind in NAMED]
    return f"({', '.join(needed)})" if needed else ""


def _run(path: Path) -> ModuleType:
    """Run a file and return its module.

    The file can import modules beside it, unless an installed one has the same name.
    """
    if not path.is_file():
        raise click.UsageError(f"there is no file {path}")
    if not os.access(path, os.R_OK):
        raise click.UsageError(f"cannot read {path}: {os.strerror(errno.EACCES)}")
    stem = path.stem.replace(".", "_")  # a dot would name a module of a package
    taken = find_spec(stem)
    # The name is that of an import, because it is part of the identity of the rules, as in tables.
    own = taken is not None and taken.origin is not None and _same(Path(taken.origin), path)
    name = stem if taken is None or own else f"{stem}_of_user"
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.path.append(str(path.parent.resolve()))
    sys.modules[name] = module  # pickle looks up classes of the file here
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the file may raise anything, SystemExit included
        raise click.UsageError(
            f"{_place(error, path)}: {_said(error)}; the file must run before it can be used"
        ) from None
    return module


def _same(path: Path, other: Path) -> bool:
    return path.resolve() == other.resolve()


def _place(error: BaseException, path: Path) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if _same(Path(frame.filename), path)
    ]
    return f"{path}:{lines[-1]}" if lines else str(path)


def _said(error: BaseException) -> str:
    said = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    return f"{type(error).__name__}: {said}"
