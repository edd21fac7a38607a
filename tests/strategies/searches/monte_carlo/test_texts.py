"""Monte Carlo tree search as text: what is printed, read back and refused."""

from __future__ import annotations

import pytest

from games import ConnectFour
from strategies import AlgorithmError, SearchAgent, mcts, parse_algorithm, search

FOUR = ConnectFour()  # whose trees other tests grow in machine code, too


def test_algorithms_print_and_parse() -> None:
    for algorithm in (
        mcts(),
        mcts(7, c=0.5, seed=2, rollout=3, trees=2, memory="1MB"),
        mcts(threads=2),
        mcts(rollout="policy"),
        mcts(allocate="puct", fpu=-0.25, rave=50, reuse=True),
        mcts(fpu=0, rave=0.5),
    ):
        assert parse_algorithm(repr(algorithm)) == algorithm
    assert SearchAgent.parse("mcts(9)").next_move(FOUR, FOUR.start()) in range(7)


@pytest.mark.parametrize(
    "text",
    ["mcts(simulations=0)", "mcts(rollout='x')", "mcts(allocate='x')", "mcts(c=-1)", "mcts(x=1)",
     "mcts(memory='1kB')", "mcts(trees=0)", "mcts(rave=-1)", "mcts(fpu='x')"],
)  # fmt: skip
def test_wrong_texts_are_refused(text: str) -> None:
    with pytest.raises(
        AlgorithmError, match=r"mcts|rave|fpu|whole number|rollout|allocate|memory|c must"
    ):
        parse_algorithm(text)
    with pytest.raises(AlgorithmError, match="mcts takes no limit of nodes"):
        search(ConnectFour(), mcts(), nodes=5)
