"""Runs: the answer of a search and its cost, as data."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic

from attrs import field, frozen

from games import CHANCE, WIN, Estimate, Game, SearchTree, Status
from games.failed import path_text
from graphs.arguments import path_of
from graphs.limits import LINE_MOVES
from strategies.algebra.strategy import Strategy
from strategies.native.memory.transposition_table import Counts
from strategies.running.records.clocks import Call, Clocks
from strategies.running.records.iterations import GraphRecord, table
from strategies.running.records.record import Loss, Record
from strategies.running.records.request import SearchRequest
from strategies.running.records.sparks import Sparks
from strategies.running.runtime.sealed import reduce_sealed
from strategies.support.brief import brief
from strategies.support.files import write_whole
from strategies.support.tables import data_frame

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from strategies.algebra.drivers import Driver
    from strategies.running.records.rows import Row

    M = TypeVar("M", default=Any)
else:  # Python has no default of a type variable before 3.13
    from typing import TypeVar

    M = TypeVar("M")


@frozen
class Run(Generic[M]):
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
    sparks: Sparks
    span: float
    """The seconds of the longest chain of tasks."""
    records: tuple[Record, ...] = field(repr=False)
    """One record per task, and one for each time that a worker joined a task."""
    _replay: tuple[Game[Any, Any], Any, tuple[int, ...]] = field(repr=False)
    """Game, position and the branches of the principal variation."""
    depth: int | None = None
    """The depth that the search reached within a limit of time or nodes."""
    graphs: tuple[GraphRecord, ...] = field(default=(), repr=False, eq=False)
    """The row of graphs of a deepening search under a strategy; `iterations` shows them."""
    call: Call | None = field(default=None, repr=False, eq=False)
    """The times of the call and its answer; None unless it came from `Search.compute`."""
    clocks: Clocks | None = field(default=None, repr=False, eq=False)
    """How the clocks of several processes were aligned; None if they were not."""
    losses: tuple[Loss, ...] = field(default=(), repr=False, eq=False)
    """The workers of a cluster that were lost or left, with their tasks, in order of time."""
    request: SearchRequest | None = field(default=None, repr=False, eq=False)
    """The search request; None if the scheduler returned the result without its search."""

    def __reduce__(self) -> tuple[Any, ...]:
        return reduce_sealed(self)

    __repr__ = brief

    def __str__(self) -> str:
        line = path_text(self.line_texts, LINE_MOVES)
        answer = f"move {self.move_text}, {self.value_text}, line {line or '-'}"
        if not line and self.request is not None and self.request.algorithm.no_move:
            answer = self.value_text
        cost = f"{self.leaves:,} leaves, {self.nodes:,} nodes"
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
    def seconds(self) -> float:
        """Return the wall time from the call, after compilation, to the answer.

        If the run did not come from a call, it is the time from the start of the first task to the
        end of the last.
        """
        if self.call is not None:
            return self.call.seconds
        return max(r.end for r in self.records) - min(r.start for r in self.records)

    @property
    def work(self) -> float:
        """Return the work: the seconds spent in all tasks and joins."""
        return sum(r.seconds for r in self.records)

    @property
    def cpu(self) -> float:
        """Return the processor time of all tasks: `work` without waiting."""
        return sum(r.cpu for r in self.records)

    @property
    def table(self) -> Counts:
        """Return the tasks' use of their transposition table."""
        counts = Counts()
        for r in self.records:
            counts = counts.plus(r.table)
        return counts

    @property
    def joins(self) -> tuple[Record, ...]:
        """Return the records of workers that joined a running task, which are no tasks."""
        return tuple(r for r in self.records if r.role == "join")

    @property
    def parallelism(self) -> float:
        """Return work divided by span: the number of workers that the run could keep busy.

        It is not a speed-up against the best sequential search, whose work may be less.
        """
        return self.work / self.span if self.span else 1.0

    @property
    def iterations(self) -> str:
        """Return the row of graphs of a deepening search as a table; empty for other searches."""
        return table(self.graphs, *self._replay[:2]) if self.graphs else ""

    @property
    def timeline(self) -> dict[str, tuple[Record, ...]]:
        """Return the records of each worker, in order of time."""
        lanes: dict[str, list[Record]] = {}
        for r in sorted(self.records, key=lambda r: r.start):
            lanes.setdefault(r.worker, []).append(r)
        return {worker: tuple(rows) for worker, rows in lanes.items()}

    def rows(self) -> tuple[Row, ...]:
        """Return every task and join as a row with the fields of `Row`, in order of time.

        Cost: the rules are run again, interpreted, at each position above a task.
        """
        from strategies.running.records.rows import rows_of

        return rows_of(self.records, *self._replay[:2])

    def to_pandas(self) -> Any:
        """Return `rows` as a DataFrame of pandas, with the names of the fields of `Row`.

        Raises: ImportError, which says what to install.
        """
        return data_frame(r._asdict() for r in self.rows())

    def to_trace(self, path: str | Path | None = None) -> str:
        """Return the run in Chrome's trace format: one lane per worker, one bar per task or join.

        The page ui.perfetto.dev opens it.  If `path` is given, it is written there, atomically.
        """
        from strategies.running.records.trace_events import chrome_trace

        about = {"sparks": self.sparks.line, "clocks": str(self.clocks or "as recorded")}
        if self.request is not None:
            about["search"] = self.request.expression
        text = chrome_trace(self.rows(), about)
        if path is not None:
            write_whole(path_of("path", path), text)
        return text

    def summary(self) -> dict[str, Any]:
        """Return the answer and its counts as plain data for JSON, with stable names."""
        from attrs import asdict

        line, joins = self.line_texts, len(self.joins)
        counts = asdict(self.sparks, filter=lambda field, _: not field.name.startswith("_"))
        return {
            "move": line[0] if line else None,
            "value": self.value,
            "estimate": self.value_text,
            "win": not isinstance(self.value, tuple) and abs(self.value) >= WIN,
            "line": list(line),
            "leaves": self.leaves,
            "nodes": self.nodes,
            "depth": self.depth,
            "sparks": {**counts, "reasons": dict(self.sparks.reasons)},
            "tasks": len(self.records) - joins,
            "joins": joins,
            "work": self.work,
            "cpu": self.cpu,
            "span": self.span,
            "parallelism": self.parallelism,
        }


def no_move(game: Game[Any, Any], state: Any) -> str:
    """Return why a search has no move at a position.

    >>> from games import Twenty48
    >>> no_move(Twenty48(), Twenty48().start())
    'chance moves'
    """
    if game.status(state) != Status.IN_PLAY:
        return "the node is a leaf" if isinstance(game, SearchTree) else "the game is over"
    return "chance moves" if game.player(state) == CHANCE else "depth 0 searches no moves"


def line_texts(game: Game[Any, Any], state: Any, line: tuple[Any, ...]) -> list[str]:
    """Return the moves of a line as the game writes them, and as users enter them.

    >>> from games import ConnectFour
    >>> game = ConnectFour()
    >>> line_texts(game, game.start(), (0, 6))
    ['1', '7']
    """
    texts = []
    for move in line:
        texts.append(game.move_text(state, move))
        state = game.make_move(state, move)
    return texts


def moves_of(game: Game[Any, Any], state: Any, line: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the moves of the game along a line of branch numbers."""
    moves = []
    for index in line:
        move = next(islice(game.moves(state), index, None))
        moves.append(move)
        state = game.make_move(state, move)
    return tuple(moves)
