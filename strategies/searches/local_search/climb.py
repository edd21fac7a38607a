"""Local search from many starts, in the order that a strategy says."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from math import inf
from time import perf_counter
from typing import Any, Final

from attrs import field, frozen

from games.problems import Assignment, Problem
from graphs.arguments import check_integers
from strategies.algebra.strategy import Strategy, seq
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.limits import Limits
from strategies.native.memory.cells import Stop, Stopped, cells
from strategies.running.runtime.batch import batch_client
from strategies.running.runtime.cancellation import current_scope
from strategies.running.runtime.cluster_batch import Piece, run_on
from strategies.running.runtime.deadline import run_with_deadline
from strategies.searches.local_search.algorithms import Climber, steepest_descent
from strategies.searches.local_search.attempts import KERNELS, Attempt, attempt, compiled_attempt
from strategies.searches.local_search.engine import warm
from strategies.searches.local_search.kernels import BEST, EVALUATIONS, SIZE, STEPS
from strategies.support.notebook_text import preformatted

AT_ONCE: Final = 256
"""Attempts that a strategy is given at once: to plan a million would take longer than they do."""


@frozen
class Climb:
    """The result of a local search: the best state, and what it took to find it."""

    state: Any
    """The best state of all attempts; None while the one that met it is still running."""
    value: int | None
    """Its value; None if none is known yet."""
    restarts: int
    """Attempts after the first."""
    steps: int
    """Steps of all attempts up to the one that found the state, or of all if it is no goal."""
    evaluations: int
    """Neighbours that these valued."""
    attempts: tuple[Attempt, ...] = field(repr=False)
    """These attempts, in order."""
    seconds: float = field(default=0.0, eq=False)
    interrupted: bool = False
    """Whether the time was over, or Ctrl-C was pressed, before the search was."""
    reason: str = field(default="", eq=False, repr=False)
    """Why an `Assignment` was interpreted; empty if its rules ran as machine code."""

    @property
    def solved(self) -> bool:
        """Return whether the state is a goal."""
        return self.value == 0

    def __str__(self) -> str:
        if self.value is None:
            return "nothing is known yet"
        what = "a goal" if self.solved else f"value {self.value}"
        more = "" if self.restarts == 1 else "s"
        return f"{what} after {self.steps:,} steps, {self.restarts:,} restart{more}"

    def _repr_html_(self) -> str:
        """Show in a notebook what was found, and the state."""
        return preformatted(f"{self}\n{self.state!r}")


def climb(
    problem: Problem[Any],
    climber: Climber | None = None,
    *,
    seed: int = 0,
    restarts: int = 0,
    using: Strategy = seq,
    neighbors: Strategy | None = None,
    workers: int | None = None,
    scheduler: Any = None,
    engine: str = "auto",
    time: float | None = None,
    progress: Callable[[Climb], None] | None = None,
    stop: Stop | None = None,
) -> Climb:
    """Search locally from 1 + `restarts` random starts, until an attempt finds a goal.

    The strategy `using` says which attempts run at the same time, as for any list of values:
    `par_list` all, `par_list_chunk(10)` ten in a task; of more than 256 attempts the first 256,
    then the next. An attempt fizzles once one before it has found a goal. `neighbors` is the
    strategy by which the neighbours of a state are valued, for problems whose `value` takes long;
    an `Assignment` is otherwise searched by compiled code that keeps its value up to date. Under a
    strategy other than `seq`, attempts run on the cluster of the client that is current, or given
    as `scheduler`, else on `workers` threads, as with ``scheduler="threads"``. `climber` is
    `steepest_descent()` unless said.

    Ensures: the same result for the same `seed`, whatever the strategies, engine and number of
    workers, unless it was ended early: the first of the best attempts.  After `time` seconds, when
    `stop` is set or at Ctrl-C the best so far is returned, `interrupted`; no thread is left.
    `progress` is called with what is known twice a second.
    Raises: AlgorithmError, one line; RuleError.

    >>> from games.problems import Queens
    >>> from strategies import par_list
    >>> from strategies.searches.local_search.climb import climb
    >>> found = climb(Queens(8), restarts=20, using=par_list, engine="interpreted")
    >>> print(found)
    a goal after 20 steps, 6 restarts
    """
    climber = steepest_descent() if climber is None else climber
    try:
        check_integers(0, restarts=restarts)
        check_integers(seed=seed)
        check_integers(1, workers=1 if workers is None else workers)
    except ValueError as error:
        raise AlgorithmError(str(error)) from None
    Limits(time)
    if climber.one_variable and not isinstance(problem, Assignment):
        name = type(problem).__name__
        raise AlgorithmError(f"min_conflicts needs an Assignment, which {name} is not")
    if climber.one_variable and neighbors is not None:
        raise AlgorithmError(
            "min_conflicts values the choices of one variable: leave out neighbors"
        )
    if scheduler == "processes":
        raise AlgorithmError("local search runs in threads or on a client's cluster: leave it out")
    client = None if using == seq else batch_client(scheduler, ["threads"])
    run = _Run(problem, climber, seed, engine, neighbors, stop or Stop())
    if run.compiles:
        run.reason = warm(engine, KERNELS[climber.name], run.problem)  # before any clock runs
    tell = None if progress is None else lambda: progress(run.known())
    run.begun = perf_counter()
    early = run_with_deadline(
        lambda: run.work(1 + restarts, using, workers, client), run.stop, seconds=time, tick=tell
    )
    return run.known(early or run.stop.is_set)


class _Run:
    """The attempts of one local search: those that are done, and a flag that stops the rest."""

    def __init__(
        self, problem: Problem[Any], climber: Climber, seed: int, engine: str,
        neighbors: Strategy | None, stop: Stop,
    ) -> None:  # fmt: skip
        self.problem: Any = problem
        self.climber, self.seed, self.engine = climber, seed, engine
        self.neighbors, self.stop = neighbors, stop
        self.compiles = isinstance(problem, Assignment) and neighbors is None
        self.reason = ""
        self.begun = perf_counter()
        self.done: dict[int, Attempt] = {}
        self.goal: float = inf
        """The first attempt known to have found a goal."""
        self.running: dict[int, tuple[Stop, Any]] = {}
        """The flag that ends each running attempt, and the cells that tell how far it is."""
        self.lock = threading.Lock()

    def work(self, count: int, using: Strategy, workers: int | None, client: Any) -> None:
        """Make the attempts, each unless an earlier one has found a goal."""
        if client is not None:
            self.work_on(client, count, workers)
            return
        if using == seq:
            for number in range(count):
                if self.over:
                    return
                self.attempt(number)
            return
        from dask import delayed

        from strategies.searches.evaluations.using import using as evaluated

        for begin in range(0, count, AT_ONCE):
            if self.over:
                return
            tasks = [
                delayed(self.attempt, pure=False)(number, dask_key_name=f"attempt-{number}")
                for number in range(begin, min(begin + AT_ONCE, count))
            ]
            evaluated(tasks, using).compute(scheduler="threads", num_workers=workers)

    @property
    def over(self) -> bool:
        """Whether no further attempt is wanted."""
        return self.stop.is_set or self.goal < inf

    def attempt(self, number: int) -> None:
        """Make one attempt; a goal ends those after it."""
        with self.lock:
            if self.stop.is_set or self.goal < number:
                return
            mine, control = self.running[number] = Stop(self.stop), cells(SIZE)
        given = self.problem, self.climber, self.seed, number
        try:
            with mine.watching(control):
                if self.compiles:
                    made = compiled_attempt(*given, self.engine, control)
                else:
                    made = attempt(*given, self.values, control)
        except BaseException:
            self.stop.set()
            raise
        with self.lock:
            del self.running[number]
            if made.value == 0 or not mine.is_set:
                self.done[number] = made
            if made.value == 0:
                self.goal = min(self.goal, number)
                for later, (flag, _) in self.running.items():
                    if later > number:
                        flag.set()

    def work_on(self, client: Any, count: int, workers: int | None) -> None:
        """Make the attempts on a cluster."""
        shared = self.problem, self.climber
        given = *shared, self.seed, self.engine, self.neighbors
        ends = count
        """Attempts from this one on are not wanted: one before has found a goal."""

        def todo() -> Iterator[Piece]:
            for number in range(count):
                if number < ends:
                    yield number, (*given, number)

        def done(number: Hashable, made: Attempt) -> None:
            nonlocal ends
            self.done[made.number] = made
            if made.value == 0:
                ends = min(ends, made.number + 1)
            if ends < count and all(n in self.done for n in range(ends)):
                raise _Enough

        with suppress(_Enough, Stopped):
            run_on(client, attempted, todo(), done, shared=shared, checked=1, at_once=workers,
                   stop=self.stop)  # fmt: skip

    def values(self, states: list[Any]) -> list[int]:
        """Value states, by the strategy for neighbours."""
        if self.neighbors is None or self.neighbors == seq or len(states) < 2:
            return [self.problem.value(state) for state in states]
        from dask import delayed

        from strategies.searches.evaluations.using import using as evaluated

        value = delayed(self.problem.value)
        tasks = [value(state, dask_key_name=f"value-{i}") for i, state in enumerate(states)]
        return list(evaluated(tasks, self.neighbors).compute(scheduler="threads"))

    def known(self, interrupted: bool = False) -> Climb:
        """Return the first of the best attempts, and what it took."""
        with self.lock:
            made = [self.done[number] for number in sorted(self.done)]
            made += [
                Attempt(number, None, row[BEST], row[STEPS], row[EVALUATIONS], False)
                for number, (_, row) in sorted(self.running.items())
                if row[STEPS]
            ]
        goals = [i for i, a in enumerate(made) if a.value == 0 and a.state is not None]
        made = made[: goals[0] + 1] if goals else made
        best = min(made, key=lambda a: a.value, default=None)
        return Climb(
            None if best is None else best.state,
            None if best is None else best.value,
            max(0, len(made) - 1),
            sum(a.steps for a in made),
            sum(a.evaluations for a in made),
            tuple(made),
            perf_counter() - self.begun,
            interrupted and not goals,
            self.reason,
        )


class _Enough(Exception):
    """All attempts that count are known."""


def attempted(
    problem: Any, climber: Climber, seed: int, engine: str, neighbors: Strategy | None, number: int
) -> Attempt:
    """Make one attempt on a worker of a cluster.

    Raises: `Stopped`, when nobody wants it any more.
    """
    run = _Run(problem, climber, seed, engine, neighbors, Stop(current_scope()))
    run.attempt(number)
    if number not in run.done:
        raise Stopped("the attempt was stopped")
    return run.done[number]
