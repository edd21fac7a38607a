"""A Monte Carlo search as a lazy Dask collection: independent trees, in a strategy's order."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from heapq import heappop, heappush
from typing import Any, Generic, NoReturn

from attrs import evolve
from dask.local import get_sync
from dask.task_spec import Task, TaskRef

from games import Game
from games.game import check_game
from graphs.arguments import check_workers, shown
from strategies.algebra.drivers import Driver
from strategies.algebra.groups import Group, sparks
from strategies.algebra.strategy import Strategy, StrategyError, checked, seq, unfolded
from strategies.algorithms.limits import Limits
from strategies.algorithms.monte_carlo import MonteCarlo, unplanned
from strategies.algorithms.positions import check_root, start_of
from strategies.native.engine import check_choice
from strategies.native.fingerprint import fingerprint
from strategies.native.kept_engines import engine_for
from strategies.native.kept_snapshots import kept_snapshot
from strategies.native.larger_ints import with_any_ints
from strategies.native.memory.cells import Stop
from strategies.running.plans import on_cluster
from strategies.running.plans.dask_collection import DaskCollection, not_computed
from strategies.running.plans.grouped import Key, grouped
from strategies.running.plans.places import run_at
from strategies.running.records.request import SearchRequest
from strategies.running.records.search_run import M
from strategies.running.runtime import cancellation
from strategies.running.runtime.deadline import run_with_deadline
from strategies.running.runtime.delivery import await_worker, waiting_on
from strategies.running.runtime.schedulers import (
    check_options,
    chosen_scheduler,
    function_of,
    is_here,
    workers_of,
)
from strategies.running.runtime.shipping import Warming
from strategies.searches.endgame_transform import WithEndgame
from strategies.searches.monte_carlo.job import Job, continued
from strategies.searches.monte_carlo.result import MonteCarloResult, conclude
from strategies.searches.monte_carlo.tree import grow_trees, prepare
from strategies.support.cached import cached_property

Graph = dict[Key, Any]


def _prepare(job: Job) -> None:
    """Compile the code that the trees of a search call, or load it."""
    prepare(engine_for(job.game, job.engine), job)


class MonteCarloSearch(DaskCollection, Generic[M]):
    """A lazy Monte Carlo search; made by `search`."""

    workers: int | None = None
    """The workers for which its graph is made; None for those that the current scheduler has."""

    def __init__(self, job: Job, strategy: Strategy) -> None:
        self.job, self.strategy = job, strategy

    def __getattr__(self, name: str) -> NoReturn:
        raise not_computed(name, MonteCarloResult)

    def __repr__(self) -> str:
        return self.searched().written

    def _repr_html_(self) -> str:
        """Show the position, the search and the tasks of its trees in a notebook."""
        from strategies.insight.pictures.cards import card

        trees, tasks = self.job.algorithm.trees, len(self.groups)
        told = f"{tasks:,} tasks" if tasks > 1 else "one task"
        shared = f"{trees:,} trees in {told}" if trees > 1 else "one tree"
        return card(self.job.game, self.job.state, f"{self!r}\n{shared}")

    def searched(self, workers: int | None = None) -> SearchRequest:
        """Return the parameters of the search, on this number of workers."""
        job, limits = self.job, Limits(self.job.seconds)
        algorithm: Any = job.algorithm
        return SearchRequest(
            job.game, algorithm, self.strategy, job.state, job.engine, workers, limits
        )

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Return the groups: which trees share a task, and which tasks each task waits for."""
        return unfolded(self.strategy, "max", self.job.algorithm.trees).groups

    def compute(
        self, scheduler: Any = None, *, progress: Callable[[int], None] | None = None, **kwargs: Any
    ) -> MonteCarloResult[M]:
        """Run the search.

        `scheduler` and `num_workers` are those of every search.  In this process, `progress` is
        called twice a second with the number of simulations made.
        Ensures: after the limit of time, and at Ctrl-C in this process or on a cluster, the answer
        of the simulations made so far.  On a cluster it comes within 5 seconds of Ctrl-C, without
        the trees of workers that do not reply within that time.  Trees that grow one after the
        other share the time.  Under ``dask.compute`` and ``client.compute``, as many grow at once
        as the current cluster has threads; without one, as Dask's configuration says, as in
        ``dask.config.set(num_workers=2)``.
        """
        check_options(scheduler, kwargs, ["progress"])
        chosen = chosen_scheduler(scheduler)
        get = function_of(chosen)
        own = not self.given and is_here(chosen)
        more = {name: value for name, value in kwargs.items() if name != "num_workers"}
        here = partial(self._here, get, more, progress)
        workers = kwargs.get("num_workers")
        lazy = self if own or self.given else self._at(workers_of(chosen, workers))
        run = partial(run_at, None if own else chosen, lazy, here, self._on_cluster, **kwargs)
        found: MonteCarloResult = with_any_ints(self.job.game, self.job.engine, run, here=own)
        return found

    def _here(
        self, get: Any, options: dict[str, Any], progress: Callable[[int], None] | None,
        workers: int | None,
    ) -> Any:  # fmt: skip
        """Run the search in this process, by the scheduler `get` and its options."""
        self.warm()  # here, where Ctrl-C ends it at once
        stop = Stop(cancellation.current_scope())
        check_workers(num_workers=workers)
        made: dict[int, Callable[[], int]] = {}
        job = evolve(self.job, stop=stop, made=made)
        many = 1 if get is get_sync else workers or os.cpu_count() or 1
        graph, key = lower(job, self.groups, "here", many, self.searched(many))
        answer: list[MonteCarloResult] = []

        def tell() -> None:
            if progress is not None:
                progress(sum(count() for count in list(made.values())))

        run_with_deadline(
            lambda: answer.append(get(graph, key, num_workers=workers, **options)), stop, tick=tell
        )
        return answer[0]

    def _on_cluster(self, client: Any, **kwargs: Any) -> MonteCarloResult[M]:
        """Run the search on a cluster, and merge the finished trees here.

        Raises: KeyboardInterrupt if no tree is finished yet.
        """
        from strategies.running.plans.cluster_records import with_losses

        job, algorithm = self.job, self.job.algorithm
        with waiting_on(client):
            await_worker(client, seconds=job.seconds)
            threads = sum(client.nthreads().values())
        tasks, last = lower(job, self.groups, self._token, max(1, threads))
        merge = tasks.pop(last)
        kinds = "mcts", job.game, job.engine, algorithm.guided, algorithm.reuse
        warming = Warming(kinds, _prepare, (job,))
        shared = on_cluster.Shared(job.game, algorithm, job.engine, warming)
        parts, losses = on_cluster.compute(
            client, tasks, list(tasks), shared, partial=True, seconds=job.seconds, **kwargs
        )
        known = [part for part in parts if part is not None]
        if not known:
            raise KeyboardInterrupt
        _job, attempts, *_trees = merge.args
        return with_losses(conclude(job, attempts, *known, searched=self.searched()), losses)

    def warm(self) -> None:
        """Compile the code of the search, or load it, so that it does not count as its time."""
        _prepare(self.job)

    def after(self, result: MonteCarloResult[M]) -> MonteCarloSearch[M]:
        """Return this search with the trees of an earlier one, below the position that it searches.

        Its `simulations` are made besides those that the trees have.  Without that position in the
        trees, it is the same search.

        Ensures: the root has the visits and the value of that position, `carried` by the result.
        Raises: AlgorithmError if the result kept no tree, or is that of another algorithm, apart
        from the number of simulations; ArgumentError if it is that of another game.
        """
        kept = continued(self.job, result)
        return (
            self if kept is None else MonteCarloSearch(evolve(self.job, kept=kept), self.strategy)
        )

    @property
    def plan(self) -> NoReturn:
        """Raise AlgorithmError, one line, because there is no plan to draw, trace or simulate."""
        raise unplanned()

    def trace(self, *_: object, **__: object) -> NoReturn:
        """Raise AlgorithmError, as `plan`."""
        raise unplanned()

    replay = trace

    def _at(self, workers: int) -> MonteCarloSearch[M]:
        """Return this search with the graph for so many workers."""
        found = MonteCarloSearch[M](self.job, self.strategy)
        found.workers = workers
        return found

    @cached_property
    def _lowered(self) -> tuple[Graph, Key]:
        workers = self.workers or workers_of()
        return lower(self.job, self.groups, self._token, workers, self.searched())

    @cached_property
    def _token(self) -> str:
        job = self.job
        what = job.game, job.state, job.algorithm, job.engine, job.seconds, self.strategy, job.kept
        return fingerprint(("mcts", *what))

    def __dask_tokenize__(self) -> Any:
        return (*self.__dask_layers__(), *self.__dask_keys__()) if self.given else self._token


