"""At depth 0 a search returns the estimate of its position, without a move or a child."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from games import ExplicitGame
from strategies import alphabeta, expectimax, minimax, mtdf, paranoid, pvs
from strategies import search as searched
from strategies.algebra.strategy import Strategy
from tests.properties import examples
from tests.strategies.given import RUNS, brute, searches, trees

ALGORITHMS = (
    alphabeta(0), alphabeta(0, nearer_wins=False), minimax(0), pvs(0), mtdf(0), paranoid(0),
    expectimax(0), expectimax(0, table="4kB"),
)  # fmt: skip


@given(
    trees(wins=True, floats=True), st.sampled_from(ALGORITHMS), searches(scouts=False),
    st.sampled_from(RUNS),
)  # fmt: skip
@examples(30)
def test_the_result_is_the_estimate_of_the_position(
    game: ExplicitGame, algorithm: Any, using: Strategy, run: dict[str, Any]
) -> None:
    state = game.start()
    found = searched(game, algorithm, using=using, engine="interpreted").compute(**run)
    assert (found.value, found.move, found.line) == (*brute(game, state, 0), ())
    assert (found.nodes, found.leaves, found.sparks.asked) == (1, 1, 0)
