"""Calls the kernel of alpha-beta over a table: one position, one depth, one window.

An answer is one more entry of the table, under a word of its own: the depth to which a position was
searched, its value, and its leftmost optimal move.  The entry of the position itself does not
suffice: if it was stored inside another search, its move need not be the leftmost.  A search that
continues begins above the depth of the answer.  To repeat the finished depths would replace the
entries that the interrupted depth had stored.

Another such entry is the size of a searched position, the number of nodes that were visited: by
sizes, a search that continues is split.  They do not affect values, so one that is wrong or lost
costs time at worst.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from attrs import evolve, field, frozen

from games.game import WIN, Game, has_chance
from games.u64 import U64
from strategies.native.calls.run_kernel import run_kernel
from strategies.native.engine import Engine, control_for, plain
from strategies.native.hooks import NUMBERS, hash_of
from strategies.native.kernels import alphabeta
from strategies.native.kernels.control import NEARER, STOP
from strategies.native.memory.cells import Stop
from strategies.native.memory.floats import INFINITY
from strategies.native.memory.transposition_table import EXACT, Counts, Table, depth_in, move_in

UNLIMITED: Final = 1 << 62


@frozen
class Found:
    """The result of a search with a table; `finished` unless its budget ran out or it was
    stopped."""

    value: float
    nodes: int = 0
    leaves: int = 0
    line: tuple[int, ...] = ()
    table: Counts = field(factory=Counts)
    finished: bool = True
    raised: float = -INFINITY
    """The lower end of the window at the end, if searches elsewhere raised it."""
    path: tuple[int, ...] = ()
    """Where a search of a tree goes on that has visited as many nodes as it may."""
    cut: bool = False
    """Whether a search of a whole tree ended because the tree is deeper; then there is no value."""


def search_alphabeta(
    engine: Engine,
    table: Table,
    state: Any,
    depth: int,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    *,
    scouts: bool = False,
    orders: bool = False,
    nearer: bool = True,
    nodes: int = UNLIMITED,
    stop: Stop | None = None,
    marks: bool = False,
    shuffle: int = 0,
    leftmost: bool = True,
) -> Found:
    """Search `state` to `depth` plies by alpha-beta with a transposition table.

    Requires: as `Table.claim`.
    Ensures: as `Engine.search`, with the same value and move; lines may end where the table
    answers.  Entries of another game, of other searches or with another `nearer` are cleared.  With
    `scouts`, later branches are tested by null windows.  With `orders`, moves are ordered, and by
    the game's `value_range` nodes too late for a win are cut off; a `shuffle` other than 0 starts
    the history with random weights, different for each number.  With `marks`, this thread searches
    other branches than the threads that share this table.  Without `leftmost`, the move is any
    optimal one: on some positions two thirds of the nodes suffice for that.
    Raises: as `Engine.search`, but a stopped search returns a result that is not `finished`.

    >>> from games import HANDOUT_SMALL
    >>> from strategies.native.kept_engines import engine_for
    >>> engine = engine_for(HANDOUT_SMALL, "interpreted")
    >>> search_alphabeta(engine, Table("64kB"), HANDOUT_SMALL.start(), 2).value
    4
    """
    control = control_for(depth, alphabeta.LINES)
    engine.settle(alphabeta.alphabeta)
    control[NEARER], control[alphabeta.DEPTH] = nearer, depth
    control[alphabeta.SCOUTS], control[alphabeta.ORDERS] = scouts, orders
    control[alphabeta.BUDGET], control[alphabeta.LEFTMOST] = nodes, leftmost
    control[alphabeta.MARKS] = table.marks if marks else 0
    control[alphabeta.DISTANCE] = orders and within_wins(engine.game)
    if shuffle:
        weights = Random(shuffle).choices(range(4096), k=2 * NUMBERS)
        control[alphabeta.HISTORY : alphabeta.ANCESTORS] = weights
    table.enter(control, entries_of(engine, nearer))
    (value, entered, leaves), line = run_kernel(
        engine, alphabeta.alphabeta, state, depth, alpha, beta,
        control=control, memory=table.cells, stop=stop, rows=alphabeta.LINES,
    )  # fmt: skip
    return Found(plain(value), entered, leaves, line, table.counts(control), not control[STOP])


def within_wins(game: Game[Any, Any]) -> bool:
    """Return whether no value of a game is beyond a win: by its `value_range`, and without chance,
    because means are rounded."""
    known = None if has_chance(type(game)) else game.value_range
    return isinstance(known, tuple) and all(
        isinstance(end, int | float) and -WIN <= end <= WIN for end in known
    )


Searcher = Callable[..., Found]
"""A function that searches like `search_alphabeta`, with the same arguments."""


def add_up(first: Found, then: Found) -> Found:
    """Add two searches: the result of the later one, with the counts of both."""
    return evolve(
        then,
        nodes=first.nodes + then.nodes,
        leaves=first.leaves + then.leaves,
        table=first.table.plus(then.table),
    )


ANSWER: Final = U64(0xD1B54A32D192ED03)
SIZE: Final = U64(0x8BB84B93962EACC9)
"""The differences between the word of an answer, or of a size, and that of its position."""


@frozen
class Answer:
    """The result of a finished search: its depth, its value and leftmost optimal branch, or its
    size alone."""

    depth: int
    value: float
    branch: int = 0


def entries_of(engine: Engine, nearer: bool) -> tuple[Any, ...]:
    """Return the meaning of the table entries of alpha-beta searches; see `Table.claim`."""
    return engine, alphabeta.alphabeta, nearer


def answer_in(
    table: Table, engine: Engine, state: Any, nearer: bool, what: U64 = ANSWER
) -> Answer | None:
    """Look up the stored answer for a position, or its size; return None if there is none.

    Only a table that outlives its search has answers.
    """
    if not table.kept:
        return None
    word = hash_of(engine.game, state) ^ what
    entry, value = table.look_up(entries_of(engine, nearer), word)
    depth, branch = depth_in(entry), move_in(entry)
    return Answer(depth, plain(value), branch) if branch >= 0 else None


def keep_answer(
    table: Table, engine: Engine, state: Any, nearer: bool, answer: Answer, what: U64 = ANSWER
) -> None:
    """Store an answer or a size in a kept table, unless it has one of a greater depth.

    Requires: `answer` is what alpha-beta finds at that depth in an open window, or a size.
    """
    known = answer_in(table, engine, state, nearer, what)
    if not table.kept or (known is not None and known.depth > answer.depth):
        return
    found = answer.depth, EXACT, answer.branch, float(answer.value)
    table.store(entries_of(engine, nearer), hash_of(engine.game, state) ^ what, *found)
