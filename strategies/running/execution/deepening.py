"""Iterative deepening: a search that can be stopped at any time, with the best result so far."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from games import WIN
from games.failed import RuleFailed
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.fold import OPEN
from strategies.algorithms.limits import _ordered
from strategies.native.calls.alphabeta import (
    UNLIMITED,
    Found,
    Searcher,
    answered,
    keep_found,
    search_alphabeta,
)
from strategies.native.calls.answers import answer_in
from strategies.native.failures import check_value
from strategies.native.kept_engines import engine_for
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table, parse_size
from strategies.running.execution.dispatch import method_of, search_position, warm
from strategies.running.records.record import Record, Tally
from strategies.running.records.request import SearchRequest
from strategies.running.records.run import Run
from strategies.running.records.sparks import ledger
from strategies.running.runtime.deadline import set_after

LATE: Final = 0.1
"""How long after the limit a position may still be estimated, in seconds."""
TABLE: Final = parse_size("16MB")
"""The size of the table if the algorithm has none, because deepening needs one."""


@contextmanager
def estimates_to_spare(spared: bool = True) -> Iterator[None]:
    """Ignore the error about a missing estimate inside the block, if `spared`."""
    try:
        yield
    except RuleFailed as error:
        if not (spared and error.lacks_estimate):
            raise


def won(value: Any) -> bool:
    """Return whether a value is a win or a loss, which no deeper search changes."""
    return not isinstance(value, tuple) and abs(value) >= WIN


class Deepening:
    """A search by iterative deepening, with its best result; to the full depth without limits.

    `by` is the search function, like `search_alphabeta`; `stride` multiplies the steps in depth.
    With a kept table, it starts above the depth to which the table has an answer.
    """

    def __init__(
        self, request: SearchRequest, stop: Stop, *, table: Table | None = None,
        by: Searcher = search_alphabeta, stride: int = 1,
    ) -> None:  # fmt: skip
        self.engine = engine_for(request.game, request.engine)
        self.state, self.algorithm, self.limits = request.state, request.algorithm, request.limits
        self.stop, self.by, self.stride = stop, by, stride
        self.nodes = (self.limits and self.limits.nodes) or UNLIMITED
        self.table = table or Table(self.algorithm.table or TABLE)
        self.tally = Tally()
        self.best: Found | None = None
        self.sight: Found | None = None
        self.endless = False
        """Whether the estimate of the position did not end in time."""
        self.depth = 0

    def search(self, depth: int, guess: float | None) -> Found:
        next_depth = method_of(self.algorithm).next_depth
        if next_depth is None:
            return self.whole(depth, self.stop)
        return next_depth(
            self.engine, self.table, self.state, depth, guess,
            nearer=self.algorithm.nearer_wins, nodes=self.nodes - self.tally.nodes,
            stop=self.stop, by=self.by,
        )  # fmt: skip

    def whole(self, depth: int, stop: Stop | None = None) -> Found:
        """Search to one depth by an algorithm that gains nothing from a shallower search."""
        table = self.table if self.algorithm.table else None
        return search_position(self.algorithm, self.engine, self.state, depth, OPEN, stop, table)

    def at_sight(self, stop: Stop | None = None) -> Found:
        """Search to depth 0: the answer if no depth is finished."""
        if not _ordered(self.algorithm):
            return self.whole(0, stop)
        nearer = self.algorithm.nearer_wins
        return search_alphabeta(self.engine, self.table, self.state, 0, nearer=nearer, stop=stop)

    def look(self) -> None:
        """Search to depth 0 within the limit, so that there is an answer at any time."""
        if self.limits is not None:
            with estimates_to_spare(), set_after(self.stop, LATE) as late:
                found = self.at_sight(late)
                self.sight, self.endless = (found, False) if found.finished else (None, True)

    def warm(self) -> None:
        """Compile or load the code of the search."""
        warm(self.algorithm, self.engine, self.state, tabled=True)

    def work(self) -> None:
        """Deepen until the limit."""
        if self.limits is None:
            found = search_position(
                self.algorithm, self.engine, self.state, self.algorithm.depth, OPEN, self.stop,
                self.table, by=self.by, stride=self.stride,
            )  # fmt: skip
            self.keep_result(self.algorithm.depth, found)
            return
        last, values = self.algorithm.depth, dict[int, float]()
        nearer = self.algorithm.nearer_wins
        known = answer_in(self.table, self.engine, self.state, nearer)
        if known is not None and known.depth <= last:
            self.keep_result(known.depth, answered(known))
            values[known.depth] = known.value
            if won(known.value):
                return
        for depth in range(last % self.stride or self.stride, last + 1, self.stride):
            if depth <= self.depth:
                continue
            with estimates_to_spare(depth + self.stride <= last):
                found = self.search(depth, values.get(depth - 2))
                if not self.keep_result(depth, found):
                    return
                values[depth] = found.value
                keep_found(self.table, self.engine, self.state, nearer, depth, found)
                if won(found.value) or self.tally.nodes >= self.nodes:
                    return

    def keep_result(self, depth: int, found: Found) -> bool:
        """Keep the result of a search, if it was finished; return whether it was."""
        self.tally.count(found)
        if found.finished:
            self.best, self.depth = found, depth
        return found.finished

    def result(self, records: tuple[Record, ...], result_class: type[Run] = Run) -> Run:
        """Return the answer of the last search that finished."""
        game = self.engine.game
        best = self.best
        with estimates_to_spare():
            best = best or self.sight or (None if self.endless else self.at_sight())
        if best is None:
            raise AlgorithmError(
                f"{self.algorithm} finished no depth within the limit, and the position has "
                f"no estimate{' that ends' * self.endless}: give it more time, or no limit"
            )
        check_value(game, self.state, self.algorithm.depth, best.value)
        moves = list(game.moves(self.state))
        line = best.line or ((0,) if moves and self.algorithm.depth else ())
        return result_class(
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
