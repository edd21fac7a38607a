"""The worked examples of the documents that the games and searches are based on."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, MAXIE, MINNIE, ExplicitGame, Pursuit, Tree, with_chance
from strategies import alphabeta, expectimax, jamboree, minimax, par_list, search, seq

pytestmark = pytest.mark.usefixtures("any_length")

THIRDS = with_chance(ExplicitGame.from_nested([[3, 12, 9], [2, 4, 6], [15, 6, 0]]), MINNIE)
"""Lecture notes on expectimax: three chance nodes, each branch with probability 1/3."""
BAGS = ExplicitGame.from_nested([[2, 7], [1, None]])
"""A lecture's bags and balls: the left bag's second ball is worse for MIN, the last is unknown."""
SIXTEEN = ExplicitGame.from_nested(
    [[[[8, 7], [3, None]], [[9, 8], [None, None]]], [[[2, 4], [1, None]], [[None] * 2] * 2]]
)
"""The lecture's exercise with sixteen leaves. It gives 8, 7 and 3, and says that the fourth, the
seventh and the eighth are pruned; the other values were chosen to fit this reasoning."""
STRATEGIES = [seq, jamboree(1).to_ply(2), jamboree(1).everywhere]


def test_means_of_thirds() -> None:
    start = THIRDS.start()
    means = [
        search(
            THIRDS, expectimax(depth=1), state=THIRDS.make_move(start, move), engine="interpreted"
        )
        .compute()
        .value
        for move in THIRDS.moves(start)
    ]
    assert means == pytest.approx([8, 4, 7])
    found = search(THIRDS, expectimax(depth=2), engine="interpreted").compute()
    assert found.move == 0
    assert found.value == pytest.approx(8)


SHAPES = st.recursive(
    st.integers(-9, 9), lambda inner: st.lists(inner, min_size=1, max_size=3), max_leaves=20
)


@given(SHAPES.filter(lambda shape: isinstance(shape, list)))
def test_a_minimiser_equals_chance_with_one_certain_outcome(shape: Any) -> None:
    """On any tree, replace each min node by a chance node whose only outcome is its least child."""

    def value(node: Any, least: bool) -> int:
        if isinstance(node, int):
            return node
        values = [value(child, not least) for child in node]
        return min(values) if least else max(values)

    def certain(node: Any, least: bool) -> Tree:
        if isinstance(node, int):
            return Tree(value=node)
        if least:
            lowest = min(node, key=lambda child: value(child, False))
            return Tree("", CHANCE, (certain(lowest, False),), chances=(1.0,))
        return Tree("", MAXIE, tuple(certain(child, True) for child in node))

    chance = search(ExplicitGame.from_tree(certain(shape, False)), expectimax(depth=12),
                    engine="interpreted").compute()  # fmt: skip
    plain = search(
        ExplicitGame.from_nested(shape), minimax(depth=12), engine="interpreted"
    ).compute()
    assert (chance.move, chance.value) == (plain.move, plain.value)


@pytest.mark.parametrize("using", STRATEGIES, ids=str)
@pytest.mark.parametrize(("game", "depth", "value"), [(BAGS, 2, 2), (SIXTEEN, 4, 7)])
def test_pruned_leaves_are_never_evaluated(
    game: ExplicitGame, depth: int, value: int, using: Any
) -> None:
    """An unknown leaf raises an error if it is estimated; these searches raise none."""
    found = search(game, alphabeta(depth=depth), using=using).compute()
    assert (found.move, found.value) == (0, value)


def test_a_search_without_pruning_raises_at_an_unknown_leaf() -> None:
    with pytest.raises(Exception, match="this node has no value to estimate"):
        search(BAGS, minimax(depth=2), using=par_list).compute()


@pytest.mark.parametrize("unseen", [-100, 0, 5, 100])
def test_the_result_does_not_depend_on_pruned_leaves(unseen: int) -> None:
    known = ExplicitGame.from_nested([[2, 7], [1, unseen]])
    assert search(known, minimax(depth=2)).compute().value == 2


def test_decisions_on_the_line_agree_with_the_report() -> None:
    """Minimax walks into the antagonist; expectimax takes the chance that it steps back twice."""
    game = Pursuit.line()
    given_up = search(game, minimax(depth=8), engine="interpreted").compute()
    assert (game.move_text(game.start(), given_up.move), given_up.value) == ("right", -4)
    hopeful = search(with_chance(game, MINNIE), expectimax(depth=8), engine="interpreted").compute()
    assert game.move_text(game.start(), hopeful.move) == "right"
    assert hopeful.value > 2000


def test_next_to_the_antagonist_minimax_and_expectimax_differ() -> None:
    """Minimax expects to be touched, and ends it at once; expectimax steps back and hopes."""
    game = Pursuit.line()
    beside = game.parse_state(". . P A G .")
    given_up = search(game, minimax(depth=8), state=beside, engine="interpreted").compute()
    assert (game.move_text(beside, given_up.move), given_up.value) == ("right", -1)
    hopeful = search(
        with_chance(game, MINNIE), expectimax(depth=8), state=beside, engine="interpreted"
    ).compute()
    assert game.move_text(beside, hopeful.move) == "left"
