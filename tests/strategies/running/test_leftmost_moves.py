"""Of equal moves a deepening search returns the leftmost, whichever it found first."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from games import MAXIE, MINNIE, ExplicitGame, Tree
from strategies import Strategy, par_list, pvs, search, young_brothers_wait
from strategies.algorithms.fold import OPEN, Fold, Rule, Searched
from strategies.native.memory.floats import above, below
from strategies.running.plans import grain
from tests.strategies.given import brute


def test_an_equal_branch_left_of_the_best_one_becomes_the_move() -> None:
    """The last move looked best in the previous iteration; all are equal, so the first one wins."""
    game = ExplicitGame.from_nested([[[5, 1], [5, 1]], [[5, 2], [5, 2]], [[5, 9], [5, 9]]])
    asked = search(game, pvs(3), using=par_list.to_size(0), engine="interpreted")
    found = asked.compute(num_workers=2)
    assert (found.value, found.move) == brute(game, game.start(), 3)


@pytest.mark.parametrize(("second", "move"), [(1, 2), (9, 0)])
@pytest.mark.parametrize("using", [young_brothers_wait, young_brothers_wait.to_ply(1)])
def test_branches_left_of_the_eldest_are_tested_for_equality_at_once(
    using: Strategy, second: int, move: int
) -> None:
    """The first reply does not decide; the graph for the value also searches the second."""

    def node(player: int, value: int, *below: Tree) -> Tree:
        return Tree("", player, below, value)

    def branch(value: int, *replies: int) -> Tree:
        return node(MINNIE, value, *(node(MAXIE, reply, node(MINNIE, reply)) for reply in replies))

    tree = node(MAXIE, 0, branch(1, 9, second), branch(2, 9, 2), branch(9, 9, 9))
    game = ExplicitGame.from_tree(tree)
    asked = search(game, pvs(3), using=using.to_size(0), engine="interpreted")
    with patch.multiple(grain, INTERPRETED=0):
        found = asked.compute(num_workers=1)
    assert (found.value, found.move) == (9, move) == brute(game, game.start(), 3)
    graphs = [g for g in found.graphs if g.depth == 3]
    assert graphs[0].order == (2, 0, 1)
    assert not any(g.leftmost for g in graphs)
    windows = [r.window for r in found.records if r.graph == graphs[0].number]
    assert any(low == below(9) for low, _ in windows)


def test_a_tied_branch_is_tested_for_equality_for_both_players() -> None:
    asked = {}
    for kind in ("max", "min"):
        fold = Fold.enter(kind, OPEN, Rule(True, scouts=True)).with_child(Searched(2, 1.0, (5, 5)))
        asked[kind] = fold.null_window(), fold.null_window(tied=True)
    assert asked["max"] == ((5, above(5)), (below(5), 5))
    assert asked["min"] == ((below(5), 5), (5, above(5)))
