"""Runs the kernels over one game, as machine code or interpreted, and decides which of the two."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from ctypes import Array, addressof
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

from games.attributes import computed_once
from games.game import SEARCH_PLIES, WIN, Game, Status, has_chance
from games.mutable import is_mutable
from graphs.arguments import check_integers, shown
from graphs.errors import ArgumentError
from strategies.native.compiling import announce, compiler
from strategies.native.failures import UNKNOWN, failure, failure_under, raise_failure, stuck_playout
from strategies.native.fingerprint import Reach, reach
from strategies.native.guarded import guarded
from strategies.native.kernels import fixed_depth
from strategies.native.kernels.control import (
    END,
    LEAVES,
    NARROW,
    NEARER,
    NODES,
    ROWS,
    STOP,
    STUCK,
    TRACED,
    WIDEST,
    Place,
    row_of,
    tail_of,
)
from strategies.native.kernels.fixed_depth import TOO_MANY, perft_with_table
from strategies.native.kernels.maxn import maxn
from strategies.native.kernels.steps import follow_line
from strategies.native.memory.cells import Stop, Stopped, cells
from strategies.native.memory.floats import INFINITY
from strategies.native.memory.transposition_table import COUNTERS, Table
from strategies.native.references import is_fixed
from strategies.native.shield import shielded
from strategies.native.table_contents import contents, same
from strategies.rules.language.messages import Refusal, RuleError
from strategies.rules.language.reads import Reads
from strategies.support.logs import logger_of
from strategies.support.stacks import on_deep_stack

_log: Final = logger_of("engine")
MORE: Final = 8
"""The factor by which the plies grow of a count without a depth."""
Entry = tuple[Any, Any, Path | None]
"""A compiled kernel: its C function, its return type, and the file of its code."""


class Searched(NamedTuple):
    """The result of a search: value, nodes and leaves visited, the branches of the principal
    variation."""

    value: float
    nodes: int
    leaves: int
    line: tuple[int, ...]


_searched: Callable[[tuple[Any, ...]], Searched] = partial(tuple.__new__, Searched)
"""Builds a result without the constructor of its class, which is a Python function."""


class Engine:
    """Runs the kernels over one game.  Create it with `kept_engines.engine_for`."""

    def __init__(self, game: Any, choice: str = "auto") -> None:
        check_choice(choice)
        self.game, self.choice = game, choice
        self.has_chance = has_chance(game)
        self._takes_means = has_chance(type(game))
        self._entries: dict[Any, Entry] = {}
        self._kernels: dict[Any, Reach] = {}
        self._rules: Any = None
        self._reads: Reads | None = None
        """What the compiler read of Python's objects, also where it refused the rules."""
        self._reason: str | None = None
        self._announced = False
        self._held = contents(game)
        """What the game held when the engine was made."""
        self._checked: dict[bool, Any] = {}
        """The game with interpreted rules that check what they return."""
        self._computed: dict[str, Any] = {}
        """What the game had kept of its cached properties when that was made."""

    def __repr__(self) -> str:
        return f"engine_for({self.game!r}, {self.choice!r})"

    @property
    def current(self) -> bool:
        """Return whether the rules, the tables of the game, and kernels of a user's own are still
        those of the code."""
        kernels = all(found.holds() for found in list(self._kernels.values()))
        return kernels and (self._reads is None or self._reads.hold())

    @property
    def unchanged(self) -> bool:
        """Return whether the game is as it was when the engine was made."""
        return same(contents(self.game), self._held)

    @property
    def defined(self) -> bool:
        """Return whether nothing has been redefined since; tables may have changed."""
        return self._reads is None or self._reads.hold(tables=False)

    # Which engine -------------------------------------------------------------------------------

    @property
    def native(self) -> bool:
        """Return whether the rules run as machine code; this compiles them if nothing has yet."""
        if self._reason != "":
            self.settle()
        return self._reason == ""

    @property
    def reason(self) -> str:
        """Return why the rules are interpreted; empty if they are compiled."""
        self.settle()
        return self._reason or ""

    @property
    def undecided(self) -> bool:
        """Return whether the rules may compile, but have not been compiled yet."""
        return self._reason is None and not self._refused()

    @property
    def so_far(self) -> str:
        """Return why the rules are interpreted so far, without compiling them; empty if they are
        compiled."""
        if self._reason is not None:
            return self._reason
        return self._refused() or (
            "the search ended before compiling was worthwhile; engine='native' (--engine native) "
            "compiles first, or says why it cannot"
        )

    def interpret(self, reason: str) -> None:
        """Interpret the rules from now on, although they compile."""
        self._reason = reason
        _log.info("interpreting %r: %s", self.game, reason)
        self._entries.clear()

    def warm(self) -> Engine:
        """Compile the plain search now, or read it from the cache.

        Raises: `RuleError` if the engine must be native and a rule cannot be compiled.
        """
        if self.native:
            self._entry(self._plain, self.game.start())
        return self

    @property
    def _plain(self) -> Any:
        return fixed_depth.search if self.game.players <= 2 else maxn

    def settle(self, kernel: Any = None) -> None:
        """Decide whether the rules are compiled, by compiling this kernel or a count of positions.

        Raises: `RuleError` if the engine must be native and the rules cannot be compiled.
        """
        if self._reason is None:
            if refused := self._refused():
                self._reason = refused
            else:
                shielded(lambda: self._settle(kernel))
            if self._reason:
                _log.info("interpreting %r: %s", self.game, self._reason)
        if self._reason and self.choice == "native":
            raise RuleError(self._reason)

    def _refused(self) -> str:
        """Return why the rules are interpreted without an attempt to compile them; empty if one is
        made."""
        cls = type(self.game)
        if self.choice == "interpreted":
            return "the interpreted engine was chosen"
        if not getattr(self.game, "native", True):
            return f"{cls.__qualname__} sets native = False"
        return ""

    def _settle(self, kernel: Any) -> None:
        why = self._reason
        if why is not None:
            return
        for tried, state in self._trials(kernel):
            try:
                self._entry(tried, state)
            except RuleError as error:
                why = str(error)
            else:
                why = ""
                break
        self._reason = why

    def _trials(self, kernel: Any) -> list[tuple[Any, Any]]:
        """Return kernels, each with a state; the rules compile if one of these kernels does."""
        # Rules count as compiled even if a hook that a count of positions does not need is faulty.
        kernels = (kernel, fixed_depth.perft) if kernel else (fixed_depth.perft,)
        return [(tried, self.game.start()) for tried in kernels]

    def prepare(self, state: Any, *kernels: Any) -> None:
        """Compile kernels for states like this one now, or read them from the cache, so that the
        first call takes no longer than later ones."""
        self.settle(kernels[0])
        for kernel in kernels:
            self._compiled(kernel, state)

    @property
    def files(self) -> set[Path]:
        """Return the files of the machine code."""
        rules = None if self._rules is None else self._rules.file
        kernels = (file for _, _, file in self._entries.values())
        return {file for file in (rules, *kernels) if file is not None}

    @property
    def loaded(self) -> int:
        """Return the number of kernels that are compiled or read from the cache so far."""
        return len(self._entries)

    def compiled(self, kernel: Any, state: Any) -> bool:
        """Return whether a kernel is compiled already for states like this one."""
        return not self._reason and (kernel, type(state)) in self._entries

    def _entry(self, kernel: Any, state: Any) -> Entry:
        """Return a kernel as machine code for states like this one.

        Raises: `RuleError`.
        """
        found = self._entries.get((kernel, type(state)))
        return found or shielded(lambda: self._built(kernel, state))

    def _built(self, kernel: Any, state: Any) -> Entry:
        key = kernel, type(state)
        if key not in self._entries:
            with compiler() as (build, bind):
                began: list[float] = []

                def compiling() -> None:
                    began.append(perf_counter())
                    _log.info("compiling %s for %r", kernel.__name__, self.game)
                    self._compiling()

                if self._rules is None:
                    try:
                        self._rules = bind(self.game, state)
                    except Refusal as refusal:
                        self._reads = refusal.reads
                        raise
                    self._reads = self._rules.reads
                if not is_fixed(kernel.__module__):
                    self._kernels[kernel] = reach(kernel)
                self._entries[key] = build(kernel, self._rules, state, compiling)
                if began:
                    _log.info("compiled %s in %.2f s", kernel.__name__, perf_counter() - began[0])
        return self._entries[key]

    def _compiled(self, kernel: Any, state: Any) -> Entry | None:
        """Return a kernel as machine code, or None if the rules are interpreted.

        If this is the first kernel that cannot be compiled, the rules are interpreted from now on.
        Raises: `RuleError` if the engine must be native.
        """
        if self._reason:
            self.settle()
            return None
        try:
            return self._entry(kernel, state)
        except RuleError as error:
            if self.choice == "native":
                raise
            self.interpret(str(error))
            return None

    def _compiling(self) -> None:
        if not self._announced:
            self._announced = True
            announce(type(self.game).__qualname__)

    def call(self, kernel: Any, state: Any, *args: Any) -> Any:
        """Run a kernel as `kernel(game, state, *args)`."""
        if self._reason is None:
            self.settle(kernel)
        found = self._entries.get((kernel, type(state))) or self._compiled(kernel, state)
        if found is None or self._reason:
            return kernel(self._guarded(is_mutable(state)), state, *args)
        if args and isinstance(args[-1], Array):  # rows of cells come last, one or two
            if len(args) > 1 and isinstance(args[-2], Array):
                args = (*args[:-2], addressof(args[-2]), addressof(args[-1]))
            else:
                args = (*args[:-1], addressof(args[-1]))
        return found[0](self._rules.address, state, *args)

    def run(self, kernel: Any, state: Any, depth: int, *args: Any) -> Any:
        """Run a kernel that calls itself once for each of `depth` plies, on a stack with room for
        them."""
        if depth <= WIDEST:
            return self.call(kernel, state, depth, *args)
        cells = [arg for arg in args if isinstance(arg, Array)]

        def end() -> None:
            for control in cells[:1]:  # the next row, if there is one, is a table
                control[STOP] = 1

        return on_deep_stack(depth, lambda: self.call(kernel, state, depth, *args), end)

    def line_of(
        self, kernel: Any, state: Any, depth: int, *args: Any, control: Any, new: Any,
        rows: int = ROWS, traces: bool = True,
    ) -> tuple[int, ...]:  # fmt: skip
        """Return the principal variation that a kernel left in its triangle.

        As long as it is cut off at `WIDEST` branches, it goes on in a row below, if nothing else
        has been written there since; else the kernel searches from there.
        Requires: `new` are the cells before the triangle as they were before the search; `args` are
        the kernel's arguments, with `control` among them.  The kernel writes the branch that each
        node is in, unless `traces` is false.
        """
        line = found = best_line(control, depth, rows)
        if not len(found) == WIDEST < depth or control[STOP]:
            return line
        after = control[:rows]  # but for `STOP`, which another thread may set at any time
        at = row_of(rows, depth) + 1
        while len(found) < depth:
            count = len(found)
            state, kept = self.call(follow_line, state, depth, rows, at, count, control)
            depth -= count
            if traces and kept and depth >= TRACED:
                # The row of the node above: a leaf may have ended the line of the node itself.
                at = row_of(rows, depth + 1) + 2
                full = tail_of(depth + 1)
                found = _line_in(control, at, full)
            else:
                control[1:rows] = new[1:]
                self.run(kernel, state, depth, *args)
                at = row_of(rows, depth) + 1
                full = min(depth, WIDEST)
                found = _line_in(control, at, full) if control[STOP] == 0 else ()
            line += found
            if len(found) < full:
                break
        control[1:rows] = after[1:]
        return line

    def _guarded(self, changeable: bool) -> Any:
        """Return the game whose interpreted rules check what they return."""
        if not isinstance(self.game, Game):  # a problem of local search
            return self.game
        now = computed_once(self.game)  # it may have been deleted since, to be computed again
        if now.keys() != self._computed.keys() or not all(
            now[name] is value for name, value in self._computed.items()
        ):
            self._checked.clear()
            self._computed = now
        if changeable not in self._checked:
            self._checked[changeable] = guarded(self.game, changeable)
        return self._checked[changeable]

    def in_ints(self, state: Any) -> bool:
        """Return whether whole values are returned as ints: if means are taken, or all values are
        ints."""
        if self._takes_means:
            return True
        found = self._compiled(fixed_depth.leaf_value, state)
        return found is not None and str(found[1]).startswith("int")

    # Kernels ------------------------------------------------------------------------------------

    def search(
        self,
        state: Any,
        depth: int,
        alpha: float = -INFINITY,
        beta: float = INFINITY,
        *,
        narrow: bool = True,
        nearer: bool = True,
        stop: Stop | None = None,
    ) -> Searched:
        """Search `state` to `depth` plies by fail-soft alpha-beta with chance nodes.

        Requires: values below 2^53 in size.
        Ensures: inside the window the value is exact; at or beyond an end it is a bound on that
        side.  The line is that of the leftmost best branch; it ends at a chance node or a leaf.
        Without `narrow` it is minimax; with `nearer` a win counts `WIN` plus the plies left.
        Raises: `Stopped` if `stop` was set; `RuleFailed` where a rule fails; ValueError for a depth
        below 0 or above `SEARCH_PLIES`.

        >>> from games import HANDOUT_SMALL
        >>> Engine(HANDOUT_SMALL, "interpreted").search(HANDOUT_SMALL.start(), 2)
        Searched(value=4, nodes=11, leaves=7, line=(1, 1))
        """
        if self.game.players > 2:
            raise ArgumentError(
                f"alpha-beta takes a value for one player or two, and {self.game!r} has "
                f"{self.game.players}: use maxn or paranoid"
            )
        if self._reason is None:
            self.settle()
        control = control_for(depth)
        control[NARROW], control[NEARER] = narrow, nearer
        new = control[:ROWS] if depth > WIDEST else ()
        known = None if depth > WIDEST else self._entries.get((fixed_depth.search, type(state)))
        try:
            if known is None:
                with nullcontext(control) if stop is None else stop.watching(control) as row:
                    kernel = fixed_depth.deep_search if depth > WIDEST else fixed_depth.search
                    value = self.run(kernel, state, depth, alpha, beta, row)
            else:  # native, and compiled already
                at = self._rules.address, state, depth, alpha, beta, addressof(control)
                if stop is None:
                    value = known[0](*at)
                else:
                    with stop.watching(control):
                        value = known[0](*at)
        except Exception as error:
            raise_failure(failure(self.game, state, depth, control, error), error)
        nodes, leaves, ended = control[NODES], control[LEAVES], control[STOP]
        if ended:
            if ended == STUCK:
                raise failure(self.game, state, depth, control, UNKNOWN)
            stopped = Stopped("the search was stopped")
            stopped.nodes, stopped.leaves = nodes, leaves
            raise stopped
        if isinstance(value, float) and (self._takes_means or abs(value) >= WIN):
            value = plain(value)
        if depth > WIDEST:
            at = fixed_depth.deep_search, state, depth, -INFINITY, INFINITY, control
            return _searched((value, nodes, leaves, self.line_of(*at, control=control, new=new)))
        return _searched((value, nodes, leaves, best_line(control, depth)))

    def perft(
        self, state: Any, depth: int, stop: Stop | None = None, *, ended: bool = False,
        table: Table | None = None,
    ) -> int:  # fmt: skip
        """Count the positions that are reached after exactly `depth` plies.

        Games that have `ended` before count as well if asked.  With a table, counts of positions
        that are met again are read there.

        Raises: ArgumentError for a depth below 0 or above `SEARCH_PLIES`; `RuleFailed`, with the
        moves, where a position in play has none or a rule fails; `Stopped` if `stop` was set; with
        a table, ArgumentError for a count of 2**63 or more in machine code.
        """
        check_integers(0, SEARCH_PLIES, depth=depth)
        stop = stop or Stop()
        with stop.watching(cells(COUNTERS)) as control:
            if table is None:
                count = self._count(fixed_depth.perft, state, int(depth), bool(ended), control)
            else:
                table.enter(control, (self, perft_with_table, bool(ended)))
                how = bool(ended), control, table.cells
                count = self._count(perft_with_table, state, int(depth), *how)
            why = control[STOP]  # 1 by this flag, or by one above it
        if why == TOO_MANY:
            raise ArgumentError(
                "there are more positions than machine code can count, 2**63 or more: count to a "
                "smaller depth, or with engine='interpreted', which takes a step for every 2**53"
            )
        if why:
            raise Stopped("the count was stopped")
        return count

    def complete_games(self, state: Any, depth: int | None = None) -> int:
        """Count the games that end within `depth` plies; without a depth, all games.

        Raises: as `perft`; without a depth, also ArgumentError for a game that does not end within
        `SEARCH_PLIES` plies.
        """
        most = WIDEST if depth is None else depth
        check_integers(0, SEARCH_PLIES, depth=most)
        while (
            found := self._count(fixed_depth.complete_games, state, int(most), depth is None)
        ) < 0:
            if most == SEARCH_PLIES:
                raise ArgumentError(
                    f"a game goes on after {SEARCH_PLIES:,} plies, the most that can be counted; "
                    "to count the games that end within 500 plies, write complete_games(state, 500)"
                )
            most = min(MORE * most, SEARCH_PLIES)
        return found

    def _count(self, kernel: Any, state: Any, depth: int, *how: Any) -> int:
        def call(state: Any, depth: int) -> Any:
            return self.run(kernel, state, depth, *how)

        try:
            return int(call(state, depth))
        except RecursionError:
            raise
        except Exception as error:
            raise_failure(failure_under(self.game, state, depth, error, call), error)

    def playout(self, state: Any, seed: int, max_plies: int = 10_000) -> tuple[Any, int]:
        """Play at random; return the last position and the number of moves and outcomes played.

        Ensures: the same for the same seed on both engines.
        Raises: ArgumentError for a seed of more than 64 bits with its sign, or fewer than 0 plies;
        `RuleFailed`, with the moves, if it meets a position in play that has none.
        """
        check_integers(-(2**63), 2**63 - 1, seed=seed)
        check_integers(0, 2**63 - 1, max_plies=max_plies)
        last, plies = self.call(fixed_depth.playout, state, seed, max_plies)
        if plies < max_plies and self.game.status(last) == Status.IN_PLAY:
            raise stuck_playout(self.game, state, seed, plies)
        return last, plies

    def branch(self, state: Any, index: int) -> Any:
        """Return the position that branch `index` of `state` leads to.

        Raises: ArgumentError for an index below 0.
        """
        check_integers(0, 2**63 - 1, index=index)
        return self.call(fixed_depth.branch, state, index)


