"""Solve positions exactly, by null-window proofs over a large table."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from math import inf
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, Final

from games import Game
from games.failed import RuleFailed
from games.game import WIN_PLIES, check_game
from graphs.arguments import (
    check_functions,
    check_integers,
    check_kind,
    check_progress,
    check_workers,
)
from graphs.errors import ArgumentError
from graphs.limits import TRIAL_SECONDS
from strategies.algebra.combinators import par_list
from strategies.algebra.drivers import Auto, Driver
from strategies.algebra.strategy import Strategy, alone, seq
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.limits import Limits
from strategies.algorithms.positions import (
    branches_named,
    check_root,
    expand,
    is_terminal,
    start_of,
)
from strategies.native.calls.position_graph import TooManyPositions
from strategies.native.calls.solver import (
    BY_CHANCE,
    KERNELS,
    ByChance,
    Solver,
    TooLong,
    Unprovable,
    score_range,
)
from strategies.native.engine import Engine, plain
from strategies.native.kept_engines import engine_for, worth_a_trial
from strategies.native.kept_snapshots import kept_snapshot
from strategies.native.kernels import proof
from strategies.native.kernels.steps import child
from strategies.native.larger_ints import any_ints
from strategies.native.memory.cells import Stop, TimeUp
from strategies.native.memory.transposition_table import Table, parse_size
from strategies.running.records.clocks import Call
from strategies.running.records.record import process
from strategies.running.runtime.batch import batch_client
from strategies.running.runtime.deadline import run_with_deadline
from strategies.running.runtime.shipping import Warming
from strategies.searches.endgame_transform import check_plain
from strategies.searches.proving import Proving, Wanted
from strategies.searches.solution import Solution, scores
from strategies.values.for_search import check_using, for_search

if TYPE_CHECKING:
    from strategies.running.plans.row_on_cluster import RowOnCluster

GRAPH: Final = parse_size("256MB")
"""The least bytes for all positions of a game in which no proof is possible."""
NEAR: Final = 100
"""The number of positions that are looked at before rules are compiled."""


@any_ints
def solve(
    game: Game[Any, Any],
    state: Any = None,
    *,
    using: Strategy | Driver | Auto = seq,
    workers: int | None = None,
    scheduler: Any = None,
    memory: int | str | Table = "64MB",
    progress: Callable[[Solution], None] | None = None,
    time: float | None = None,
    line: int = 1,
    most_plies: int = WIN_PLIES,
    outcome: bool = False,
    engine: str = "auto",
    stop: Stop | None = None,
    room: Callable[[int], None] | None = None,
) -> Solution:
    """Solve a position: return its exact value, with the nearest win, and the leftmost best move.

    In a game with chance, or where play can return to positions, every position that can be reached
    is solved, as by `endgame_table`; these take up to 256MB, or `memory` if that is more.  A score,
    in a game whose `value_range` has no wins, is proved if the proof meets no chance.

    Otherwise, a sequence of null-window searches to the end of the game proves or disproves one
    question each: is there a win within 6 plies, within 10, …?  A transposition table of `memory`
    bytes keeps the answers; if `memory` is a `strategies.native.Table`, it keeps them for later
    calls with the same game; if it is a `KeptTable`, in a file.  A game can help with the hooks
    that `strategies.native.hooks` lists.

    With a driver as `using`, such as `abdada(workers=2)`, threads make the proofs together over the
    table; a strategy, such as `young_brothers_wait.to_ply(2)`, makes tasks of the branches near the
    root for `workers` workers (default: all cores).  `auto()` chooses among these by the number of
    workers, drivers only with ``drivers=True``; `Solution.using` has its choice.  The tasks of a
    strategy run on the cluster of the current client, or of `scheduler`, where each worker keeps a
    table of `memory` bytes; ``scheduler="threads"`` solves here.  A position that needs next to no
    time is always solved in the caller's thread.

    After the value, the first `line` plies of the best line are found; each may take as long as the
    value.  With 0, only the value is found.

    A result at or beyond `games.WIN`, by a million at most, counts as a win, whatever its size.  In
    a game whose values are not wins, `value_range` saves the questions about wins.

    `most_plies` is the most plies to a win that is looked for.  If there is none, the bounds so far
    are returned, and the solution says so.  The default, `games.game.WIN_PLIES` or 500, is also the
    greatest: a value cannot count more plies.

    With `outcome`, two proofs at most find only who wins, or the sign of a score, and the leftmost
    move that keeps it: `Solution.outcome` has it.  That takes fewer nodes.  Where all positions are
    solved, the value is found, and its move, which does not go round in a circle.

    Rules that nothing has compiled yet are first tried interpreted for half a second, once for each
    class of games.  If that is too short, and fewer than a hundred positions can be reached, all of
    them are solved, interpreted, too.

    Requires: one player or two.
    Ensures: value, move, line and plies are the same with any `using` and number of workers.  After
    `time` seconds, when `stop` is set, or at Ctrl-C, the bounds so far are returned within
    milliseconds, not `exact`; no thread is left running.  `progress` is called twice a second with
    the solution so far.  `room` is called before work that takes long, with the number of positions
    for which `memory` has room; in a table, more than that overwrite each other.
    Raises: AlgorithmError; `Unprovable` if chance moves or a play is too long, and not all
    positions fit into memory, or if the rule `bounds` contradicts the others; `RuleFailed`;
    `TableError` for the kept table of another game.
    Source: Pons, Solving Connect 4 (2015), for the order of questions and the use of threats.

    >>> from games import TicTacToe
    >>> solution = solve(TicTacToe(), engine="interpreted", memory="1MB")
    >>> print(solution, solution.move)
    a draw 0
    """
    begun, stop = perf_counter(), stop or Stop()
    how = game, state, using, workers, scheduler, memory, progress
    try:
        return _proven(*how, time, Wanted(line, most_plies, outcome), engine, stop, room)
    except (ByChance, TooLong) as error:
        if stop.is_set:
            raise
        left = None if time is None else max(0.01, time - (perf_counter() - begun))
        by = (alone(using) if isinstance(using, Strategy) else par_list, workers)
        try:
            return _from_graph(game, state, *by, memory, progress, left, line, engine, stop, room)
        except TooManyPositions as many:
            if isinstance(error, ByChance) or game.players > 1 or scores(game):
                raise Unprovable(f"{error}; to solve it by all positions: {many}") from None
        # No longer play hides a win.
        return _proven(*how, left, Wanted(line, WIN_PLIES - 1), engine, stop, room)


def _from_graph(
    game: Game[Any, Any], state: Any, using: Strategy, workers: int | None,
    memory: int | str | Table, progress: Callable[[Solution], None] | None,
    seconds: float | None, line: int, engine: str, stop: Stop,
    room: Callable[[int], None] | None,
) -> Solution:  # fmt: skip
    """Solve a position, in which no proof is possible, together with all that can be reached.

    Raises: TooManyPositions.
    """
    from strategies.searches.endgame import endgame_table
    from strategies.searches.proving import solution_in

    size = GRAPH if isinstance(memory, Table) else max(GRAPH, parse_size(memory))
    unknown = partial(Solution, -inf, inf)
    tell = None if progress is None else lambda count: progress(unknown(count))
    begun = perf_counter()
    try:
        table = endgame_table(
            game, state, memory=size, progress=tell, time=seconds, engine=engine, stop=stop,
            using=using, workers=workers, room=room,
        )  # fmt: skip
    except (TimeoutError, KeyboardInterrupt):
        return unknown(call=Call(process(), begun, perf_counter()))
    return solution_in(table, line, scores(game))


def _proven(
    game: Game[Any, Any], state: Any, using: Strategy | Driver | Auto, workers: int | None,
    scheduler: Any, memory: int | str | Table, progress: Callable[[Solution], None] | None,
    time: float | None, wanted: Wanted, engine: str, stop: Stop,
    room: Callable[[int], None] | None,
) -> Solution:  # fmt: skip
    """Solve a position by null-window proofs.

    Raises: as `solve`; `ByChance` and `TooLong` where there is no proof.
    """
    _check_wishes(game, progress, time, wanted, stop, room)
    game = kept_snapshot(game)
    table = _checked(game, memory)
    state = start_of(game) if state is None else state
    # A kept table gets many quick questions, which would each take several times as long.
    if not isinstance(memory, Table):
        check_root(game, state)
    runner = engine_for(game, engine)
    undecided = runner.undecided
    # A proof that meets no chance would count the plies to a win, which an expectation does not.
    if runner.has_chance and (score_range(game) is None or _near(game, state)[1]):
        raise ByChance(BY_CHANCE)
    known = _known_at_once(runner, state) if wanted.line == 0 else None
    if known is not None:
        return known
    check_workers(workers=workers)
    check_using(using, chosen=True)
    if engine == "auto" and undecided and worth_a_trial(game, proof.prove, state):
        tried = _tried(game, state, table, stop, time, wanted, using)
        if tried is not None:
            return tried
        # All positions take less time than compiling.  With chance, a win would count 1; for the
        # outcome, another move might be found.
        if not (runner.has_chance or wanted.outcome) and len(_near(game, state)[0]) < NEAR:
            how = memory, progress, time, wanted.line, "interpreted", stop, room
            return _from_graph(game, state, seq, 1, *how)
    runner.prepare(state, *KERNELS)
    if isinstance(using, Auto):
        using = _chosen(using.on(workers), runner, scheduler)
    with _on_cluster(using, runner, state, stop, scheduler, time) as cluster:
        solver = _solver(using, runner, state, table, stop, workers, cluster)
        run = Proving(solver, state, wanted, using)
        if not run.at_once():
            if room is not None and len(_near(game, state)[0]) >= NEAR:
                room(table.room)
            tell = None if progress is None else lambda: progress(run.known())
            with branches_named(game, state):
                run_with_deadline(run.solve, solver.stop, seconds=time, tick=tell)
        return run.known(ended=True)


def _check_wishes(
    game: Game[Any, Any], progress: Any, time: float | None, wanted: Wanted, stop: Stop, room: Any
) -> None:  # fmt: skip
    """Raise the errors of `solve` for its arguments."""
    if time is not None:
        Limits(time)
    line, most_plies, outcome = wanted
    check_kind(bool, "True or False", outcome=outcome)
    if line != 0:
        check_integers(0, line=line)
    if most_plies != WIN_PLIES:
        check_integers(1, most_plies=most_plies)
        if most_plies > WIN_PLIES:
            raise ArgumentError(
                f"most_plies must be {WIN_PLIES} or less, the most plies that a value can count, "
                f"not {most_plies}"
            )
    if outcome and (line > 1 or most_plies != WIN_PLIES):
        raise ArgumentError(
            "with outcome=True one move is found, and plies are not counted: leave out line and "
            "most_plies"
        )
    check_plain(check_game(game))
    check_progress(progress)
    if room is not None:
        check_functions(room=room)
    check_kind(Stop, "a Stop", stop=stop)


def _known_at_once(engine: Engine, state: Any) -> Solution | None:
    """Return the solution, without a move, if the game's bounds meet and the code is there."""
    if not engine.compiled(proof.bounds, state):
        return None
    start = perf_counter()
    low, high = engine.call(proof.bounds, state)
    if low != high:
        return None
    value = plain(float(low))
    return Solution(value, value, call=Call(process(), start, perf_counter()))


