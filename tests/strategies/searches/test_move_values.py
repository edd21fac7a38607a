"""The values of moves are those of searches below them, and the best ones lead to the result."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import ExplicitGame, Othello, Pig, TicTacToe
from games.pig.rules import PigForMany
from strategies import (
    Strategy,
    alphabeta,
    expectimax,
    jamboree,
    maxn,
    minimax,
    mtdf,
    par_list,
    pvs,
    search,
    seq,
)
from strategies.algorithms.algorithm import Algorithm
from tests.properties import examples
from tests.strategies.given import brute, trees

ALGORITHMS = (minimax(9), alphabeta(9), expectimax(9), alphabeta(9, table="4kB"), pvs(9), mtdf(9))
USING = (seq, par_list.to_ply(1), jamboree(0.5).to_ply(2))


@given(trees(chance=True), st.sampled_from(ALGORITHMS), st.sampled_from(USING))
@examples(60)
def test_each_value_is_that_of_the_position_after_the_move(
    game: ExplicitGame, algorithm: Algorithm, using: Strategy
) -> None:
    found = search(game, algorithm, using=using, engine="interpreted").compute(num_workers=1)
    state = game.start()
    wanted = {m: brute(game, game.make_move(state, m), 8)[0] for m in game.moves(state)}
    every = found.values(num_workers=1)
    assert {row.move: pytest.approx(row.value) for row in every} == wanted
    assert [row.value for row in every] == sorted(wanted.values(), reverse=game.player(state) == 0)
    assert every.best[0] == found.move
    only = found.values("best", num_workers=1)
    assert only.best == every.best == tuple(row.move for row in only)
    assert {row.value for row in only} == {found.value}
    assert only.rows[0].texts == every.rows[0].texts == tuple(found.line_texts)


def test_null_windows_find_the_best_moves_with_fewer_nodes() -> None:
    found = search(Othello(), alphabeta(5)).compute()
    only, every = found.values("best"), found.values()
    assert only.best == every.best
    assert only.nodes < every.nodes


def test_each_of_several_players_has_own_best_moves() -> None:
    game = PigForMany(target=20)
    state = game.parse_state("0 7 19, Player2 has brought 2")
    found = search(game, maxn(3), state=state, engine="interpreted").compute()
    every = found.values()
    assert every.best[0] == found.move
    assert every[found.move] == pytest.approx(found.value)


@pytest.mark.parametrize("player", range(3))
@pytest.mark.parametrize("using", USING)
def test_moves_are_equally_good_if_the_mover_gets_the_same(player: int, using: Strategy) -> None:
    leaves = (1, 3, 3), (4, 1, 2), (4, 2, 1), (4, 4, 4), (2, 4, 4)
    tree: Any = list(leaves)
    for _ in range(player):
        tree = [tree]
    game = ExplicitGame.from_nested(tree)
    state = game.parse_state(" ".join("0" * player))
    answer = search(game, maxn(1), using=using, state=state, engine="interpreted")
    found = answer.compute(num_workers=1)
    most = max(leaf[player] for leaf in leaves)
    wanted = tuple(move for move, leaf in enumerate(leaves) if leaf[player] == most)
    assert found.values(num_workers=1).best == wanted
    assert found.values("best", num_workers=1).best == wanted
    assert wanted[0] == found.move


@given(st.permutations("123456789"), st.integers(2, 5), st.booleans())
@examples(30)
def test_moves_are_shown_alike_if_their_values_are_equal(
    cells: list[str], plies: int, nearer: bool
) -> None:
    """A win that takes longer is worth less, so the table has the plies to it."""
    game = TicTacToe()
    state = game.parse_state(" ".join(cells[:plies]))
    algorithm = alphabeta(9, nearer_wins=nearer)
    found = search(game, algorithm, state=state, engine="interpreted").compute(num_workers=1)
    if found.move is None:
        return
    rows = found.values(num_workers=1).rows
    assert len({row.told for row in rows}) == len({row.value for row in rows})
    assert {row.told for row in rows if row.move == found.move} == {
        algorithm.text_with_plies(found.value)
    }


def test_wrong_requests_are_refused() -> None:
    game = Pig(target=20)
    rolled: Any = game.make_move(game.start(), 0)
    with pytest.raises(ValueError, match="no moves to value: chance moves"):
        search(game, expectimax(3), state=rolled, engine="interpreted").compute().values()
    with pytest.raises(ValueError, match="which must be 'all' or 'best', not 'some'"):
        search(TicTacToe(), alphabeta(3), engine="interpreted").compute().values("some")
    found = search(TicTacToe(), pvs(3), nodes=1, engine="interpreted").compute(num_workers=1)
    for which in "all", "best":
        with pytest.raises(ValueError, match="no depth was finished within the limit"):
            found.values(which)
