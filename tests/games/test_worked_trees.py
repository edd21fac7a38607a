"""The worked examples of the documents that the games and searches were written after."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, MAXIE, MINNIE, ExplicitGame, Pursuit, Tree, with_chance
from strategies import alphabeta, expectimax, jamboree, minimax, par_list, search, seq

THIRDS = with_chance(ExplicitGame.from_nested([[3, 12, 9], [2, 4, 6], [15, 6, 0]]), MINNIE)
"""A notes page on expectimax: three chance nodes, each branch a third."""
BAGS = ExplicitGame.from_nested([[2, 7], [1, None]])
"""A lecture's bags and balls: the second ball of the left bag is worse for MIN, the last unseen."""
SIXTEEN = ExplicitGame.from_nested(
    [[[[8, 7], [3, None]], [[9, 8], [None, None]]], [[[2, 4], [1, None]], [[None] * 2] * 2]]
)
"""Its exercise of sixteen leaves.  Known are 8, 7 and 3, and that the fourth, the seventh and the
eighth are not looked at; the others that are read were chosen for the same reasoning."""
STRATEGIES = [seq, jamboree(1).to_ply(2), jamboree(1).everywhere]


def test_means_of_thirds() -> None:
    start = THIRDS.start()
    means = [
        search(THIRDS, expectimax(depth=1), state=THIRDS.make_move(start, move)).compute().value
        for move in THIRDS.moves(start)
    ]
    assert means == pytest.approx([8, 4, 7])
    found = search(THIRDS, expectimax(depth=2)).compute()
    assert found.move == 0
    assert found.value == pytest.approx(8)


SHAPES = st.recursive(
    st.integers(-9, 9), lambda inner: st.lists(inner, min_size=1, max_size=3), max_leaves=20
)


@given(SHAPES.filter(lambda shape: isinstance(shape, list)))
def test_a_minimiser_is_chance_that_is_certain_of_the_least(shape: Any) -> None:
    """On any tree: each min node becomes chance whose one branch is the child of least value."""

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
def test_what_is_pruned_is_never_read(
    game: ExplicitGame, depth: int, value: int, using: Any
) -> None:
    """An unknown leaf raises if it is estimated: these searches end."""
    found = search(game, alphabeta(depth=depth), using=using).compute()
    assert (found.move, found.value) == (0, value)


def test_a_search_that_reads_everything_meets_the_unknown() -> None:
    with pytest.raises(Exception, match="a node without a value is estimated"):
        search(BAGS, minimax(depth=2), using=par_list).compute()


@pytest.mark.parametrize("unseen", [-100, 0, 5, 100])
def test_the_result_does_not_depend_on_what_is_not_read(unseen: int) -> None:
    known = ExplicitGame.from_nested([[2, 7], [1, unseen]])
    assert search(known, minimax(depth=2)).compute().value == 2


def test_the_line_is_decided_as_the_report_tells() -> None:
    """Minimax walks into the antagonist; expectimax takes the chance that it steps back twice."""
    game = Pursuit.line()
    given_up = search(game, minimax(depth=8)).compute()
    assert (game.move_text(game.start(), given_up.move), given_up.value) == ("right", -4)
    hopeful = search(with_chance(game, MINNIE), expectimax(depth=8)).compute()
    assert game.move_text(game.start(), hopeful.move) == "right"
    assert hopeful.value > 2000


def test_beside_the_antagonist_minimax_and_expectimax_decide_differently() -> None:
    """Touched in any case, minimax gets it over with; expectimax steps back and hopes."""
    game = Pursuit.line()
    beside = game.parse_state(". . P A G .")
    given_up = search(game, minimax(depth=8), state=beside).compute()
    assert (game.move_text(beside, given_up.move), given_up.value) == ("right", -1)
    hopeful = search(with_chance(game, MINNIE), expectimax(depth=8), state=beside).compute()
    assert game.move_text(beside, hopeful.move) == "left"
