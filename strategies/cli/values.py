"""Parses the values of the command line: games, algorithms, strategies, agents, output files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click
from click.shell_completion import CompletionItem

from games import CATALOGUE, Game, find_game
from games.told_position import read_position
from graphs.arguments import excerpt, shown
from strategies.algebra.drivers import DriverError
from strategies.algebra.strategy import Strategy, StrategyError
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.names import ALGORITHMS
from strategies.cli.userfile import found_or_loaded
from strategies.notation.strategies import MADE, NAMES, parse_algorithm, parse_using
from strategies.support.files import is_stream, replaceable, write_whole


def begun(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Return the completions that a shell may offer for an incomplete word."""
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


class Read(click.ParamType):  # type: ignore[type-arg]  # generic only in newer Click
    """A value that `parse` reads from text.

    Messages of the classes in `errors` begin as said there, with the text for {}.
    """

    def __init__(
        self, name: str, parse: Callable[[str], Any],
        errors: Mapping[type[Exception], str] = MappingProxyType({}), words: Iterable[str] = (),
    ) -> None:  # fmt: skip
        self.name, self.parse, self.errors, self.words = name, parse, errors, tuple(words)

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        """Return the names that begin with the incomplete word."""
        return begun(self.words, incomplete)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self.parse(value)
        except tuple(self.errors) as error:
            begin = self.errors[type(error)].format(shown(value))
            raise click.UsageError(f"{begin}: {error}", ctx) from None


class GameType(Read):
    """The name of a game, or FILE.py:NAME."""

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        """Return the games and, for FILE.py, the files."""
        named = super().shell_complete(ctx, param, incomplete)
        return [*named, CompletionItem(incomplete, type="file")]


def parse_of_tasks(text: str) -> Strategy:
    """Return the strategy that `text` describes, which is neither a driver nor `auto`.

    Raises: DriverError, StrategyError, one line.
    """
    found = parse_using(text)
    if isinstance(found, Strategy):
        return found
    raise StrategyError(
        f"{excerpt(text)} makes no tasks; use a strategy, such as jamboree(0.5).to_ply(2)"
    )


class OutputType(click.ParamType):  # type: ignore[type-arg]  # generic only in newer Click
    """A file that can be written, checked before anything is computed."""

    name = "file"

    def __init__(self, *endings: str) -> None:
        self.endings = endings

    def convert(self, value: Any, param: Any, ctx: Any) -> Path:
        path = Path(value)
        if value == "-":
            names = f"FILE{' or FILE'.join(self.endings)}" if self.endings else "FILE"
            raise click.UsageError(
                f"cannot write -: write {names}, or /dev/stdout for the standard output", ctx
            )
        with cannot_write(path):  # a name may be too long to look up
            self._check(path, ctx)
        return path

    def _check(self, path: Path, ctx: Any) -> None:
        """Raise UsageError or OSError if the file cannot be written."""
        if is_stream(path):
            return
        folder = Path(os.path.realpath(path)).parent
        if self.endings and path.suffix not in self.endings:
            why = f"its name must end in {' or '.join(self.endings)}"
        elif not folder.is_dir():
            why = f"there is no folder {folder}"
        elif path.is_dir():
            why = "it is a folder"
        elif not os.access(folder, os.W_OK):
            why = f"no permission in {folder}"
        elif not replaceable(path):
            why = "it is read-only"
        else:
            return
        raise click.UsageError(f"cannot write {path}: {why}", ctx)


class PictureType(OutputType):
    """A picture file; PNG and PDF need one more package each, which is checked as well."""

    def __init__(self, *, pdf: bool = False) -> None:
        super().__init__(".svg", ".png", *([".pdf"] if pdf else []))

    def convert(self, value: Any, param: Any, ctx: Any) -> Path:
        path = super().convert(value, param, ctx)
        for suffix, package, extra in (".png", "resvg_py", "png"), (".pdf", "matplotlib", "plot"):
            if path.suffix == suffix and find_spec(package) is None:
                raise click.UsageError(
                    f"cannot write {value}: {suffix[1:].upper()} needs "
                    f"pip install 'jamboree-search[{extra}]'; .svg needs nothing",
                    ctx,
                )
        return path


LINES = "lines"


class LinesOrFile(OutputType):
    """A file to write, or no value, which selects lines on the standard output."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        return LINES if value == LINES else super().convert(value, param, ctx)


def state_text(text: str | None) -> str | None:
    """Return the text of ``--state``; ``-`` reads the standard input."""
    if text != "-":
        return text
    if sys.stdin is None:
        raise click.UsageError("--state -: the standard input is closed")
    given = sys.stdin.read()
    if not given:
        raise click.UsageError("--state -: the standard input is empty; it must hold a position")
    return given


def read_state(game: Game[Any, Any], text: str | None) -> Any:
    """Return the position that `text` describes (``-``: the standard input); the start for None."""
    text = state_text(text)
    try:
        return game.start() if text is None else read_position(game, text)
    except (ValueError, NotImplementedError) as error:  # the latter if the game reads no text
        raise click.UsageError(f"--state: {error}") from None


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all."""
    with cannot_write(path):
        write_whole(path, content)


@contextmanager
def cannot_write(path: Path) -> Iterator[None]:
    """Turn an OSError in the block into a one-line error about the file."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.UsageError(f"cannot write {path}: {error.strerror}") from None


@contextmanager
def cannot_read(path: Path) -> Iterator[None]:
    """Turn an OSError in the block into a one-line error about the file."""
    try:
        yield
    except OSError as error:
        raise click.UsageError(f"cannot read {path}: {error.strerror}") from None


def reason(error: Exception) -> str:
    """Return why a file cannot be read, in one line."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return str(getattr(error, "strerror", None) or error)


GAME = GameType("game", found_or_loaded(find_game, Game, "game"), words=CATALOGUE)
ALGORITHM = Read(
    "algorithm", found_or_loaded(parse_algorithm, Algorithm, "algorithm"),
    {AlgorithmError: "--algorithm"}, ALGORITHMS,
)  # fmt: skip
USING_ERRORS: Mapping[type[Exception], str] = {DriverError: "driver", StrategyError: "strategy"}
STRATEGY = Read("strategy", parse_of_tasks, USING_ERRORS, sorted(NAMES))
USING = Read("strategy", parse_using, USING_ERRORS, [*MADE, *sorted(NAMES)])
