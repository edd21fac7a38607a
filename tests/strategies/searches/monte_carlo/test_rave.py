"""RAVE: moves count for the player who makes them, wherever they could be made later."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import MAXIE, MINNIE, ConnectFour, Game, Status
from strategies import mcts, search
from strategies.native.hooks import identity_of
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.control import kernel
from strategies.native.kernels.mcts_selection import (
    ENTRIES,
    KEY,
    back_up_moves,
    key_of,
    note_key,
    ply_of,
)
from strategies.native.kernels.mcts_tree import (
    AMAF,
    BRANCHES,
    CONTROL,
    GUIDES,
    LINKS,
    NOTES,
    PATH,
    REWARD,
    THREADS,
    TOTAL,
    VISITS,
)
from strategies.native.memory.cells import cells


@frozen
class Picks:
    taken: tuple[int, ...]


@frozen
class Pick(Game[Picks, tuple[int, str]]):
    """Both players pick numbers, each once; Maxie wins if she has the key, in `order`."""

    order: tuple[int, ...] = (3, 0, 1, 2)
    key: int = 0

    def start(self) -> Picks:
        return Picks(())

    def status(self, state: Picks) -> Status:
        if len(state.taken) < len(self.order):
            return Status.IN_PLAY
        mine = self.key in state.taken[::2]
        return Status.MAXIE_WINS if mine else Status.MINNIE_WINS

    def player(self, state: Picks) -> int:
        return len(state.taken) % 2

    def moves(self, state: Picks) -> Iterator[tuple[int, str]]:
        for number in self.order:
            if number not in state.taken:
                yield number, "n"

    def make_move(self, state: Picks, move: tuple[int, str]) -> Picks:
        return Picks((*state.taken, move[0]))


def test_moves_count_for_the_player_who_makes_them_wherever_they_are_made() -> None:
    """Two simulations of the first move tell RAVE about the others, so the key is visited most."""
    found = search(Pick(), mcts(12, rave=1e9, c=0), engine="interpreted").compute()
    assert found.move == (0, "n")


@kernel
def second_key(game: Any, state: Any, control: Any) -> int:
    """Return the key of the second move."""
    key = 0
    for number, move in enumerate(game.moves(state)):
        if number == 1:
            key = key_of(game, move, 0)
    return key


def test_both_engines_know_moves_by_the_same_keys() -> None:
    game = Pick()
    native, interpreted = (
        engine_for(game, engine).call(second_key, game.start(), cells(1))
        for engine in ("native", "interpreted")
    )
    assert native == interpreted == key_of(game, (0, "n"), 0)


notes = st.tuples(st.integers(0, 5), st.integers(1, 3), st.integers(0, 99))


@given(st.lists(notes, max_size=40))
def test_notes_are_those_of_one_simulation(noted: list[tuple[int, int, int]]) -> None:
    """Keys of the same entry are told apart, and those of earlier simulations are forgotten."""
    control = cells(CONTROL + 2 * ENTRIES)
    control[NOTES] = CONTROL
    noted = [((k // 2) * ENTRIES + ENTRIES - k % 2, s, p) for k, s, p in noted]
    noted.sort(key=lambda note: note[1])
    last: dict[tuple[int, int], int] = {}
    for key, simulation, ply in noted:
        note_key(control, key, simulation, ply)
        last[key, simulation] = ply
        for other in {k for k, _, _ in noted}:
            assert ply_of(control, other, simulation) == last.get((other, simulation), -1)


def test_keys_tell_moves_and_players_apart() -> None:
    game = Pick()
    moves: list[Any] = [0, 1, -1, 2**62, (0, 1), (1, 0), (0, 0, 1), "a", 0.5]
    keys = {key_of(game, move, player) for move in moves for player in range(3)}
    assert len(keys) == 3 * len(moves)
    assert all(0 < key < 2**63 for key in keys)
    assert identity_of(game, True) == identity_of(game, 1)  # as they are equal


def test_a_move_without_a_hash_is_refused_in_one_sentence() -> None:
    with pytest.raises(Exception, match=r"^rave knows a move by its hash.*leave out rave$"):
        identity_of(ConnectFour(), object())


def test_moves_count_where_they_could_have_been_made_later() -> None:
    """Keys 5 and 7 are made at plies 0 and 1: from ply 1 on, only 7 could still have been made."""
    control, table = cells(CONTROL + 2 * ENTRIES), cells(400)
    control[NOTES], control[GUIDES], control[AMAF], control[THREADS] = CONTROL, 100, 200, 1
    control[REWARD + MAXIE], control[REWARD + MINNIE] = 10, 4
    for node, first in ((0, 8), (8, 16)):
        table[LINKS + node] = first * BRANCHES + 2
    keys = {8: 5, 10: 7, 16: 7, 18: 5}
    for node, key in keys.items():
        table[100 + node + KEY] = key
    for level, (node, mover) in enumerate(((0, MAXIE), (8, MAXIE), (16, MINNIE))):
        control[PATH + 2 * level], control[PATH + 2 * level + 1] = node, mover
    note_key(control, 5, 1, 0)
    note_key(control, 7, 1, 1)
    back_up_moves(control, table, 2, 1)
    assert [table[200 + node + VISITS] for node in keys] == [1, 1, 1, 0]
    assert [table[200 + node + TOTAL] for node in keys] == [10, 10, 10, 0]
