"""Defines the arguments and options that several commands share, and reads their values."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from importlib.util import find_spec
from math import inf, nan
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from games import CATALOGUE, Game, find_game
from games.position_text import read_position
from graphs.arguments import MOST_THREADS, excerpt, shown
from strategies.algebra.drivers import DriverError
from strategies.algebra.strategy import Strategy, StrategyError
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.names import ALGORITHMS, parse_algorithm
from strategies.algorithms.positions import start_of
from strategies.cli.userfile import found_or_loaded, without_file
from strategies.support.files import is_stream, replaceable, write_whole
from strategies.values.notation import MADE, NAMES, parse_using


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


def parse_any(text: str) -> Any:
    """Return what `text` describes for ``using=``, perhaps with the classes of a user's own file.

    Raises: DriverError, StrategyError, click.UsageError, one line.
    """
    return parse_using(without_file(text))


def parse_of_tasks(text: str) -> Strategy:
    """Return the strategy that `text` describes, which is neither a driver nor `auto`.

    Raises: DriverError, StrategyError, one line.
    """
    found = parse_any(text)
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
        for suffix, package in (".png", "resvg-py"), (".pdf", "matplotlib"):
            if path.suffix == suffix and find_spec(package.replace("-", "_")) is None:
                raise click.UsageError(
                    f"cannot write {value}: {suffix[1:].upper()} needs "
                    f"pip install {package}; .svg needs nothing",
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
    text, start = state_text(text), start_of(game)
    try:
        return start if text is None else read_position(game, text)
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
USING = Read("strategy", parse_any, USING_ERRORS, [*MADE, *sorted(NAMES)])


class Above0(click.ParamType):  # type: ignore[type-arg]  # generic only in newer Click
    """A finite number above 0."""

    name = "number"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        try:
            number = float(value)
        except ValueError:
            number = nan
        if not 0 < number < inf:
            self.fail(f"{shown(value)} is not a number above 0.", param, ctx)
        return number


ABOVE_0 = Above0()
CHOICES = (
    "minimax, every node; alphabeta, with cutoffs; expectimax, with means at chance nodes; pvs, "
    "iterative deepening with null windows; mtdf, null windows only; each to a depth"
)
game = click.argument("game", type=GAME)
state = click.option(
    "--state", metavar="TEXT",
    help="The position: in the game's notation, or the turns so far, or both with a semicolon "
    "between, as in '40 52; roll 3 hold'. A turn is a move or, where chance moves, the number of "
    "an outcome (from 0) or the label of the position after it. - reads it from the standard "
    "input. [default: the start]",
)  # fmt: skip
engine = click.option(
    "--engine", type=click.Choice(["auto", "native", "interpreted"]), default="auto",
    show_default=True,
    help="How to run the rules: as machine code, interpreted, or (auto) as machine code if they "
    "can be compiled.",
)  # fmt: skip
KINDS = "maxn for three players or more, expectimax where chance moves, else alphabeta"
reference = click.option(
    "--reference", type=GAME, metavar="GAME",
    help="A second game with the same texts of moves, whose counts by the first move say which "
    "move differs where a published count does.",
)  # fmt: skip
algorithm = click.option(
    "--algorithm", type=ALGORITHM,
    help=f"What to compute: {CHOICES}. Or mcts(simulations=10000), Monte Carlo tree search. "
    f"[default: {KINDS} (pvs for one player), as many plies as "
    "take about a second, at most 6 (for one player 12), or all plies of a small game; mcts for "
    "two seconds if two plies are too many, or the game has no estimate]",
)  # fmt: skip
ply_limit = click.option(
    "--ply-limit", type=click.IntRange(min=1), metavar="N",
    help="End a game after N plies, as a draw between players. [default: the game's own, usually "
    "10,000]",
)  # fmt: skip
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")

WORKERS = click.IntRange(1, MOST_THREADS)
workers = click.option("--workers", type=WORKERS, help="Tasks to run at once. [default: all cores]")


def refuse_unused(because: str, *names: str) -> None:
    """Raise UsageError if one of these options was given, which have no effect `because` of others.

    `names` are the names of the parameters of the running command.
    """
    ctx = click.get_current_context()
    for option in ctx.command.params:
        given = ctx.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name in names:
            raise click.UsageError(f"{option.opts[0]} has no effect {because}: leave it out")


def estimate(command: Callable[..., None]) -> Callable[..., None]:
    """Add the option ``--estimate``, which judges positions by learned weights."""

    @click.option(
        "--estimate", "learned", metavar="FILE.npz",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Judge positions by the weights that `jamboree learn` wrote to this file.",
    )  # fmt: skip
    @wraps(command)
    def judged(game: Any, learned: Path | None, **rest: Any) -> None:
        if learned is not None:
            from strategies.players.learned_file import with_estimate

            game = with_estimate(game, learned)
        command(game=game, **rest)

    return judged


def endgame(command: Callable[..., None]) -> Callable[..., None]:
    """Add the option ``--endgame``, an endgame table that searches read."""

    @click.option(
        "--endgame", "read", metavar="FILE.npz",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Read the values of positions from the table that `jamboree solve --endgame` wrote "
        "to this file.",
    )  # fmt: skip
    @wraps(command)
    def knowing(game: Any, read: Path | None, **rest: Any) -> None:
        table = None
        if read is not None:
            from strategies.searches.endgame import EndgameTable

            table = EndgameTable.load(read, game)
        command(game=game, endgame=table, **rest)

    return knowing
