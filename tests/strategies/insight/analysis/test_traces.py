"""A trace shows what a run does, where windows do not depend on timing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import ExplicitGame, TicTacToe
from strategies import abdada, alphabeta, jamboree, par_list_chunk, scout, search, seq
from strategies.algorithms.errors import AlgorithmError
from tests.properties import examples
from tests.strategies.given import searches, trees

fixed = st.sampled_from([seq, jamboree(0.5), scout, scout.everywhere, par_list_chunk(2)])
usings = st.builds(lambda s, plies: s.to_ply(plies), fixed, st.integers(0, 4))


@given(trees(), usings | searches(live=False))
@examples(80)
def test_a_trace_visits_the_leaves_of_the_run_and_has_its_value_and_move(
    game: ExplicitGame, using: Any
) -> None:
    asked = search(game, alphabeta(6), using=using)
    found, lines = asked.compute(num_workers=1), asked.trace()
    assert lines[-3].endswith(f"is {found.estimate}, and best move is {found.move}.")
    assert lines[-2] == f"Terminals visited: {found.leaves}"


def test_the_threads_of_a_driver_are_not_traced() -> None:
    with pytest.raises(AlgorithmError, match=r"threads of abdada\(workers=2\) share one table"):
        search(TicTacToe(), alphabeta(3), using=abdada(workers=2)).trace()
