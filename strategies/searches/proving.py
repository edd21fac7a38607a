"""One run of the solver: its bounds so far, and the records of its proofs.

Where no proof is possible, an endgame table has the solution.
"""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import Any, Final, NamedTuple

from games.game import WIN_PLIES
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy
from strategies.algorithms.positions import is_terminal
from strategies.native.calls.solver import ANY_PROBES, Solver, TooMany, Unprovable, score_range
from strategies.native.engine import plain
from strategies.native.hooks import defines
from strategies.native.memory.cells import Stopped
from strategies.running.records.clocks import Call, set_clocks
from strategies.running.records.moves import Moves
from strategies.running.records.record import Record, Tally, now, process, record
from strategies.running.records.sparks import Sparks, ledger
from strategies.searches.endgame import EndgameTable
from strategies.searches.solution import Solution, scores

FEW: Final = 10_000, 100_000
"""The most table look-ups for a position solved in the caller's thread.  The larger number applies
only if the smaller took little time and no workers wait for tasks meanwhile."""
SOON: Final = 0.005
"""The most seconds for the smaller number; the larger then takes at most 0.05 s."""


class Wanted(NamedTuple):
    """What is asked about a position."""

    line: int = 1
    """The plies of the best line."""
    most_plies: int = WIN_PLIES
    """The most plies to a win that is looked for."""
    outcome: bool = False
    """Whether only who wins."""


class Proving:
    """One run of the solver, and its bounds so far."""

    def __init__(
        self, solver: Solver, state: Any, wanted: Wanted, using: Strategy | Driver
    ) -> None:
        self.solver, self.state, self.plies, self.using = solver, state, wanted.line, using
        self.solver.most_plies, self.solver.outcome = wanted.most_plies, wanted.outcome
        game = solver.engine.game
        learned = defines(game, "net_sum")
        if learned and score_range(game) is not None and not is_terminal(game, state):
            self.solver.guess = float(game.estimate(state))
        self.reached: int | None = None
        """The limit of plies, if no win was found within it."""
        self.start = perf_counter()
        self.branches: tuple[int, ...] | None = None
        self.records: list[Record] = []
        """The records of proofs by one thread; other solvers keep their own."""

    def at_once(self) -> bool:
        """Solve the position in the caller's thread, if that takes very little time.

        A thread that can be interrupted costs more than most late positions do.
        """
        if not self.solver.engine.native or self.solver.stop.is_set:
            return False
        for few in FEW[:1] if self.solver.shares else FEW:
            self.solver.limit(few)
            try:
                self.solve()
                break
            except TooMany:
                if perf_counter() - self.start > SOON:
                    break
        self.solver.limit(ANY_PROBES)
        return self.branches is not None or self.reached is not None

    def solve(self) -> None:
        """Search until the value is known, then find the moves that have it."""
        start, nodes = now(), self.solver.nodes
        try:
            if self.solver.known[0] == -float("inf"):
                self.solver.known[:] = self.solver.bounds(self.state)
            self.solver.close_in(self.state)
            low, high = self.solver.known
            if low < high and not self.solver.settled:
                self.reached = self.solver.most_plies
                return
            if not low <= high:
                raise Unprovable(
                    "bounds, window_bounds or value_range contradicts itself or other rules: by "
                    f"it, the value is at least {low:g} and at most {high:g}"
                )
            solver, state = self.solver, self.state
            if solver.settled and self.plies and not is_terminal(solver.engine.game, state):
                self.branches = solver.leftmost(state)
            else:
                self.branches = solver.best_line(state, low, self.plies)
        except Stopped:
            pass
        finally:
            tally = Tally(self.solver.nodes - nodes)
            self.records.append(record(("proof", ()), "step", start, tally))

    def known(self, *, ended: bool = False) -> Solution:
        """Return the solution so far; with the records of its tasks if the run has ended."""
        game = self.solver.engine.game
        low, high = self.solver.known
        alone, scored = game.players == 1, scores(game)
        if self.branches == () and self.plies:  # the game is over
            return Solution(plain(low), plain(high), alone=alone, scored=scored)
        call = Call(process(), self.start, perf_counter())
        records = tuple(self.solver.records or self.records) if ended else ()
        if self.solver.records:  # they may come from other processes
            records, _ = set_clocks(records, (), call)
        return Solution(
            plain(low),
            plain(high),
            self.solver.nodes,
            self.solver.counts(),
            None if self.branches is None else (game, self.state, self.branches),
            self.using,
            limit=self.reached,
            settled=self.solver.settled,
            alone=alone,
            scored=scored,
            position=(game, self.state),
            sparks=self.ledger(records),
            span=self.solver.span or max((r.seconds for r in records), default=0.0),
            records=records,
            call=call,
            workers=self.solver.workers,
        )

    def ledger(self, records: tuple[Record, ...]) -> Sparks:
        """Return the ledger of the sparks of all proofs."""
        if not self.solver.records:  # one thread makes no sparks
            return Sparks()
        sparked = sum(r.role in ("spark", "dud") for r in records)
        names = partial(Moves, self.solver.engine.game, self.state)
        return ledger(sparked, records, self.solver.opened, (records, names))


def solution_in(table: EndgameTable, plies: int, scored: bool) -> Solution:
    """Return the solution of a table's position, with at most `plies` plies of its best line.

    `scored` means that the values of the game are scores, not wins.
    The line ends where chance moves, or where it would return to a position.
    """
    game, state = table.game, table.state
    low, high = table.bounds(state)
    if high - low <= table.tolerance:
        low = high = (low + high) / 2
    branches, seen, here = list[int](), {state}, state
    solved = low > 0 or scored or game.players > 1  # else it is a puzzle without a solution
    while solved and len(branches) < plies and (best := table.moves(here)):
        moves = list(game.moves(here))
        here = game.make_move(here, best[0])
        branches.append(moves.index(best[0]))
        if here in seen:
            break
        seen.add(here)
    return Solution(
        plain(low), plain(high), len(table), call=Call(process(), 0.0, table.seconds),
        replay=(game, state, tuple(branches)), alone=game.players == 1,
        scored=scored, distance=table.plies(state), chance=table.has_chance,
    )  # fmt: skip
