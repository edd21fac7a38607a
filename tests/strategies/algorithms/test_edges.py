"""The values of the handout: their order, and Jamboree written with them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import Estimate, ExplicitGame, Status
from strategies import jamboree, minimax, search
from strategies.algebra.combinators import share
from strategies.algebra.strategy import unfolded
from strategies.algorithms.edges import (
    INITIAL_AB,
    Leaf,
    Step,
    Value,
    max_alpha,
    min_beta,
    move_of,
    split_moves,
    value_cmp,
    value_of,
)
from tests.properties import examples
from tests.strategies.given import trees

VALUES = st.builds(Estimate, st.integers(-3, 3)).flatmap(
    lambda e: st.one_of(st.just(Leaf(e)), st.integers(0, 3).map(lambda m: Step(m, e)))
)


@given(VALUES, VALUES)
def test_the_greater_and_the_smaller_of_two(a: Value, b: Value) -> None:
    greatest, least = max_alpha(a, b), min_beta(a, b)
    assert value_of(greatest) == max(value_of(a), value_of(b))
    assert value_of(least) == min(value_of(a), value_of(b))
    if value_cmp(a, b) == 0:
        step = a if isinstance(a, Step) else b
        assert greatest == least == (step if isinstance(step, Step) else a)
    assert value_cmp(INITIAL_AB[0], a) < 0 < value_cmp(INITIAL_AB[1], a)
    assert value_cmp(a, b) == -value_cmp(b, a)


def test_moves() -> None:
    assert move_of(Step(2, Estimate(1))) == 2
    with pytest.raises(ValueError, match=r"Leaf\(Guess: 1\) has no move"):
        move_of(Leaf(Estimate(1)))


@given(trees(width=7), st.sampled_from([0, 0.1, 0.29, 0.5, 0.57, 1]))
def test_moves_are_split_as_jamboree_splits_them(game: ExplicitGame, p: float) -> None:
    first, rest = split_moves(game, game.start(), p)
    moves = tuple(game.moves(game.start()))
    assert first + rest == moves
    assert len(first) == int(share(p).of * len(moves))
    groups = unfolded(jamboree(p), "max", len(moves)).groups
    assert sum(g.stop - g.start for g in groups if g.after == g.start) >= min(len(first), 1)


def folded(game: Any, depth: int, state: Any) -> Value:
    """Return the value of a position by minimax, written with the values of the handout."""
    if depth == 0 or game.status(state) != Status.IN_PLAY:
        value = game.estimate if game.status(state) == Status.IN_PLAY else game.utility
        return Leaf(Estimate(value(state)))
    better, best = (
        (max_alpha, INITIAL_AB[0]) if game.player(state) == 0 else (min_beta, INITIAL_AB[1])
    )
    for move in game.moves(state):
        found = folded(game, depth - 1, game.make_move(state, move))
        best = better(best, Step(move, value_of(found)))
    return best


@pytest.mark.usefixtures("any_length")
@given(trees(), st.integers(1, 4))
@examples(60)
def test_a_fold_of_them_is_minimax(game: ExplicitGame, depth: int) -> None:
    found = folded(game, depth, game.start())
    known = search(game, minimax(depth, nearer_wins=False)).compute()
    assert (move_of(found), value_of(found)) == (known.move, Estimate(known.value))
