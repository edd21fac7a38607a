"""Groups the commands. Each is loaded only when it is called, so that help starts at once."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from graphs.arguments import excerpt
from strategies.cli.telling import CLOSED_PIPE, INTERRUPTED, drop_unwritten, said, tell
from strategies.support.files import is_stream

COMMANDS = {
    "study": "Compare strategies and numbers of workers by measured time.",
    "simulate": "Find the best strategy for any number of workers, by simulation.",
    "search": "Search one position: best move, value, and every spark.",
    "replay": "Replay a search step by step on one page: tree, trace, sparks.",
    "solve": "Solve a position: who wins, how soon, and by which move.",
    "perft": "Count positions by depth, the field's test of rules.",
    "climb": "Solve a problem such as n queens by local search.",
    "play": "Play a game: people, random players and searches, in any mix.",
    "tournament": "Play a round robin, and rate the players: Elo with error bars.",
    "tune": "Tune the weights of a game by playing, and show the gain.",
    "learn": "Learn an estimate of a game by playing it; keep it in a file.",
    "games": "List the games.",
    "explain": "Explain a strategy in words: the order of branches, and sparks.",
    "check": "Test the rules of your own game.",
}


class Context(click.Context):
    """A click context that lets no two options name a file that one of them writes."""

    def invoke(self, *args: Any, **more: Any) -> Any:
        _check_files(self)
        return super().invoke(*args, **more)


def _check_files(ctx: click.Context) -> None:
    """Raise UsageError if two options name one file, and one of them would overwrite the other."""
    seen: dict[str, tuple[str, bool]] = {}
    for option in ctx.command.params:
        path = ctx.params.get(option.name or "")
        if not isinstance(path, Path) or is_stream(path):
            continue
        reads = isinstance(option.type, click.Path) and option.type.exists
        before, read_before = seen.setdefault(os.path.realpath(path), (option.opts[0], reads))
        if before != option.opts[0] and not (reads and read_before):
            raise click.UsageError(
                f"{before} and {option.opts[0]} name the same file, {path}: name another one", ctx
            )


class Commands(click.Group):
    """A click group that loads commands when they are called, and reports errors in one line."""

    context_class = Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None  # click reports the unknown command, and `_line` adds where to look
        command: click.Command = import_module(f"strategies.cli.{name}_command").command
        command.context_class = Context
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        from strategies.cli.console import compiling
        from strategies.native.compiling import on_compile

        try:
            with on_compile(cache(compiling)):  # once, although other weights compile again
                return super().invoke(ctx)
        except (click.ClickException, click.Abort, click.exceptions.Exit, KeyboardInterrupt):
            raise
        except BrokenPipeError:
            raise click.exceptions.Exit(CLOSED_PIPE) from None
        except BaseException as error:  # a game may raise anything, SystemExit included
            where = click.Context(self, parent=ctx, info_name=ctx.invoked_subcommand)
            raise click.UsageError(said(error), where) from error

    def main(  # type: ignore[override]  # click overloads it by standalone_mode
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **more: Any
    ) -> Any:
        """Run and exit: 0 done, 1 a law is broken, 2 failed, 130 interrupted, 141 pipe closed."""
        path, typed = prog_name or "jamboree", sys.argv[1:] if args is None else args
        if sys.stdout is None:
            tell(f"{path}: the standard output is closed")
            sys.exit(2)
        if isinstance(sys.stdout, TextIOWrapper):  # escape what its encoding lacks, as Python does
            sys.stdout.reconfigure(errors="backslashreplace")  # on stderr
        try:
            status = super().main(args, path, standalone_mode=False)
            sys.stdout.flush()
        except click.ClickException as error:
            where = getattr(error, "ctx", None)
            tell(f"{where.command_path if where else path}: {_line(error, typed)}")
            status = 2
        except click.Abort:
            tell(f"{path}: interrupted")
            status = INTERRUPTED
        except BrokenPipeError:
            status = CLOSED_PIPE
        except SystemExit as stop:  # click exits so when the pipe is closed
            status = CLOSED_PIPE if isinstance(stop.__context__, BrokenPipeError) else stop.code
        except Exception as error:
            tell(f"{path}: {said(error)}")
            status = 2
        drop_unwritten()
        sys.exit(status if isinstance(status, int) else 0)


CLICKS = ("Got ", "Invalid ", "Missing ", "No ", "Option ")
"""The first words of click's messages. Ours begin with a small letter, or with a name."""


def _line(error: click.ClickException, typed: Sequence[str]) -> str:
    words = error.format_message().removeprefix("Invalid value: ").split()
    # Click repeats an input as long as it is; paths of our own messages stay whole.
    message = " ".join(excerpt(word) if len(word) > 300 else word for word in words)
    if message.startswith("No such command"):
        near = get_close_matches(message.split("'")[1], COMMANDS, 1)
        message += f" Did you mean {near[0]}?" if near else " jamboree --help lists them."
    where = getattr(error, "ctx", None)
    if where and "algorithm" in {option.name for option in where.command.params}:
        if message.startswith("Got unexpected extra argument"):
            message += "; write --algorithm before an algorithm, and --using before a strategy"
        if isinstance(error, click.NoSuchOption) and error.option_name == "--depth":
            after = " ".join(typed).partition("--depth")[2].lstrip(" =").split()
            depth = after[0] if after and after[0].isdecimal() else 8
            message = f"the depth is part of the algorithm: --algorithm 'alphabeta(depth={depth})'"
    return message[:1].lower() + message[1:] if message.startswith(CLICKS) else message


def _version(ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
    if asked:
        try:
            number = version("jamboree-search")
        except PackageNotFoundError:  # run from files that were never installed
            number = "(not installed)"
        click.echo(f"jamboree {number}")
        ctx.exit()


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version,
    help="Print the version and exit.",
)  # fmt: skip
@click.option(
    "--verbose",
    is_flag=True,
    help="Report on stderr what is compiled, interpreted, made and resumed.",
)
@click.pass_context
def jamboree(ctx: click.Context, verbose: bool) -> None:
    """Search game trees on every core, and see what every spark did.

    \b
    A game defines the rules, an algorithm what to compute, a strategy which
    branches are searched in parallel, and in which order. Start with:
      jamboree study connect_four
      jamboree search tictactoe --algorithm 'alphabeta(depth=9)'
      jamboree explain 'jamboree(0.5).to_ply(2)'

    \b
    Shell completion in bash (for zsh and fish, write zsh_source or fish_source):
      eval "$(_JAMBOREE_COMPLETE=bash_source jamboree)"
    """
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    if verbose:
        from strategies.cli.console import logs_shown

        ctx.with_resource(logs_shown())
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