def _tried(
    game: Game[Any, Any], state: Any, table: Table, stop: Stop, seconds: float | None,
    wanted: Wanted, using: Strategy | Driver | Auto,
) -> Solution | None:  # fmt: skip
    """Return the solution by interpreted rules, if that takes less time than compiling them."""
    until = process_time() + (TRIAL_SECONDS if seconds is None else min(TRIAL_SECONDS, seconds))
    solver = Solver(engine_for(game, "interpreted"), table, Stop(stop, until=until))
    if isinstance(using, Auto):
        from strategies.insight.selection.auto import choose_for_proofs

        using = choose_for_proofs(using, native=False).best
    run = Proving(solver, state, wanted, using)
    try:
        with branches_named(game, state):
            interrupted = run_with_deadline(run.solve, solver.stop)
    except (TimeUp, RecursionError):
        return None
    except (RuleFailed, Unprovable):
        raise
    except Exception:  # machine code, which can do without, says what is wrong
        return None
    over = interrupted or stop.is_set or run.branches is not None or run.reached is not None
    return run.known(ended=True) if over else None


def _prepared(game: Game[Any, Any], state: Any, choice: str) -> Engine:
    """Return the engine of a game, with the code that a solver calls."""
    engine = engine_for(game, choice)
    engine.prepare(state, *KERNELS)
    return engine


