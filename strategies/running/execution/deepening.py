"""Iterative deepening: a search that may be ended at any time, with the best that it has found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Final

from attrs import evolve

from games import WIN, Game, Status
from strategies.algebra.strategy import Strategy, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.fold import OPEN
from strategies.algorithms.limits import Limits, _ordered
from strategies.native.calls.alphabeta import (
    UNLIMITED,
    Found,
    Searcher,
    search_aspiring,
    search_with,
)
from strategies.native.engine import Engine, engine_for
from strategies.native.errors import RuleFailed
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Table, parse_size
from strategies.running.execution.dispatch import search_by
from strategies.running.records.record import Record, Tally, record
from strategies.running.records.run import Result
from strategies.running.records.sparks import ledger
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.cancellation import adopt, current
from strategies.running.runtime.deadline import watched

TABLE: Final = parse_size("16MB")
"""The table of an algorithm that asks for none: deepening lives on one."""


def deepen(
    game: Game[Any, Any], state: Any, algorithm: Algorithm, choice: str, limits: Limits,
    using: Strategy = seq, workers: int | None = None,
) -> Result:  # fmt: skip
    """Search to depth 1, 2, 3, … up to the algorithm's, until the limit: the last that is finished.

    The clock starts when the rules are compiled.
    Ensures: value and move are those of a search to `result.depth`; a forced win ends it.  If not
    even depth 1 was finished, the depth is 0, the value the estimate, the move the first one.  A
    depth at which a position without an estimate is met is left out, unless it is the last.
    Raises: AlgorithmError if no depth was finished, and the position has no estimate.
    After the time, or at Ctrl-C, it returns within milliseconds; no thread is left.
    """
    if using != seq:
        return _deepen_in_tasks(game, state, algorithm, choice, limits, using, workers)
    run = Deepening(engine_for(game, choice), state, algorithm, limits, Stop(current()))
    run.warm()
    start = perf_counter()
    watched(run.work, run.stop, seconds=limits.time)
    return run.result((record(("step", ()), "step", start, run.tally),))


def _deepen_in_tasks(
    game: Game[Any, Any], state: Any, algorithm: Algorithm, choice: str, limits: Limits,
    using: Strategy, workers: int | None,
) -> Result:  # fmt: skip
    """`deepen`, every depth a run of the ordered runner; counts are those of the last finished."""
    from strategies.searches.search import search

    stop, best, start = Stop(current()), [], perf_counter()
    over = game.status(state) != Status.IN_PLAY

    def to(depth: int) -> Result:
        asked = evolve(algorithm, depth=depth)
        answer = search(game, asked, state=state, using=using, engine=choice)
        return answer.compute(runner.get, num_workers=workers)

    def work() -> None:
        adopt(stop)
        try:
            for depth in range(1, algorithm.depth + 1):
                with estimates_to_spare(depth < algorithm.depth):
                    best.append(evolve(to(depth), depth=depth))
                    if _won(best[-1].value) or over:
                        return
        except Stopped:
            return

    with estimates_to_spare():
        to(1)  # compiled before the clock starts
    watched(work, stop, seconds=limits.time)
    if best:
        return best[-1]
    none = Deepening(engine_for(game, choice), state, algorithm, limits, stop)
    return none.result((record(("step", ()), "step", start, none.tally),))


@contextmanager
def estimates_to_spare(spared: bool = True) -> Iterator[None]:
    """What is done here may be left out where the game has no estimate, if it is `spared`."""
    try:
        yield
    except RuleFailed as error:
        if not (spared and error.lacks_estimate):
            raise


def _won(value: Any) -> bool:
    """Whether there is nothing more to find: no depth changes who wins."""
    return not isinstance(value, tuple) and abs(value) >= WIN


class Deepening:
    """One deepening search, and what it has found so far; one to the full depth without limits.

    Each of its searches is made `by` a function like `search_with`; with a `stride`, they are that
    many times as far apart in depth.
    """

    def __init__(
        self, engine: Engine, state: Any, algorithm: Algorithm, limits: Limits | None, stop: Stop,
        *, table: Table | None = None, by: Searcher = search_with, stride: int = 1,
    ) -> None:  # fmt: skip
        self.engine, self.state, self.algorithm, self.stop = engine, state, algorithm, stop
        self.limits, self.by, self.stride = limits, by, stride
        self.nodes = (limits and limits.nodes) or UNLIMITED
        self.table = table or Table(algorithm.table or TABLE)
        self.tally = Tally()
        self.best: Found | None = None
        self.depth = 0

    def search(self, depth: int, guess: float | None) -> Found:
        if not _ordered(self.algorithm):
            return self.whole(depth, self.stop)
        return search_aspiring(
            self.engine, self.table, self.state, depth, guess, style=self.algorithm.name,
            nearer=self.algorithm.nearer_wins, nodes=self.nodes - self.tally.nodes,
            stop=self.stop, by=self.by,
        )  # fmt: skip

    def whole(self, depth: int, stop: Stop | None = None) -> Found:
        """The search to one depth by an algorithm that learns nothing from a shallower one."""
        table = self.table if self.algorithm.table else None
        return search_by(self.algorithm, self.engine, self.state, depth, OPEN, stop, table)

    def at_sight(self) -> Found:
        """What is found without looking ahead; the first such search compiles the rules."""
        if not _ordered(self.algorithm):
            return self.whole(0)
        return search_with(self.engine, self.table, self.state, 0)

    def warm(self) -> None:
        """Compile the rules."""
        with estimates_to_spare():
            self.at_sight()

    def work(self) -> None:
        """Deepen until the limit."""
        if self.limits is None:
            found = search_by(
                self.algorithm, self.engine, self.state, self.algorithm.depth, OPEN, self.stop,
                self.table, by=self.by, stride=self.stride,
            )  # fmt: skip
            self.took(self.algorithm.depth, found)
            return
        last, values = self.algorithm.depth, dict[int, float]()
        for depth in range(last % self.stride or self.stride, last + 1, self.stride):
            with estimates_to_spare(depth + self.stride <= last):
                found = self.search(depth, values.get(depth - 2))
                if not self.took(depth, found):
                    return
                values[depth] = found.value
                if _won(found.value) or self.tally.nodes >= self.nodes:
                    return

    def took(self, depth: int, found: Found) -> bool:
        """Keep what a search found, if it was finished."""
        self.tally.count(found)
        if found.finished:
            self.best, self.depth = found, depth
        return found.finished

    def result(self, records: tuple[Record, ...]) -> Result:
        """The answer of the last search that was finished."""
        game = self.engine.game
        best = self.best
        with estimates_to_spare():
            best = best or self.at_sight()
        if best is None:
            raise AlgorithmError(
                f"no depth of {self.algorithm} was finished within the limit, and the position has "
                "no estimate: give it more time, or no limit"
            )
        line = best.line or ((0,) if next(iter(game.moves(self.state)), None) is not None else ())
        moves = list(game.moves(self.state))
        return Result(
            move=moves[line[0]] if line else None,
            value=best.value,
            leaves=sum(r.leaves for r in records),
            nodes=sum(r.nodes for r in records),
            sparks=ledger(0, records),
            span=max(r.seconds for r in records),
            records=records,
            replay=(game, self.state, line),
            depth=self.depth if self.limits else None,
        )
