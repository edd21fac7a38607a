"""The result of `using`: one delayed value that can explain its tasks and sparks.

On a cluster, where a task costs milliseconds, as much as a short search, independent calls are sent
in bundles, and their results combined here.  The size of a bundle follows from the times of earlier
calls; towards the end bundles get smaller, so that all workers finish at the same time.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dask
from dask.highlevelgraph import HighLevelGraph, MaterializedLayer
from dask.task_spec import GraphNode, Task

from games import Game
from strategies.running.plans.dask_collection import awaited
from strategies.running.plans.loaded_late import common_to, loaded_late
from strategies.running.runtime.batch import compute_delayed, run_on
from strategies.running.runtime.schedulers import (
    check_options,
    chosen_scheduler,
    client_of,
    waiting_client,
)
from strategies.support.printing import Text
from strategies.values.evaluated import EvaluatedGraph
from strategies.values.lowering import Ordered

if TYPE_CHECKING:
    from strategies.insight.pictures.picture import Picture
    from strategies.searches.evaluations.run import EvaluatedRun


class Evaluated(EvaluatedGraph):
    """A delayed value that a strategy evaluates; made by `using` and `run_eval`.

    If it is a list, tuple or dict, ``[i]`` is such a value too, and waits only for what part i
    needs.
    """

    __slots__ = ()

    @staticmethod
    def _prepared(graph: HighLevelGraph) -> HighLevelGraph:
        """Return a graph whose sparks and steps a cluster loads late and can cancel.

        It is made here, not by `__dask_optimize__`: Dask mixes up the values that it computes
        together if their collections have different optimizations.
        """
        layers = {
            name: MaterializedLayer(
                {
                    **layer,
                    **loaded_late({k: t for k, t in layer.items() if type(t) is Ordered}),
                },
                annotations=layer.annotations,
            )
            for name, layer in graph.layers.items()
        }
        return HighLevelGraph(layers, graph.dependencies)

    def __repr__(self) -> str:
        how = "" if self._strategy is None else f" using {self._strategy!r}"
        return f"<Evaluated{how}: {self.key}>"

    def compute(self, scheduler: Any = None, **options: Any) -> Any:
        """Compute the value with the given or current `scheduler` and Dask's options.

        Without any, ready tasks start from left to right, as those of a search.  On the cluster of
        a client, independent calls are then sent in bundles; all other tasks are sent one by one,
        as by Dask.
        Raises: what a call raises; ClusterError, one line, for calls sent in bundles.
        """
        check_options(scheduler, options)
        client = client_of(chosen_scheduler(scheduler))
        if client is not None and not options.keys() - {"num_workers"}:
            calls = calls_of(client, self)
            if calls:
                return computed(client, self, calls)
        return compute_delayed(self, scheduler, options)

    def __await__(self) -> Generator[Any, None, Any]:
        """Wait for the value, while other coroutines run, as for that of a search."""
        return awaited(self).__await__()

    def explain(self) -> Text:
        """Explain in words which tasks there are, what each calls and waits for, and which are
        sparks."""
        from strategies.values.evaluation_text import explained

        return Text(explained(self))

    def run(self, scheduler: Any = None, **options: Any) -> EvaluatedRun:
        """Compute the value with every task recorded; return it with what became of every spark.

        The options are those of `compute`, which records nothing.
        Raises: as `compute`; ClusterError, one line, for an asynchronous client.
        """
        from strategies.searches.evaluations.run import recorded

        check_options(scheduler, options)
        waiting_client(chosen_scheduler(scheduler))
        return recorded(self, scheduler, **options)

    def visualize(
        self, filename: str | Path | None = "jamboree.svg", run: EvaluatedRun | None = None, *,
        format: str | None = None, optimize_graph: bool = True, **options: Any,
    ) -> Any:  # fmt: skip
        """Draw the task graph to an SVG or PNG file; no Graphviz program is needed.

        With a run of this value, the drawing shows the time of each task.  The arguments are those
        of `Search.visualize`.
        Returns: the picture, which a notebook displays.
        """
        from strategies.searches.drawing import drawn_to

        return drawn_to(filename, format, options, lambda: self._drawn(run), super().visualize)

    def _drawn(self, run: EvaluatedRun | None = None) -> Picture:
        from strategies.insight.pictures.evaluation import draw_evaluation

        return draw_evaluation(self._planned, self._strategy, run.records if run else None)

    def _repr_html_(self) -> str:
        """Show the tasks in a notebook, in words and as a picture."""
        from strategies.insight.pictures.cards import worded

        return worded(self.explain(), self._drawn().svg)


Key = Any


def calls_of(client: Any, answer: EvaluatedGraph) -> Mapping[Key, Task]:
    """Return the tasks that the last task of an evaluation combines, if they form a batch.

    Ensures: none waits for another, has annotations, or is known to the client's cluster.
    Otherwise the result is empty, because a bundle cannot represent such tasks.
    """
    graph = answer.__dask_graph__()
    annotated = any(layer.annotations for layer in graph.layers.values())
    if annotated or dask.get_annotations():
        return {}
    calls = dict(graph)
    last = calls.pop(answer.key)
    alone = all(isinstance(t, Task) and not t.dependencies for t in calls.values())
    known = any(key in client.futures for key in (*calls, answer.key))
    whole = isinstance(last, GraphNode) and last.dependencies == calls.keys()
    return calls if alone and whole and not known else {}


def computed(client: Any, answer: EvaluatedGraph, calls: Mapping[Key, Task]) -> Any:
    """Compute a batch on a client's cluster.

    Requires: `calls` are those of `calls_of`.
    Ensures: the same value as by Dask.  When the call ends for any reason, workers abandon its
    tasks.
    Raises: ClusterError, one line; what a call raises.
    """
    found: dict[Key, Any] = {}
    todo = ((key, (task,)) for key, task in calls.items())
    games = games_in(calls.values())
    run_on(client, called, todo, found.__setitem__, shared=games, many=len(calls))
    return answer.__dask_graph__()[answer.key](found)


def called(task: Task) -> Any:
    """Call a task that waits for nothing."""
    return task({})


def games_in(tasks: Iterable[Task]) -> tuple[Game[Any, Any], ...]:
    """Return a game of each class that tasks search; it is sent once, and its rules are checked."""
    return tuple(x for x in common_to(tasks) if isinstance(x, Game))
