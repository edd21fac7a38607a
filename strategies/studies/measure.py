"""Measurements of a study: one run of one strategy, on a position or over whole games."""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import Any

import dask
from attrs import evolve, frozen

from games import CHANCE, Game, Status
from strategies.algorithms import Algorithm
from strategies.collection import search
from strategies.result import Result
from strategies.strategy import Strategy

OPENING_PLIES = 2
"""Each game after the first begins with so many random plies, so that games differ."""


class Disagreement(Exception):
    """Two strategies gave different answers, which no two may."""


@frozen
class Case:
    """One row to be: a strategy and a number of workers."""

    strategy: Strategy
    workers: int


@frozen
class Setting:
    """What is searched."""

    game: Game[Any, Any]
    algorithm: Algorithm
    state: Any
    games: int
    seed: int
    engine: str


@frozen
class Run:
    """What one run took, and what it found: sums over all its searches."""

    seconds: float = 0.0
    moves: int = 0
    leaves: int = 0
    nodes: int = 0
    created: int = 0
    converted: int = 0
    fizzled: int = 0
    gcd: int | None = None
    found: tuple[Any, ...] = ()

    def add(self, result: Result) -> Run:
        """This run and one more search."""
        s = result.sparks
        return evolve(
            self,
            moves=self.moves + 1,
            leaves=self.leaves + result.leaves,
            nodes=self.nodes + result.nodes,
            created=self.created + s.created,
            converted=self.converted + s.converted,
            fizzled=self.fizzled + s.fizzled,
            gcd=self.gcd if s.gcd is None else s.gcd + (self.gcd or 0),
            found=(*self.found, (result.move, result.value)),
        )


def measure(setting: Setting, case: Case) -> Run:
    """One run, timed from the call to the answer, planning included."""
    start = perf_counter()
    run = _games(setting, case) if setting.games else Run().add(_search(setting, case))
    return evolve(run, seconds=perf_counter() - start)


def _search(setting: Setting, case: Case, state: Any = None) -> Result:
    answer = search(
        setting.game, setting.algorithm, state=setting.state if state is None else state,
        using=case.strategy, engine=setting.engine,
    )  # fmt: skip
    with dask.config.set(scheduler=None):  # our own runner, even where a cluster is configured
        return answer.compute(num_workers=case.workers)


def _games(setting: Setting, case: Case) -> Run:
    run, game = Run(), setting.game
    for number in range(setting.games):
        random = Random(f"{setting.seed}/{number}")
        state, plies = setting.state, 0
        while game.status(state) == Status.IN_PLAY:
            if game.player(state) == CHANCE:
                odds, states = zip(*game.outcomes(state), strict=True)
                state = random.choices(states, odds)[0]
            elif number and plies < OPENING_PLIES:
                state = game.make_move(state, random.choice(list(game.moves(state))))
            else:
                result = _search(setting, case, state)
                run = run.add(result)
                state = game.make_move(state, result.move)
            plies += 1
    return run
