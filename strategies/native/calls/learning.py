"""Calls the kernels that learn by playing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from attrs import astuple, frozen

from games.endings import ply_limit_of
from games.failed import RuleFailed, no_moves
from games.game import WIN_PLIES, Status
from graphs.errors import MalformedError
from graphs.limits import ERRORS_CHECKED
from strategies.native.engine import Engine, control_for
from strategies.native.failures import (
    UNKNOWN,
    Watched,
    failure,
    played,
    raise_failure,
    stuck_after,
)
from strategies.native.kernels.control import STUCK
from strategies.native.kernels.learning import (
    CUT,
    DRAWN,
    GAMES,
    KEPT,
    LENGTH,
    LIMIT,
    MOVES,
    SIZE,
    STOP,
    WAY,
    best_branch,
    learn_games,
    learn_returns,
    play_learning,
)
from strategies.native.memory.cells import Stop, Stopped, cells


@frozen
class Schedule:
    """The settings of learning: what games are drawn from, and how fast they change the weights."""

    seed: int = 0
    rate: float = 0.1
    epsilon: float = 0.0
    opening: int = 0
    trace: float = 0.0
    depth: int = 1
    ply_limit: int = 10_000

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
    cut: int = 0
    """The games that the limit of plies ended."""
    measured: int = 0
    """The games of the sums below, which files of earlier versions lack."""
    result_squares: float = 0.0
    error_squares: float = 0.0
    error_moves: float = 0.0
    """The sum of the errors of each game times its moves."""
    move_squares: float = 0.0

    def __add__(self, other: Learning) -> Learning:
        return Learning(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


def compile_learning(engine: Engine, plain: bool = True) -> None:
    """Compile the kernels now, or read them from the cache."""
    kernel = learn_games if plain else learn_returns
    engine.prepare(engine.game.start(), kernel)


Check = Callable[[Any], None]
"""Checks a position; it raises MalformedError if a network has no weights for it."""


def learn_from_games(
    engine: Engine, schedule: Schedule, first: int, count: int, stop: Stop,
    leave: Stop | None = None, check: Check = lambda state: None,
) -> Learning:  # fmt: skip
    """Learn from games `first` up to ``first + count``; from fewer if `stop` is set meanwhile.

    `leave` ends the current game at once; it is not counted then.  If learning fails, `check` is
    called with the positions that the current game has met.
    Requires: the engine of a `trainee`, whose weights it changes.
    Raises: RuleFailed, with the moves, at a position in play without moves.
    """
    control, searching = control_of(engine, schedule.ply_limit), control_for(schedule.depth)
    start = engine.game.start()
    given = (
        start, first, count, schedule.seed, float(schedule.rate), float(schedule.epsilon),
        schedule.opening,
    )  # fmt: skip
    with (
        stop.watching(control) as row,
        (leave or Stop()).watching(searching) as second,
        checking(engine, start, control, schedule.depth, check),
    ):
        if schedule.plain:
            found = engine.call(learn_games, *given, row, second)
        else:
            more = float(schedule.trace), schedule.depth, row, second
            found = engine.call(learn_returns, *given, *more)
    check_stuck(engine, schedule.depth, control, searching)
    results, errors, *squares = found
    games = control[GAMES]
    return Learning(games, control[MOVES], results, errors, control[CUT], games, *squares)


def control_of(engine: Engine, ply_limit: int) -> Any:
    """Create the cells of a control for games of at most `ply_limit` plies."""
    control = cells(SIZE)
    control[LIMIT] = min(ply_limit, sys.maxsize)
    control[DRAWN] = engine.game.players > 1
    return control


def check_stuck(engine: Engine, depth: int, control: Any, searching: Any) -> None:
    """Look for a position in play without moves that ended a game of learning.

    Raises: RuleFailed, with the moves.
    """
    if STUCK not in (control[STOP], searching[STOP]):
        return
    game, state = engine.game, engine.game.start()
    path, state = played(game, state, control[WAY : WAY + min(control[LENGTH], KEPT)])
    if searching[STOP] != STUCK:
        raise stuck_after(game, path, state)
    found = failure(game, state, depth, searching, UNKNOWN)
    raise found.named(path) if isinstance(found, RuleFailed) else found


@contextmanager
def checking(engine: Engine, start: Any, control: Any, depth: int, check: Check) -> Iterator[None]:
    """If the block fails, check the positions that the game of a control has met, and those that a
    search of `depth` plies visits after its last one.

    Raises: what the check raises, or else the error.
    """
    try:
        yield
    except Exception as error:
        found = error
        try:
            for state in met(engine.game, start, control, depth):
                check(state)
        except MalformedError as wrong:
            found = wrong
        except Exception:  # another rule fails, which the first error tells
            pass
        raise_failure(found, error)


def met(game: Any, start: Any, control: Any, depth: int) -> Iterator[Any]:
    """Yield the positions in play that the game of a control, if there is one, has met."""
    watched, state = Watched(game, type(start), with_estimates=False), start
    way = [] if control is None else control[WAY : WAY + min(control[LENGTH], KEPT)]
    for index in way:
        yield state
        _, state = next(islice(watched.branches(state, WIN_PLIES, ()), index, None))
    yield from islice(_below(watched, state, depth), ERRORS_CHECKED)


def _below(watched: Watched, state: Any, plies: int) -> Iterator[Any]:
    if watched.game.status(state) == Status.IN_PLAY:
        yield state
        if plies:
            for _, child in watched.branches(state, plies, ()):
                yield from _below(watched, child, plies - 1)


def play_greedily(
    engine: Engine, number: int, seed: int, stop: Stop | None = None,
    check: Check = lambda state: None,
) -> tuple[Any, int, int]:  # fmt: skip
    """Play a game by the best afterstates; return the last position, its moves, its chance
    outcomes.

    The weights do not change.
    Raises: `Stopped` if `stop` was set; RuleFailed, with the moves, at a position in play without
    moves.
    """
    start, control = engine.game.start(), control_of(engine, ply_limit_of(engine.game))
    searching = control_for(1)
    with (
        (stop or Stop()).watching(searching) as second,
        checking(engine, start, control, 1, check),
    ):
        last, moves, drawn, _ = engine.call(
            play_learning, start, number, seed, 0.0, 0.0, 0, control, second
        )
    check_stuck(engine, 1, control, searching)
    if stop is not None and stop.is_set:
        raise Stopped("the game was stopped")
    return last, int(moves), int(drawn)


def best_child(engine: Engine, state: Any, check: Check = lambda state: None) -> Any:
    """Make the move that leads to the best value, the first of several.

    Raises: RuleFailed if there is none.
    """
    with checking(engine, state, None, 1, check):
        index = int(engine.call(best_branch, state))
    if index < 0:
        raise no_moves(engine.game, state)
    return engine.branch(state, index)
