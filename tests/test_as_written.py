"""Games as one writes them first follow their rules, and run as machine code as they stand."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from math import perm
from pathlib import Path
from typing import Any

import pytest

from benchmarks.as_written.amazons import Amazons
from benchmarks.as_written.backgammon import Backgammon
from benchmarks.as_written.backgammon import Board as BackgammonBoard
from benchmarks.as_written.breakthrough import Breakthrough
from benchmarks.as_written.cant_stop import CantStop
from benchmarks.as_written.chess import Chess
from benchmarks.as_written.dots_and_boxes import DotsAndBoxes
from benchmarks.as_written.draughts import Draughts
from benchmarks.as_written.english_draughts import EnglishDraughts
from benchmarks.as_written.english_draughts import Position as Checkers
from benchmarks.as_written.go import Go
from benchmarks.as_written.hex import Hex
from benchmarks.as_written.oware import Oware
from benchmarks.as_written.oware import Position as OwarePosition
from benchmarks.as_written.quoridor import Quoridor
from benchmarks.as_written.ultimate import Ultimate
from benchmarks.as_written.yahtzee import Yahtzee
from games import Othello, find_game
from games.laws import PublishedCounts, Verdict, check_laws
from games.laws.of_counts import counts_of
from games.published_counts import published
from strategies import engine_for, perft
from strategies.native.compiler.rules_in_numba import Bound
from tests.properties import DEEP

FOLDER = Path(__file__).parents[1] / "benchmarks" / "as_written"
SHORT = [Go(4)]


TABLES: list[tuple[Any, str, dict[str, Any]]] = [
    (Chess(), "chess", {}),
    (Draughts(), "draughts", {}),
    (EnglishDraughts(), "english_draughts", {}),
    (Breakthrough(), "breakthrough", {}),
    (Hex(), "hex", {}),
    (Amazons(), "amazons", {}),
    (Ultimate(), "ultimate", {}),
    (DotsAndBoxes(), "dots_and_boxes", {}),
    (Othello(), "othello", {"ended": True}),
]
"""Games with the names of their tables.  The counts are from chessprogramming.org (chess and
Othello), damforum (draughts), OEIS A133046 (English draughts), Regular Games (Breakthrough), and
the programs of others; those of Hex and of Dots and Boxes are calculated here."""
NEW: list[Any] = [
    *(EnglishDraughts(), Breakthrough(), Hex(3), Amazons(4, ((2, 0), (3, 1)))),
    *(Ultimate(), DotsAndBoxes()),
]
GAMES = [
    *(Draughts(), Chess(), Backgammon(), Oware(), Quoridor(), Go(), CantStop(), Yahtzee(), *NEW),
]


def verdict(game: Any, name: str, **how: Any) -> Verdict:
    """Return the verdict on the published counts of a game."""
    return counts_of(game, PublishedCounts(FOLDER / f"{name}.csv", **how)).verdict()


@pytest.mark.parametrize(
    ("game", "name", "how"),
    [pytest.param(*row, marks=[pytest.mark.long] * (row[1] == "amazons")) for row in TABLES],
)
def test_positions_are_as_many_as_others_count(game: Any, name: str, how: Any) -> None:
    assert engine_for(game, "native").native
    found = verdict(game, name, most=200_000 if DEEP else 50_000, seconds=60, **how)
    assert found.result == "pass", str(found)
    assert found.positions > 0


def test_amazons_has_as_many_first_moves_as_others_count() -> None:
    """Each is a task of the test above."""
    engine = engine_for(Amazons(), "native")
    assert engine.perft(engine.game.start(), 1) == published(FOLDER / "amazons.csv")[0].count


@pytest.mark.long
@pytest.mark.parametrize(("game", "name", "how"), TABLES)
def test_many_positions_are_as_many_as_others_count(game: Any, name: str, how: Any) -> None:
    found = verdict(game, name, most=3 * 10**8, seconds=600, **how)
    assert (found.result, "not checked" in found.reason) == ("pass", name == "hex"), str(found)


@pytest.mark.parametrize(
    ("name", "most", "checked"),
    [
        ("chess", 3_000, 13),
        ("chess960", 1_200, 22),
        pytest.param("chess960", 40_000, 33, marks=pytest.mark.long),
    ],
)
def test_the_adapter_of_chess_keeps_the_tables(name: str, most: int, checked: int) -> None:
    pytest.importorskip("chess")
    found = verdict(find_game(name), name, most=most, seconds=200)
    assert (found.result, found.positions) == ("pass", checked)


def orders_of_hex(size: int, depth: int) -> list[int]:
    """Count the positions of Hex by the sets of stones, with the orders that lead to each."""
    near = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]
    places = list(product(range(size), repeat=2))

    @cache
    def connected(stones: frozenset[Any], axis: int) -> bool:
        reached, before = {cell for cell in stones if cell[axis] == 0}, set()
        while reached != before:
            before = reached
            reached = before | {
                (r, c) for r, c in stones if any((r + a, c + b) in before for a, b in near)
            }
        return any(cell[axis] == size - 1 for cell in reached)

    layer, counts = Counter({(frozenset[Any](), frozenset[Any]()): 1}), []
    for ply in range(depth):
        below: Counter[Any] = Counter()
        for (red, blue), orders in layer.items():
            if not connected(red, 0) and not connected(blue, 1):
                for cell in places:
                    if cell not in red | blue:
                        after = (red | {cell}, blue) if ply % 2 == 0 else (red, blue | {cell})
                        below[after] += orders
        layer = below
        counts.append(layer.total())
    return counts


def test_orders_of_hex_end_where_a_side_is_connected() -> None:
    engine = engine_for(Hex(3), "native")
    most = 9 if DEEP else 7
    found = [engine.perft(engine.game.start(), depth) for depth in range(1, most + 1)]
    assert found == orders_of_hex(3, most)
    assert found[:4] == [perm(9, plies) for plies in range(1, 5)]
    row = [row.count for row in published(FOLDER / "hex.csv")]
    assert row[:5] == orders_of_hex(4, 5)


@pytest.mark.long
def test_many_orders_of_hex_end_where_a_side_is_connected() -> None:
    row = [row.count for row in published(FOLDER / "hex.csv")]
    assert row[:8] == orders_of_hex(4, 8)
    assert perft(Hex(), 9, table="256MB").total == row[8]


def test_all_orders_of_lines_are_played() -> None:
    rows = published(FOLDER / "dots_and_boxes.csv")
    assert [row.count for row in rows] == [perm(12, row.depth) for row in rows]


@pytest.mark.parametrize(
    ("rows", "columns", "value"),
    [
        (1, 1, -1),
        (2, 2, 2),
        *[
            pytest.param(*each, marks=pytest.mark.long)
            for each in ((1, 2, 0), (1, 3, -1), (1, 4, 0))
        ],
    ],
)
def test_dots_and_boxes_have_the_published_values(rows: int, columns: int, value: int) -> None:
    game, lines = DotsAndBoxes(rows, columns), 2 * rows * columns + rows + columns
    found = engine_for(game, "native").search(game.start(), lines, nearer=False)
    assert found.value == value


@pytest.mark.parametrize(
    "game",
    [pytest.param(g, marks=pytest.mark.long) for g in NEW],
    ids=repr,
)
def test_games_keep_the_laws(game: Any) -> None:
    report = check_laws(game, seed=0)
    assert report.ok, str(report)


def compare(game: Any, plays: int, depth: int) -> None:
    """Assert that random plays and what follows are the same in machine code as in Python."""
    fast, slow = (engine_for(game, how) for how in ("native", "interpreted"))
    for seed in range(plays):
        state, plies = fast.playout(game.start(), seed, 9 * seed)
        assert (state, plies) == slow.playout(game.start(), seed, 9 * seed)
        for d in range(depth + 1):
            assert fast.perft(state, d) == slow.perft(state, d)
        assert fast.search(state, depth) == slow.search(state, depth)


@pytest.mark.parametrize("game", SHORT, ids=repr)
def test_random_positions_are_those_of_python(game: Any) -> None:
    compare(game, plays=6, depth=1)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_many_random_positions_are_those_of_python(game: Any) -> None:
    assert engine_for(game).reason == ""
    assert isinstance(engine_for(game)._rules, Bound)
    compare(game, plays=20, depth=1 if engine_for(game).has_chance else 2)


def texts_of(*rows: str, turn: str = "b", quiet: int = 0) -> list[str]:
    """Return the texts of the moves of English draughts in a position."""
    game, state = EnglishDraughts(), Checkers(rows, turn, quiet)
    engine = engine_for(game, "native")
    assert engine.perft(state, 1) == len(list(game.moves(state)))
    return [game.move_text(state, move) for move in game.moves(state)]


EMPTY = "." * 8


def test_a_capture_of_english_draughts_goes_on_to_its_end() -> None:
    jumps = texts_of(EMPTY, "b.......", ".w......", EMPTY, "...w....", EMPTY, ".....w..", EMPTY)
    assert jumps == ["5x14x23x32"]


def test_any_capture_of_english_draughts_may_be_chosen() -> None:
    short_and_long = (EMPTY, "..b.....", ".w.w....", EMPTY, ".....w..", *(EMPTY,) * 3)
    assert texts_of(*short_and_long) == ["6x13", "6x15x24"]


def test_a_man_of_english_draughts_takes_forward_and_stops_at_the_last_row() -> None:
    behind = (EMPTY, EMPTY, ".w......", "..b.....", *(EMPTY,) * 4)
    assert texts_of(*behind) == ["14-17", "14-18"]
    crowning = (*(EMPTY,) * 5, ".b......", "..w.w...", EMPTY)
    assert texts_of(*crowning) == ["21x30"]
    game = EnglishDraughts()
    (move,) = game.moves(Checkers(crowning))
    assert game.make_move(Checkers(crowning), move).rows == (*(EMPTY,) * 6, "....w...", "...B....")


def test_a_king_of_english_draughts_takes_all_round_back_to_its_square() -> None:
    ring = (EMPTY, EMPTY, "..B.....", ".w.w....", EMPTY, ".w.w....", EMPTY, EMPTY)
    assert texts_of(*ring) == ["10x17x26x19x10", "10x19x26x17x10"]
    assert texts_of(*ring, quiet=80) == []


def test_backgammon_plays_both_dice_and_enters_from_the_bar() -> None:
    game = Backgammon()
    points = [0] * 26
    points[25], points[6], points[1] = 1, 14, -15
    points[19] = -2
    state = BackgammonBoard(tuple(points), dice=(6, 5))
    assert list(game.moves(state)) == [((25, 5), (20, 6))]


def test_an_oware_player_who_captures_all_captures_nothing() -> None:
    game = Oware()
    state = OwarePosition((0, 0, 0, 0, 1, 2, 1, 1, 0, 0, 0, 0), (0, 0), 0)
    assert game.make_move(state, 5).scores == (0, 0)
    left = OwarePosition((0, 0, 0, 0, 1, 2, 1, 1, 0, 3, 0, 0), (0, 0), 0)
    assert game.make_move(left, 5).scores == (4, 0)


def test_a_single_stone_is_not_taken_back_at_once() -> None:
    game = Go()
    points = [(1, 0), (1, 1), (0, 1), (0, 2), (2, 1), (2, 2), (4, 4), (1, 3)]
    state = game.start()
    for point in points:
        state = game.make_move(state, point)
    taken = game.make_move(state, (1, 2))  # takes (1, 1)
    assert taken.ko == (1, 1)
    assert (1, 1) not in set(game.moves(taken))
    assert (1, 1) not in dict(taken.stones)
