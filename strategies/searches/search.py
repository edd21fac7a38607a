"""A search as a lazy Dask collection: computed, persisted, optimised and drawn like any other."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NoReturn, overload

import dask
from attrs import evolve
from dask import Expr
from dask.tokenize import tokenize

from games import Game
from strategies.algebra.auto import Auto
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy, StrategyError, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.limits import Limits
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.native.engine import engine_for
from strategies.running.execution.deepening import deepen
from strategies.running.execution.dispatch import warm
from strategies.running.execution.shared_table import drive
from strategies.running.plans.conclude import answered
from strategies.running.plans.dask_collection import Lazy
from strategies.running.plans.lowering import Graph, Key, lower
from strategies.running.plans.opening import MOST_TASKS, plan
from strategies.running.plans.plan import Plan
from strategies.running.records.clocks import Call
from strategies.running.records.record import process
from strategies.running.records.request import remember
from strategies.running.records.run import Result
from strategies.running.runtime import cancellation as stopping
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.options import check_options, not_computed
from strategies.support.files import is_stream

if TYPE_CHECKING:
    from strategies.searches.monte_carlo.search import MonteCarloSearch


LOCAL = ("processes", "sync", "threads")
"""Dask's schedulers on this machine: what is compiled here, they find."""
OPENED = 3
"""Plies of a deepening search that show what its tasks call."""


def lowered(plan: Plan) -> tuple[Graph, Key]:
    """The graph of a plan and the key of its result, the same for equal plans."""
    return lower(plan, tokenize(plan))


class _SearchExpr(Expr):
    """A plan as a Dask expression: no task beyond those of `lower`."""

    _parameters = ["plan"]  # noqa: RUF012  # Dask's way to declare them

    @cached_property
    def _lowered(self) -> tuple[Graph, Key]:
        return lowered(self.operand("plan"))

    def __dask_keys__(self) -> list[Key]:
        return [self._lowered[1]]

    def _layer(self) -> Graph:
        return dict(self._lowered[0])

    def __dask_annotations__(self) -> dict[str, Any]:
        """For a cluster: the leftmost ready task first."""
        return {"priority": {key: -i for i, key in enumerate(self._lowered[0])}}


class Search(Lazy):
    """A lazy search; made by `search`."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    @cached_property
    def _lowered(self) -> tuple[Graph, Key]:
        return lowered(self.plan)

    @property
    def expr(self) -> Expr:
        """The search as a Dask expression."""
        if self.given:
            return super().expr
        expr = _SearchExpr(self.plan)
        expr.__dict__["_lowered"] = self._lowered
        return expr

    def __getattr__(self, name: str) -> NoReturn:
        raise not_computed(name, Result)

    def __repr__(self) -> str:
        return self.plan.asked().written

    def compute(self, scheduler: Any = None, **kwargs: Any) -> Result:
        """Run the search.

        `scheduler` is any of Dask's; unless one is given here or configured (a cluster's client
        configures itself), the ordered runner: it starts the leftmost ready task first.
        `num_workers` defaults to all cores.
        Raises: TypeError for an option that the scheduler does not have; what the search raises.
        Ensures: all times of the result are told by the clock of this process.
        """
        check_options(scheduler, kwargs)
        if self.given:
            return self._compute_given(scheduler, **kwargs)
        here = scheduler is None and dask.config.get("scheduler", None) is None
        if here or scheduler in LOCAL:
            self.warm()
        start = perf_counter()
        result = self._compute(scheduler, **kwargs)
        result = answered(result, Call(process(), start, perf_counter()), self.tasks)
        if result.asked is not None and self.plan.limits is None:
            remember(result.asked, self)
        return result

    def _compute_given(self, scheduler: Any, **kwargs: Any) -> Result:
        """Run the graph that Dask gave, or say what is known."""
        start = perf_counter()
        result: Result
        if scheduler is None and dask.config.get("scheduler", None) is None:
            workers = kwargs.get("num_workers", dask.config.get("num_workers", None))
            result = runner.get(*self._lowered, num_workers=workers)
        else:
            result = super().compute(scheduler=scheduler, **kwargs)
        if self.known:  # its times are those of the run that found it
            return result
        call = Call(process(), start, perf_counter())
        return answered(result, call, Search(self.plan).tasks)  # its keys are not renamed

    def warm(self) -> None:
        """Compile what the search calls, or load it, so that it does not count to its time."""
        p = self.plan
        if p.limits is not None and p.strategy != seq:
            few = p.algorithm.at_depth(min(OPENED, p.algorithm.depth))
            search(p.game, few, state=p.state, using=p.strategy, engine=p.engine).warm()
            return
        tabled = p.limits is not None or p.driver is not None
        warm(p.algorithm, engine_for(p.game, p.engine), p.state, p.inners(), tabled)

    def _compute(self, scheduler: Any, **kwargs: Any) -> Result:
        if scheduler is None and dask.config.get("scheduler", None) is None:
            p = self.plan
            result: Result
            workers = kwargs.get("num_workers", dask.config.get("num_workers", None))
            if p.driver is not None:
                how = p.engine, p.driver, p.limits, workers
                result = drive(p.game, p.state, p.algorithm, *how)
                return evolve(result, asked=p.asked(workers or os.cpu_count(), result.depth))
            if p.limits is not None:  # here and now, so that an interrupt gives what is known
                limits = p.limits, p.strategy, workers
                result = deepen(p.game, p.state, p.algorithm, p.engine, *limits)
                return evolve(result, asked=p.asked(workers or os.cpu_count(), result.depth))
            graph, key = self._lowered
            result = runner.get(graph, key, num_workers=workers)
            return evolve(result, asked=p.asked(workers or os.cpu_count()))
        try:
            found: Result = super().compute(scheduler=scheduler, **kwargs)
        except KeyboardInterrupt:
            stopping.interrupt()
            raise
        return found

    def visualize(
        self, filename: str | Path | None = "jamboree.svg", result: Result | None = None, *,
        format: str | None = None, optimize_graph: bool = True, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Draw the task graph to an SVG or PNG file; no Graphviz program is needed.

        With the result of this search, the drawing shows what became of each task.  The file's name
        or `format` says which kind of file; with `filename` None, none is written.  With any of
        Dask's further options (`rankdir`, `color`, `engine`, …), or a format that only Graphviz
        has, the drawing is Dask's own, which needs Graphviz.  `optimize_graph` changes nothing: no
        task can be left out.
        Returns: the picture, which a notebook displays.
        """
        path = None if filename is None else Path(filename)
        kind = format or (path and path.suffix[1:].lower()) or "svg"
        if kwargs or kind not in ("svg", "png"):
            try:
                return super().visualize(filename=path and str(path), format=format, **kwargs)
            except RuntimeError as error:
                words = ", ".join(kwargs) or f"the format {kind}"
                more = f"without {words}, an SVG or PNG drawing needs no program"
                raise RuntimeError(f"{error}; {more}") from None
        from strategies.insight.pictures.task_graph import draw_plan

        picture = draw_plan(Search(self.plan) if self.given else self, result)
        if path is not None:
            same = path.suffix.lower() == f".{kind}"
            picture.write(
                path if same or is_stream(path) else path.with_name(f"{path.name}.{kind}")
            )
        return picture

    def _repr_svg_(self) -> str:
        """How a notebook shows it: the task graph, large subtrees folded."""
        from strategies.insight.pictures.task_graph import draw_plan

        return draw_plan(Search(self.plan) if self.given else self).svg

    def trace(self) -> list[str]:
        """What the strategy does, line by line: state, window, result, pruned; runs interpreted."""
        from strategies.insight.analysis.trace import trace

        return trace(self.plan)

    def __dask_tokenize__(self) -> Any:
        return (*self.__dask_layers__(), *self.__dask_keys__()) if self.given else self.expr._name