def lower(
    job: Job, groups: tuple[Group, ...], token: str, workers: int = 1,
    searched: SearchRequest | None = None,
) -> tuple[Graph, Key]:  # fmt: skip
    """Return the graph of a search, with a task for each group of trees, and its result's key."""
    if job.seconds is not None:
        job = evolve(job, seconds=job.seconds / rounds(groups, workers))
    graph = grouped(groups, f"tree-{token}", grow_trees, job)
    attempts = sum(sparks(groups))
    last = f"mcts-{token}", ()
    trees = [TaskRef(key) for key in graph]
    graph[last] = Task(last, conclude, job, attempts, *trees, searched=searched)
    return graph, last


def rounds(groups: tuple[Group, ...], workers: int) -> int:
    """Return how many trees grow one after the other, if all take the same time.

    >>> rounds((Group(0, 1, 0), Group(1, 2, 0), Group(2, 3, 0)), 2)
    2
    >>> rounds((Group(0, 1, 0), Group(1, 2, 1), Group(2, 3, 2)), 2)
    3
    """
    free = [0] * workers
    ends: list[int] = []
    for group in groups:
        known = [e for g, e in zip(groups, ends, strict=False) if g.start < group.after]
        ends.append(max(heappop(free), *known, 0) + group.stop - group.start)
        heappush(free, ends[-1])
    return max(ends)


