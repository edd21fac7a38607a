"""The traces and counts of the handout on Jamboree(p)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games import HANDOUT_BIG, HANDOUT_FIRST, HANDOUT_SMALL
from games.explicit import ExplicitGame
from strategies import alphabeta, jamboree, minimax, search, seq
from strategies.algebra.strategy import Strategy
from tests.strategies.given import seen, watched

FIGURES = Path(__file__).parent / "figures"
CASES = [
    ("big_alphabeta", HANDOUT_BIG, 4, seq),
    ("small_jamboree", HANDOUT_SMALL, 2, jamboree(0.5).everywhere),
    ("small_alphabeta", HANDOUT_SMALL, 2, seq),
]


@pytest.mark.parametrize(("name", "game", "depth", "strategy"), CASES)
def test_a_trace_has_the_states_windows_results_and_cutoffs_of_the_figure(
    name: str, game: ExplicitGame, depth: int, strategy: Strategy
) -> None:
    figure = (FIGURES / f"{name}.txt").read_text().splitlines()
    trace = search(game, alphabeta(depth), using=strategy).trace()

    def told(lines: list[str]) -> list[str]:
        return [x for x in lines if not x.startswith(("Estimating", "Therefore", "Overall"))]

    assert told(trace) == told(figure)
    for start in ("Therefore", "Overall", "Estimating"):
        line = [x for x in figure if x.startswith(start)]
        assert not line or line == [x for x in trace if x.startswith(start)]


@pytest.mark.parametrize(
    ("game", "depth", "read"),
    [
        (HANDOUT_BIG, 4, ["e[3]", "f[5]", "h[2]", "l[10]", "m[4]", "q[2]"]),
        (HANDOUT_SMALL, 2, ["c[3]", "d[6]", "e[-2]", "g[6]", "h[4]", "i[10]", "k[1]"]),
        (HANDOUT_FIRST, 2, ["c[3]", "d[5]", "f[2]"]),
    ],
)
@pytest.mark.parametrize("using", [seq, jamboree(1).everywhere])
def test_leaves_are_estimated_in_the_order_of_the_transcripts(
    game: ExplicitGame, depth: int, read: list[str], using: Strategy
) -> None:
    tree = watched(game)
    seen()
    found = search(tree, alphabeta(depth), using=using).compute(num_workers=1)
    assert [game.show(type(game.start())(i)) for i in seen()] == read
    assert found.leaves == len(read)
    lines = search(game, alphabeta(depth), using=using).trace()
    assert [x.split()[-1] for x in lines if x.startswith("Estimating")] == read


@pytest.mark.parametrize(
    ("game", "depth", "using", "answer"),
    [
        (HANDOUT_BIG, 4, seq, (0, 3, 6)),
        (HANDOUT_BIG, 4, jamboree(0.5).everywhere, (0, 3, 6)),
        (HANDOUT_BIG, 4, jamboree(0).everywhere, (0, 3, 12)),
        (HANDOUT_SMALL, 2, seq, (1, 4, 7)),
        (HANDOUT_SMALL, 2, jamboree(0.5).everywhere, (1, 4, 9)),
        (HANDOUT_FIRST, 2, seq, (0, 3, 3)),
    ],
)
@pytest.mark.usefixtures("any_length")
@pytest.mark.parametrize("engine", ["native", "interpreted"])
def test_move_value_and_terminals(
    game: ExplicitGame, depth: int, using: Strategy, answer: tuple[int, int, int], engine: str
) -> None:
    found = search(game, alphabeta(depth), using=using, engine=engine).compute()
    assert (found.move, found.value, found.leaves) == answer
    assert isinstance(found.value, int)


def test_estimating_a_node_without_an_estimate_raises() -> None:
    with pytest.raises(Exception, match="this node has no value to estimate"):
        search(HANDOUT_BIG, alphabeta(3)).compute()
    with pytest.raises(Exception, match="this node has no value to estimate"):
        search(HANDOUT_FIRST, minimax(2)).compute()


def test_the_error_of_a_trace_names_the_state_without_a_value() -> None:
    bad: Any = HANDOUT_BIG
    with pytest.raises(ValueError, match="this node has no value to estimate"):
        search(bad, alphabeta(3)).trace()
