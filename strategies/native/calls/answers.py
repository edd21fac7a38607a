"""Answers of deepening searches, stored in a kept table, so that a search can continue another day.

An answer is one more entry, under a word of its own: the depth to which a position was searched,
its value, and its leftmost optimal move.  The entry of the position itself does not suffice: if it
was stored inside another search, its move need not be the leftmost.  A search that continues begins
above the depth of the answer.  To repeat the finished depths would replace the entries that the
interrupted depth had stored.

Another such entry is the size of a searched position, the number of nodes that were visited: by
sizes, a search that continues is split.  They do not affect values, so one that is wrong or lost
costs time at worst.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from games.u64 import U64
from strategies.native.engine import Engine, plain
from strategies.native.hooks import hash_of
from strategies.native.kernels import alphabeta
from strategies.native.memory.transposition_table import EXACT, Table, depth_in, move_in

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
