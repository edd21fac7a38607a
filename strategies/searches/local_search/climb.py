"""Local search from many starts, in the order of a strategy."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from functools import partial
from itertools import takewhile
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from games.problems import Assignment, Problem
from graphs.arguments import check_integers, check_workers
from strategies.algebra.strategy import Strategy, checked, seq, unfolded
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.limits import Limits
from strategies.native.engine import Engine, check_choice
from strategies.native.memory.cells import Stop, Stopped, cells, stopped
from strategies.running.records.clocks import Call, set_clocks
from strategies.running.records.record import Outcome, Record, Role, Tally, now, process, record
from strategies.running.records.rows import Numbered
from strategies.running.records.run import Run
from strategies.running.records.sparks import ledger
from strategies.running.runtime.batch import Piece, batch_client, run_on
from strategies.running.runtime.cancellation import current_scope
from strategies.running.runtime.deadline import run_with_deadline
from strategies.running.runtime.delivery import lent_thread
from strategies.searches.drawing import drawn
from strategies.searches.local_search.algorithms import Climber, steepest_descent
from strategies.searches.local_search.attempts import (
    KERNELS,
    Attempt,
    attempt,
    check_problem,
    compiled_attempt,
    engine_of,
)
from strategies.searches.local_search.kernels import BEST, EVALUATIONS, SIZE, STEPS
from strategies.support.printing import preformatted
from strategies.values.for_search import for_search

if TYPE_CHECKING:
    from strategies.insight.pictures.picture import Picture

AT_ONCE: Final = 256
"""The most attempts planned at once; planning a million would take longer than running them."""


@frozen(repr=False)
class Climb(Run):
    """The result of a local search: the best state, and what it took to find it.

    In the records of tasks, nodes are the neighbours evaluated.  The spark of attempts that were
    not needed, because an earlier one had found a goal, fizzled.
    """

    state: Any
    """The best state of all attempts; None while its attempt is still running."""
    value: int | None
    """Its value; None if none is known yet."""
    restarts: int
    """The number of attempts after the first."""
    steps: int
    """The steps of all attempts up to the one that found the goal, or of all if none did."""
    evaluations: int
    """The number of neighbours that these attempts evaluated."""
    attempts: tuple[Attempt, ...] = field(repr=False)
    """These attempts, in order."""
    interrupted: bool = False
    """Whether the search was ended early, by the limit of time or Ctrl-C."""
    workers: int | None = field(default=None, repr=False, eq=False)
    """The number of threads that were asked for; None for all cores."""
    reason: str = field(default="", eq=False, repr=False)
    """Why an `Assignment` was interpreted; empty if its rules ran as machine code."""

    @property
    def solved(self) -> bool:
        """Return whether the state is a goal."""
        return self.value == 0

    def draw(self, what: str = "timeline") -> Picture:
        """Draw the "timeline" of the tasks."""
        from strategies.insight.pictures.timeline import draw_timeline

        return drawn(what, {"timeline": lambda: draw_timeline(self)})

    def _names(self) -> Numbered:
        return Numbered("attempt")

    def __str__(self) -> str:
        if self.value is None:
            return "nothing is known yet"
        what = "a goal" if self.solved else f"value {self.value}"
        more = "" if self.restarts == 1 else "s"
        return f"{what} after {self.steps:,} steps, {self.restarts:,} restart{more}"

    def _repr_html_(self) -> str:
        """Show the result and the state in a notebook."""
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
    `par_list` all, `par_list_chunk(10)` ten per task; at most 256 attempts are planned at once. An
    attempt fizzles when an earlier one has found a goal. `neighbors` is the strategy that evaluates
    the neighbours of a state, for problems with a slow `value`; without it, an `Assignment` is
    searched by compiled code with an incremental value. Under a strategy other than `seq`, attempts
    run on the cluster of the current client, or of `scheduler`, else on `workers` threads, as with
    ``scheduler="threads"``. The default `climber` is `steepest_descent()`.

    Ensures: the first of the best attempts; the same `seed` returns the same result with any
    strategy, engine and number of workers, unless the search is ended early. After `time` seconds,
    when `stop` is set, or at Ctrl-C, the best result so far is returned with `interrupted` set; no
    thread is left running.  `progress` is called twice a second with the result so far.
    Raises: AlgorithmError, one line; ArgumentError; RuleError.

    >>> from games.problems import Queens
    >>> from strategies import par_list
    >>> from strategies.searches.local_search.climb import climb
    >>> found = climb(Queens(8), restarts=20, using=par_list, engine="interpreted")
    >>> print(found)
    a goal after 20 steps, 6 restarts
    """
    climber = steepest_descent() if climber is None else climber
    check_problem(problem, climber)
    check_choice(engine)
    try:
        check_integers(0, restarts=restarts)
        check_integers(seed=seed)
        check_workers(workers=workers)
    except ValueError as error:
        raise AlgorithmError(str(error)) from None
    Limits(time)
    if climber.one_variable and not isinstance(problem, Assignment):
        name = type(problem).__name__
        raise AlgorithmError(f"min_conflicts needs an Assignment, which {name} is not")
    if climber.one_variable and neighbors is not None:
        raise AlgorithmError(
            "min_conflicts evaluates the choices of one variable; leave out neighbors"
        )
    if scheduler == "processes":
        raise AlgorithmError(
            "local search runs in threads or on the cluster of a client; leave out scheduler"
        )
    using = for_search(checked(using))
    client = None if using == seq else batch_client(scheduler, ["threads"])
    run = _Run(problem, climber, seed, engine, neighbors, stop or Stop())
    tell = None if progress is None else lambda: progress(run.known())
    run.begun = perf_counter()
    work = partial(run.work, 1 + restarts, using, workers, client)
    with lent_thread(client):
        early = run_with_deadline(work, run.stop, seconds=time, tick=tell)
    return run.known(early or run.stop.is_set)


