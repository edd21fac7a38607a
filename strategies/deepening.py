"""Iterative deepening: a search that may be ended at any time, with the best that it has found."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Final

from attrs import field, frozen

from games import WIN, Game
from strategies.algorithms import Algorithm, AlgorithmError
from strategies.native import Engine, Stop, engine_for
from strategies.native.table import Table, parse_size
from strategies.native.with_table import UNLIMITED, Found, search_aspiring
from strategies.records import Tally, record
from strategies.result import Result
from strategies.sparks import ledger
from strategies.stopping import current
from strategies.watching import watched

TABLE: Final = parse_size("16MB")
"""The table of an algorithm that asks for none: deepening lives on one."""


def _above_0(_instance: object, attribute: Any, value: Any) -> None:
    whole = attribute.name == "nodes"
    kinds = (int,) if whole else (int, float)
    if value is not None and (
        isinstance(value, bool) or not isinstance(value, kinds) or value <= 0
    ):
        unit = "a whole number of nodes" if whole else "a number of seconds"
        raise AlgorithmError(f"{attribute.name} is {unit} above 0, not {value!r}")


@frozen
class Limits:
    """When a search is to end: after so many seconds, after about so many nodes."""

    time: float | None = field(default=None, validator=_above_0)
    nodes: int | None = field(default=None, validator=_above_0)


def check(algorithm: Algorithm) -> None:
    """Raises AlgorithmError if the algorithm cannot deepen."""
    if not algorithm.narrows:
        raise AlgorithmError(
            f"{algorithm.name} has no windows, and a search with a limit needs them: "
            "use alphabeta, pvs or mtdf, whose value is the same"
        )


def deepen(
    game: Game[Any, Any], state: Any, algorithm: Algorithm, choice: str, limits: Limits
) -> Result:
    """Search to depth 1, 2, 3, … up to the algorithm's, until the limit: the last that is finished.

    The clock starts when the rules are compiled.
    Ensures: value and move are those of a search to `result.depth`; a forced win ends it.  If not
    even depth 1 was finished, the depth is 0, the value the estimate, the move the first one.
    After the time, or at Ctrl-C, it returns within milliseconds; no thread is left.
    """
    run = _Deepening(engine_for(game, choice), state, algorithm, limits, Stop(current()))
    run.warm()
    start = perf_counter()
    watched(run.work, run.stop, seconds=limits.time)
    return run.result(start)


class _Deepening:
    def __init__(
        self, engine: Engine, state: Any, algorithm: Algorithm, limits: Limits, stop: Stop
    ) -> None:
        self.engine, self.state, self.algorithm, self.stop = engine, state, algorithm, stop
        self.nodes = limits.nodes or UNLIMITED
        self.table = Table(algorithm.table or TABLE)
        self.tally = Tally()
        self.best: Found | None = None
        self.depth = 0

    def search(self, depth: int, guess: float | None, nodes: int, stop: Stop | None) -> Found:
        return search_aspiring(
            self.engine, self.table, self.state, depth, guess,
            style=self.algorithm.name, nearer=self.algorithm.nearer_wins, nodes=nodes, stop=stop,
        )  # fmt: skip

    def warm(self) -> None:
        """Compile what will run."""
        self.search(0, None, UNLIMITED, None)

    def work(self) -> None:
        """Deepen until the limit."""
        values: list[float] = []
        for depth in range(1, self.algorithm.depth + 1):
            guess = values[-2] if len(values) > 1 else None
            found = self.search(depth, guess, self.nodes - self.tally.nodes, self.stop)
            self.tally.add(found.nodes, found.leaves)
            self.tally.table = self.tally.table.plus(found.table)
            if not found.finished:
                return
            self.best, self.depth = found, depth
            values.append(found.value)
            if abs(found.value) >= WIN or self.tally.nodes >= self.nodes:
                return

    def result(self, start: float) -> Result:
        """The answer of the last search that was finished."""
        game = self.engine.game
        best = self.best or self.search(0, None, UNLIMITED, None)
        line = best.line or ((0,) if next(iter(game.moves(self.state)), None) is not None else ())
        done = record(("step", ()), "step", start, self.tally)
        replay = game, self.state, line
        moves = list(game.moves(self.state))
        return Result(
            move=moves[line[0]] if line else None,
            value=best.value,
            leaves=self.tally.leaves,
            nodes=self.tally.nodes,
            sparks=ledger(0, (done,)),
            span=done.seconds,
            records=(done,),
            replay=replay,
            depth=self.depth,
        )
