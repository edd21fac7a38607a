"""Results: the answer of a search, and what it took."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from games import WIN, Estimate, Game
from games.game import LONGEST
from strategies.asked import Asked
from strategies.fold import Fold, Interval
from strategies.native.table import Counts
from strategies.records import Record
from strategies.sparks import Sparks, audited, ledger
from strategies.strategy import Strategy
from strategies.tasks import Begun

if TYPE_CHECKING:
    from strategies.collection import Search


@frozen
class Result:
    """The answer of a search.

    `move` and `line` are moves of the game; times are in seconds.
    """

    move: Any
    """The leftmost optimal move; None where there is none to choose."""
    value: float
    """The value of the position, from Maxie's side; a forced win is `games.WIN` or more."""
    leaves: int
    """Leaf evaluations ("terminals visited")."""
    nodes: int
    """Positions entered, leaves included."""
    sparks: Sparks
    span: float
    """Seconds of the longest chain of tasks."""
    records: tuple[Record, ...] = field(repr=False)
    """One record a task."""
    _replay: tuple[Game[Any, Any], Any, tuple[int, ...]] = field(repr=False)
    """Game, position and the branches of the principal variation."""
    depth: int | None = None
    """With a limit of time or nodes: how many plies deep the search got."""
    asked: Asked | None = field(default=None, repr=False, eq=False)
    """What was asked for; None where a scheduler gave the result without its search."""

    def __str__(self) -> str:
        line = " ".join(str(m) for m in self.line)
        return (
            f"move {self.move}, {self.estimate}, line {line or '-'}; "
            f"{self.leaves:,} leaves, {self.nodes:,} nodes\n{self.sparks.line}"
        )

    def _repr_html_(self) -> str:
        """How a notebook shows it."""
        return f"<pre>{escape(str(self))}</pre>"

    def search(self, strategy: Strategy | None = None) -> Search:
        """The search that this is the result of, or the same under another strategy.

        Raises: ValueError if the result came without its search.
        Cost: the plan is made again.
        """
        if self.asked is None:
            raise ValueError(
                "this result came without its search: get it from search(...).compute(), from "
                "dask.compute(search(...)), or from a client's compute, not from the graph's key"
            )
        return self.asked.search(strategy)

    @property
    def line(self) -> tuple[Any, ...]:
        """The principal variation, from `move` on; it stops at a chance node.

        Cost: the rules are run again, interpreted, once a move.
        """
        return _moves(*self._replay)

    @property
    def estimate(self) -> Estimate:
        """The value as people read it: ``Guess: 3``, ``Maxie wins!``."""
        return Estimate(self.value)

    @property
    def work(self) -> float:
        """Seconds spent in all tasks."""
        return sum(r.seconds for r in self.records)

    @property
    def table(self) -> Counts:
        """What the tasks did with their transposition table."""
        counts = Counts()
        for r in self.records:
            counts = counts.plus(r.table)
        return counts

    @property
    def parallelism(self) -> float:
        """Work over span: how many workers the run could have kept busy.  Not a speed-up against
        the best sequential search, whose work may be less."""
        return self.work / self.span if self.span else 1.0

    @property
    def timeline(self) -> dict[str, tuple[Record, ...]]:
        """The records of each worker, in order of time."""
        lanes: dict[str, list[Record]] = {}
        for r in sorted(self.records, key=lambda r: r.start):
            lanes.setdefault(r.worker, []).append(r)
        return {worker: tuple(rows) for worker, rows in lanes.items()}

    def summary(self) -> dict[str, Any]:
        """The answer and its counts as plain data, for JSON: stable names, moves as text."""
        from attrs import asdict

        return {
            "move": None if self.move is None else str(self.move),
            "value": self.value,
            "estimate": str(self.estimate),
            "win": abs(self.value) >= WIN,
            "line": [str(m) for m in self.line],
            "leaves": self.leaves,
            "nodes": self.nodes,
            "depth": self.depth,
            "sparks": {**asdict(self.sparks, filter=_public), "reasons": dict(self.sparks.reasons)},
            "tasks": len(self.records),
            "work": self.work,
            "span": self.span,
            "parallelism": self.parallelism,
        }


def conclude(
    game: Game[Any, Any], state: Any, attempts: int, window: Interval, begun: Begun | None,
    task: Callable[..., Fold], /, *args: Any, **kwargs: Any,
) -> Result:  # fmt: skip
    """The last task of a search, and its result."""
    fold = task(*args, **kwargs)
    records = (*fold.log, *(begun[1:] if begun else ()))
    lo, hi = fold.lo, fold.hi
    value = lo if lo == hi or lo >= window[1] else hi
    if not abs(value) <= WIN + LONGEST and (value != value or abs(value) != inf):
        why = "a number strictly between Minnie's win and Maxie's is wanted of estimate and utility"
        raise ValueError(f"the value of the position came out as {value}: {why}")
    if lo != hi and window[0] < value < window[1]:
        raise AssertionError(f"the value is only known to lie in [{lo}, {hi}]")
    return Result(
        move=next(iter(_moves(game, state, fold.line[:1])), None),
        value=value,
        leaves=sum(r.leaves for r in records),
        nodes=sum(r.nodes for r in records),
        sparks=evolve(audited(ledger(attempts, records)), source=(records, game, state)),
        span=fold.span,
        records=records,
        replay=(game, state, fold.line),
    )


def _public(attribute: Any, _value: Any) -> bool:
    return not attribute.name.startswith("_")


def _moves(game: Game[Any, Any], state: Any, line: tuple[int, ...]) -> tuple[Any, ...]:
    """A line of branch numbers as moves of the game."""
    moves = []
    for index in line:
        move = next(islice(game.moves(state), index, None))
        moves.append(move)
        state = game.make_move(state, move)
    return tuple(moves)
