"""Answers of deepening searches, stored in a kept table, so that a search can continue another day.

An answer is one more entry, under a word of its own: the depth to which a position was searched,
its value, and its leftmost optimal move.  The entry of the position itself does not suffice: if it
was stored inside another search, its move need not be the leftmost.  A search that continues begins
above the depth of the answer.  To repeat the finished depths would replace the entries that the
interrupted depth had stored.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from games.u64 import U64
from strategies.native.engine import Engine, plain
from strategies.native.hooks import hash_of
from strategies.native.kernels import alphabeta
from strategies.native.memory.transposition_table import EXACT, Table, depth_in, move_in

APART: Final = U64(0xD1B54A32D192ED03)
"""The difference between the word of an answer and that of its position."""


@frozen
class Answer:
    """The result of a finished search: its depth, value and leftmost optimal branch."""

    depth: int
    value: float
    branch: int


def entries_of(engine: Engine, nearer: bool) -> tuple[Any, ...]:
    """Return the meaning of the table entries of alpha-beta searches; see `Table.claim`."""
    return engine, alphabeta.alphabeta, nearer


def answer_in(table: Table, engine: Engine, state: Any, nearer: bool) -> Answer | None:
    """Look up the stored answer for a position; return None if there is none.

    Only a table that outlives its search has answers.
    """
    if not table.kept:
        return None
    entry, value = table.look_up(entries_of(engine, nearer), _word(engine, state))
    depth, branch = depth_in(entry), move_in(entry)
    return Answer(depth, plain(value), branch) if branch >= 0 else None


def keep_answer(table: Table, engine: Engine, state: Any, nearer: bool, answer: Answer) -> None:
    """Store an answer in a kept table, unless it has one of the same or a greater depth.

    Requires: `answer` is what alpha-beta finds at that depth in an open window.
    """
    known = answer_in(table, engine, state, nearer)
    if not table.kept or (known is not None and known.depth >= answer.depth):
        return
    found = answer.depth, EXACT, answer.branch, float(answer.value)
    table.store(entries_of(engine, nearer), _word(engine, state), *found)


def _word(engine: Engine, state: Any) -> U64:
    return hash_of(engine.game, state) ^ APART
