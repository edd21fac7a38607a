"""Searches one position: ``jamboree search``."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve, frozen

from games import Game
from graphs.errors import ArgumentError
from strategies.algebra.drivers import Auto
from strategies.algorithms.limits import Limits
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.algorithms.positions import at_chance, children, kind_of
from strategies.cli import options
from strategies.cli.console import as_json_text, echo
from strategies.cli.options import (
    LINES,
    USING,
    LinesOrFile,
    OutputType,
    PictureType,
    cannot_write,
    read_state,
    write,
)
from strategies.cli.search_report import Report, SamplingReport
from strategies.cli.telling import tell
from strategies.insight.selection.usual import Usual, usual
from strategies.native.kept_engines import engine_for
from strategies.running.runtime import cancellation
from strategies.searches.collection import Result, Search
from strategies.searches.monte_carlo.search import MonteCarloSearch
from strategies.searches.move_values import MoveValues
from strategies.searches.search import search
from strategies.support.bar import Bar, clock
from strategies.values.explain import explain

if TYPE_CHECKING:
    from strategies.searches.endgame import EndgameTable


SCHEDULERS = ("ordered", "threads", "sync", "processes")


def run(
    answer: Any, scheduler: str, workers: int | None, progress: Callable[[Any], None] | None = None,
    memory: Any = None,
) -> Any:  # fmt: skip
    """Return the result of a search.

    `progress` is called by searches in this process, with simulations or with depths; `memory` is
    the table of searches that have one.

    Ensures: no process is left running, whatever ends the search. At Ctrl-C, a line on stderr says
    how to keep an answer next time.
    """
    try:
        more = {"progress": progress, "memory": memory}
        return _run(answer, scheduler, workers, {k: v for k, v in more.items() if v is not None})
    except KeyboardInterrupt:
        plan = answer.plan if isinstance(answer, Search) else None
        if plan is not None and plan.limits is None and plan.algorithm.deepens:
            tell("with --time SECONDS, Ctrl-C keeps the best answer so far")
        raise


def _run(answer: Any, scheduler: str, workers: int | None, more: dict[str, Any]) -> Any:
    count = workers or os.cpu_count() or 1
    if scheduler == "ordered":
        return answer.compute(num_workers=count, **more)
    if scheduler == "processes":
        # Leaving the block of our own pool ends its processes, even those in machine code.
        with get_context("spawn").Pool(count, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as p:
            return answer.compute(scheduler="processes", pool=p)
    with ThreadPoolExecutor(1) as caller:  # this thread only waits, so Ctrl-C reaches it
        waiting = caller.submit(answer.compute, scheduler, num_workers=count, **more)
        try:
            return waiting.result()
        except KeyboardInterrupt:
            while not waiting.done():  # again, because a search may begin only now
                cancellation.interrupt()
                wait([waiting], timeout=0.02)
            if isinstance(answer, MonteCarloSearch):  # it has the simulations made so far
                return waiting.result()
            raise


@click.command(name="search")
@options.game
@options.state
@options.algorithm
@click.option(
    "--using", type=USING, default="seq", show_default=True,
    help="How to run it in parallel: a strategy, such as 'jamboree(0.5).to_ply(2)'; a driver, "
    "abdada or lazy_smp, whose threads share a table; or auto, which probes and reports its "
    "choice. Your own as FILE.py:TEXT.",
)  # fmt: skip
@options.workers
@click.option(
    "--scheduler", type=click.Choice(SCHEDULERS), default="ordered", show_default=True,
    help="ordered starts the leftmost ready task first; the others are Dask's schedulers.",
)  # fmt: skip
@options.engine
@click.option(
    "--time", "seconds", type=float, metavar="SECONDS",
    help="Deepen ply by ply up to the algorithm's depth, and answer within this time; compiling "
    "is not counted.",
)  # fmt: skip
@click.option("--nodes", type=int, metavar="N", help="Likewise, within about this many positions.")
@click.option(
    "--table", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Keep the transposition table in a file, which the next call uses again; a new file has "
    "the size of the algorithm's table.",
)  # fmt: skip
@click.option(
    "--values", "which", type=click.Choice(["all", "best"]),
    help="Also print the value of each move, or all of the best moves: one more search for each.",
)  # fmt: skip
@click.option(
    "--graph", type=PictureType(), metavar="FILE", help="Draw the task graph: .svg or .png."
)
@click.option(
    "--timeline", type=PictureType(), metavar="FILE",
    help="Draw which worker ran which task when: .svg or .png.",
)  # fmt: skip
@click.option(
    "--report", "page", type=OutputType(".html"), metavar="FILE.html",
    help="Write one page with the result and the pictures; runs the search once more, in order, "
    "to compare.",
)  # fmt: skip
@click.option(
    "--trace", type=LinesOrFile(".json"), is_flag=False, flag_value=LINES, metavar="[FILE.json]",
    help="First print the search line by line; with a file, write when each task ran there "
    "instead, for ui.perfetto.dev.",
)  # fmt: skip
@click.option(
    "--sparks", "sparks_file", type=OutputType(".csv", ".json"), metavar="FILE",
    help="Write what became of each spark, one row each, to a .csv or .json file.",
)  # fmt: skip
@click.option(
    "--progress", "by_depth", is_flag=True,
    help="Print a line for each depth as soon as it ends, to the standard error.",
)  # fmt: skip
@click.option("--explain", "explained", is_flag=True, help="First explain the strategy.")
@options.as_json
@options.endgame
@options.estimate
def command(
    game: Game[Any, Any], state: str | None, algorithm: Any, using: Any, workers: int | None,
    scheduler: str, engine: str, seconds: float | None, nodes: int | None, table: Path | None,
    which: str | None, graph: Path | None, timeline: Path | None, page: Path | None,
    trace: Path | str | None, sparks_file: Path | None, explained: bool, as_json: bool,
    endgame: EndgameTable | None, by_depth: bool,
) -> None:  # fmt: skip
    """Search a position of GAME: print its best move, its value, and what every spark did.

    \b
    Examples:
      jamboree search connect_four --state 4453 --algorithm 'alphabeta(depth=12)'
      jamboree search connect_four --algorithm 'alphabeta(12)' --using 'jamboree(0.5).to_ply(2)'
      jamboree search handout_small --algorithm 'alphabeta(2)' --using 'jamboree(0.5)' --trace
      jamboree search connect_four --algorithm 'alphabeta(14)' --using auto
      jamboree search connect_four --algorithm 'pvs(depth=40)' --time 0.5 --progress
      jamboree search connect_four --algorithm 'pvs(depth=40)' --table start.table
      jamboree search tictactoe --algorithm 'alphabeta(9)' --values best
      jamboree search connect_four --algorithm 'pvs(depth=14)' --using 'abdada(workers=2)'
      jamboree search connect_four --using young_brothers_wait --sparks sparks.csv --trace run.json
      jamboree search othello --algorithm 'mcts(simulations=100000)' --time 2
      jamboree search mygame.py:MyGame --using 'par_list.to_ply(1)' --graph tasks.svg
      jamboree search connect_four --using 'jamboree(0.5).to_ply(2)' --report run.html

    --json prints one object: schema (1, the version of this form), game, position, algorithm,
    using, engine {native, reason}, scheduler, workers, seconds, move, value, estimate, win, line,
    leaves, nodes, depth (what a limit allowed, or null), sparks {attempts, created, converted,
    fizzled, dud, overflowed, gcd, remaining, inlined, pruned, aborted, opened, reasons (why sparks
    fizzled, each with its count), lost, repeated}, tasks, joins, work, cpu, span, parallelism,
    chosen (why this algorithm, if none was named, or null), outcomes (where chance moves: a list of
    {outcome, probability, position, value, estimate, move, line}), diagnosis (a list of lines);
    with --values: values (a list of {move, value, estimate, line, nodes}); and with --trace and
    --explain: trace, explain (lists of lines).
    With mcts: game, position, algorithm, chosen, using, engine, move, value, proven, player, win,
    line, moves [{move, visits, value, proven, deviation}], outcomes, simulations, rate, nodes,
    depth, plies, full, tasks, seconds. Times are in seconds; moves are texts; a value of 10^15 or
    more is a win for Maxie.
    """
    if isinstance(using, Auto):
        using = using.on(workers)
    position, chosen = read_state(game, state), None
    plans = bool(graph or trace or sparks_file or explained or table or which or by_depth)
    if algorithm is None:
        chosen = _chosen(game, position, seconds, nodes, plans)
        algorithm, seconds = chosen.algorithm, chosen.time if seconds is None else seconds
    why = None if chosen is None else chosen.why
    sampling = isinstance(algorithm, MonteCarlo)
    if sampling and plans:
        raise click.UsageError(
            "mcts has no --graph, --trace, --sparks, --explain, --table, --values or "
            "--progress, because it plans no positions and has no depths; use --timeline, "
            "which draws when each tree grew, or --report, which also lists the moves"
        )
    if seconds is not None and not sampling and at_chance(game, position):
        seconds = _half(seconds)  # the other half is for the searches below the outcomes
    answer: Any = search(
        game, algorithm, state=position, using=using, engine=engine, time=seconds, nodes=nodes,
        endgame=endgame,
    )  # fmt: skip
    files = Files(graph, timeline, page, trace if isinstance(trace, Path) else None, sparks_file)
    how = scheduler, workers
    if sampling:
        _sample(answer, how, files, why, as_json)
        return
    before = {}
    if explained:
        before["explain"] = explain(answer.plan.using, _branches(answer)).splitlines()
    if trace == LINES:
        before["trace"] = answer.trace()
    report = _searched(answer, how, table, why, by_depth)
    if which:
        with clock("valuing the moves"):
            report = evolve(report, values=_values(report.result, which, workers))
    files.write(report.result)
    if as_json:
        click.echo(as_json_text(report.data() | before))
        return
    for lines in before.values():
        echo("\n".join(lines) + "\n")
    echo(report)
    files.tell()


def _chosen(
    game: Any, position: Any, seconds: float | None, nodes: int | None, plans: bool
) -> Usual:
    """Choose the algorithm.

    Raises: UsageError for a limit of nodes, if the usual algorithm takes none.
    """
    limited = seconds is not None or nodes is not None
    chosen = usual(game, position, limited=limited, plans=plans or nodes is not None)
    algorithm = chosen.algorithm
    if nodes is not None and (isinstance(algorithm, MonteCarlo) or not algorithm.narrows):
        raise click.UsageError(
            f"--nodes: the usual algorithm here, {algorithm.name}, takes no limit of nodes; "
            "use --time, or name one that does, as --algorithm 'alphabeta(60)'"
        )
    return chosen


def _half(seconds: float) -> float:
    """Return half of a limit of time, which is checked as it was given."""
    Limits(seconds)
    return seconds / 2


@frozen
class Files:
    """The files that a command writes about a run."""

    graph: Path | None
    timeline: Path | None
    page: Path | None
    trace: Path | None
    sparks: Path | None

    def write(self, result: Any) -> None:
        """Write the files about the result of a search."""
        self.draw(result)
        if self.page:
            from strategies.insight.report.page import report_page

            write(self.page, report_page(result, command=self.command))
        if self.trace:
            write(self.trace, result.to_trace())
        if self.sparks:
            as_csv = self.sparks.suffix == ".csv"
            write(self.sparks, result.sparks.to_csv() if as_csv else result.sparks.to_json())

    def draw(self, result: Any) -> None:
        """Write the pictures of a result."""
        for path, what in ((self.graph, "graph"), (self.timeline, "timeline")):
            if path:
                with cannot_write(path):
                    result.draw(what).write(path)

    @property
    def command(self) -> str:
        """Return the shell command of this process."""
        return shlex.join(["jamboree", *sys.argv[1:]])

    def tell(self) -> None:
        """Say where the files are."""
        named = (
            (self.graph, "task graph"), (self.timeline, "timeline"), (self.page, "report"),
            (self.trace, "trace"), (self.sparks, "ledger of sparks"),
        )  # fmt: skip
        for path, what in named:
            if path:
                click.echo(f"\nThe {what} is in {path}.")


Where = tuple[str, int | None]
"""The scheduler and the number of workers."""


def _searched(answer: Any, how: Where, table: Path | None, why: str | None, by_depth: bool) -> Any:
    """Run a search, with its progress; return its report."""
    scheduler, workers = how
    if table and scheduler != "ordered":
        raise click.UsageError("--table needs the ordered scheduler: leave out --scheduler")
    if scheduler == "processes":
        options.refuse_unused("with --scheduler processes", "by_depth")
    if scheduler != "ordered":  # compile here, where Ctrl-C ends it at once
        answer.warm()
    rules = engine_for(answer.plan.game, answer.plan.engine)
    waiting = nullcontext() if by_depth else clock("searching")
    with over(table, answer.plan.algorithm.table) as memory, waiting as add:
        say = tell if by_depth else None if scheduler == "processes" else add
        heard = None if say is None else lambda reached: say(str(reached))
        result = run(answer, scheduler, workers, memory=memory, progress=heard)
    used = 1 if scheduler == "sync" else workers or os.cpu_count() or 1
    return Report(answer, rules, scheduler, used, result, why=why)


def _sample(answer: Any, how: Where, files: Files, why: str | None, as_json: bool) -> None:
    """Run a Monte Carlo search, with its progress; print its report and write its files."""
    answer.warm()
    planned = answer.job.algorithm.simulations

    def progress(made: int) -> None:
        bar.show(f"{made:,} of {planned:,} simulations", made, planned)

    with Bar() as bar:
        found: Any = run(answer, *how, progress=progress)
    files.draw(found)
    if files.page:
        from strategies.searches.monte_carlo.report import sampled_page

        write(files.page, sampled_page(found, files.command))
    told = SamplingReport(answer, engine_for(answer.job.game, answer.job.engine), found, why)
    if as_json:
        click.echo(as_json_text(told.data()))
    else:
        echo(told)


@contextmanager
def over(table: Path | None, size: int) -> Iterator[Any]:
    """Yield the table that a file keeps, made with `size` if the file is new; None for no file."""
    if table is None:
        yield None
        return
    from strategies.native.kept_table import KeptTable

    with KeptTable(table, None if table.exists() else size or None) as kept:
        yield kept


def _values(result: Result[Any], which: str, workers: int | None) -> MoveValues[Any]:
    """Return the values of the moves, searched by the strategy of the result."""
    try:
        return result.values(which, num_workers=workers or os.cpu_count() or 1)
    except ArgumentError as error:
        raise click.UsageError(f"--values: {error}") from None


def _branches(answer: Search) -> int:
    """Return the number of branches of the position; 6, an arbitrary number, if it has none."""
    game, state = answer.plan.game, answer.plan.state
    return len(children(game, state, kind_of(game, state))) or 6
