"""The graph of a search as a lazy Dask collection, for runs, pictures, replays and tuning."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, partial
from time import perf_counter, process_time
from typing import Any, ClassVar
from weakref import WeakKeyDictionary, ref

from attrs import evolve
from dask.base import get_scheduler
from dask.callbacks import Callback
from dask.local import get_sync
from dask.multiprocessing import get as processes_get
from dask.task_spec import Task
from dask.threaded import get as threaded_get
from dask.tokenize import tokenize

from games import Game
from games.failed import RuleFailed
from graphs.arguments import check_progress, check_workers
from graphs.errors import ArgumentError
from graphs.limits import MOST_TASKS, TRIAL_SECONDS
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy, alone, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.positions import branches_named
from strategies.native.kept_engines import engine_for, worth_a_trial
from strategies.native.kernels.steps import child
from strategies.native.larger_ints import with_any_ints
from strategies.native.memory.cells import Stop, TimeUp
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.dispatch import kernel_of, warmed
from strategies.running.plans import on_cluster
from strategies.running.plans import tasks as work
from strategies.running.plans.calls import call_of, check_table
from strategies.running.plans.cluster_records import on_one_clock, with_losses
from strategies.running.plans.dask_collection import DaskCollection
from strategies.running.plans.iterations import iterate
from strategies.running.plans.lowering import Graph, Key, lower, whole
from strategies.running.plans.opening import iterates, plan
from strategies.running.plans.places import run_at, workers_of
from strategies.running.plans.plan import Plan
from strategies.running.plans.row_on_cluster import RowOnCluster
from strategies.running.plans.splitting import Splitting
from strategies.running.plans.waves import Run, in_waves
from strategies.running.records.clocks import Call
from strategies.running.records.record import Loss, process, process_of
from strategies.running.records.request import NoRequest, SearchRequest
from strategies.running.records.search_run import SearchRun, telling
from strategies.running.runtime import cancellation
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.aside import run_in_helper, run_interruptible
from strategies.running.runtime.cancellation import CallStop, interrupts
from strategies.running.runtime.schedulers import (
    check_options,
    chosen_scheduler,
    client_of,
    function_of,
    is_here,
)
from strategies.running.runtime.shipping import Warming
from strategies.support.cached import cached_property

LOCAL = get_sync, threaded_get, processes_get
"""Dask's schedulers on this machine, which find the code that is compiled here."""
OPENED = 3
"""The plies of a deepening search that show which code its tasks call."""


@cache
def _cores() -> int:
    """Return the number of cores; cached, because the system call takes as long as a search of a
    thousand nodes."""
    return os.cpu_count() or 1


