"""Whole games whose positions and moves are texts that rules make.

Kernels overwrite the memory that they give back, so nothing that it holds is read later.
"""

from __future__ import annotations

from typing import Any

import pytest

from games import TicTacToe
from strategies import alphabeta, engine_for, mcts, par_list, search
from strategies.native.verification.parity import parity
from tests.strategies.native.spelled import Named, Nine

pytestmark = pytest.mark.usefixtures("poison")

GAMES = [Nine(), Named()]
SEARCHES = [
    (alphabeta(9), {}), (alphabeta(9, table="64kB"), {}), (mcts(300), {}),
    (alphabeta(9), {"using": par_list}),
]  # fmt: skip


def places(game: Any, move: Any) -> Any:
    """Return the cell of a move."""
    return move if isinstance(game, Nine) else "abc".index(move[0]) + 3 * int(move[1]) - 3


@pytest.mark.parametrize(
    ("game", "algorithm", "how"),
    [  # other kernels search texts in test_states_of_any_kind and test_first_written
        pytest.param(
            game, *how, marks=[pytest.mark.long] * (how in SEARCHES[1:3] or game == GAMES[0])
        )
        for game in GAMES
        for how in SEARCHES
    ],
    ids=str,
)
def test_a_search_is_that_of_pythons_and_of_bitboards(game: Any, algorithm: Any, how: Any) -> None:
    found, slow = (
        search(game, algorithm, engine=engine, **how).compute(num_workers=2)
        for engine in ("native", "interpreted")
    )
    assert (found.value, found.move, found.nodes) == (slow.value, slow.move, slow.nodes)
    assert type(found.move) is type(slow.move)
    if algorithm not in (SEARCHES[1][0], SEARCHES[2][0]):  # whose tables take other places
        known: Any = search(TicTacToe(), algorithm, engine="native", **how).compute(num_workers=2)
        assert (found.value, found.nodes) == (known.value, known.nodes)
        assert places(game, found.move) == known.move


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_positions_are_those_of_python(game: Any) -> None:
    native, slow = (engine_for(game, choice) for choice in ("native", "interpreted"))
    assert native.perft(game.start(), 9) == 127872
    if isinstance(game, Named):  # whose moves are texts, too
        assert parity(game) > 100
    for seed in range(9):
        assert native.playout(game.start(), seed) == slow.playout(game.start(), seed)


def test_a_position_may_have_letters_that_no_rule_names() -> None:
    state = "X.\U0001f600éO...."
    native, slow = (engine_for(Nine(), engine) for engine in ("native", "interpreted"))
    assert native.perft(state, 4) == slow.perft(state, 4)
    for seed in range(9):
        assert native.playout(state, seed) == slow.playout(state, seed)
