"""Each law catches a planted fault, and shows it by the shortest moves."""

from __future__ import annotations

from typing import Any

import pytest

from games import Game
from games.laws import LAWS
from games.laws.examine import examine
from games.laws.plays import PROFILES, Plays
from tests.games.laws import faults_of_networks, faults_of_purity, faults_of_trees, faults_of_values
from tests.games.laws.faults import FAULTS
from tests.games.laws.faults_of_purity import EstimateRemembers

assert faults_of_values  # because its games are among the faults
assert faults_of_purity
assert faults_of_networks
assert faults_of_trees


FIRST = {law: game for game, law, _ in reversed(FAULTS)}
"""One faulty game for each law; long runs try the others."""

PLAYS = 15
"""The number of plays that show a fault; a profile draws more."""
NEEDS_MORE = (EstimateRemembers,)


@pytest.mark.parametrize(
    ("game", "law", "moves"),
    [
        pytest.param(
            *fault,
            id=fault[0].__name__,
            marks=[pytest.mark.long] * (fault[0] not in FIRST.values()),
        )
        for fault in FAULTS
    ],
)
def test_a_fault_is_caught_by_the_shortest_moves(
    game: type[Game[Any, Any]], law: str, moves: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if game in FIRST.values() and game not in NEEDS_MORE:
        monkeypatch.setitem(PROFILES, "dev", PLAYS)  # type: ignore[misc]
    (tested,) = [each for each in LAWS if each.name == law]
    verdict = examine(tested, Plays(game(), "dev", seed=0, max_plies=40))
    assert verdict.result == "broken", verdict
    assert list(verdict.moves) == moves, verdict


def test_every_law_has_a_fault_that_it_catches() -> None:
    assert {law.name for law in LAWS} == FIRST.keys()
