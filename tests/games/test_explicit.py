"""Explicit trees: for several players, and as data; errors name the malformed node."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, MAXIE, MINNIE, WIN, ExplicitGame, Tree, against_all, with_chance
from games.explicit import ExplicitForMany
from games.failed import RuleFailed
from strategies import maxn, par_list, paranoid, search, seq
from strategies.native.calls.maxn import search_maxn
from strategies.native.compiler.rules_in_numba import Bound
from strategies.native.kept_engines import engine_for
from strategies.native.verification.parity import parity
from tests.games.given import rules_agree
from tests.properties import DEEP

pytestmark = pytest.mark.usefixtures("any_length")

AGENTS = ExplicitGame.from_nested(
    [
        [[(1, 2, 6), (4, 3, 3)], [(6, 1, 2), (7, 4, 1)]],
        [[(5, 1, 1), (5, 2, 5)], [(7, 1, 1), (5, 4, 0)]],
    ]
)
"""Lecture notes with three agents, one for each layer. The notes do not give the leaves; these were
chosen to have the same value at the root, (5, 2, 5)."""


@pytest.mark.parametrize("engine", ["native", "interpreted"])
@pytest.mark.parametrize("using", [seq, par_list.everywhere], ids=str)
def test_three_agents(engine: str, using: Any) -> None:
    found = search(AGENTS, maxn(3), using=using, engine=engine).compute(num_workers=2)
    value: Any = found.value
    assert (value, found.move) == ((5, 2, 5), 1)


def test_the_agents_take_turns_and_prune() -> None:
    start = AGENTS.start()
    children = [AGENTS.make_move(start, move) for move in AGENTS.moves(start)]
    below = [AGENTS.make_move(child, move) for child in children for move in AGENTS.moves(child)]
    assert [AGENTS.player(state) for state in (start, *children, *below)] == [0, 1, 1, 2, 2, 2, 2]
    assert (AGENTS.value_range, AGENTS.value_sum) == ((0, 7), 12)
    assert [AGENTS.show(state) for state in (start, AGENTS.make_move(below[0], 1))] == [
        "a", "e(4, 3, 3)",
    ]  # fmt: skip


def shape(draw: random.Random, depth: int, players: int) -> Any:
    if depth == 0 or draw.random() < 0.15:
        return tuple(draw.choice([0, 1, 2, 2.5]) for _ in range(players))
    return [shape(draw, depth - 1, players) for _ in range(draw.randint(1, 3))]


def by_definition(shape: Any, ply: int, players: int) -> tuple[Any, int | None]:
    """Return the maxn value and move: each player in turn maximises their own number."""
    if isinstance(shape, tuple):
        return shape, None
    found = [by_definition(branch, ply + 1, players)[0] for branch in shape]
    best = max(range(len(found)), key=lambda n: (found[n][ply % players], -n))
    return found[best], best


@given(st.integers(0, 10**6), st.sampled_from([3, 4, 5]))
def test_maxn_agrees_with_its_definition_on_both_engines(seed: int, players: int) -> None:
    """Each number of players is compiled anew, all of them only in deep runs."""
    engines = ("native", "interpreted") if players == 3 or DEEP else ("interpreted",)
    given = shape(random.Random(seed), 5, players)
    game = ExplicitGame.from_nested(given)
    value, move = by_definition(given, 0, players)
    runs = [search_maxn(engine_for(game, choice), game.start(), 9) for choice in engines]
    assert runs[0] == runs[-1]
    assert (runs[0].value, runs[0].line[:1]) == (value, () if move is None else (move,))


TWICE = Tree("", CHANCE, (Tree(value=(1, 2, 3)), Tree(value=(4, 0, 0.5))), None, (0.25, 0.75))
DICE = ExplicitGame.from_tree(Tree("", 2, (TWICE, Tree("", 1, (TWICE, TWICE), (1, 1, 1)))))
"""A tree for three players with chance nodes, two of which are the same."""


def test_transforms_of_a_tree_agree_on_both_engines() -> None:
    for tree in (with_chance(AGENTS, 1), against_all(DICE, 2)):
        assert rules_agree(tree, plays=10)


@pytest.mark.long
@pytest.mark.parametrize(
    "tree", [AGENTS, DICE, with_chance(AGENTS, 1), against_all(DICE, 2)], ids=str
)
def test_searches_agree_on_both_engines(tree: ExplicitGame) -> None:
    assert engine_for(tree).reason == ""
    assert parity(tree) > 0


def test_paranoid_takes_the_mean_of_the_branches_of_chance() -> None:
    found = search(DICE, paranoid(4)).compute()
    assert (found.value, found.move) == (0.25 * 3 + 0.75 * 0.5, 0)


def test_a_game_can_be_compared_hashed_and_pickled() -> None:
    assert isinstance(AGENTS, ExplicitForMany)
    assert pickle.loads(pickle.dumps(AGENTS)) == AGENTS
    assert hash(AGENTS) == hash(pickle.loads(pickle.dumps(AGENTS)))


def test_an_unknown_leaf_is_not_read() -> None:
    unseen = ExplicitGame.from_nested([[(1, 2, 3), None], (2, 0, 0)])
    for engine in ("native", "interpreted"):
        with pytest.raises(RuleFailed, match="this node has no value to estimate"):
            search(unseen, maxn(2), engine=engine).compute()


def test_the_error_for_a_wrong_tuple_names_its_node() -> None:
    """The rows are written by hand: the second leaf has two numbers for three players."""
    short = evolve(AGENTS, values=(*AGENTS.values[:8], (4.0, 3.0), *AGENTS.values[9:]))
    with pytest.raises(RuleFailed, match=r"utility failed after the moves 0 0 1.* index out of"):
        search(short, maxn(3), engine="interpreted").compute()


def test_the_error_for_a_single_number_names_its_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ExplicitForMany, "utility", lambda game, state: 1)
    with pytest.raises(RuleFailed, match="returned 1, not a tuple of 3 numbers, one per player"):
        search(AGENTS, maxn(3), engine="interpreted").compute()


HALVES = (0.5, 0.5)


@pytest.mark.parametrize(
    ("tree", "complaint"),
    [
        (Tree("root", 0, (Tree("", 0, (3,)),)), "node root.0.0: a node must be a Tree, not 3"),  # type: ignore[arg-type]
        (Tree("root", 0, [Tree()]), "node root: branches must be a tuple, not \\[Tree"),  # type: ignore[arg-type]
        (
            Tree("", 0, (Tree(), Tree("b", -2))),
            "node b: a player must be 0, 1, …, or CHANCE, not -2",
        ),
        (Tree("", True, value=1), "node root: a player must be .* not True"),
        (Tree("", 0, (Tree(value="3"),)), "node root.0: a value must be a number, .* not '3'"),  # type: ignore[arg-type]
        (Tree("", 0, (Tree(value=float("nan")),)), "node root.0: a value must be .* not nan"),
        (Tree("", 0, (Tree(value=(1, 2)),)), "a tuple of three numbers or more, .* not \\(1, 2\\)"),
        (Tree("", 0, (Tree(value=(1, 2, None)),)), "not \\(1, 2, None\\)"),  # type: ignore[arg-type]
        (
            Tree("", 0, (Tree(value=(1, 2, 3)), Tree(value=4))),
            "node root.1: a value must be 3 numbers, as in the nodes above, not 4",
        ),
        (
            Tree("", 0, (Tree(value=1), Tree(value=(1, 2, 3)))),
            "node root.1: a value must be one number, as in the nodes above, not \\(1, 2, 3\\)",
        ),
        (
            Tree("", 3, (Tree(value=(1, 2, 3)),)),
            "node root: there is no player 3, as values have 3 numbers",
        ),
        (Tree("", 0, (Tree(),), value=-WIN), "node root: the estimate of an inner node is never"),
        (Tree("", 1, (Tree(value=(1, 2, 3)),), value=(0, WIN, 0)), "is never a win"),
        (Tree("", 0, (Tree(), Tree()), chances=HALVES), "chances belong to a node where chance"),
        (Tree("", CHANCE, (), 3, HALVES), "chances belong to a node where chance moves"),
        (Tree("", CHANCE, (Tree(),)), "node root: each branch of chance needs a probability"),
        (Tree("", CHANCE, (Tree(), Tree()), chances=(0, 1)), "a probability above 0"),
        (Tree("", CHANCE, (Tree(), Tree()), chances=(0.5, 0.4)), "probabilities sum to 0.9, not"),
        (Tree("", CHANCE, (Tree(),), chances=(float("nan"),)), "a probability above 0"),
    ],
)
def test_the_error_for_a_malformed_tree_names_the_node(tree: Tree, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        ExplicitGame.from_tree(tree)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("shape", "complaint"),
    [
        ([3, []], "a list is empty: an inner node has a branch or more"),
        ([3, "5"], "a leaf must be a number, a tuple of three numbers or more, .* not '5'"),
        ([3, (1, 2)], "not \\(1, 2\\)"),
        ([3, True], "not True"),
        ([(1, 2, 3), 4], "node c: a value must be 3 numbers, as in the nodes above, not 4"),
        ([(1, 2, 3), (1, 2, 3, 4)], "node c: a value must be 3 numbers"),
    ],
)
def test_malformed_lists_are_refused(shape: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        ExplicitGame.from_nested(shape)


def test_lists_that_contain_themselves_are_refused() -> None:
    endless: list[Any] = [1]
    endless.append(endless)
    with pytest.raises(ValueError, match="nested more than 500 deep"):
        ExplicitGame.from_nested(endless)
    deep: Any = 1
    for _ in range(400):
        deep = [deep]
    assert len(ExplicitGame.from_nested(deep).movers) == 401


def test_there_are_as_many_names_as_moves() -> None:
    with pytest.raises(ValueError, match="3 names for the 2 moves at the root"):
        ExplicitGame.from_nested([1, 2], names=("left", "middle", "right"))


def test_players_alternate_below_maxie() -> None:
    assert ExplicitGame.from_nested([[1], 2]).movers == (MAXIE, MINNIE, MINNIE, MAXIE)


def test_names_of_moves_do_not_change_the_type_of_the_compiled_game() -> None:
    named = ExplicitGame.from_nested([1, 2], names=("left", "right"))
    plain = ExplicitGame.from_nested([1, 2])
    assert len({Bound(game, [game.start()]).digest for game in (named, plain)}) == 1
