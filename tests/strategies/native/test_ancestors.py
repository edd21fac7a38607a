"""A thread that searches with others returns to a node that another has settled."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from attrs import field, frozen

from games import MAXIE, MINNIE, Game, Status
from games.u64 import U64
from strategies import engine_for
from strategies.native.calls.alphabeta import Found, entries_of, search_alphabeta
from strategies.native.hashing import mix
from strategies.native.hooks import hash_of
from strategies.native.kernels.ancestors import AT, ROOM, enter, returns
from strategies.native.memory.cells import cells
from strategies.native.memory.transposition_table import (
    COUNTERS,
    EXACT,
    LOWER,
    UPPER,
    Table,
    depth_in,
    kind_in,
    move_in,
)

DEPTH = 7
NODE = (2,)
"""A node on which another thread works, too; the search of it has a null window."""


@frozen
class Words(Game[tuple[int, ...], int]):
    """Two players add 0, 1 or 2 to a word; its value is pseudorandom."""

    watch: Callable[[tuple[int, ...]], None] = field(default=lambda _: None, eq=False, repr=False)
    """A function that gets each word whose moves are asked for."""

    def start(self) -> tuple[int, ...]:
        return ()

    def status(self, state: tuple[int, ...]) -> Status:
        return Status.IN_PLAY

    def player(self, state: tuple[int, ...]) -> int:
        return MINNIE if len(state) % 2 else MAXIE

    def moves(self, state: tuple[int, ...]) -> Iterator[int]:
        self.watch(state)
        return iter((0, 1, 2))

    def make_move(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def estimate(self, state: tuple[int, ...]) -> int:
        word = U64(len(state))
        for move in state:
            word = mix(word ^ U64(move + 1))
        return int(word % 100)


def searched(game: Words, table: Table, *, scouts: bool) -> Found:
    return search_alphabeta(
        engine_for(game, "interpreted"), table, (), DEPTH, scouts=scouts, orders=True, marks=True
    )


@pytest.mark.parametrize("scouts", [True, False])
def test_it_returns_at_once_and_with_the_same_result(scouts: bool) -> None:
    """The other thread settles the node while this one is four plies above the leaves."""
    full = Table("1MB")
    engine = engine_for(Words(), "interpreted")
    alone = searched(Words(), full, scouts=scouts)
    owner, word = entries_of(engine, True), hash_of(Words(), NODE)
    entry, value = full.look_up(owner, word)
    assert depth_in(entry) == DEPTH - 1

    table, later = Table("1MB"), list[tuple[int, ...]]()
    settled = returned = False

    def watch(state: tuple[int, ...]) -> None:
        nonlocal settled, returned
        inside = state[: len(NODE)] == NODE
        if settled:
            returned = returned or not inside or state == NODE  # searched again, for its value
            if not returned and len(state) <= DEPTH - 4:
                later.append(state)
        elif inside and len(state) == DEPTH - 3:
            settled = True
            table.store(owner, word, DEPTH - 1, kind_in(entry), move_in(entry), value)

    table.claim(owner)
    together = searched(Words(watch), table, scouts=scouts)
    assert settled
    assert later == []
    assert (together.value, together.line[0]) == (alone.value, alone.line[0])


@pytest.mark.parametrize(
    ("kind", "value", "depth", "settles"),
    [
        (EXACT, 5.0, 6, True),
        (LOWER, 7.0, 6, True),
        (LOWER, 5.0, 6, False),  # inside the window
        (UPPER, 3.0, 6, True),
        (UPPER, 5.0, 6, False),
        (EXACT, 5.0, 5, False),  # of a shallower search
        (EXACT, 5.0, 4, False),
    ],
)
def test_a_node_is_settled_by_an_entry_of_its_depth_that_ends_its_window(
    kind: int, value: float, depth: int, settles: bool
) -> None:
    table, control, first = Table("4kB"), cells(COUNTERS + ROOM), COUNTERS
    table.enter(control, "tests")
    word = U64(1 << 63)
    enter(control, first, 6, word, 4.0, 6.0)
    table.store("tests", word, depth, kind, 2, value)
    assert returns(table.cells, control, first, 4, 8) == settles
    assert (control[first + AT] == 6) == settles
    assert not returns(table.cells, control, first, 6, 8)  # it is not above itself
    enter(control, first, 6, U64(0), 4.0, 6.0)
    assert not returns(table.cells, control, first, 4, 8)  # nothing is recorded
