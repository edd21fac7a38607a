"""The standard deviation of the results of each move, against all results."""

from __future__ import annotations

import json
from collections import defaultdict
from math import sqrt
from statistics import pstdev
from typing import Any

import pytest

from games import (
    CHANCE,
    MAXIE,
    MINNIE,
    TicTacToe,
    Twenty48,
)
from strategies import mcts, par_list, search, seq
from strategies.native.kernels import uct
from strategies.native.kernels.mcts_tree import BRANCHES, LINKS, NODE, PATH, REWARD, ROOT
from strategies.running.records.wording import sampled_value
from tests.strategies.searches.monte_carlo.test_mcts import Three
from tests.strategies.searches.monte_carlo.test_scales import Lottery, Turn


class Seen:
    """Keeps the results of all simulations at each node, by what is backed up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.results: defaultdict[int, list[int]] = defaultdict(list)
        self.table: Any = None
        monkeypatch.setattr(uct, "back_up", self.back_up)

    def back_up(self, control: Any, table: Any, depth: int, share: int) -> None:
        self.table = table
        for level in range(1, depth + 1):
            mover = control[PATH + 2 * level - 1]
            worth = control[REWARD + (0 if mover == CHANCE else mover)] // share
            self.results[control[PATH + 2 * level]].append(worth)
        original(control, table, depth, share)

    def at(self, path: tuple[int, ...]) -> list[int]:
        """Return the results of a position."""
        node = ROOT
        for branch in path:
            node = self.table[LINKS + node] // BRANCHES + NODE * branch
        return self.results[node]


original = uct.back_up
CASES: list[Any] = [
    (TicTacToe(), {}),
    (TicTacToe(), {"allocate": "uniform"}),
    (TicTacToe(), {"rollouts": 3}),
    (TicTacToe(), {"rollout": 3}),
    (Twenty48(), {"rollout": 2}),
    (Three(), {}),
]


@pytest.mark.parametrize(("game", "more"), CASES, ids=repr)
def test_the_deviation_is_that_of_all_results(
    game: Any, more: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Seen(monkeypatch)
    found = search(game, mcts(120, **more), engine="interpreted").compute(num_workers=1)
    scale = found.tops[0].scale
    spreads = set()
    for p in found.tree():
        results = [scale.value(worth / scale.top) for worth in seen.at(p.path)]
        assert len(results) == p.visits
        assert p.deviation == pytest.approx(pstdev(results), abs=1e-9, rel=1e-6)
        spreads.add(p.deviation)
    assert {(i,): m.deviation for i, m in enumerate(found.moves) if m.visits} == {
        p.path: p.deviation for p in found.tree(1)
    }
    assert len(spreads) > 2


@pytest.mark.usefixtures("any_length")
@pytest.mark.parametrize("player", [MAXIE, MINNIE])
@pytest.mark.parametrize(
    "more", [{}, {"threads": 3}, {"trees": 3}, {"reuse": True, "threads": 2}], ids=repr
)
def test_two_results_give_the_deviation_by_their_mean(player: int, more: dict[str, Any]) -> None:
    """Of results a and b with mean m, the variance is (m - a) (b - m): whichever thread and tree
    has them, and whether the tree is continued."""
    sign, ends = (1 if player == MAXIE else -1), ((0, 1000), (50, 50))
    state = Turn(0, 0, 50, mover=int(player))
    ways = (Lottery(), "native", 3_000), (Lottery().ranged(state), "interpreted", 300)
    for game, engine, many in ways:
        algorithm, using = mcts(many, c=9, **more), par_list if "trees" in more else seq
        answer = search(game, algorithm, state=state, using=using, engine=engine)
        found = answer.compute(num_workers=2)
        if "reuse" in more:
            found = answer.after(found).compute()
        assert sum(found.visits.values()) == many * (1 + ("reuse" in more))
        for (a, b), m in zip(ends, found.moves, strict=True):
            assert m.value is not None
            wanted = sqrt(max(0, (sign * m.value - a) * (b - sign * m.value)))
            assert m.deviation == pytest.approx(wanted, abs=1e-2 if a == b else 1e-4)


def test_a_move_without_visits_has_no_deviation_and_one_visit_none_either() -> None:
    found = search(TicTacToe(), mcts(5), engine="interpreted").compute()
    assert [m.deviation for m in found.moves] == [0.0] * 5 + [None] * 4


def test_the_deviation_is_shown_with_the_value() -> None:
    found = search(TicTacToe(), mcts(200), engine="interpreted").compute()
    told = json.loads(json.dumps(found.summary()))["moves"]
    assert [m["deviation"] for m in told] == [m.deviation for m in found.moves]
    best = found.moves[found.move]
    assert f">{sampled_value(best.deviation)}</td>" in found._repr_html_()