def sampling(
    game: Game[Any, Any], algorithm: MonteCarlo, state: Any, using: Any, engine: str,
    time: float | None, nodes: int | None,
) -> MonteCarloSearch:  # fmt: skip
    """Return the Monte Carlo search of a position; `strategies.search` calls it.

    Raises: AlgorithmError, StrategyError; RuleFailed if the rules contradict each other there.
    """
    from strategies.algorithms.errors import AlgorithmError
    from strategies.values.for_search import for_search

    game = kept_snapshot(check_game(game))
    algorithm.check(game)
    if isinstance(game, WithEndgame) and game.returns:
        raise AlgorithmError(
            "mcts with an endgame table needs a position to which no move leads back at once; use "
            "alphabeta(depth=1), or ask table.value(state) and table.moves(state)"
        )
    check_choice(engine)
    limits = Limits(time, None)
    if nodes is not None:
        raise AlgorithmError("mcts takes no limit of nodes; write mcts(simulations=…)")
    if isinstance(using, Driver):
        raise AlgorithmError(f"mcts takes no driver such as {shown(using)}; use mcts(threads=2)")
    if not isinstance(using, Strategy):
        raise StrategyError(f"{shown(using)} is not a strategy; use one such as par_list")
    strategy = for_search(checked(using))
    if strategy != seq and algorithm.trees == 1:
        raise StrategyError(
            f"{shown(using)} orders trees, but {algorithm!r} grows only one; use several, such as "
            "trees=4, or threads=2, which grow one tree together"
        )
    state = start_of(game) if state is None else state
    check_root(game, state)
    job = Job(game, state, algorithm, engine, limits.time)
    return MonteCarloSearch(job, strategy)
