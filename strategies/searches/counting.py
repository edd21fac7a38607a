"""Perft: the number of positions after a number of plies, which tests the rules of a game."""

from __future__ import annotations

import os
from time import perf_counter
from typing import Any, Final

from attrs import field, frozen

from games import Game
from games.arguments import check_game
from graphs.arguments import check_integers, check_workers
from strategies.algebra.combinators import par_list
from strategies.algebra.strategy import Strategy
from strategies.algorithms.positions import children, is_terminal, kind_of, start_of
from strategies.native.kept_engines import engine_for
from strategies.native.memory.cells import Stop
from strategies.running.runtime.cancellation import current_scope
from strategies.searches.solution import counted
from strategies.support.notebook_text import preformatted
from strategies.support.printing import Table

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


def perft(
    game: Game[Any, Any], depth: int, state: Any = None, *, using: Strategy = par_list,
    ended: bool = False, workers: int | None = None, engine: str = "auto",
) -> Perft:  # fmt: skip
    """Count the positions after exactly `depth` plies, where each path counts.

    The strategy `using` says which positions near the root are counted in parallel, on `workers`
    threads.  An outcome of chance counts as a ply.  A game that is over before that depth is not
    counted, unless games that have `ended` count as well, as in published counts of Othello.

    Raises: ValueError for a wrong depth; `RuleFailed`, with the moves, where a rule fails.
    Source: the word is R. Hyatt's, for the performance test of move generators.

    >>> from games import TicTacToe
    >>> found = perft(TicTacToe(), 4, engine="interpreted")
    >>> found.total, found.moves[:2]
    (3024, (('1', 336), ('2', 336)))
    """
    check_game(game)
    check_integers(0, depth=depth)
    check_workers(workers=workers)
    state = start_of(game) if state is None else state
    runner, begun = engine_for(game, engine), perf_counter()
    if depth == 0 or is_terminal(game, state):
        return Perft(depth, (), int(depth == 0 or ended), perf_counter() - begun)
    kind = kind_of(game, state)
    below = children(game, state, kind)
    texts = [f"#{m}" if kind == "chance" else game.move_text(state, m) for m, _, _ in below]
    runner.perft(state, 1)  # compiles the rules here, before any thread runs
    stop = Stop(current_scope())
    pieces = [(first, child, depth - 1) for first, (_, _, child) in enumerate(below)]
    pieces = _divided(game, pieces, PIECES * (workers or os.cpu_count() or 1))

    def count(number: int) -> int:
        _, position, plies = pieces[number]
        found = runner.perft(position, plies, stop)
        return found + (runner.complete_games(position, plies - 1) if ended and plies else 0)

    from dask import delayed

    from strategies.searches.evaluations.using import using as evaluated

    calls = range(len(pieces))
    tasks = [delayed(count, pure=False)(n, dask_key_name=f"positions-{n}") for n in calls]
    try:
        counts = evaluated(tasks, using).compute(scheduler="threads", num_workers=workers)
    except BaseException:
        stop.set()
        raise
    by_first = [0] * len(below)
    for (first, _, _), found in zip(pieces, counts, strict=True):
        by_first[first] += found
    moves = tuple(zip(texts, by_first, strict=True))
    return Perft(depth, moves, sum(by_first), perf_counter() - begun)


Piece = tuple[int, Any, int]
"""The number of a first move, a position after it, and the plies that are left."""


def _divided(game: Game[Any, Any], pieces: list[Piece], enough: int) -> list[Piece]:
    """Go on ply by ply until there are enough pieces for all workers, or none can be divided."""
    while len(pieces) < enough:
        found = [part for piece in pieces for part in _parts(game, *piece)]
        if len(found) == len(pieces) and found == pieces:
            break
        pieces = found
    return pieces


def _parts(game: Game[Any, Any], first: int, position: Any, left: int) -> list[Piece]:
    """Return the pieces one ply below a piece; the piece itself if it is small, or ended."""
    if left <= TINY or is_terminal(game, position):
        return [(first, position, left)]
    below = children(game, position, kind_of(game, position))
    return [(first, child, left - 1) for _, _, child in below]


def distinct_positions(game: Game[Any, Any], depth: int, state: Any = None) -> list[int]:
    """Count the different positions after exactly 0, 1, …, `depth` plies.

    Cost: the rules run interpreted, and all positions of a ply are kept.

    >>> from games import ConnectFour
    >>> distinct_positions(ConnectFour(), 4)
    [1, 7, 49, 238, 1120]
    """
    check_game(game)
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
