"""Endgame tables: the value of every position that can be reached, by retrograde analysis."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from attrs import field, frozen

from games import WIN, Game
from games.game import WIN_PLIES, check_game, has_chance, win_in
from games.snapshots import is_same
from graphs.arguments import (
    check_functions,
    check_kind,
    check_numbers,
    check_positive,
    check_progress,
    check_workers,
    path_of,
)
from graphs.errors import ArgumentError
from strategies.algebra.combinators import par_list
from strategies.algebra.strategy import Strategy, checked
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.limits import Limits
from strategies.algorithms.positions import (
    check_root,
    children,
    expand,
    is_terminal,
    kind_of,
    start_of,
)
from strategies.native.calls.position_graph import FEW, PositionGraph, Work, explored
from strategies.native.calls.settling import Settling, steps_to_end
from strategies.native.engine import Engine
from strategies.native.failures import failure_at, no_state_of, raise_failure
from strategies.native.hooks import hash_of
from strategies.native.kept_engines import engine_for
from strategies.native.kept_snapshots import kept_snapshot
from strategies.native.kernels.position_graph import COUNT, SIZE, TOP
from strategies.native.memory.cells import Stop, Stopped, cells
from strategies.native.memory.transposition_table import parse_size
from strategies.running.runtime.deadline import run_with_deadline
from strategies.running.runtime.together import threads_for
from strategies.searches.endgame_file import Partial, read_table, write_table
from strategies.searches.endgame_transform import Rows, check_plain, row_of, with_rows
from strategies.searches.endgame_transform import plain as plain_game
from strategies.searches.solution import worded
from strategies.support.cached import cached_property
from strategies.support.printing import preformatted

PRECISION: Final = 1e-12
"""The difference of bounds, in parts of the greatest result, at which a value counts as known."""


@frozen(eq=False, repr=False)
class EndgameTable:
    """The exact value of every position that can be reached from one.

    Without chance, values are those of `solve`: a win in n plies is `games.game.win_in(n)`.  With
    chance, they are expectations, and `bounds` encloses them; a win counts 1 and a loss -1, if each
    result is a win, a loss or 0.
    """

    game: Game[Any, Any]
    state: Any
    """The position from which the others can be reached."""
    words: Any = field(repr=False)
    """The hashes of the positions, in order."""
    low: Any = field(repr=False)
    high: Any = field(repr=False)
    is_normalized: bool = False
    """Whether a win counts 1."""
    seconds: float = 0.0
    steps: Any = field(default=None, repr=False)
    """The plies to the end by moves that make progress, if others keep a value and do not."""

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def tolerance(self) -> float:
        """Return the difference of bounds at which a value counts as known: 0 without chance."""
        if not self.has_chance:
            return 0.0
        ends = (self.low.min(), self.low.max(), self.high.min(), self.high.max())
        most = max(1.0, *(abs(float(end)) for end in ends))
        return PRECISION * (most if most < WIN else 1.0)  # beside a win, no score would count

    @property
    def has_chance(self) -> bool:
        """Return whether chance moves in the game, so that values are expectations."""
        return has_chance(self.game)

    def __contains__(self, state: Any) -> bool:
        return self._place(state) is not None

    def __repr__(self) -> str:
        return f"<EndgameTable of {self.game!r}: {len(self):,} positions>"

    def __str__(self) -> str:
        (low, high), chance = self.bounds(self.state), self.has_chance
        if high - low > self.tolerance:
            worth = f"between {worded(low, chance=chance)} and {worded(high, chance=chance)}"
        elif abs(low) >= WIN:
            worth = worded(low, self.plies(self.state), chance=chance)
        else:
            worth = f"value {self.value(self.state):.12g}"
        return f"{worth}; {len(self):,} positions in {self.seconds:.3g} s"

    def _repr_html_(self) -> str:
        """Show the value of the position in a notebook."""
        return preformatted(str(self))

    def bounds(self, state: Any) -> tuple[float, float]:
        """Return bounds on the value of a position, equal if it is known exactly.

        Raises: KeyError for a position that cannot be reached.
        """
        at = self._place(state)
        if at is None:
            raise KeyError(f"{self.game.label(state)} cannot be reached from the table's position")
        return _value(float(self.low[at])), _value(float(self.high[at]))

    def value(self, state: Any) -> float:
        """Return the value of a position: the middle of its bounds.

        Raises: as `bounds`.
        """
        low, high = self.bounds(state)
        return low if low == high else (low + high) / 2

    def plies(self, state: Any) -> int | None:
        """Return the plies to a forced win, however many; None if nobody can force one, or if
        chance moves in the game: a table of expectations does not know how far a win is.

        Raises: as `bounds`.
        """
        self.bounds(state)
        if self.has_chance:
            return None
        found = abs(float(self.low[self._place(state)]))
        return int(TOP - found) if WIN <= found <= TOP else None

    @property
    def longest(self) -> int | None:
        """Return the plies of the longest forced win of any position; None if nobody can win, or if
        chance moves in the game."""
        import numpy as np

        if self.has_chance:
            return None
        size = np.abs(self.low)
        won = size[(size >= WIN) & (size <= TOP)]
        return int(TOP - won.min()) if won.size else None

    def moves(self, state: Any) -> tuple[Any, ...]:
        """Return all best moves of a position, in the game's order; none if it has no moves.

        With chance, those whose bound on the mover's side is the best, to within the precision.
        Without, a move that keeps the value but may go round in a circle is left out.
        Raises: as `bounds`.
        """
        game = self.game
        self.bounds(state)
        if is_terminal(game, state) or (kind := kind_of(game, state)) == "chance":
            return ()
        sure, side = (self.low, 1.0) if kind == "max" else (self.high, -1.0)
        found = [
            (move, side * float(sure[self._place(s)])) for move, _, s in children(game, state, kind)
        ]
        enough = max(value for _, value in found) - self.tolerance
        best = [move for move, value in found if value >= enough]
        if self.steps is not None and (left := self.steps[self._place(state)]) > 0:
            after = (self.steps[self._place(game.make_move(state, m))] for m in best)
            best = [m for m, steps in zip(best, after, strict=True) if 0 <= steps < left]
        return tuple(best)

    def _place(self, state: Any) -> int | None:
        import numpy as np

        try:
            word = np.uint64(int(hash_of(self.game, state)))
        except Exception as error:
            raise_failure(failure_at(self.game, state, error), error)
        at = int(np.searchsorted(self.words, word))
        if at < len(self.words) and self.words[at] == word:
            return at
        if wrong := no_state_of(self.game, state):
            raise wrong
        return None

    def save(self, path: str | Path) -> Path:
        """Write the table to a file, whole or not at all; `EndgameTable.load` reads it.

        Raises: OSError.
        """
        rows = {name: getattr(self, name) for name in ("words", "low", "high", "steps")}
        return write_table(path, self.game, rows, self.is_normalized)

    @staticmethod
    def load(path: str | Path, game: Game[Any, Any], state: Any = None) -> EndgameTable:
        """Map a table that `save` wrote into memory, for the same game.

        Ensures: processes that map the same file share its memory.  The file is read once, to
        compare it with its checksums.
        Raises: ValueError for a file of another game, or that is damaged or no such file; OSError.
        """
        game = kept_snapshot(check_game(game))
        (words, low, high, steps), is_normalized = read_table(path, game)
        state = start_of(game) if state is None else state
        return EndgameTable(game, state, words, low, high, is_normalized, steps=steps)


def check_table(table: object) -> None:
    """Check that the argument `endgame` is a table.

    Raises: ArgumentError.
    """
    check_kind(EndgameTable, "an EndgameTable; EndgameTable.load reads a file", endgame=table)


def _value(found: float) -> float:
    """Return a value as `solve` counts it."""
    if abs(found) < WIN or abs(found) > TOP:
        return found
    worth = float(win_in(min(WIN_PLIES, int(TOP - abs(found)))))
    return worth if found > 0 else -worth


def endgame_table(
    game: Game[Any, Any], state: Any = None, *, endless: float = 0.0, memory: int | str = "1GB",
    precision: float = PRECISION, progress: Callable[[int], None] | None = None,
    time: float | None = None, engine: str = "auto", stop: Stop | None = None,
    using: Strategy = par_list, workers: int | None = None, resume: str | Path | None = None,
    room: Callable[[int], None] | None = None,
) -> EndgameTable:  # fmt: skip
    """Solve every position that can be reached from `state`, by retrograde analysis.

    Plays may return to positions; endless play is worth `endless`, between two wins.  Games with
    chance are solved by value iteration from both sides, so that the error is known: it ends when
    the bounds of no position differ by more than `precision` times the greatest result that play
    can have from there, or cannot get closer, because players can go on for ever between them.

    `workers` threads, by default one for each core, expand positions and work out their values; the
    strategy `using` says in which order they take pieces of that work.  Positions that cannot all
    reach each other are worked out one after another, those that play reaches last first.

    `resume` is a file from which an interrupted run continues, if it exists.  What is known is
    written to it about once a minute, and when the run is interrupted; it is deleted at the end.
    While positions are found, this needs machine code, and positions that hold no rows of varying
    length; else those are found again.

    Requires: one player or two.
    Ensures: no values but those that follow from the rules, the same with any strategy and number
    of workers, and whether or not it was interrupted.  Positions are told apart by their
    64-bit hashes: among ten million, two have the same one with a probability of 3 in a million.
    `progress` is called twice a second with the number of positions.  `room` is called once, before
    the work, with the number of positions for which `memory` has about room, by the branches of the
    first 4,000 positions; it is not called if there are no more.
    Raises: AlgorithmError; ValueError if more positions can be reached than fit into `memory`
    bytes, which are taken as they are needed; TimeoutError after `time` seconds; KeyboardInterrupt
    at Ctrl-C; RuleFailed.
    Cost: some 100 bytes and a microsecond for each position and branch, in machine code.  One
    thread expands positions that hold rows of varying length, and numbers all others.
    Source: K. Thompson, Retrograde analysis of certain endgames (1986); S. Haddad and B. Monmege,
    Interval iteration algorithm for MDPs and IMDPs (2018); P. Dai and J. Goldsmith, Topological
    value iteration algorithm for Markov decision processes (2007).

    >>> from games import TicTacToe
    >>> table = endgame_table(TicTacToe(), engine="interpreted")
    >>> len(table), table.value(TicTacToe().start()), len(table.moves(TicTacToe().start()))
    (5478, 0.0, 9)
    """
    check_plain(check_game(game))
    game = kept_snapshot(game)
    check_progress(progress)
    if room is not None:
        check_functions(room=room)
    _check_wishes(game, time, endless, precision, using, workers)
    size = parse_size(memory)
    state = start_of(game) if state is None else state
    check_root(game, state)
    runner, begun = engine_for(game, engine), perf_counter()
    stop, control = stop or Stop(), cells(SIZE)
    partial = Partial(
        None if resume is None else path_of("resume", resume), game, state, float(endless),
        float(precision),
    )  # fmt: skip
    found: list[EndgameTable] = []

    def begin(graph: PositionGraph) -> None:
        if room is not None and graph.most > FEW:
            room(graph.most)
        partial.begin(graph)

    def work() -> None:
        threads = workers or os.cpu_count() or 1
        made = _made(runner, size, control, stop, partial, begin, using, threads)
        words, low, high, is_normalized, steps = made
        seconds = perf_counter() - begun
        found.append(EndgameTable(game, state, words, low, high, is_normalized, seconds, steps))

    tick = None if progress is None else lambda: progress(int(control[COUNT]))
    with suppress(Stopped):
        run_with_deadline(work, stop, seconds=time, tick=tick)
    if not found:
        if time is not None and perf_counter() - begun >= time:
            kept = f"; {partial.path} has what was done" if partial.written else ""
            raise TimeoutError(f"the table was not finished within {time:g} s{kept}")
        raise KeyboardInterrupt
    partial.remove()
    return found[0]


def _check_wishes(
    game: Game[Any, Any], time: float | None, endless: float, precision: float, using: Strategy,
    workers: int | None,
) -> None:  # fmt: skip
    """Raise the errors of `endgame_table` for its arguments."""
    if time is not None:
        Limits(time)
    if game.players > 2:
        raise AlgorithmError(
            f"endgame_table is for one player or two opponents, but {type(game).__name__} has "
            f"{game.players} players"
        )
    check_numbers(1 - WIN, WIN - 1, endless=endless)
    check_positive(precision=precision)
    check_workers(workers=workers)
    checked(using)


def _made(
    runner: Engine, memory: int, control: Any, stop: Stop, partial: Partial,
    begin: Callable[[PositionGraph], None], using: Strategy, workers: int,
) -> tuple[Any, Any, Any, bool, Any]:  # fmt: skip
    """Return the rows of a table: the hashes of all positions in order, and their bounds; whether a
    win counts 1; and the steps to the end, where they matter.

    Raises: as `endgame_table`; `Stopped`, after what is known has been written to the file.
    """
    import numpy as np

    try:
        with threads_for(using, workers) as at_once:
            how = Work(stop, at_once, workers, partial.pause)
            graph = explored(runner, partial.state, memory, how, control, begin)
            settling = Settling(graph, partial.endless, partial.precision, how, partial.marks)
            low, high = settling.settle()
    except Stopped:
        partial.write()
        raise
    order = np.argsort(graph.words)
    steps = None if runner.has_chance else steps_to_end(graph, low, partial.endless)
    steps = None if steps is None else steps[order]
    return graph.words[order], low[order], high[order], settling.is_normalized, steps


@lru_cache(8)
def _rows(table: EndgameTable, depth: int) -> Rows:
    """Return the positions of a table whose values are known, for searches to `depth` plies."""

    known = table.high - table.low <= table.tolerance
    values = ((table.low + table.high) / 2)[known] * (WIN if table.is_normalized else 1)
    words = table.words if known.all() else table.words[known]  # those of a file stay shared
    return Rows.of(words, values, depth, whole=not table.has_chance)


def with_endgame(
    game: Game[Any, Any], table: EndgameTable, state: Any = None, *, depth: int = WIN_PLIES
) -> Any:
    """Return the game in which the positions of an endgame table are leaves with their values.

    Every search of it reads the table, on both engines.  A search to `depth` plies counts a win in
    n plies from its root as `solve` does, `games.game.win_in(n)`; in a game with chance it counts a
    win `games.WIN`, however far it is, and a probability that part of it.
    The position `state` is searched, although the table knows it, so that a move is found.  If a
    branch leads from there to itself, its value is its estimate, too.

    Requires: a table of this game.  In a game with chance, utilities lie in its `value_range`.
    No search is deeper than `depth`.
    Ensures: only values that are known exactly are read.
    Raises: ValueError for a table of another game, and for more than `games.game.WIN_PLIES` plies.
    Cost: a hash and one or two look-ups for each position.

    >>> from games import TicTacToe
    >>> from strategies import alphabeta, endgame_table, search
    >>> game = TicTacToe()
    >>> table = endgame_table(game, engine="interpreted")
    >>> state = game.parse_state("1 2 3")
    >>> found = search(with_endgame(game, table, state, depth=1), alphabeta(depth=1), state=state)
    >>> result = found.compute()
    >>> result.value == table.value(state), result.nodes
    (True, 7)
    """
    game = plain_game(game)
    check_table(table)
    if not is_same(table.game, game):
        raise ArgumentError(f"the endgame table is of {table.game!r}, not of {game!r}")
    if depth > WIN_PLIES:
        raise ArgumentError(
            f"an endgame table counts the plies to a win up to {WIN_PLIES}, and a search to "
            f"{depth} plies adds those that are left: search {WIN_PLIES} plies or fewer, or give "
            "nearer_wins=False"
        )
    if table.has_chance and (abs(table.low) >= WIN).any():  # beside results that are no wins
        raise ArgumentError(
            f"{type(game).__name__} has chance and wins of games.WIN, of which a search takes "
            "means: give it a value_range and utilities inside it, such as 1 and -1"
        )
    rows, root, returns = _rows(table, depth), -1, False
    if state is not None and state in table:
        word = hash_of(game, state)
        root = row_of(rows, word)
        if root >= 0 and not is_terminal(game, state):
            returns = any(hash_of(game, child) == word for _, _, child in expand(game, state)[1])
    return with_rows(game, rows, root, returns)
