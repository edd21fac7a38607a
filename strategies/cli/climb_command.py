"""Searches locally for a state of the least value: ``jamboree climb``."""

from __future__ import annotations

from typing import Any

import click

from games.problems import Problem, find_problem
from strategies.algebra.strategy import Strategy, seq
from strategies.algorithms.errors import AlgorithmError
from strategies.cli import options
from strategies.cli.console import as_json_text, echo, interpreted
from strategies.cli.options import STRATEGY, Read
from strategies.cli.telling import INTERRUPTED
from strategies.cli.userfile import found_or_loaded
from strategies.searches.local_search.algorithms import Climber, parse_climber
from strategies.searches.local_search.climb import Climb, climb
from strategies.support.bar import Bar

PROBLEM = Read("problem", found_or_loaded(find_problem, Problem, "problem"))
CLIMBER = Read("algorithm", parse_climber, {AlgorithmError: "--algorithm"})


@click.command(name="climb")
@click.argument("problem", type=PROBLEM)
@click.option(
    "--algorithm", type=CLIMBER, default="steepest_descent(tolerance=0)", show_default=True,
    help="How to step: steepest_descent, to the best neighbour; first_improvement, to the first "
    "better one; min_conflicts, by changing one variable in conflict; simulated_annealing, to a "
    "random one, if it is not much worse. With tolerance=N, the first two may also take a step "
    "that makes the value worse by up to N.",
)  # fmt: skip
@click.option(
    "--restarts", type=click.IntRange(min=0), default=0, show_default=True,
    help="How often to start again from a random state, until a goal is found.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random choices.")
@click.option(
    "--using", type=STRATEGY,
    help="The strategy that runs starts in parallel, such as par_list. [default: seq]",
)  # fmt: skip
@options.workers
@click.option(
    "--time", type=options.ABOVE_0, metavar="SECONDS",
    help="Stop after this many seconds with the best state so far; compiling is not counted.",
)  # fmt: skip
@click.option("--show", is_flag=True, help="Draw the state found.")
@options.engine
@options.as_json
@click.pass_context
def command(
    ctx: click.Context, problem: Problem[Any], algorithm: Climber, restarts: int, seed: int,
    using: Strategy | None, workers: int | None, time: float | None, show: bool, engine: str,
    as_json: bool,
) -> None:  # fmt: skip
    """Solve PROBLEM by local search: step from neighbour to neighbour to a state of value 0.

    PROBLEM is queens:N, for N queens that do not attack each other, or your own, FILE.py:NAME.
    Ctrl-C stops the search with the best state so far. The same seed finds the same state on any
    number of workers.

    \b
    Examples:
      jamboree climb queens:8 --show
      jamboree climb queens:10000 --algorithm min_conflicts
      jamboree climb queens:12 --algorithm steepest_descent --restarts 100 --using par_list

    --json prints one object: schema, problem, algorithm, seed, solved, value, restarts, steps,
    evaluations, seconds, sparks {attempts, created, converted, fizzled, dud, overflowed, gcd,
    remaining, inlined, pruned, aborted, opened, reasons (why sparks fizzled, each with its count),
    lost, repeated}, state.
    """
    if as_json:
        options.refuse_unused("with --json", "show")
    with Bar() as bar:
        found = climb(
            problem, algorithm, seed=seed, restarts=restarts, using=using or seq, workers=workers,
            engine=engine, time=time,
            progress=(lambda known: bar.show(str(known))) if bar.terminal else None,
        )  # fmt: skip
    interpreted(engine, found.reason)
    if as_json:
        data = {
            "problem": repr(problem), "algorithm": repr(algorithm), "seed": seed,
            "solved": found.solved, "value": found.value, "restarts": found.restarts,
            "steps": found.steps, "evaluations": found.evaluations, "seconds": found.seconds,
            "sparks": found.sparks.summary(),
            "state": found.state if isinstance(found.state, tuple) else repr(found.state),
        }  # fmt: skip
        click.echo(as_json_text(data, indent=None))
    else:
        rows = [
            ("result", "none" if found.value is None else _result(found)),
            ("restarts", f"{found.restarts:,}"),
            ("steps", f"{found.steps:,}"),
            ("evaluations", f"{found.evaluations:,}"),
            ("seconds", f"{found.seconds:.3f}"),
        ]
        if found.sparks.asked:
            rows.append(("sparks", found.sparks.line.removeprefix("SPARKS: ")))
        echo("\n".join(f"{name:<12} {value}" for name, value in rows))
        if show and found.state is not None:
            click.echo(problem.show(found.state))
    if found.interrupted and time is None:
        ctx.exit(INTERRUPTED)


def _result(found: Climb) -> str:
    return "a goal" if found.solved else f"value {found.value}, no goal"
