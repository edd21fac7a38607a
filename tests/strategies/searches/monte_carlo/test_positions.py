"""The most visited positions of a tree, as a table and as a picture."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games import ConnectFour, TicTacToe, Twenty48
from graphs.errors import ArgumentError
from strategies import mcts, par_list, search
from strategies.running.records.wording import sampled_value
from strategies.searches.monte_carlo.counted import SHARE

GAMES: list[Any] = [ConnectFour(), TicTacToe(), Twenty48()]


@pytest.mark.parametrize(
    ("game", "engine"),
    [(ConnectFour(), "native"), *((game, "interpreted") for game in GAMES)],
    ids=repr,
)
def test_visits_of_positions_add_up(game: Any, engine: str) -> None:
    """The root's moves are those of the result; those below a move have all its visits but one."""
    found = search(game, mcts(300, rollout=0), engine=engine).compute() if game == Twenty48() else (
        search(game, mcts(300), engine=engine).compute()
    )  # fmt: skip
    every = {p.path: p for p in found.tree()}
    root = {i: (m.visits, m.value, m.proven) for i, m in enumerate(found.moves) if m.visits}
    assert {p.path[0]: (p.visits, p.value, p.proven) for p in found.tree(1)} == root
    for path, p in every.items():
        below = [q.visits for q in every.values() if q.path[:-1] == path]
        if p.visits >= max(2, 300 // SHARE):
            assert sum(below) == p.visits - 1 or p.proven
        else:
            assert not below
        assert len(p.moves) == len(path)
    assert [p.path for p in found.tree(2)] == [p.path for p in found.tree() if len(p.path) <= 2]


def test_a_value_is_the_mean_of_those_below_and_one_play() -> None:
    """So values below are from the same side, whoever moves."""
    found = {p.path: p for p in search(ConnectFour(), mcts(2_000)).compute().tree()}
    means = 0
    for path, p in found.items():
        below = [q for q in found.values() if q.path[:-1] == path]
        if below and not any(q.proven for q in [p, *below]):
            total = sum(q.visits * q.value for q in below if q.value is not None)
            assert p.value is not None
            assert (
                abs(abs(p.value * p.visits - total) - 1) < 0.01
                or abs(p.value * p.visits - total) < 0.01
            )  # a draw
            means += 1
    assert means > 9


def test_each_position_follows_the_one_above_it_by_visits() -> None:
    listed = list(search(ConnectFour(), mcts(1_000)).compute().tree())
    visits = {p.path: p.visits for p in listed}
    ways = [[(-visits[p.path[: n + 1]], p.path[n]) for n in range(len(p.path))] for p in listed]
    assert ways == sorted(ways)


def test_trees_are_added_where_all_of_them_have_the_position() -> None:
    answer = search(ConnectFour(), mcts(2_000, trees=2), using=par_list).compute()
    one, other = (search(ConnectFour(), mcts(1_000, trees=1)).compute() for _ in range(2))
    assert one.tree() == other.tree()
    found = {p.path: p.visits for p in answer.tree()}
    assert {(i,): m.visits for i, m in enumerate(answer.moves)} == {
        (i,): found[i,] for i, _ in enumerate(answer.moves)
    }
    paths = [set(top.branches) for top in answer.tops]
    assert {path[:-1] for path in found} == paths[0] & paths[1]


def test_the_table_shows_moves_visits_and_values() -> None:
    found = search(ConnectFour(), mcts(1_000)).compute()
    lines = str(found.tree(2)).splitlines()
    assert lines[0].split() == ["moves", "visits", "share", "value", "deviation"]
    assert re.fullmatch(r"4 +\d+ +\d+\.\d% +-?0\.\d{3} +0\.\d{3}", lines[1])
    assert lines[2].startswith("  ")
    assert len(lines) == 1 + len(found.tree(2))
    assert found.tree(1)._repr_html_().count("<tr>") == 1 + 7
    assert repr(found.tree(1)).startswith("<SampledTree: moves")
    with pytest.raises(ArgumentError, match="plies must be a whole number, 1 or more, not 0"):
        found.tree(0)


def test_a_proven_value_is_marked() -> None:
    game = ConnectFour()
    found = search(game, mcts(), state=game.parse_state("112233")).compute()
    assert "Maxie wins!, proven" in str(found.tree())


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_picture_has_a_mark_for_each_of_the_most_visited(game: Any) -> None:
    algorithm = mcts(200, rollout=0 if game == Twenty48() else "random")
    found = search(game, algorithm, engine="interpreted").compute()
    svg = found.draw("tree").svg
    drawn = 1 + min(23, len(found.tree()))
    assert svg.count('<g class="mark ') == drawn
    assert f"the {drawn} most visited of {found.nodes:,} positions" in svg
    assert svg.count('class="branch line"') - ("the best line" in svg) <= len(found.line)
    assert svg == found.draw("tree").svg
    for p in found.tree(1).positions[:1]:
        assert f"{p.visits:,} visits" in svg
        assert f"standard deviation {sampled_value(p.deviation)}" in svg