_TREES = "mcts takes a strategy, as par_list, or mcts(threads=2)"


@overload
def search(
    game: Game[Any, Any], algorithm: Algorithm, *, state: Any = None,
    using: Strategy | Driver | Auto = seq, engine: str = "auto", most_tasks: int = MOST_TASKS,
    time: float | None = None, nodes: int | None = None,
) -> Search: ...  # fmt: skip


@overload
def search(
    game: Game[Any, Any], algorithm: MonteCarlo, *, state: Any = None,
    using: Strategy | Driver | Auto = seq, engine: str = "auto", most_tasks: int = MOST_TASKS,
    time: float | None = None, nodes: int | None = None,
) -> MonteCarloSearch: ...  # fmt: skip


def search(
    game: Game[Any, Any], algorithm: Algorithm | MonteCarlo, *, state: Any = None,
    using: Strategy | Driver | Auto = seq,
    engine: str = "auto", most_tasks: int = MOST_TASKS,
    time: float | None = None, nodes: int | None = None,
) -> Search | MonteCarloSearch:  # fmt: skip
    """The search of a position by `algorithm`, evaluated as the strategy `using` says.

    With `time` in seconds, or a number of `nodes`, the search deepens ply by ply up to the
    algorithm's depth, and gives the result of the last depth that it finished within the limit; so
    it does at Ctrl-C.  A limit of nodes is for `alphabeta`, `pvs` and `mtdf` under `seq`.
    `using` also takes a driver, `abdada` or `lazy_smp`: threads with one table; or `auto()`, which
    probes here and now, and puts in its place the strategy that it chose.
    With `mcts`, `time` ends the simulations, and the strategy says which trees are grown at once.

    Requires: `state` is a position of `game`; None means its start.  `engine` is "native",
    "interpreted", or "auto": native if the rules can be compiled.
    Ensures: a lazy Dask collection; value and move do not depend on the strategy, the scheduler or
    the number of workers.
    Raises: AlgorithmError, StrategyError, PlanError, each one line that says what to change.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, jamboree
    >>> answer = search(HANDOUT_SMALL, alphabeta(depth=2), using=jamboree(0.5).everywhere)
    >>> result = answer.compute(num_workers=2)
    >>> result.move, result.value, result.leaves
    (1, 4, 9)
    """
    if isinstance(algorithm, MonteCarlo):
        if isinstance(using, Auto):
            raise StrategyError(f"{using} is for searches to a depth; {_TREES}")
        from strategies.searches.monte_carlo.search import sampling

        return sampling(game, algorithm, state, using, engine, time, nodes)
    limits = None if time is None and nodes is None else Limits(time, nodes)
    if isinstance(using, Auto):
        plan(game, algorithm, seq, state, engine=engine, limits=limits)  # refused before probing
        using = seq if limits else using.choose(game, algorithm, state=state, engine=engine).best
    return Search(
        plan(game, algorithm, using, state, engine=engine, most_tasks=most_tasks, limits=limits)
    )
