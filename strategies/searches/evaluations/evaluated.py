"""The result of `using`: one delayed value that can explain its tasks and sparks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from dask.highlevelgraph import HighLevelGraph, MaterializedLayer

from strategies.running.plans.loaded_late import loaded_late
from strategies.running.runtime.schedulers import check_options, chosen_scheduler, client_of
from strategies.support.notebook_text import Text
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

        On the cluster of a client, independent calls are sent in bundles if no option is given; all
        other tasks are sent one by one, as by Dask.
        Raises: what a call raises; ClusterError, one line, for calls sent in bundles.
        """
        check_options(scheduler, options)
        client = client_of(chosen_scheduler(scheduler))
        if client is not None and not options.keys() - {"num_workers"}:
            from strategies.searches.evaluations.batch_on_cluster import calls_of, computed

            calls = calls_of(client, self)
            if calls:
                return computed(client, self, calls)
        return super().compute(scheduler=scheduler, **options)

    def explain(self) -> Text:
        """Explain in words which tasks there are, what each calls and waits for, and which are
        sparks."""
        from strategies.notation.evaluations import explained

        return Text(explained(self))

    def run(self, scheduler: Any = None, **options: Any) -> EvaluatedRun:
        """Compute the value with every task recorded; return it with what became of every spark.

        The options are those of `compute`, which records nothing.
        """
        from strategies.searches.evaluations.recording import recorded

        check_options(scheduler, options)
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
