"""Compares strategies and numbers of workers by measured time: ``jamboree study``."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from graphs.arguments import shown
from strategies.cli import options
from strategies.cli.console import as_json_text, echo
from strategies.cli.options import (
    ALGORITHM,
    GAME,
    OutputType,
    PictureType,
    cannot_write,
    read_state,
    reason,
    write,
)
from strategies.cli.telling import tell
from strategies.cli.userfile import without_file
from strategies.native.kept_engines import engine_for
from strategies.studies.compare import Changes, compare
from strategies.studies.measure import Disagreement
from strategies.studies.positions import NotPositions
from strategies.studies.run_study import PRESETS, STRATEGIES, preset, study
from strategies.studies.store import NotResults
from strategies.studies.study import NotAStudy, Study
from strategies.support.bar import Bar


class Numbers(click.ParamType):  # type: ignore[type-arg]  # generic only in newer Click
    """A list of numbers separated by commas, such as 1,2,4."""

    name = "numbers"

    def __init__(
        self, option: str, least: int, of: Callable[[str], float], example: str, most: float = inf
    ) -> None:
        self.option, self.least, self.of, self.example = option, least, of, example
        self.most = most

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[float, ...]:
        try:
            numbers = tuple(self.of(part) for part in value.split(","))
        except ValueError:
            numbers = (self.least - 1,)
        if not all(self.least <= number <= self.most for number in numbers):
            to = "" if self.most == inf else f" to {self.most:g}"
            raise click.UsageError(
                f"{self.option} takes numbers from {self.least}{to}, as in {self.example}, "
                f"not {shown(value)}", ctx,
            )  # fmt: skip
        return numbers


COUNTS = Numbers("--workers", 1, int, "1,2")


@click.command(name="study")
@click.argument("game", type=GAME, required=False)
@options.state
@click.option(
    "--set", "positions", type=click.Path(exists=True, dir_okay=False), metavar="FILE",
    help="Search each position of this file instead, one a line; the table is over all of them.",
)  # fmt: skip
@click.option(
    "--preset", "chosen", type=click.Choice(list(PRESETS)),
    help="Repeat a published study; GAME and other options override its settings.",
)  # fmt: skip
@click.option(
    "--algorithm", type=ALGORITHM,
    help=f"What to compute: {options.CHOICES}. [default: {options.KINDS}, "
    "but paranoid for three players or more and no pvs; about a second deep]",
)  # fmt: skip
@click.option(
    "--using", multiple=True, metavar="STRATEGY",
    help="A strategy to measure; in it, p, plies and workers are replaced by the numbers of a "
    f"sweep. May be repeated. [default: {', '.join(map(repr, STRATEGIES))}]",
)  # fmt: skip
@click.option(
    "--depth", "depths", type=Numbers("--depth", 0, int, "6,8"), help="Depths, as in 6,8,10."
)
@click.option(
    "--plies", type=Numbers("--plies", 0, int, "1,2"), help="Values of plies, as in 1,2,3."
)
@click.option(
    "--p", type=Numbers("--p", 0, float, "0.25,0.5", 1), help="Values of p, as in 0,0.5,1."
)
@click.option("--workers", type=COUNTS, help="Numbers of workers. [default: 1 and all cores]")
@click.option(
    "--simulate", is_flag=True, default=None,
    help="Simulate more workers than there are cores; the rows say so.",
)  # fmt: skip
@click.option(
    "--games", type=click.IntRange(min=0),
    help="Play this many whole games instead of searching one position.",
)  # fmt: skip
@click.option("--moves", type=click.IntRange(min=0), help="How many moves of each game to search.")
@click.option(
    "--against", type=click.Choice(["search", "random"]),
    help="With --games, whether Minnie searches too or plays at random. [default: search]",
)  # fmt: skip
@click.option("--seed", type=int, help="Seed of the chance moves. [default: 0]")
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    help="Runs of each search; the table shows the median. [default: 3]",
)
@options.engine
@click.option(
    "--results", type=OutputType(".db", ".sqlite"), metavar="FILE.db",
    help="Keep each measurement in this SQLite file; measure only what is missing.",
)  # fmt: skip
@options.as_json
@click.option("--csv", type=OutputType(".csv"), metavar="FILE.csv", help="Also write the rows.")
@click.option(
    "--markdown", type=OutputType(".md"), metavar="FILE.md",
    help="Also write the printed table, in Markdown.",
)  # fmt: skip
@click.option(
    "--latex", type=OutputType(".tex"), metavar="FILE.tex",
    help="Also write the printed table, in LaTeX.",
)  # fmt: skip
@click.option(
    "--plot",
    type=PictureType(pdf=True),
    metavar="FILE",
    help="Also draw time against workers (see --by): .svg, .png or .pdf.",
)
@click.option(
    "--speedup",
    type=PictureType(pdf=True),
    metavar="FILE",
    help="Also draw speed-up against workers (see --by): .svg, .png or .pdf.",
)
@click.option(
    "--by", type=click.Choice(["workers", "plies", "leaves"]), default="workers", show_default=True,
    help="What --plot and --speedup have across: workers, plies with sparks, or leaves visited.",
)  # fmt: skip
@click.option(
    "--report", "page", type=OutputType(".html"), metavar="FILE.html",
    help="Also write one page for the browser: pictures, and the rows as tables with bars.",
)  # fmt: skip
@click.option(
    "--before", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE.json",
    help="Compare with a study that --json printed; --json, --markdown, --latex and --report then "
    "have the comparison.",
)  # fmt: skip
def command(
    game: Any, state: str | None, chosen: str | None, engine: str, results: Path | None,
    as_json: bool, before: Path | None, csv: Path | None, markdown: Path | None,
    latex: Path | None, plot: Path | None, speedup: Path | None, by: str, page: Path | None,
    **options: Any,
) -> None:  # fmt: skip
    """Measure strategies on GAME against seq, the best sequential search of the same algorithm.

    The table has time, moves, leaves, nodes, sparks and speed-up. Beside the speed-up, kernels is
    the throughput of independent searches on as many threads in the same minutes: what the machine
    can give. All searches must find the same moves.

    A line of a --set is a position as --state takes it; after a bar between blanks, its best moves
    with commas between (| best e4, d4), its exact value (| value 3, | value Maxie for a win), its
    name (| name start). # begins a comment. The table has total times, geometric means of the
    positions' speed-ups, and the time until a search has the solution and keeps it.

    With --results every measurement is kept as soon as it is made; after any interruption, the same
    command measures only what is missing. Ctrl-C prints what was measured so far.

    \b
    Examples:
      jamboree study connect_four
      jamboree study connect_four --plies 1,2,3 --p 0.25,0.5,0.75 --depth 10,12 --results c4.db
      jamboree study connect_four --using 'scout.to_ply(2)' --workers 1,2,16,64 --simulate
      jamboree study twenty48 --algorithm 'expectimax(depth=5)' --games 1 --repeat 1
      jamboree study tictactoe --workers 1,2,4 --csv rows.csv --json
      jamboree study --preset pursuit-threads --results threads.db
      jamboree study othello --set FILE.txt --algorithm 'pvs(12)' --workers 1,2,8 --simulate
      jamboree study connect_four --json > before.json
      jamboree study connect_four --before before.json --report study.html

    --json prints one object: schema (1, the version of this form), game, algorithm, state, engine,
    cores, repeat, games, moves, against, seed, found, rows, complete (false after Ctrl-C), refused
    (searches that were refused, each with the reason), name (of a position of a set). A row has the
    names of the CSV's first line: algorithm, depth, strategy, template, p, plies, workers, how
    (measured or simulated), seconds, moves, seconds_a_move, leaves, nodes, tasks, created,
    converted, gcd, fizzled, pruned, work, span, cpu, speedup, speedup_low, speedup_high (between
    which it may lie), kernels, share, low and high (the ends of the median's interval), mean,
    clear, solved, stated (of so many), solution, solution_speedup, solution_mean, solution_clear;
    and runs, the seconds of each run. A set has positions: an object like this one for each. With
    --before: changes, too, with rows (algorithm, depth, strategy, workers, how, before and after
    {seconds, low, high}, ratio, visits, verdict), only_before and only_after.
    """
    given = {name: value for name, value in options.items() if value not in (None, ())}
    if "using" in given:
        given["strategies"] = [without_file(text) for text in given.pop("using")]
    if chosen is not None:
        given = preset(chosen) | given
    if game is not None:
        given.pop("state", None)
    game = game or given.get("game")
    if game is None:
        raise click.UsageError("name a GAME or a --preset; jamboree games lists the games")
    if "positions" in given:
        given.pop("state", None)
        _check_set(state, given)
    elif state is not None or "state" not in given:
        given["state"] = read_state(game, state)
    _check_used(plays=bool(given.get("games")), draws=bool(plot or speedup))
    given |= {"game": game, "engine": engine, "results": results}
    out = _Out(as_json, csv, markdown, latex, plot, speedup, by, page, _read(before), before)
    latest: Study | None = None

    def progress(so_far: Study) -> None:
        nonlocal latest
        latest = so_far
        done, planned = so_far.steps
        bar.show(f"{done} of {planned} runs", done, planned)

    try:
        with Bar(ticking=False) as bar:  # nothing else may run during measurements
            engine_for(game, engine).warm()
            found = study(**given, progress=progress)
    except KeyboardInterrupt:
        if latest:
            out.give(latest)
        _how_to_go_on(latest, results)
        raise
    except Disagreement as error:
        raise click.ClickException(str(error)) from None
    except NotPositions as error:
        raise click.UsageError(f"--set {error}") from None
    except NotResults as error:
        raise click.UsageError(f"--results {results}: {error}") from None
    out.give(found)


def _check_used(*, plays: bool, draws: bool) -> None:
    """Refuse the options that only matter for whole games, or for pictures."""
    if not plays:
        options.refuse_unused("without --games", "moves", "against", "seed")
    if not draws:
        options.refuse_unused("without --plot or --speedup", "by")


def _check_set(state: str | None, given: dict[str, Any]) -> None:
    """Refuse the options that say what to search in place of a set."""
    for option, is_given in (("--state", state is not None), ("--games", "games" in given)):
        if is_given:
            raise click.UsageError(f"--set and {option} exclude each other: leave one of them out")


def _read(path: Path | None) -> Study | None:
    """Read the study of a file."""
    if path is None:
        return None
    try:
        return Study.from_json(path.read_text(encoding="utf-8"))
    except (NotAStudy, UnicodeDecodeError, OSError) as error:
        raise click.UsageError(f"--before {path}: {reason(error)}") from None


@frozen
class _Out:
    """The files and forms in which to give a study."""

    as_json: bool
    csv: Path | None
    markdown: Path | None
    latex: Path | None
    plot: Path | None
    speedup: Path | None
    by: str
    page: Path | None
    before: Study | None
    earlier: Path | None
    """The file of the study before."""

    def give(self, found: Study) -> None:
        """Print the study, and write the files that were asked for."""
        tables: Study | Changes = found
        if self.before is not None:
            try:
                tables = compare(self.before, found)
            except ValueError as error:
                raise click.UsageError(f"--before {self.earlier}: {error}") from None
        if self.as_json:
            click.echo(as_json_text(found.to_json(self.before)))
        else:
            echo(found)
            if tables is not found:
                echo("", tables)
        if self.csv is not None:
            write(self.csv, found.to_csv())
        if self.markdown is not None:
            write(self.markdown, tables.to_markdown())
        if self.latex is not None:
            write(self.latex, tables.to_latex())
        for path, what in ((self.plot, "time"), (self.speedup, "speedup")):
            if path is not None and any(row.strategy == "seq" for row in found.rows):
                _draw(found, what, self.by, path)
        if self.page is not None and found.rows:
            from strategies.studies.report import study_page

            write(self.page, study_page(found, tables if isinstance(tables, Changes) else None))


def _draw(found: Study, what: str, by: str, path: Path) -> None:
    if path.suffix == ".pdf":
        from strategies.insight.plots import pdf

        write(path, pdf(found.plot(what, by=by)))
        return
    with cannot_write(path):
        found.draw(what, by).write(path)


def _how_to_go_on(found: Study | None, results: Path | None) -> None:
    if results is None:
        hint = "with --results FILE.db, an interrupted study can be continued"
    elif found is None:
        hint = f"the same command continues from {results}"
    else:
        done, total = found.steps
        hint = f"{done} of {total} runs are kept in {results}; the same command continues from it"
    tell(hint)
