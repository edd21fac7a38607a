"""Searches with their values, lines and node counts as literals, which a change must not alter.

If a count changes on purpose, because of another move order or pruning rule, update it here. A
count that changes by accident is a bug, even if the value is right.
"""

from __future__ import annotations

from typing import Any

import pytest

from games import MINNIE, ConnectFour, Pursuit, Riskless, TicTacToe, Twenty48, with_chance
from games.game import WIN
from strategies import mtdf, pvs, search
from strategies.native.engine import Searched
from strategies.native.kept_engines import engine_for

FOUR, CHASE, LAND = ConnectFour(), Pursuit(), Riskless.on("continents")
PAIRS, ISLES, TILES = ConnectFour(pairs=1), Riskless.on("islands"), Twenty48()
BOARD = "2 4 . .  8 4 . .  16 . 4 2  64 32 8 ."
INTERPRETED = 5_000
"""Searches with fewer nodes are run on both engines."""

RARE = with_chance(CHASE, MINNIE)

SEARCHES: list[tuple[Any, str, int, dict[str, Any], Searched]] = [
    (FOUR, "", 8, {"nearer": False}, Searched(0, 12_574, 6_054, (0,) * 8)),
    (FOUR, "", 6, {"narrow": False}, Searched(0, 137_257, 117_649, (0,) * 6)),
    (FOUR, "4453", 10, {}, Searched(0, 5_377_415, 2_624_778, (0, 0, 0, 0, 0, 0, 0, 0, 1, 0))),
    (FOUR, "444422", 7, {"alpha": 0, "beta": 1}, Searched(WIN + 4, 3_726, 2_865, ())),
    (PAIRS, "44", 8, {}, Searched(3, 78_612, 42_675, (2, 1, 2, 1, 2, 2, 1, 0))),
    (LAND, "", 6, {}, Searched(2, 6_915, 4_924, (0, 0, 3, 3, 5, 0))),
    (ISLES, "", 5, {"narrow": False}, Searched(4, 2_771, 2_317, (1, 0, 0, 0, 3))),
    (CHASE, "", 7, {}, Searched(-4, 638, 350, (1, 1, 1, 0))),
    (RARE, "", 6, {}, Searched(5_623.1875, 4_845, 3_634, (1,))),
    (TicTacToe(), "", 9, {}, Searched(0, 20_866, 8_453, (0, 3, 0, 0, 2, 0, 0, 0, 0))),
]


RUNS = [
    pytest.param(
        *case, choice, marks=[pytest.mark.long] * (case[0] in (ISLES, RARE) and choice == "native")
    )
    for case in SEARCHES
    for choice in ("native", "interpreted")
    if choice == "native" or case[-1].nodes < INTERPRETED
]
"""A second map and a transformed game are compiled only on request, because they compile slowly."""


@pytest.mark.parametrize(("game", "text", "depth", "how", "wanted", "choice"), RUNS)
def test_a_search_has_the_recorded_result_and_counts(
    game: Any, text: str, depth: int, how: dict[str, Any], wanted: Searched, choice: str
) -> None:
    state = game.parse_state(text) if text else game.start()
    found = engine_for(game, choice).search(state, depth, **how)
    assert found == wanted
    assert type(found.value) is type(wanted.value)


def test_2048_has_the_recorded_counts() -> None:
    found = engine_for(TILES, "native").search(TILES.parse_state(BOARD), 5)
    assert (found.nodes, found.leaves, found.line[0]) == (9_892, 7_522, 3)


def test_perft_and_games_have_the_recorded_counts() -> None:
    assert engine_for(FOUR, "native").perft(FOUR.start(), 7) == 823_536
    assert engine_for(LAND, "native").perft(LAND.start(), 4) == 2_814
    last, plies = engine_for(FOUR, "native").playout(FOUR.start(), seed=7)
    assert (last.mover, last.all, plies) == (0x4A000E00086, 0x7CF810E04087, 19)
    ends = [engine_for(TILES, "native").playout(TILES.start(), seed=k) for k in range(3)]
    assert [plies for _, plies in ends] == [414, 114, 338]
    assert ends[0][0].cells == 0x2421363224851342


WITH_TABLE: list[tuple[Any, str, Any, str, tuple[Any, float, int, int]]] = [
    (FOUR, "4453", pvs(10, table="4MB"), "native", (0, 0, 27_213, 13_863)),
    (FOUR, "4453", mtdf(10, table="4MB"), "native", (0, 0, 27_422, 13_916)),
    (PAIRS, "44", pvs(9, table="4MB"), "native", (2, 5, 29_977, 20_931)),
    (LAND, "", mtdf(7, table="4MB"), "interpreted", ((0, 1), 3, 8_694, 6_424)),
]
"""The rules of a map compile slowly, and its search has few nodes."""


@pytest.mark.parametrize(("game", "text", "algorithm", "engine", "wanted"), WITH_TABLE)
def test_a_search_with_a_table_has_the_recorded_counts(
    game: Any, text: str, algorithm: Any, engine: str, wanted: tuple[Any, float, int, int]
) -> None:
    state = game.parse_state(text) if text else game.start()
    found = search(game, algorithm, state=state, engine=engine).compute()
    assert (found.move, found.value, found.nodes, found.leaves) == wanted
