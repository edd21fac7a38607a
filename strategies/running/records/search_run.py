"""What a search asks and answers: its value, move and line, with the graphs of its iterations.

While it runs, a search tells each depth that it has reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic

from attrs import field, frozen

from games import WIN, Estimate, Game
from games.failed import path_text
from graphs.limits import LINE_MOVES
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy
from strategies.algorithms.fold import Interval
from strategies.algorithms.positions import branch_text, kind_of
from strategies.native.calls.deepening import LISTENERS, Deepening
from strategies.native.engine import plain
from strategies.running.records.clocks import Clocks
from strategies.running.records.moves import Moves, line_texts, moves_of, no_move
from strategies.running.records.request import SearchRequest
from strategies.running.records.rows import Names, Numbered
from strategies.running.records.run import Run
from strategies.running.runtime.cancellation import scope_of_call
from strategies.support.printing import columns

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    M = TypeVar("M", default=Any)
else:  # Python has no default of a type variable before 3.13
    from typing import TypeVar

    M = TypeVar("M")


@frozen(repr=False)
class SearchRun(Run, Generic[M]):
    """The answer of a search and its cost, as data.

    `move` and `line` are moves of the game; times are in seconds.
    """

    move: M | None
    """The leftmost optimal move; None if there is none."""
    value: float
    """The value of the position, from Maxie's side; a forced win is `games.WIN` or more.  Under
    `maxn`, a tuple: the value for each player."""
    leaves: int
    """The number of leaf evaluations ("terminals visited")."""
    nodes: int
    """The number of positions visited, leaves included."""
    _replay: tuple[Game[Any, Any], Any, tuple[int, ...]] = field(repr=False)
    """Game, position and the branches of the principal variation."""
    depth: int | None = None
    """The depth that the search reached within a limit of time or nodes."""
    graphs: tuple[GraphRecord, ...] = field(default=(), repr=False, eq=False)
    """The row of graphs of a deepening search under a strategy; `iterations` shows them."""
    clocks: Clocks | None = field(default=None, repr=False, eq=False)
    """How the clocks of several processes were aligned; None if they were not."""
    request: SearchRequest | None = field(default=None, repr=False, eq=False)
    """The search request; None if the scheduler returned the result without its search."""

    def __str__(self) -> str:
        line = path_text(self.line_texts, LINE_MOVES)
        answer = f"move {self.move_text}, {self.value_text}, line {line or '-'}"
        if not line and self.request is not None and self.request.algorithm.no_move:
            answer = self.value_text
        cost = f"{self.leaves:,} leaves, {self.nodes:,} nodes"
        cost += "" if self.depth is None else f", depth {self.depth}"
        return f"{answer}; {cost}\n{self.sparks.line}"

    @property
    def line(self) -> tuple[M, ...]:
        """Return the principal variation, from `move` on; it stops at a chance node.

        Cost: the rules are run again, interpreted, once per move.
        """
        return moves_of(*self._replay)

    @property
    def line_branches(self) -> tuple[int, ...]:
        """Return the branch numbers of the principal variation."""
        return self._replay[2]

    @property
    def line_texts(self) -> tuple[str, ...]:
        """Return the principal variation as the game writes it."""
        return tuple(line_texts(*self._replay[:2], self.line))

    @property
    def move_text(self) -> str:
        """Return `move` as the game writes it, and as users enter it; why there is none, if so."""
        return next(iter(self.line_texts), self.no_move)

    @property
    def no_move(self) -> str:
        """Return why there is no move; for a result that has none."""
        why = "" if self.request is None else self.request.algorithm.no_move
        return f"none: {why or no_move(*self._replay[:2])}"

    @property
    def using(self) -> Strategy | Driver | None:
        """Return the strategy or driver of the run; for `auto()`, the one that was selected.

        None if the run does not know its search.
        """
        return None if self.request is None else self.request.strategy

    @property
    def workers(self) -> int | None:
        return None if self.request is None else self.request.workers

    @property
    def estimate(self) -> Estimate:
        """Return the value as people read it: ``Guess: 3``, ``Maxie wins!``."""
        return Estimate(self.value)

    @property
    def value_text(self) -> str:
        """Return the value as people read it; that of a leaf of a tree is no guess."""
        if self.request is None:
            return str(self.estimate)
        return self.request.algorithm.value_text(self.value)

    @property
    def iterations(self) -> str:
        """Return the row of graphs of a deepening search as a table; empty for other searches."""
        return table(self.graphs, *self._replay[:2]) if self.graphs else ""

    def _names(self) -> Names:
        if isinstance(self.using, Driver):
            return Numbered("thread")
        return Moves(*self._replay[:2])

    def _about(self) -> dict[str, str]:
        search = {} if self.request is None else {"search": self.request.expression}
        return {"clocks": str(self.clocks or "as recorded"), **search}

    def summary(self) -> dict[str, Any]:
        """Return the answer and its counts as plain data for JSON, with stable names."""
        line = self.line_texts
        return {
            "move": line[0] if line else None,
            "value": self.value,
            "estimate": self.value_text,
            "win": not isinstance(self.value, tuple) and abs(self.value) >= WIN,
            "line": list(line),
            "leaves": self.leaves,
            "nodes": self.nodes,
            "depth": self.depth,
            "sparks": self.sparks.summary(),
            "tasks": self.tasks,
            "joins": len(self.joins),
            "work": self.work,
            "cpu": self.cpu,
            "span": self.span,
            "parallelism": self.parallelism,
        }


Waits = tuple[tuple[tuple[str, tuple[Any, ...]], tuple[int, ...]], ...]


@frozen
class GraphRecord:
    """One graph of a row: its search, the order of the root's moves, and its result."""

    number: int
    """Its place in the row, from 1, as in the records of its tasks."""
    depth: int
    window: Interval
    """The window of the root."""
    order: tuple[Any, ...]
    """The moves of the root in the order of search; empty if the whole search was one task."""
    leftmost: bool
    """Whether it searched for the leftmost best move, with the value known."""
    found: Interval
    """The bounds that it found on the value."""
    tasks: int
    nodes: int
    seconds: float
    waits: Waits = field(repr=False, eq=False)
    """The kind and place of each task, in order, and the numbers of the tasks it waited for."""
    joins: int = 0
    """How often a worker without a task joined a running one."""