class _Run:
    """The attempts of one local search: those that are done, and a flag that stops the others."""

    def __init__(
        self, problem: Problem[Any], climber: Climber, seed: int, engine: str,
        neighbors: Strategy | None, stop: Stop,
    ) -> None:  # fmt: skip
        self.problem: Any = problem
        self.climber, self.seed, self.engine = climber, seed, engine
        self.neighbors, self.stop = neighbors, stop
        self.compiled: Engine | None = None
        if isinstance(problem, Assignment) and neighbors is None:  # before any clock runs
            self.compiled = engine_of(KERNELS[climber.name], problem, engine)
        self.begun = perf_counter()
        self.done: dict[int, Attempt] = {}
        self.goal: float = inf
        """The number of the first attempt known to have found a goal."""
        self.running: dict[int, tuple[Stop, Any]] = {}
        """The stop flag of each running attempt, and the cells with its progress."""
        self.lock = threading.Lock()
        self.records: list[Record] = []
        self.span = 0.0
        self.workers: int | None = None

    def work(self, count: int, using: Strategy, workers: int | None, client: Any) -> None:
        """Make the attempts, each unless an earlier one has found a goal."""
        self.workers = workers
        if client is not None:
            self.work_on(client, count, workers)
            return
        if using == seq:
            self.attempts(0, "step", 0, count)
            return
        from strategies.running.plans.grouped import grouped
        from strategies.running.runtime.ordered_scheduler import get

        for begin in range(0, count, AT_ONCE):
            if self.over:
                return
            groups = unfolded(using, "list", min(AT_ONCE, count - begin)).groups
            graph = grouped(groups, f"attempts-{begin}", partial(self.attempts, begin))
            self.span += max(get(graph, list(graph), num_workers=workers))

    @property
    def over(self) -> bool:
        """Return whether no further attempt is needed."""
        return self.stop.is_set or self.goal < inf

    def attempts(self, first: int, role: Role, start: int, stop: int, *after: float) -> float:
        """Make the attempts of one task; return the seconds of the longest chain that ends with it.

        `after` are those of the tasks that it waited for.
        """
        begun, tally = now(), Tally()
        numbers = range(first + start, first + stop)
        many = len(list(takewhile(lambda number: self.attempt(number, tally), numbers)))
        outcome: Outcome = "converted" if role == "spark" else "done"
        why = ""
        if role == "spark" and not many:
            outcome, why = "fizzled", "stopped" if self.stop.is_set else "a goal was found"
        place = "attempt", (first + start,)
        made = record(place, role, begun, tally, outcome=outcome, reason=why)
        with self.lock:
            self.records.append(made)
        return max(after, default=0.0) + made.seconds

    def attempt(self, number: int, tally: Tally) -> bool:
        """Make one attempt, unless none is needed; a goal ends the attempts after it.

        Returns: whether it was made.
        """
        with self.lock:
            if self.stop.is_set or self.goal < number:
                return False
            mine, control = self.running[number] = Stop(self.stop), cells(SIZE)
        given = self.problem, self.climber, self.seed, number
        try:
            with mine.watching(control):
                if self.compiled is None:
                    made = attempt(*given, partial(self.values, control), control)
                else:
                    made = compiled_attempt(*given, self.compiled, control)
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
        tally.add(nodes=made.evaluations)
        return True

    def work_on(self, client: Any, count: int, workers: int | None) -> None:
        """Make the attempts on a cluster."""
        shared = self.problem, self.climber
        given = *shared, self.seed, self.engine, self.neighbors
        ends = count
        """The first attempt that is not needed, because an earlier one has found a goal."""

        def todo() -> Iterator[Piece]:
            for number in range(count):
                if number < ends:
                    yield number, (*given, number)

        def done(number: Hashable, found: tuple[Attempt, Record]) -> None:
            nonlocal ends
            made, told = found
            self.done[made.number] = made
            self.records.append(told)
            if made.value == 0:
                ends = min(ends, made.number + 1)
            if ends < count and all(n in self.done for n in range(ends)):
                raise _Enough

        with suppress(_Enough, Stopped):
            run_on(
                client, attempted, todo(), done, shared=(*shared, self.neighbors), checked=1,
                at_once=workers, stop=self.stop,
            )  # fmt: skip

    def values(self, control: Any, states: list[Any]) -> list[int]:
        """Return the values of states, evaluated by the strategy for neighbours; of fewer states if
        the search is stopped meanwhile, but of one at least."""
        if self.neighbors is None or self.neighbors == seq or len(states) < 2:
            going_on = takewhile(lambda state: state is states[0] or not stopped(control), states)
            return [self.problem.value(state) for state in going_on]
        from dask import delayed

        from strategies.searches.evaluations.using import using as evaluated

        value = delayed(self.problem.value)
        tasks = [value(state, dask_key_name=f"value-{i}") for i, state in enumerate(states)]
        return list(evaluated(tasks, self.neighbors).compute(scheduler="threads"))

    def known(self, interrupted: bool = False) -> Climb:
        """Return the first of the best attempts, and the cost of the search."""
        with self.lock:
            made = [self.done[number] for number in sorted(self.done)]
            told = tuple(self.records)
            made += [
                Attempt(number, None, row[BEST], row[STEPS], row[EVALUATIONS], False)
                for number, (_, row) in sorted(self.running.items())
                if row[STEPS]
            ]
        goals = [i for i, a in enumerate(made) if a.value == 0 and a.state is not None]
        made = made[: goals[0] + 1] if goals else made
        best = min(made, key=lambda a: a.value, default=None)
        call = Call(process(), self.begun, perf_counter())
        records, _ = set_clocks(told, (), call)
        sparked = sum(r.role == "spark" for r in records)
        return Climb(
            None if best is None else best.state,
            None if best is None else best.value,
            max(0, len(made) - 1),
            sum(a.steps for a in made),
            sum(a.evaluations for a in made),
            tuple(made),
            interrupted and not goals,
            workers=self.workers,
            reason="" if self.compiled is None else self.compiled.reason,
            sparks=ledger(sparked, records, source=(records, partial(Numbered, "attempt"))),
            span=self.span or max((r.seconds for r in records), default=0.0),
            records=records,
            call=call,
        )


class _Enough(Exception):
    """Raised when all attempts that count are known."""


def attempted(
    problem: Any, climber: Climber, seed: int, engine: str, neighbors: Strategy | None, number: int
) -> tuple[Attempt, Record]:
    """Make one attempt on a worker of a cluster; return it with the record of its task.

    Raises: `Stopped`, when it is no longer needed.
    """
    run = _Run(problem, climber, seed, engine, neighbors, Stop(current_scope()))
    run.attempts(number, "spark", 0, 1)
    if number not in run.done:
        raise Stopped("the attempt was stopped")
    return run.done[number], run.records[0]
