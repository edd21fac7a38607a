"""Calls the kernels that learn by playing."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from strategies.native.engine import Engine, control_for, rebuilt
from strategies.native.kernels.learning import (
    GAMES,
    MOVES,
    SIZE,
    best_branch,
    learn_games,
    play_learning,
)
from strategies.native.kernels.learning_returns import learn_returns
from strategies.native.memory.cells import Stop, cells


@frozen
class Schedule:
    """The settings of learning: what games are drawn from, and how fast they change the weights."""

    seed: int = 0
    rate: float = 0.1
    epsilon: float = 0.0
    opening: int = 0
    trace: float = 0.0
    depth: int = 1

    @property
    def plain(self) -> bool:
        """Return whether values are those one move ahead, and learned from at once: TD(0)."""
        return self.trace == 0 and self.depth == 1


@frozen
class Learning:
    """The totals of some games of learning: games, moves, and the sums of results and errors."""

    games: int = 0
    moves: int = 0
    results: float = 0.0
    errors: float = 0.0

    def __add__(self, other: Learning) -> Learning:
        return Learning(
            self.games + other.games, self.moves + other.moves,
            self.results + other.results, self.errors + other.errors,
        )  # fmt: skip


def compile_learning(engine: Engine, plain: bool = True) -> None:
    """Compile the kernels now, or read them from the cache."""
    kernel = learn_games if plain else learn_returns
    engine.prepare(engine.game.start(), kernel)


def learn_from_games(
    engine: Engine, schedule: Schedule, first: int, count: int, stop: Stop
) -> Learning:
    """Learn from games `first` up to ``first + count``; from fewer if `stop` is set meanwhile.

    Requires: the engine of a `trainee`, whose weights it changes.
    """
    control = cells(SIZE)
    given = (
        engine.game.start(), first, count, schedule.seed, float(schedule.rate),
        float(schedule.epsilon), schedule.opening,
    )  # fmt: skip
    with stop.watching(control) as row:
        if schedule.plain:
            results, errors = engine.call(learn_games, *given, row)
        else:
            searching = control_for(schedule.depth)
            more = float(schedule.trace), schedule.depth, row, searching
            results, errors = engine.call(learn_returns, *given, *more)
    return Learning(control[GAMES], control[MOVES], results, errors)


def play_greedily(engine: Engine, number: int, seed: int) -> tuple[Any, int, int]:
    """Play a game by the best afterstates; return the last position, its moves, its chance
    outcomes.

    The weights do not change.
    """
    start = engine.game.start()
    last, moves, drawn, _ = engine.call(play_learning, start, number, seed, 0.0, 0.0, 0)
    return rebuilt(start, last), int(moves), int(drawn)


def best_child(engine: Engine, state: Any) -> Any:
    """Make the move that leads to the best value, the first of several."""
    return engine.branch(state, int(engine.call(best_branch, state)))
