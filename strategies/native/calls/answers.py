"""Answers of deepening searches, in a table that is kept: what lets one go on another day.

An answer is one more entry, under a word of its own: to what depth a position was searched, its
value, and its leftmost optimal move.  The entry of the position itself would not do: its move need
not be the leftmost, where it was met inside another search.
A search that goes on begins above that depth.  To search the finished depths again would put their
entries in the places of those that the depth which was ended had left.
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
"""What the words of answers differ by from those of the positions themselves."""


@frozen
class Answer:
    """What a finished search found of a position: its depth, value and leftmost optimal branch."""

    depth: int
    value: float
    branch: int


def entries_of(engine: Engine, nearer: bool) -> tuple[Any, ...]:
    """Says what gives the table entries of alpha-beta searches their meaning; see `Table.claim`."""
    return engine, alphabeta.alphabeta, nearer


def answer_in(table: Table, engine: Engine, state: Any, nearer: bool) -> Answer | None:
    """Looks up the deepest answer that a table keeps of a position; None if there is none.

    Only a table that outlives its search has answers.
    """
    if not table.kept:
        return None
    entry, value = table.look_up(entries_of(engine, nearer), _word(engine, state))
    depth, branch = depth_in(entry), move_in(entry)
    return Answer(depth, plain(value), branch) if branch >= 0 else None


def keep_answer(table: Table, engine: Engine, state: Any, nearer: bool, answer: Answer) -> None:
    """Stores an answer, where a table is kept and has none as deep.

    Requires: `answer` is what alpha-beta finds at that depth in an open window.
    """
    known = answer_in(table, engine, state, nearer)
    if not table.kept or (known is not None and known.depth >= answer.depth):
        return
    found = answer.depth, EXACT, answer.branch, float(answer.value)
    table.store(entries_of(engine, nearer), _word(engine, state), *found)


def _word(engine: Engine, state: Any) -> U64:
    return hash_of(engine.game, state) ^ APART
