"""The user-defined strategy of docs/strategies.md keeps the laws."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import ExplicitGame
from strategies import Strategy, alphabeta, jamboree, par_list, search
from strategies.algebra.groups import Group
from strategies.algebra.strategy import ListStrategy
from strategies.algorithms.fold import OPEN
from tests.properties import examples
from tests.strategies.given import brute, seen, trees, watched
from tests.strategies.spec import spec


@frozen
class Waves(ListStrategy):
    """Search waves of 1, 2, 4, … branches, each in parallel after the previous wave."""

    def groups(self, n: int) -> tuple[Group, ...]:
        row: list[Group] = []
        start = 0
        while start < n:
            stop = min(2 * start + 1, n)
            row += [Group(i, i + 1, start) for i in range(start, stop)]
            start = stop
        return tuple(row)


WAVES = Waves()
FIXED = (WAVES, WAVES.everywhere, WAVES.to_ply(2), WAVES(jamboree(0.5)), par_list(WAVES))
RUNS: tuple[dict[str, Any], ...] = (
    {"scheduler": "sync"}, {"scheduler": "threads", "num_workers": 2}, {"num_workers": 2},
)  # fmt: skip


@given(trees(chance=True), st.sampled_from(FIXED), st.sampled_from(RUNS), st.booleans())
@examples(20)
def test_value_move_windows_and_counts(
    game: ExplicitGame, using: Strategy, run: dict[str, Any], live: bool
) -> None:
    seen()
    answer = search(watched(game), alphabeta(9), using=using.live() if live else using)
    found = answer.compute(**run)
    visited = sorted(seen())
    value, move = brute(game, game.start(), 9)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.move == move
    assert found.sparks.balanced()
    assert len(found.records) == len(answer.tasks())
    leaves: list[int] = []
    spec(game, game.start(), 9, using, OPEN, leaves)
    if not live:
        assert visited == sorted(leaves)
    elif run.get("num_workers", 1) == 1:
        assert len(visited) <= len(leaves)


@given(trees(chance=True), st.sampled_from(FIXED))
@examples(15)
def test_with_live_windows_on_one_worker_it_equals_alphabeta(
    game: ExplicitGame, using: Strategy
) -> None:
    seen()
    search(watched(game), alphabeta(9)).compute(num_workers=1)
    plain = sorted(seen())
    search(watched(game), alphabeta(9), using=using.live()).compute(num_workers=1)
    assert sorted(seen()) == plain
