"""Results of an iteration order the branches of the next, and predict their sizes."""

from __future__ import annotations

import pytest

from games import MAXIE, MINNIE, ExplicitGame, TicTacToe, Tree
from strategies import engine_for, pvs, search, young_brothers_wait
from strategies.algorithms.fold import OPEN
from strategies.native.memory.floats import above
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.iteration import Iteration
from strategies.running.plans.knowledge import Knowledge


def test_sizes_come_from_an_iteration_with_the_same_root_window() -> None:
    game, window = TicTacToe(), (1.0, above(1))
    known = Knowledge(engine_for(game, "interpreted"), Table("4kB"), 64, nearer=True, grows=True)
    for depth, asked in (2, (("pv", 10, 10),)), (4, (("cut", 7, 7), ("all", 30, 30))):
        known.begin(depth)
        for root, visited, size in asked:
            known.planned(window, window, root=root)
            known.count((0,), visited, game.start(), 1)
            assert known.nodes((0,)) == (size, True)
    known.begin(6)
    for root, size in ("cut", 7), ("all", 30), ("pv", 10):
        known.planned(window, window, root=root)
        assert known.nodes((0,)) == (size, False)
    known.planned(window, window, root="all")
    known.count((0,), 2, game.start(), 1)  # the rest was found in the table
    assert known.nodes((0,)) == (30, True)


@pytest.mark.parametrize(("grows", "opened"), [(True, 1), (False, 3)])
def test_younger_branches_of_a_cut_node_are_opened_in_time_if_tasks_grow(
    grows: bool, opened: int
) -> None:
    game, window = TicTacToe(), (1.0, above(1))
    engine = engine_for(game, "interpreted")
    known = Knowledge(engine, Table("4kB"), 64, nearer=True, grows=grows)
    known.begin(2)
    known.planned(OPEN, None)
    for i in range(3):
        known.count((i,), 1_000_000, game.start(), 1)
    known.learn(None, game.start(), Iteration(2, None), 3_000_000)
    known.begin(4)
    known.planned(window, window, root="cut")
    known.order((), game.start(), "max", [(i, 1.0, game.start()) for i in range(3)])
    assert sum(known.opens((i,), None) for i in range(3)) == opened


def test_a_later_iteration_uses_the_learned_move_order() -> None:
    """The best move is the last one of the rules; it comes first from the second iteration on."""

    def node(player: int, value: int, *below: Tree) -> Tree:
        return Tree("", player, below, value)

    def branch(value: int) -> Tree:
        return node(MINNIE, value, *[node(MAXIE, value, node(MINNIE, value))] * 2)

    game = ExplicitGame.from_tree(node(MAXIE, 0, branch(1), branch(2), branch(9)))
    using = young_brothers_wait.to_size(0)
    found = search(game, pvs(3), using=using, time=60, engine="interpreted").compute()
    last = [g for g in found.graphs if not g.leftmost][-1]
    assert (found.move, found.value, found.depth) == (2, 9, 3)
    assert last.order[0] == 2
    assert "2 0 1" in found.iterations
