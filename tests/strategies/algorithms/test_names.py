"""Algorithms as text, and agents that play by them: what is refused, and with which message."""

import pytest

from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.names import parse_algorithm
from strategies.players.search_agent import SearchAgent


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("expectimax(depth=3, foo=1)", "unexpected keyword argument 'foo'"),
        ("alphabeta(3, depth=4)", "multiple values for argument 'depth'"),
        ("alphabeta(depth=3, depth=4)", "depth is given twice"),
        ("alphabeta(1000000000)", "depth must be a whole number from 0 to 1,000,000"),
        ("alphabeta(1000000000)", "from 0 to 1,000,000, not 1000000000"),
        ("minimax", "missing a required argument: 'depth'"),
        ("par_list", "par_list is a strategy, not an algorithm"),
        ("rpar", "rpar is a strategy, not an algorithm"),
    ],
)
def test_bad_texts_are_refused_with_a_clear_message(text: str, said: str) -> None:
    with pytest.raises(AlgorithmError, match=said.replace("(", r"\(")) as caught:
        parse_algorithm(text)
    assert "\n" not in str(caught.value)


def test_an_agent_needs_an_algorithm() -> None:
    with pytest.raises(TypeError, match="an agent needs an algorithm"):
        SearchAgent(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"write SearchAgent.parse\('pvs\(3\)'\)"):
        SearchAgent("pvs(3)")  # type: ignore[arg-type]
