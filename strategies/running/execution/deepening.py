"""A run in this process that can be stopped at any time, with the best result so far."""

from __future__ import annotations

from typing import Final

from strategies.algorithms.errors import AlgorithmError
from strategies.native.calls.alphabeta import UNLIMITED, Found, Searcher, search_alphabeta
from strategies.native.calls.deepening import (
    Deepening,
    Step,
    estimates_to_spare,
    search_in_windows,
)
from strategies.native.calls.windows import OPEN, Window
from strategies.native.failures import check_value
from strategies.native.kept_engines import engine_for
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table, parse_size
from strategies.running.execution.dispatch import search_position, warm
from strategies.running.records.record import Record, Tally
from strategies.running.records.request import SearchRequest
from strategies.running.records.search_run import SearchRun
from strategies.running.records.sparks import ledger
from strategies.running.runtime.deadline import set_after

LATE: Final = 0.1
"""How long after the limit a position may still be estimated, in seconds."""
TABLE: Final = parse_size("16MB")
"""The size of the table if the algorithm has none, because deepening needs one."""


class DeepeningRun:
    """The run of a search that deepens in this process; to the full depth, if it has no limit.

    `by` is the search function, like `search_alphabeta`; `stride` multiplies the steps in depth.
    """

    def __init__(
        self, request: SearchRequest, stop: Stop, *, table: Table | None = None,
        by: Searcher = search_alphabeta, stride: int = 1,
    ) -> None:  # fmt: skip
        self.engine = engine_for(request.game, request.engine)
        self.state, self.algorithm, self.limits = request.state, request.algorithm, request.limits
        self.stop, self.by, self.stride = stop, by, stride
        self.table = table or Table(self.algorithm.table or TABLE)
        self.tally = Tally()
        self.deepening = Deepening(
            self.engine, self.table, self.state, self.algorithm.nearer_wins,
            (self.limits and self.limits.nodes) or UNLIMITED, limited=self.limits is not None,
        )  # fmt: skip
        self.sight: Found | None = None
        self.endless = False
        """Whether the estimate of the position did not end in time."""

    def to(self, depth: int, guess: float | None, window: Window, nodes: int) -> Found:
        """Search to one depth, in the windows of the algorithm."""
        windows = self.algorithm.windows
        if windows is None:
            found = self.whole(depth, self.stop)
        else:
            found = search_in_windows(
                windows(guess, window), self.by, self.engine, self.table, self.state, depth,
                scouts=self.algorithm.iterates, nodes=nodes, nearer=self.algorithm.nearer_wins,
                stop=self.stop,
            )  # fmt: skip
        self.tally.count(found)
        return found

    def whole(self, depth: int, stop: Stop | None = None) -> Found:
        """Search to one depth by an algorithm that gains nothing from a shallower search."""
        table = self.table if self.algorithm.table else None
        return search_position(self.algorithm, self.engine, self.state, depth, OPEN, stop, table)

    def at_sight(self, stop: Stop | None = None) -> Found:
        """Search to depth 0: the answer if no depth is finished."""
        if self.algorithm.windows is None:
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

    def work(self, search: Step | None = None) -> None:
        """Deepen until the limit, by `to` or another `search`."""
        last, stride, run = self.algorithm.depth, self.stride, self.deepening
        if self.limits is not None:
            run.resume(last)
            run.work(search or self.to, range(last % stride or stride, last + 1, stride))
            return
        found = search_position(
            self.algorithm, self.engine, self.state, last, OPEN, self.stop, self.table, by=self.by,
            stride=stride,
        )  # fmt: skip
        self.tally.count(found)
        if found.finished:
            run.keep(last, found)

    def result(
        self, records: tuple[Record, ...], result_class: type[SearchRun] = SearchRun
    ) -> SearchRun:
        """Return the answer of the last search that finished."""
        game = self.engine.game
        best = self.deepening.best
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
            depth=self.deepening.depth if self.limits else None,
        )