class SearchGraph(DaskCollection):
    """A plan with the graph of its tasks, which can be run."""

    result_class: ClassVar[type[SearchRun]] = SearchRun
    """The class of the result."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    @cached_property
    def _lowered(self) -> tuple[Graph, Key]:
        """Return the graph and the key of its result, the same for equal plans.

        A plan with nodes has many tasks; a deepening search, and one by a driver, are one task.
        """
        token, call = tokenize(self.plan), call_of(self.plan)
        if call is None:
            return lower(self.plan, token, self.result_class)
        key: Key = f"result-{token}", ()
        return {key: Task(key, _answer_of, call, self.plan.request(), self.result_class)}, key

    @cached_property
    def _unnamed(self) -> tuple[Graph, Key]:
        """Return the graph for a run on this machine, where its keys need not be unique."""
        return lower(self.plan, "here", self.result_class)

    def __repr__(self) -> str:
        return self.plan.request().written

    @interrupts()
    def compute(self, scheduler: Any = None, **kwargs: Any) -> SearchRun:
        """Run the search with `num_workers` workers of this machine, or with a `scheduler`.

        `memory` takes a table, such as a `KeptTable`, to use in place of the algorithm's own: the
        search uses its entries and adds new ones.  It is for one thread, a driver, or a search that
        deepens, and always runs on this machine.  `progress` is called with each depth that a
        deepening search finishes in this process, and with the result of any other: depth, value,
        line, nodes, seconds.  ``progress=print`` prints them.
        Ensures: value and move do not depend on these options.
        Raises: TypeError for an option that the scheduler does not have; any error of the search;
        `TableError` for a kept table of another game or algorithm.
        """
        check_options(scheduler, kwargs, ["memory", "progress"])
        memory = kwargs.pop("memory", None)
        if memory is not None and scheduler not in (None, "threads"):
            raise ArgumentError(
                "a search with memory= runs in this process and takes no scheduler: leave "
                "scheduler= out"
            )
        chosen = chosen_scheduler(scheduler) if memory is None else None
        check_progress(progress := kwargs.pop("progress", None))
        game, state = self.plan.game, self.plan.state
        depth = self.plan.algorithm.depth
        call = CallStop(cancellation.current_scope())
        with (
            branches_named(game, state), cancellation.heeding(call),
            telling(game, state, depth, progress) as told,
        ):  # fmt: skip
            run = partial(self._computed, chosen, memory, **kwargs)
            return told(with_any_ints(game, self.plan.engine, run, here=is_here(chosen)))

    def _computed(self, scheduler: Any, table: Any, **kwargs: Any) -> SearchRun:
        """Run the search by the chosen scheduler, over a given table if there is one."""
        if table is not None:
            check_table(self.plan, table)
            if self.given:
                raise ArgumentError("a graph that Dask made anew takes no memory=: use the search")
        start, own = perf_counter(), not self.given
        result = self._tried(**kwargs) if own and scheduler is None and table is None else None
        if result is None:
            warms = own and function_of(scheduler) in (runner.get, *LOCAL)
            native = self.warm(table) if warms else False
            start = perf_counter()
            here = partial(self._here, native, table)
            result = run_at(scheduler, self, here, self._on_cluster, **kwargs)
        if not own:  # the times are those of the run that computed it, or of the original keys
            return result if self.known else self._answered(result, start, SearchGraph(self.plan))
        result = self._answered(result, start, self, client_of(scheduler))
        if result.request is not None and self.plan.limits is None:
            remember(result.request, self)
        return result

    def _answered(
        self, result: SearchRun, start: float, graph: SearchGraph, client: Any = None
    ) -> SearchRun:
        """Return the result of a call that started at `start`, with its times on this clock."""
        call = Call(process(), start, perf_counter())
        result = evolve(result, call=call)
        if {process_of(r) for r in result.records} <= {call.process}:
            return result
        return on_one_clock(result, call, graph.tasks(), client)

    def warm(self, table: Table | None = None) -> bool:
        """Compile or load the code that the search calls, so that its time excludes that.

        Returns: whether it is machine code.
        """
        if table is not None and self.plan.strategy == seq:
            return False  # a thread over a given table compiles what it calls
        engine = warmed(*self._calls())
        if iterates(self.plan.request()):
            engine.prepare(self.plan.state, child)
        return engine.native

    def _calls(self) -> tuple[Any, Any, Algorithm, str, tuple[Strategy, ...], bool]:
        """Return what identifies the code that the search calls: game, position, algorithm, engine,
        the strategies inside tasks, and whether tasks have a table even if the algorithm has
        none."""
        p = self.plan
        iterated = iterates(p.request())
        if p.limits is not None and p.strategy != seq and not iterated:
            few = p.algorithm.at_depth(min(OPENED, p.algorithm.depth))
            using = alone(p.strategy)
            return graph(p.game, few, state=p.state, using=using, engine=p.engine)._calls()
        tabled = iterated or p.limits is not None or p.driver is not None
        return p.game, p.state, p.algorithm, p.engine, tuple(dict.fromkeys(p.inners())), tabled

    def _tried(self, **kwargs: Any) -> SearchRun | None:
        """Return the result of a search that takes less time than compiling its rules; else None.

        Errors are ignored here, because the run that follows reports them.
        """
        p = self.plan
        if p.engine != "auto" or p.limits is not None or p.driver is not None or Callback.active:
            return None
        if not engine_for(p.game).undecided:
            return None
        iterated = iterates(p.request())
        if not worth_a_trial(p.game, kernel_of(p.algorithm, tabled=iterated), p.state):
            return None
        trial = Stop(cancellation.current_scope(), until=process_time() + TRIAL_SECONDS)
        try:
            with cancellation.heeding(trial):
                found = type(self)(evolve(p, engine="interpreted"))._here(
                    False, None, workers_of(kwargs)
                )
            asked = found.request and evolve(found.request, engine=p.engine, trial=True)
            return evolve(found, request=asked)
        except RuleFailed:
            raise
        except (TimeUp, Exception):
            return None

    def _here(self, native: bool, table: Any, workers: int | None) -> SearchRun:
        """Run the search on this machine: as a call, as a single task, or as a graph.

        `native` says whether its code is compiled.
        """
        p, many = self.plan, workers or _cores()
        call = call_of(p, table, here=True)
        if call is not None:  # in this thread, so that an interrupt returns the best result
            result = call(p.request(workers), self.result_class)
            return evolve(result, request=p.request(many, result.depth))
        request = p.request(many)
        single = p.root is None and p.growth is None
        if single and not Callback.active:  # a graph would double a short search's time
            check_workers(num_workers=workers)
            alone: Any = partial(
                work.conclude, self.result_class, request, p.counts, p.window, None, work.alone,
                whole(p), p.window,
            )  # fmt: skip
            run = run_interruptible if native and p.algorithm.plain else run_in_helper
            return run(alone, Stop(cancellation.current_scope()))
        tasks, key = self._lowered if Callback.active else self._unnamed
        return evolve(runner.get(tasks, key, num_workers=workers), request=request)

    def by_dask(self, scheduler: Any = None, **options: Any) -> SearchRun:
        """Run the search by a scheduler of Dask's, in waves if its tasks may become more."""
        if self.given or self.plan.growth is None:
            found: SearchRun = super().by_dask(scheduler=scheduler, **options)
            return found
        own = {name: x for name, x in options.items() if name not in ("optimize_graph", "traverse")}
        return self._in_waves(partial(get_scheduler(scheduler=scheduler), **own))

    def _in_waves(self, run: Run) -> SearchRun:
        """Run the search in waves of tasks."""
        tasks, key = lower(evolve(self.plan, growth=Splitting(True)), "here", self.result_class)
        bare, keys, finish = on_cluster.unconcluded(tasks, key)
        return finish(in_waves(run, bare, keys))

    def _on_cluster(self, client: Any, **kwargs: Any) -> SearchRun:
        """Run the search on a cluster, in bundles."""
        p = self.plan
        seconds = None if p.limits is None else p.limits.time
        game, _, algorithm, *how = calls = self._calls()
        warming = Warming((game, algorithm.at_depth(1), *how), warmed, calls)
        shared = on_cluster.Shared(p.game, p.algorithm, p.engine, warming, p.strategy)
        if iterates(p.request()):
            for name in kwargs.keys() - {"num_workers"}:
                raise ArgumentError(
                    f"a search that deepens takes no option {name} on a cluster: leave it out"
                )
            place = partial(RowOnCluster, client, shared, seconds=seconds)
            found: SearchRun = iterate(p.request(), self.result_class, cluster=place)
            return evolve(found, request=p.request(depth=found.depth))
        if p.growth is not None:
            lost = list[Loss]()

            def run(wave: Graph, keys: list[Key]) -> list[Any]:
                values, losses = on_cluster.compute(client, wave, keys, shared, **kwargs)
                lost.extend(losses)
                return values

            return with_losses(self._in_waves(run), tuple(lost))
        tasks, key = self._lowered
        if p.driver is not None or p.limits is not None or p.rows:
            (found,), losses = on_cluster.compute(
                client, tasks, [key], shared,
                partial=p.limits is not None, seconds=seconds, **kwargs,
            )  # fmt: skip
            if found is None:  # it was interrupted, and its worker has not answered
                raise KeyboardInterrupt
            return with_losses(found, losses)
        bare, keys, finish = on_cluster.unconcluded(tasks, key)
        values, losses = on_cluster.compute(client, bare, keys, shared, **kwargs)
        return with_losses(finish(values), losses)

    def __dask_tokenize__(self) -> Any:
        return (*self.__dask_layers__(), *self.__dask_keys__()) if self.given else self._token

    @cached_property
    def _token(self) -> str:
        return str(tokenize(self.plan, self.result_class))


