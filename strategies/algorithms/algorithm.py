"""Search algorithms as values: what is computed at a node.  A strategy says how it is evaluated."""

from __future__ import annotations

from inspect import isfunction
from typing import Any, ClassVar, NamedTuple

from attrs import evolve, field, fields, frozen

from games import CHANCE, WIN, Estimate, Game, Status
from games.game import SEARCH_PLIES
from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.algorithms.errors import AlgorithmError, flag, whole
from strategies.algorithms.fold import OPEN, Interval, Rule
from strategies.algorithms.monte_carlo import MonteCarlo, unplanned
from strategies.native.calls.alphabeta import UNLIMITED, Found, Searcher, search_alphabeta
from strategies.native.calls.run_kernel import run_kernel
from strategies.native.engine import Engine, control_for, plain
from strategies.native.kernels.control import LEAVES, NARROW, NEARER, NODES, STOP, nearer_win
from strategies.native.memory.cells import Stop
from strategies.native.memory.floats import INFINITY
from strategies.native.memory.transposition_table import Counts, Table, show_size, table_size


class PositionSearch(NamedTuple):
    """The search of one position: what an algorithm needs to call its kernel."""

    engine: Engine
    state: Any
    depth: int
    window: Interval
    stop: Stop | None = None
    table: Table | None = None
    reach: float = 1.0
    """The probability with which the position is reached."""
    by: Searcher = search_alphabeta
    """The function for each alpha-beta search: one thread, or several together."""
    stride: int = 1
    """The factor for the steps in depth of iterative deepening."""
    incumbent: Any = None
    """The best leaf, in its `cell`, that searches share which run at the same time."""
    limit: int = UNLIMITED
    """The most nodes, for a search that can go on elsewhere."""
    path: tuple[int, ...] = ()
    """Where it goes on."""
    until: int | None = None
    """The branch of the position before which it ends; None for no such branch.  It needs a path.
    """

    @property
    def ordered(self) -> tuple[Engine, Table, Any, int, float, float]:
        """Return the arguments of a search with move ordering, which needs a table."""
        assert self.table is not None, "an alpha-beta search with ordered branches needs a table"
        return self.engine, self.table, self.state, self.depth, *self.window


def size_of(table: int | str | None) -> int:
    """Return the bytes of a table; 0 for None.

    Raises: AlgorithmError.
    """
    try:
        return 0 if table is None else table_size(table)
    except ValueError as error:
        kept = "; pass a kept table to solve(game, memory=…) or compute(memory=…)"
        hint = "" if isinstance(table, (int, float, str)) else kept
        raise AlgorithmError(f"table: {error}{hint}") from None


def or_none(table: int | str | None) -> int:
    """Return the bytes of a table, which may be 0 already."""
    return 0 if type(table) is int and table == 0 else size_of(table)