def table(graphs: Sequence[GraphRecord], game: Game[Any, Any], state: Any) -> str:
    """Return the row of graphs as a table of text: the result and the cost of each, with the joins
    if there are any.

    Requires: the game and the position of the search.
    """
    kind = kind_of(game, state)
    some = any(g.joins for g in graphs)
    more = ("joins",) if some else ()
    rows = [("graph", "depth", "result", "tasks", *more, "nodes", "seconds", "order of the root")]
    for g in graphs:
        low, high = g.found
        goal = "leftmost move" if g.leftmost else "value"
        got = f"{goal}: {low:g}" if low == high else f"{goal}: {low:g} to {high:g}"
        order = " ".join(branch_text(game, state, kind, m) for m in g.order) or "one task"
        more = (f"{g.joins:,}",) if some else ()
        row = str(g.number), str(g.depth), got, f"{g.tasks:,}", *more, f"{g.nodes:,}"
        rows.append((*row, f"{g.seconds:.3g}", order))
    return "\n".join(columns(rows, left=(2, 6 + some)))


@frozen
class Reached:
    """A depth that a search has finished, with its answer."""

    depth: int
    value: Any
    line: tuple[str, ...]
    """The best line, as the game writes moves."""
    nodes: int
    """The nodes of this search so far; of one thread, if several search together."""
    seconds: float
    """The seconds since the search began; compiling is not counted."""

    def __str__(self) -> str:
        """Return a line as chess engines print it."""
        worth = f"{Estimate(self.value)}"
        cost = f"{self.nodes:>13,} nodes {self.seconds:>8.2f} s"
        return f"depth {self.depth:>2}  {worth:<14} {cost}  {' '.join(self.line)}"


@contextmanager
def telling(
    game: Any, state: Any, depth: int, progress: Callable[[Reached], None] | None
) -> Iterator[Callable[[SearchRun], SearchRun]]:
    """Call `progress` with each depth that a search of `state` reaches inside the block.

    The block runs in the scope of a call: searches of other calls are not heard.
    Yields a function that takes the result and returns it: of a search that told nothing, because
    it searches to one `depth` only, or in other processes, it tells the result.
    """
    if progress is None:
        yield lambda result: result
        return
    last, lock, call = [0], Lock(), scope_of_call()

    def hear(run: Deepening) -> None:
        found = run.best
        others = scope_of_call() is not call or run.state != state
        if others or found is None or not found.line:
            return
        seconds = perf_counter() - run.begun
        with lock:  # of threads that search together, the first to finish a depth tells it
            if run.depth <= last[0]:
                return
            last[0] = run.depth
            line = tuple(line_texts(game, state, moves_of(game, state, found.line)))
            value = plain(float(found.value))
            progress(Reached(run.depth, value, line, run.visited, seconds))

    def conclude(result: SearchRun) -> SearchRun:
        reached = depth if result.depth is None else result.depth
        if last[0] == 0 < reached and result.line:
            found = result.value, result.line_texts, result.nodes, result.seconds
            progress(Reached(reached, *found))
        return result

    LISTENERS.append(hear)
    try:
        yield conclude
    finally:
        LISTENERS.remove(hear)