def _chosen(wish: Auto, engine: Engine, scheduler: Any) -> Strategy | Driver:
    """Return the choice of `auto()`, for the cluster that makes the proofs or for this machine."""
    from strategies.insight.selection.auto import choose_for_proofs

    client = batch_client(scheduler, ["threads"])
    threads = None if client is None else max(1, sum(client.nthreads().values()))
    return choose_for_proofs(wish, native=engine.native, cluster_threads=threads).best


def _on_cluster(
    using: Strategy | Driver,
    engine: Engine,
    state: Any,
    stop: Stop,
    scheduler: Any,
    seconds: float | None,
) -> AbstractContextManager[RowOnCluster | None]:
    """Return a context with the cluster that makes the proofs, or with None for this machine."""
    alone = not isinstance(using, Strategy) or for_search(using).inlined
    if alone and scheduler is None:  # do not load Dask
        return nullcontext()
    client = batch_client(scheduler, ["threads"])
    if alone or client is None:
        return nullcontext()
    from strategies.running.plans.on_cluster import Shared
    from strategies.running.plans.proofs import SOLVE
    from strategies.running.plans.row_on_cluster import RowOnCluster

    game, choice = engine.game, engine.choice
    warming = Warming(("solve", game, choice), _prepared, (game, state, choice))
    shared = Shared(game, SOLVE, choice, warming)
    return RowOnCluster(client, shared, stop, seconds=seconds)