@frozen(repr=False)
class Algorithm:
    """A search algorithm with its depth in plies; a chance move counts as a ply.

    At depth 0, the value is the estimate of the position, and there is no move.

    A subclass is an algorithm of its own: it has a `name`, and a `kernel` that searches a position
    or a method `search` that calls one.  `register_algorithm` lets its name be written in texts.
    Its fields, such as ``width``, are options; the kernel receives them as numbers, in order.
    """

    depth: int = field(validator=whole(0, SEARCH_PLIES))
    nearer_wins: bool = field(default=True, validator=flag, kw_only=True)
    """Whether to prefer the nearer of two forced wins, and the later of two forced losses."""
    table: int = field(default=0, converter=or_none, kw_only=True)
    """The bytes of the transposition table that the tasks of a process share; 0 for none."""

    @table.validator
    def _uses_table(self, _attribute: Any, value: int) -> None:
        if value and type(self).search is Algorithm.search:
            raise AlgorithmError(
                f"the kernel of {self.name} gets no table: leave out table=, or define search(at), "
                "in which at.table is one"
            )

    name: ClassVar[str] = ""
    """The name in texts."""
    kernel: ClassVar[Any] = None
    """The kernel that searches a position, in a subclass ``staticmethod(…)`` of it."""
    narrows: ClassVar[bool] = True
    """Whether windows narrow: False visits every node."""
    tuples: ClassVar[bool] = False
    """Whether values are tuples with a number for each player, who maximizes that number."""
    many: ClassVar[bool] = False
    """Whether the game may have three players or more."""
    deepens: ClassVar[bool] = True
    """Whether the algorithm can deepen iteratively, so that it can stop at any time."""
    iterates: ClassVar[bool] = False
    """Whether a search to a depth consists of shallower searches before it."""
    splits: ClassVar[bool] = False
    """Whether a search that has visited many nodes can end, and others go on where it was."""
    no_move: ClassVar[str] = ""
    """Why an answer may have no move though the position has branches."""
    nulls: ClassVar[bool] = False
    """Whether it converges on a value by null windows only, from a guess."""
    follows: ClassVar[bool] = False
    """Whether machine code can follow a strategy inside a task, by a window policy."""
    windows: ClassVar[Any] = None
    """The `Approach` in which one depth of a search over a table closes in on the value; None for
    an algorithm without move ordering, which gains nothing from a shallower search."""

    @property
    def plain(self) -> bool:
        """Return whether it is a search to a fixed depth, by alpha-beta or minimax, without
        options."""
        return False

    @property
    def cutoff(self) -> float:
        """Return the least probability of a chance node that is still expanded; above 1 if that is
        counted from a position above the root."""
        return 0.0

    @property
    def rounded(self) -> bool:
        """Return whether each term of a mean is rounded to a whole number."""
        return False

    @property
    def pruning(self) -> str | None:
        """Return how windows pass through chance nodes: ``star1``, ``star2``, or not at all."""
        return None

    @property
    def window(self) -> Interval:
        """Return the window in which a search begins."""
        return OPEN

    @property
    def coalition(self) -> bool:
        """Return whether all other players are treated as one opponent."""
        return self.many and not self.tuples

    @property
    def options(self) -> dict[str, Any]:
        """Return the fields other than the depth that do not have their defaults."""
        found = {f.name: (f, getattr(self, f.name)) for f in fields(type(self))[1:]}
        return {name: value for name, (f, value) in found.items() if value != f.default}

    @property
    def numbers(self) -> tuple[Any, ...]:
        """Return the values of the fields of a subclass, which its kernel receives."""
        return tuple(getattr(self, f.name) for f in fields(type(self))[len(fields(Algorithm)) :])

    def __repr__(self) -> str:
        given = {"depth": self.depth, **self.options}
        if "table" in given:
            given["table"] = show_size(self.table)
        return f"{self.name}({', '.join(f'{n}={v!r}' for n, v in given.items())})"

    def search(self, at: PositionSearch) -> Found:
        """Search one position by the kernel.

        Ensures: the value is exact inside the window; at or beyond an end it is a bound on that
        side.  A search that was stopped is not `finished`.
        """
        control = control_for(at.depth)
        control[NARROW], control[NEARER] = self.narrows, self.nearer_wins
        at.engine.settle(self.kernel)
        value, line = run_kernel(
            at.engine, self.kernel, at.state, at.depth, *at.window, *self.numbers,
            control=control, stop=at.stop, traces=False,
        )  # fmt: skip
        return Found(
            plain(float(value)), control[NODES], control[LEAVES], line, Counts(), not control[STOP]
        )

    def bounded(self, game: Game[Any, Any], state: Any, alpha: float) -> bool:
        """Return whether a branch is cut off because an upper bound of it is no better than
        `alpha`."""
        return False

    def cuts(self, game: Game[Any, Any], state: Any, reach: float) -> bool:
        """Return whether a position in play, reached with probability `reach`, is not expanded."""
        return reach < self.cutoff and game.player(state) == CHANCE

    def leaf_value(self, game: Game[Any, Any], state: Any, depth: int) -> float:
        """Return the value of a leaf; with `nearer_wins`, a win gains the plies left.

        A kernel of one's own is asked: it may search on.
        """
        if type(self).search is Algorithm.search and not self.plain:
            window = -INFINITY, INFINITY
            value: float = self.kernel(game, state, 0, *window, *self.numbers, control_for(0))
            return value
        if game.status(state) == Status.IN_PLAY:
            return game.estimate(state)
        return nearer_win(game.utility(state), depth if self.nearer_wins else 0)

    def value_text(self, value: Any) -> str:
        """Return a value as people read it.

        >>> from strategies import alphabeta, decision
        >>> alphabeta(3).value_text(5), decision(5).value_text(3)
        ('Guess: 5', 'no leaf of 5 or more, but 3 at most')
        """
        return str(Estimate(value))

    def text_with_plies(self, value: Any, base: int = 0) -> str:
        """Return a value as people read it, with the plies to a forced win; a finished win gains
        `base`.

        >>> from strategies import alphabeta
        >>> alphabeta(depth=5).text_with_plies(WIN + 2), alphabeta(depth=5).text_with_plies(3)
        ('Maxie wins! (in 3 plies)', 'Guess: 3')
        """
        text = self.value_text(value)
        if self.tuples or abs(value) < WIN or not self.nearer_wins:
            return text
        plies = self.depth + base - (abs(value) - WIN)
        return f"{text} (in {plies:.0f} {'ply' if plies == 1 else 'plies'})" if plies else text

    def answer(self, move: Any, value: Any) -> tuple[Any, ...]:
        """Return what is the same under every strategy: the move and the value."""
        return move, value if isinstance(value, tuple) else float(value)

    def own_value(self, game: Game[Any, Any], state: Any) -> Any:
        """Return what an inner node adds to the results of its branches; None for nothing."""
        return None

    def rule(self, game: Game[Any, Any], scouts: bool = False) -> Rule:
        """Return the rule that combines branches; `scouts` adds null-window tests."""
        return Rule(self.narrows, self.rounded, self.tuples, None, scouts)

    def at_depth(self, depth: int) -> Algorithm:
        """Return the same algorithm at another depth."""
        return evolve(self, depth=depth)

    @property
    def meaning(self) -> Algorithm:
        """Return the algorithm without its depth and table; only equal ones may share a table.

        The depth is left out because each entry of a table has its own.  New options count without
        being named here.

        >>> from strategies import alphabeta, expectimax
        >>> alphabeta(3, table="4kB").meaning == alphabeta(8, table="4kB").meaning
        True
        >>> alphabeta(3, table="4kB").meaning == expectimax(3, table="4kB").meaning
        False
        """
        return self.at_depth(0)

    def check(self, game: Game[Any, Any]) -> None:
        """Raise AlgorithmError if this algorithm would be wrong for `game`."""
        named = type(game).__name__
        if self.tuples and game.players < 3:
            raise AlgorithmError(
                f"{self.name} is for three players or more, but {named} has {game.players}; "
                "use alphabeta, or expectimax if the game has chance moves"
            )
        if not self.many and game.players > 2:
            raise AlgorithmError(
                f"{self.name} is for one player or two opponents, but {named} has {game.players} "
                "players; use maxn or paranoid"
            )


def check_algorithm(algorithm: Any) -> None:
    """Check that an argument is an algorithm that searches to a depth.

    Raises: ArgumentError; AlgorithmError for `mcts`, which has no plan.

    >>> check_algorithm(8)
    Traceback (most recent call last):
        ...
    graphs.errors.ArgumentError: an algorithm is needed, as alphabeta(depth=8), not 8
    """
    if isinstance(algorithm, MonteCarlo):
        raise unplanned()
    if not isinstance(algorithm, Algorithm):
        text = isinstance(algorithm, str) and algorithm
        hint = f"; write parse_algorithm({shown(algorithm)})" if text else ""
        if isfunction(algorithm) and algorithm.__module__.startswith("strategies.algorithms."):
            raise ArgumentError(
                f"an algorithm is needed, and {algorithm.__name__} makes one: write "
                f"{algorithm.__name__}(…)"
            )
        raise ArgumentError(
            f"an algorithm is needed, as alphabeta(depth=8), not {shown(algorithm)}{hint}"
        )
