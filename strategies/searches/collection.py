"""A search as a lazy Dask collection, and its result."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn

from attrs import frozen

from games import CHANCE
from graphs.limits import NOTEBOOK_LETTERS, NOTEBOOK_TASKS
from strategies.algebra.strategy import Strategy, seq
from strategies.running.plans.dask_collection import not_computed
from strategies.running.plans.search_graph import SearchGraph, graph_of
from strategies.running.records.search_run import M, SearchRun
from strategies.searches.drawing import drawn
from strategies.support.printing import preformatted

if TYPE_CHECKING:
    from strategies.insight.analysis.comparison import Comparison
    from strategies.insight.analysis.diagnosis.diagnose import Diagnosis
    from strategies.insight.pictures.picture import Picture
    from strategies.searches.move_values import MoveValues

TRACED = 10_000
"""The default of the most positions of a trace."""
DRAWN = 2_000
"""The default of the most positions that a replay draws."""


@frozen(repr=False)
class Result(SearchRun[M]):
    """The result of a search: its value, move and line, and what became of every spark.

    `move` and `line` are moves of the game; times are in seconds.
    """

    def _repr_html_(self) -> str:
        """Show the position and the result in a notebook, with the timeline unless it is long."""
        from strategies.insight.pictures.cards import card

        short = (self.sparks.attempts or self.joins) and 0 < len(self.records) <= NOTEBOOK_TASKS
        picture = self.draw().svg if short else ""
        shown = picture if len(picture) <= NOTEBOOK_LETTERS else ""
        request = self.request
        if request is None:
            return f"{preformatted(str(self))}{shown}"
        return card(request.game, request.state, str(self), shown)

    def draw(self, what: str = "timeline", *, most: int | None = None) -> Picture:
        """Draw the run: "timeline", task "graph", its "overview", "bounds" on its time, or "tree".

        The "tree" is the search tree, for small searches.

        `most` is the most marks of a graph, or positions of a tree; a larger graph is folded to
        that size, and without `most` to a page of paper.  Of a graph of more than 700 tasks,
        without `most`, there is a synopsis by ply and by kind of task; a larger tree is refused.
        """
        from strategies.insight import pictures as draw

        few = 400 if most is None else most
        pictures = {
            "timeline": lambda: draw.draw_timeline(self),
            "graph": lambda: draw.draw_plan(self.search(), self, most=most),
            "bounds": lambda: draw.draw_bounds(self),
            "tree": lambda: draw.draw_tree(self.search(), self, most=few),
            "overview": lambda: draw.draw_overview(None, self),
        }
        return drawn(what, pictures)

    def visualize(self, filename: str | Path | None = "jamboree.svg", **options: Any) -> Any:
        """Draw the task graph with the outcome of each task; otherwise as `Search.visualize`."""
        return self.search().visualize(filename, self, **options)

    def diagnosis(self, sequential: Result | None = None) -> Diagnosis:
        """Diagnose what kept the run from being faster, and what to try."""
        from strategies.insight.analysis.diagnosis.diagnose import diagnose

        return diagnose(self, sequential)

    def report(self, path: str | Path, *, sequential: Result | bool = True) -> Path:
        """Write one HTML page about the run, for a browser; see `strategies.insight.report`.

        `sequential` is the result of the same search under `seq`; True runs that search now, False
        leaves the comparison out.
        """
        from strategies.insight.report.page import write_report

        return write_report(self, path, sequential=sequential)

    def outcomes(self) -> tuple[tuple[float, Result[M]], ...]:
        """Search below each outcome of a root where chance moves: return probabilities and results.

        Ensures: the value is the mean of their values; empty if no chance moves at the root.
        Raises: ValueError if the result has no search.
        Cost: the search is run once more, below one outcome after the other, by `seq`.

        >>> from games import Pig
        >>> from strategies import expectimax, search
        >>> pig = Pig(target=20)
        >>> rolled = search(pig, expectimax(2), state=pig.make_move(pig.start(), 0)).compute()
        >>> [(round(p, 2), below.value, below.line_texts) for p, below in rolled.outcomes()[:2]]
        [(0.17, 0, ('roll',)), (0.17, 0.1, ('roll',))]
        """
        from strategies.searches.move_values import branch_plans

        if self.request is None:
            self.search()  # it raises why there is none
        asked = self.request
        if not asked or asked.game.player(asked.state) != CHANCE:
            return ()
        below = branch_plans(asked, asked.algorithm.depth, seq)
        return tuple((b.chance, Search(b.plan).compute(num_workers=1)) for b in below)

    def values(self, which: str = "all", *, scheduler: Any = None, **options: Any) -> MoveValues[M]:
        """Search below each move of the position: return "all" moves with exact values, or only
        the "best" ones, the best first.

        Each move is searched by the strategy of this search; `scheduler` and `options` are those of
        `Search.compute`.  The "best" ones are found by null windows, if the algorithm has windows.
        Raises: ValueError if the position has no moves, no depth was finished within the limit, or
        the result has no search.
        Cost: a search for each move.

        >>> from games import TicTacToe
        >>> from strategies import alphabeta, search
        >>> game = TicTacToe()
        >>> state = game.parse_state("X../.../...")
        >>> found = search(game, alphabeta(9), state=state).compute()
        >>> [move + 1 for move in found.values("best").best]
        [5]
        >>> len(found.values())
        8
        """
        from strategies.searches.move_values import move_values

        if self.request is None:
            self.search()  # it raises why there is none
        return move_values(self, which, lambda plan: Search(plan).compute(scheduler, **options))

    def replay(
        self, path: str | Path, *, other: Result | Strategy | None = None, most: int = DRAWN
    ) -> Path:  # fmt: skip
        """Write one HTML page that replays the run in steps: its tree, its trace and its sparks.

        Moments are ordered by the recorded times of tasks.  With `other`, a strategy that is run on
        the same search now, or another result of it, two replays run side by side under one clock.
        At most `most` positions are drawn; a larger tree is folded.

        Returns: the path.
        Raises: ValueError for a run that is not made of the tasks of one graph; OSError if the file
        cannot be written.
        """
        from strategies.insight.report.document import write_page
        from strategies.insight.report.replay.page import replay_page

        return write_page(path, lambda: replay_page(self, other, most=most))

    def search(self, strategy: Strategy | None = None) -> Search[M]:
        """Return the search of this result, or the same search with another strategy.

        Raises: ValueError if the result has no search.
        Cost: the plan is made again.
        """
        graph = graph_of(self.request, strategy)
        return graph if isinstance(graph, Search) else Search(graph.plan)

    def against(self, strategy: Strategy = seq, most: int = 50_000) -> Comparison:
        """Compare this run with the same search in one task by `strategy`.

        The result, a `strategies.insight.analysis.comparison.Comparison`, says which visits were
        useful, and which were wasted.
        """
        from strategies.insight.analysis.comparison import against

        return against(self, strategy, most)


class Search(SearchGraph, Generic[M]):
    """A lazy search, a Dask collection; made by `search`."""

    result_class: ClassVar[type[SearchRun]] = Result

    def __getattr__(self, name: str) -> NoReturn:
        raise not_computed(name, Result)

    if TYPE_CHECKING:

        def compute(self, scheduler: Any = None, **kwargs: Any) -> Result[M]: ...

    def visualize(
        self, filename: str | Path | None = "jamboree.svg", result: Result | None = None, *,
        format: str | None = None, optimize_graph: bool = True, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Draw the task graph to an SVG or PNG file; no Graphviz program is needed.

        With the result of this search, the drawing shows the outcome of each task.  The name of the
        file or `format` selects the kind of file; with ``filename=None``, no file is written.  With
        any of Dask's further options (`rankdir`, `color`, `engine`, …), or a format that only
        Graphviz supports, Dask draws, which needs Graphviz.  `optimize_graph` has no effect,
        because no task can be left out.
        Returns: the picture, which a notebook displays.
        """
        from strategies.searches.drawing import drawn_to

        return drawn_to(filename, format, kwargs, lambda: self._drawn(result), super().visualize)

    def _drawn(self, result: Result | None = None) -> Picture:
        from strategies.insight.pictures.task_graph import draw_plan

        return draw_plan(Search(self.plan) if self.given else self, result)

    def _repr_html_(self) -> str:
        """Show the position, the search and its task graph in a notebook."""
        return str(self.plan._repr_html_())

    def _repr_svg_(self) -> str:
        """Draw the task graph; if it has many tasks, its overview, which fits any notebook."""
        from strategies.insight.pictures.cards import drawn_graph

        return drawn_graph(Search(self.plan) if self.given else self)

    def replay(
        self, path: str | Path, *, other: Search | Strategy | None = None, workers: int = 2,
        most: int = DRAWN,
    ) -> Path:  # fmt: skip
        """Write one HTML page that replays the search in steps: its tree, its trace, its sparks.

        The search runs now, interpreted, on virtual `workers` for whom each position takes one unit
        of time, so that the page is the same on every machine; `Result.replay` shows a run as it
        was.  With `other`, a strategy for the same search, or another search of the same tree, two
        replays run side by side under one clock.  At most `most` positions are drawn; a larger tree
        is folded.

        Returns: the path.
        Raises: ValueError for a search that is not made of the tasks of one graph, or too large;
        OSError if the file cannot be written.
        """
        from strategies.insight.report.document import write_page
        from strategies.insight.report.replay.page import replay_page

        return write_page(path, lambda: replay_page(self, other, workers=workers, most=most))

    def trace(
        self, *, most: int = TRACED, tell: Callable[[str], object] | None = None
    ) -> list[str]:
        """Return the trace of the search, line by line: state, window, result, pruned.

        The traced search runs interpreted.  With `tell`, each line is passed to it as soon as it is
        found, as in ``trace(most=10**6, tell=print)``, and none is returned.

        Raises: ValueError if the search visits more than `most` positions.
        """
        from strategies.insight.analysis.trace import trace

        lines: list[str] = []
        trace(self.plan, most, lines.append if tell is None else tell)
        return lines
