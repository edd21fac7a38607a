"""Traces of pruning at chance nodes and of max^n show the search that is made."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from games import Estimate, Pig
from games.pig.rules import PigForMany
from strategies import Strategy, expectimax, jamboree, maxn, par_list, search, seq
from tests.properties import examples

PLACES = st.integers(0, 5)


@given(
    PLACES, PLACES, st.integers(0, 3), st.integers(1, 4),
    st.sampled_from(["star1", "star2"]), st.sampled_from([seq, par_list.to_ply(1), jamboree(0.5)]),
)  # fmt: skip
@examples(60)
def test_star_pruning(
    first: int, second: int, brought: int, depth: int, pruning: str, using: Strategy
) -> None:
    game = Pig(target=6, sides=3)
    state = evolve(game.start(), totals=(first, second), brought=brought)
    asked = search(
        game, expectimax(depth, pruning=pruning), state=state, using=using, engine="interpreted"
    )
    found = asked.compute(num_workers=1)
    lines = asked.trace()
    assert any(f"is {Estimate(found.value)}" in line for line in lines[-3:])
    if using == seq:
        assert f"Terminals visited: {found.leaves}" in lines


@given(PLACES, PLACES, PLACES, st.integers(1, 4))
@examples(40)
def test_several_players(first: int, second: int, third: int, depth: int) -> None:
    game = PigForMany(target=6, sides=3)
    state = evolve(game.start(), totals=(first, second, third))
    asked: Any = search(game, maxn(depth), state=state, engine="interpreted")
    found, lines = asked.compute(), asked.trace()
    assert f"Terminals visited: {found.leaves}" in lines
    assert not any(" with ab=" in line for line in lines)
    if found.move is not None:
        assert lines[-1].startswith(f"Overall choice: move {found.line_branches[0]}")


def test_a_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="trace without a limit"):
        search(Pig(), expectimax(3), time=1).trace()
