"""One question about a position, and the proofs of it: alone, divided, or shared by workers."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any

from attrs import define, field

from games.game import LONGEST
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import Interval
from strategies.native.calls.alphabeta import UNLIMITED, Found
from strategies.native.calls.solver import Solver, TooMany
from strategies.native.engine import Engine
from strategies.native.kernels import proof
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Counts
from strategies.running.execution.iteration import Iteration
from strategies.running.execution.shared_proof import spread_out
from strategies.running.plans.proof_knowledge import LEAST, at_depth, at_root
from strategies.running.records.record import Record, Role, Tally, now, record
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.together import Ending, together


class Spent:
    """The cost of the proofs of all tasks so far."""

    def __init__(self) -> None:
        self.nodes, self.table = 0, Counts()
        self._lock = threading.Lock()

    def add(self, nodes: int, table: Counts) -> None:
        """Add the cost of a proof."""
        with self._lock:
            self.nodes += nodes
            self.table = self.table.plus(table)


@define(eq=False)
class Question(Iteration):
    """A question about the root, whose tasks prove positions in windows relative to the root."""

    spent: Spent = field(factory=Spent)
    wide: bool = False
    """Whether the entries of the table are wide, because a value did not fit into narrow ones."""
    ending: Ending = field(factory=Ending, init=False)
    """Ends its proofs when its answer is no longer needed."""

    def search(
        self, engine: Engine, algorithm: Algorithm, state: Any, depth: int, window: Interval,
        stop: Stop | None, nodes: int = UNLIMITED, joins: list[Record] | None = None,
    ) -> Found:  # fmt: skip
        """Prove a position; after `nodes`, stop when a worker is idle, unless workers join.  If the
        answer is no longer needed, set the stop.

        Adds to `joins` the record of each worker that joins; the counts returned leave it out.
        """
        plies = self.depth - depth
        window = at_depth(window, plies)
        table = self.table_here(engine, algorithm)
        solver = Solver(engine, table, stop or Stop(), wide=self.wide)
        value: float | None = None
        with suppress(Stopped):
            joined = [] if joins is None else joins
            value = self.proved(solver, (state, LONGEST, *window), nodes, joined)
        self.spent.add(solver.nodes, solver.counts())
        if value is None and self.ending.why:
            solver.stop.set()
        found, _ = at_root((window[0] if value is None else value, 0), plies)
        return Found(found, solver.nodes, 0, (), solver.counts(), value is not None)

    def proved(
        self, solver: Solver, at: tuple[Any, ...], nodes: int, joins: list[Record]
    ) -> float | None:
        """Return the value of a proof; None if the answer is no longer needed, or if a worker that
        does not join is idle after as many look-ups as `nodes`.

        Raises: `Stopped`, if the solver is stopped.
        """
        with self.ending.stop(solver.stop) as stop, suppress(TooMany):
            solver.limit(min(nodes, LEAST) if self.joined else nodes)
            return self.once(solver, stop, at)
        solver.limit(UNLIMITED)
        with self.ending.stop(solver.stop) as stop, runner.set_when_idle(stop):
            value = self.once(solver, stop, at)  # it continues from the table
        if value is not None or not self.joined:
            return value
        with self.ending.stop(solver.stop) as stop:
            return self.together(solver, stop, at, joins)

    def together(
        self, solver: Solver, over: Stop, at: tuple[Any, ...], joins: list[Record]
    ) -> float | None:
        """Return the value of a proof that idle workers join; None if `over` ended it.

        Adds to `joins` the record of each of them.
        Raises: as `once`.
        """

        def join(stop: Stop) -> float | None:
            start, other = now(), Solver(solver.engine, solver.table, stop)
            spread_out(other)
            value: float | None = None
            with suppress(Stopped):
                value = float(other.once(stop, proof.prove, *at)[0])
            self.spent.add(other.nodes, other.counts())
            tally = Tally(other.nodes, table=other.counts())
            why = "another was first" if over.is_set else "called to a task"
            role: Role = "join"
            reason = why if value is None else ""
            joins.append(record((role, ()), role, start, tally, at[-2:], reason=reason))
            return value

        spread_out(solver)
        return together(lambda stop: self.once(solver, stop, at), over, runner.joined, join)

    def once(self, solver: Solver, stop: Stop, at: tuple[Any, ...]) -> float | None:
        """Return the value of a proof; None if `stop` ended it.

        Raises: `Stopped`, if something else stopped it; `TooMany`.
        """
        if stop.is_set:
            return None
        try:
            return float(solver.once(stop, proof.prove, *at)[0])
        except Stopped:
            if not stop.is_set:
                raise
            return None

    def __reduce__(self) -> tuple[Any, ...]:
        return *super().__reduce__(), {"wide": self.wide}

    def learned(self) -> Any:
        return super().learned(), self.spent.nodes, self.spent.table

    def learn(self, learned: Any) -> None:
        seen, nodes, table = learned
        super().learn(seen)
        self.spent.add(nodes, table)
