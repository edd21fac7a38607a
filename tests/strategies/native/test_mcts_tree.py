"""Both engines against minimax by the definition, on trees of all shapes."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.explicit import ExplicitGame, Tree
from games.game import CHANCE, MAXIE, MINNIE
from strategies.native.engine import Engine
from tests.properties import examples
from tests.strategies.native.boards import brute, trees

pytestmark = pytest.mark.usefixtures("any_length")
SHAPES = st.booleans().flatmap(lambda floats: trees(floats=floats))


def engines(game: ExplicitGame) -> tuple[Engine, Engine]:
    return Engine(game, "native"), Engine(game, "interpreted")


@examples(37)
@given(SHAPES, st.integers(0, 5), st.booleans())
def test_minimax_agrees_with_its_definition(tree: Tree, depth: int, nearer: bool) -> None:
    game = ExplicitGame.from_tree(tree)
    for engine in engines(game):
        found = engine.search(game.start(), depth, narrow=False, nearer=nearer)
        assert (found.value, found.nodes, found.leaves, found.line) == brute(
            game, tree, depth, nearer
        )


@examples(37)
@given(SHAPES, st.integers(0, 5))
def test_alpha_beta_keeps_value_and_line(tree: Tree, depth: int) -> None:
    game = ExplicitGame.from_tree(tree)
    value, nodes, leaves, line = brute(game, tree, depth)
    native, interpreted = (e.search(game.start(), depth) for e in engines(game))
    assert native == interpreted
    assert (native.value, native.line) == (value, line)
    assert native.nodes <= nodes
    assert native.leaves <= leaves


@examples(37)
@given(SHAPES, st.integers(0, 5), st.integers(-4, 4), st.integers(1, 4))
def test_outside_the_window_the_value_is_a_bound(
    tree: Tree, depth: int, alpha: int, more: int
) -> None:
    game = ExplicitGame.from_tree(tree)
    value = brute(game, tree, depth)[0]
    native, interpreted = (
        e.search(game.start(), depth, alpha, alpha + more) for e in engines(game)
    )
    assert native == interpreted
    if native.value <= alpha:
        assert value <= native.value
    elif native.value >= alpha + more:
        assert value >= native.value
    else:
        assert value == native.value


def test_ints_stay_ints_and_floats_stay_floats() -> None:
    for shape, text in (([[3, 5], [2, 9]], "3"), ([[2.5, 5.0], [2.0, 9.0]], "2.5")):
        game = ExplicitGame.from_nested(shape)
        for engine in engines(game):
            assert str(engine.search(game.start(), 2).value) == text


def test_a_mean_is_summed_in_the_order_of_outcomes() -> None:
    chances = (0.1, 0.2, 0.7)
    leaves = tuple(Tree(value=v) for v in (0.3, 0.7, 0.11))
    game = ExplicitGame.from_tree(Tree(player=CHANCE, branches=leaves, chances=chances))
    for engine in engines(game):
        found = engine.search(game.start(), 1).value
        assert found == ((0.0 + 0.1 * 0.3) + 0.2 * 0.7) + 0.7 * 0.11


def test_children_of_chance_are_searched_with_a_full_window() -> None:
    inner = Tree(player=MINNIE, branches=tuple(Tree(value=v) for v in (1, 2, 3)))
    tree = Tree(player=CHANCE, branches=(inner,), chances=(1.0,))
    game = ExplicitGame.from_tree(Tree(player=MAXIE, branches=(Tree(value=9), tree)))
    for engine in engines(game):
        assert engine.search(game.start(), 3).leaves == 4
        assert engine.search(game.start(), 3, 5, inf).value == 9


def test_the_first_branch_is_the_move_if_all_are_equally_bad() -> None:
    game = ExplicitGame.from_nested([-(10**15), -(10**15)])
    for engine in engines(game):
        assert engine.search(game.start(), 1).line == (0,)