def control_for(depth: int, rows: int = ROWS, place: Place = row_of) -> Any:
    """Create the control cells of a search to `depth` plies, whose triangle begins at `rows`.

    With `cell_of` as the `place` of a ply, there is one cell for each.

    Raises: ValueError for a depth below 0 or above `SEARCH_PLIES`.
    """
    if type(depth) is not int or not 0 <= depth <= SEARCH_PLIES:  # saves a call for each search
        check_integers(0, SEARCH_PLIES, depth=depth)
    return cells(place(rows, depth + 1))


def plain(value: float) -> float:
    """Return a whole number as an int, so that 3 is 3 whether or not a mean was taken on the
    way."""
    return int(value) if value.is_integer() else value


def best_line(control: Any, depth: int, rows: int = ROWS) -> tuple[int, ...]:
    """Read the principal variation that a search left in its triangle, which begins at `rows`."""
    return _line_in(control, row_of(rows, depth) + 1, min(depth, WIDEST))


def _line_in(control: Any, start: int, count: int) -> tuple[int, ...]:
    """Read a line of at most `count` branches."""
    line = control[start : start + count]
    return tuple(line[: line.index(END)] if END in line else line)


def check_choice(choice: object) -> None:
    """Check the name of an engine.

    Raises: ValueError.
    """
    if choice not in ("auto", "native", "interpreted"):
        raise ArgumentError(f"engine must be auto, native or interpreted, not {shown(choice)}")
