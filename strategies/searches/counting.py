"""Perft: the number of positions after a number of plies, which tests the rules of a game."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import TIMEOUT_MAX, Timer
from time import monotonic, perf_counter
from typing import Any, Final

from attrs import field, frozen

from games import Game
from games.failed import RuleFailed
from games.game import SEARCH_PLIES, check_game
from games.published_counts import branches
from graphs.arguments import check_integers, check_workers
from strategies.algebra.combinators import par_list
from strategies.algebra.strategy import Strategy
from strategies.algorithms.positions import (
    branches_named,
    check_root,
    children,
    expand,
    is_terminal,
    kind_of,
    start_of,
)
from strategies.native.kept_engines import engine_for
from strategies.native.kept_snapshots import kept_snapshot
from strategies.native.larger_ints import any_ints
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Table as TranspositionTable
from strategies.running.runtime.cancellation import current_scope, heeding
from strategies.searches.solution import counted
from strategies.support.printing import Table, preformatted

PIECES: Final = 4
"""The pieces of work for each worker, at least."""
TINY: Final = 2
"""The most plies of a count that is not divided."""


@frozen
class Perft:
    """The number of positions after exactly `depth` plies, by the first move."""

    depth: int
    moves: tuple[tuple[str, int], ...]
    """Each first move as the game writes it, and the positions after it; empty at depth 0."""
    total: int
    seconds: float = field(default=0.0, eq=False)

    @property
    def table(self) -> Table:
        """Return the first moves as a table."""
        rows = [(text, f"{count:,}") for text, count in self.moves]
        return Table([("move", "positions"), *rows, ("total", f"{self.total:,}")])

    def __str__(self) -> str:
        found = f"{self.total:,} position{'s' * (self.total != 1)}"
        return f"{found} after {counted(self.depth)}"

    def _repr_html_(self) -> str:
        """Show the count and its table in a notebook."""
        return f"{preformatted(str(self))}{self.table._repr_html_()}"


@any_ints
def perft(
    game: Game[Any, Any], depth: int, state: Any = None, *, using: Strategy = par_list,
    ended: bool = False, table: int | str | None = None, workers: int | None = None,
    engine: str = "auto",
) -> Perft:  # fmt: skip
    """Count the positions after exactly `depth` plies, where each path counts.

    The strategy `using` says which positions near the root are counted in parallel, on `workers`
    threads.  An outcome of chance counts as a ply.  A game that is over before that depth is not
    counted, unless games that have `ended` count as well, as in published counts of Othello.

    With a `table`, a number of bytes or a text such as "64MB", the threads share a transposition
    table, so that a position that several orders of moves reach is counted once for each number of
    plies left.  It pays where that is common: in Connect Four from about 10 plies on.

    Ensures: the same counts with a table, unless two positions share a hash of 64 bits.
    Raises: ValueError for a wrong depth or size, and for a count, in machine code, that one thread
    cannot make because it is 2**63 or more; `RuleFailed`, with the moves, where a rule fails.
    Cost: with a table, one step at least for every 2**53 positions, since greater counts are not
    kept.
    Source: the word is R. Hyatt's, for the performance test of move generators.

    >>> from games import TicTacToe
    >>> found = perft(TicTacToe(), 4, engine="interpreted")
    >>> found.total, found.moves[:2]
    (3024, (('1', 336), ('2', 336)))
    """
    game = kept_snapshot(check_game(game))
    check_integers(0, SEARCH_PLIES, depth=depth)
    check_workers(workers=workers)
    state = start_of(game) if state is None else state
    check_root(game, state)
    memory = None if table is None else TranspositionTable(table)
    runner, begun = engine_for(game, engine), perf_counter()
    if depth == 0 or is_terminal(game, state):
        return Perft(depth, (), int(depth == 0 or ended), perf_counter() - begun)
    how: dict[str, Any] = {"ended": ended, "table": memory}
    runner.perft(state, 1, **how)  # compiles the rules here, before the clock and any thread start
    begun = perf_counter()
    below = branches(game, state)
    stop = Stop(current_scope())
    pieces: list[Piece] = [((first,), child, depth - 1) for first, (_, child) in enumerate(below)]

    def count(number: int) -> int:
        path, position, plies = pieces[number]
        with _below(path):
            return runner.perft(position, plies, stop, **how)

    try:
        with branches_named(game, state):
            pieces = _divided(game, pieces, PIECES * (workers or os.cpu_count() or 1))
            counts = _evaluated(count, len(pieces), using, workers)
    except BaseException:
        stop.set()
        raise
    by_first = [0] * len(below)
    for (path, _, _), found in zip(pieces, counts, strict=True):
        by_first[path[0]] += found
    moves = tuple(zip((text for text, _ in below), by_first, strict=True))
    return Perft(depth, moves, sum(by_first), perf_counter() - begun)


def _evaluated(
    count: Callable[[int], int], many: int, using: Strategy, workers: int | None
) -> Sequence[int]:
    """Return the counts of all pieces, each in a task where the strategy says so."""
    from dask import delayed

    from strategies.searches.evaluations.using import using as evaluated

    tasks = [delayed(count, pure=False)(n, dask_key_name=f"positions-{n}") for n in range(many)]
    found: Sequence[int] = evaluated(tasks, using).compute(scheduler="threads", num_workers=workers)
    return found


Piece = tuple[tuple[int, ...], Any, int]
"""The numbers of some branches, the position after them, and the plies that are left."""


@contextmanager
def _below(path: tuple[int, ...]) -> Iterator[None]:
    """Add the branches before a position to a failure below it."""
    try:
        yield
    except RuleFailed as failed:
        raise failed.below(*path) from failed.__cause__


def _divided(game: Game[Any, Any], pieces: list[Piece], enough: int) -> list[Piece]:
    """Go on ply by ply until there are enough pieces for all workers, or none can be divided."""
    while len(pieces) < enough:
        found = [part for piece in pieces for part in _parts(game, *piece)]
        if len(found) == len(pieces) and found == pieces:
            break
        pieces = found
    return pieces


def _parts(game: Game[Any, Any], path: tuple[int, ...], position: Any, left: int) -> list[Piece]:
    """Return the pieces one ply below a piece; the piece itself if it is small, or ended."""
    with _below(path):
        if left <= TINY or is_terminal(game, position):
            return [(path, position, left)]
        _, below = expand(game, position)
    return [((*path, index), child, left - 1) for index, (_, _, child) in enumerate(below)]


def count_by_move(
    game: Game[Any, Any], state: Any, depth: int, *, ended: bool, seconds: float
) -> tuple[tuple[str, int], ...]:
    """Count positions by the first move, for the law of published counts.

    Raises: TimeoutError after so many seconds; `RuleFailed` where a rule fails.
    """
    late = Stop(current_scope())
    late.deadline = monotonic() + seconds  # for interpreted rules, which read the clock
    timer = Timer(min(seconds, TIMEOUT_MAX), late.set)
    timer.daemon = True
    timer.start()
    try:
        with heeding(late):
            return perft(game, depth, state, ended=ended).moves
    except Stopped:
        if current_scope().is_set:
            raise
        raise TimeoutError(f"the count took longer than {seconds:g} seconds") from None
    finally:
        timer.cancel()


def distinct_positions(game: Game[Any, Any], depth: int, state: Any = None) -> list[int]:
    """Count the different positions after exactly 0, 1, …, `depth` plies.

    Cost: the rules run interpreted, and all positions of a ply are kept.

    >>> from games import ConnectFour
    >>> distinct_positions(ConnectFour(), 4)
    [1, 7, 49, 238, 1120]
    """
    game = kept_snapshot(check_game(game))
    check_integers(0, depth=depth)
    level = {start_of(game) if state is None else state}
    counts = [1]
    for _ in range(depth):
        level = {
            child
            for position in level
            if not is_terminal(game, position)
            for _, _, child in children(game, position, kind_of(game, position))
        }
        counts.append(len(level))
    return counts