def _solver(
    using: Strategy | Driver, engine: Engine, state: Any, table: Table, stop: Stop,
    workers: int | None, cluster: RowOnCluster | None,
) -> Solver:  # fmt: skip
    """Return the solver that makes the proofs by `using`.

    Raises: StrategyError.
    """
    if isinstance(using, Driver):
        from strategies.running.execution.shared_table import team_of

        return team_of(using, engine, table, stop, using.threads(workers))
    using = for_search(using)
    joined = using.is_joined and engine.native
    if using.inlined and not joined:  # everything in order, in one task
        return Solver(engine, table, stop)
    from strategies.running.plans.proofs import Row

    engine.prepare(state, child)
    return Row(engine, table, stop, using, workers or os.cpu_count() or 1, cluster)


def _near(game: Game[Any, Any], state: Any) -> tuple[list[Any], bool]:
    """Return the first positions, each once, and whether chance moves in one; fewer than `NEAR`
    are all that can be reached."""
    near, chance = [state], False
    for position in near:  # the list grows meanwhile
        if len(near) < NEAR and not is_terminal(game, position):
            kind, branches = expand(game, position)
            chance |= kind == "chance"
            for _, _, child in branches:
                if child not in near:
                    near.append(child)
    return near, chance


def _checked(game: Game[Any, Any], memory: int | str | Table) -> Table:
    """Check the game, and return the table to use."""
    if game.players > 2:
        raise AlgorithmError(
            f"solve is for one player or two opponents, but {type(game).__name__} has "
            f"{game.players} players"
        )
    if isinstance(memory, Table):
        return memory
    try:
        return Table(parse_size(memory))
    except ValueError as error:
        raise AlgorithmError(f"memory: {error}") from None
    except OSError as error:
        raise AlgorithmError(f"memory: {memory} cannot be allocated: {error}") from None
