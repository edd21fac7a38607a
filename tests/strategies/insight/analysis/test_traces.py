"""A trace shows what a run does, where windows do not depend on timing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import ExplicitGame, TicTacToe, Tree
from strategies import abdada, alphabeta, jamboree, maxn, par_list_chunk, scout, search, seq
from strategies.algorithms.errors import AlgorithmError
from strategies.insight.analysis.trace_steps import told
from strategies.running.records.wording import bound
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


NUMBERS = st.integers(-(10**14), 10**14) | st.floats(-1e14, 1e14)
PAYOFFS = st.tuples(NUMBERS, NUMBERS, NUMBERS)


@given(st.lists(st.tuples(PAYOFFS, PAYOFFS), min_size=1, max_size=3))
@examples(80)
def test_payoffs_are_told_in_full_as_the_result_tells_them(payoffs: Any) -> None:
    """Those of several players, of any size; where texts are rounded, each part is still one."""
    below = [Tree("n", 1, (Tree("l", value=p), Tree("r", value=q))) for p, q in payoffs]
    asked = search(
        ExplicitGame.from_tree(Tree("root", 0, tuple(below))), maxn(2), engine="interpreted"
    )
    found, lines = asked.compute(), asked.trace()
    assert lines[-3].endswith(f"is {found.estimate}, and best move is {found.move}.")
    every = {p for pair in payoffs for p in pair}
    assert set(re.findall(r"Guess: \(.*?\)", "\n".join(lines))) <= {str(told(p)) for p in every}
    for payoff in every:
        parts = bound(payoff)[1:-1].split(",")
        for part, alone in zip(parts, map(bound, payoff), strict=True):
            assert part.strip() == alone.replace(",", "")


def test_the_threads_of_a_driver_are_not_traced() -> None:
    with pytest.raises(AlgorithmError, match=r"threads of abdada\(workers=2\) share one table"):
        search(TicTacToe(), alphabeta(3), using=abdada(workers=2)).trace()