def _answer_of(
    call: Callable[..., SearchRun], request: SearchRequest, result_class: type[SearchRun]
) -> SearchRun:
    """Return the result of a search that is one task; it knows its search, as that of a graph."""
    found = call(request, result_class)
    return evolve(found, request=request.reached(found.depth))


def graph(
    game: Game[Any, Any], algorithm: Algorithm, *, state: Any = None,
    using: Strategy | Driver = seq, engine: str = "auto", most_tasks: int = MOST_TASKS,
) -> SearchGraph:  # fmt: skip
    """Return the graph of a search to the algorithm's depth; see `search`."""
    return SearchGraph(plan(game, algorithm, using, state, engine=engine, most_tasks=most_tasks))


def graph_of(
    request: SearchRequest | NoRequest | None, strategy: Strategy | Driver | None = None
) -> SearchGraph:
    """Return the graph of a run's search, or of the same search under another strategy.

    Raises: ValueError if the run does not know its search.
    Cost: the plan is made again, unless the search is still in use somewhere.
    """
    if isinstance(request, NoRequest):
        raise request.refusal
    if request is None:
        raise ArgumentError(
            "this result does not know its search, because it was computed from the graph's key: "
            "use search(...).compute(), dask.compute(search(...)), or a client's compute"
        )
    last = _made.get(request)
    known = last() if last is not None and strategy is None else None
    if known is not None:
        return known
    using = request.strategy if strategy is None else strategy
    made = graph(
        request.game, request.algorithm, state=request.state, using=using,
        engine=request.engine, most_tasks=100 * MOST_TASKS,
    )  # fmt: skip
    if strategy is None:
        remember(request, made)
    return made


def remember(request: SearchRequest, search: SearchGraph) -> None:
    """Remember the search of a request as long as it is in use elsewhere."""
    _made[request] = ref(search)


_made: WeakKeyDictionary[SearchRequest, ref[SearchGraph]] = WeakKeyDictionary()
"""The searches made again, by request: a picture, a report and a replay need the same one."""
