"""The features of 2048 against slow definitions, and the pessimistic chance node by hand."""

from __future__ import annotations

import pickle
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, MAXIE, MINNIE, Featured2048, Pessimistic2048, find_game
from games.twenty48.features import FOUR, MATRICES, SETS, TWO, extremes, lines, weighed_rows
from games.twenty48.rules import Tiles
from games.u64 import U64
from strategies import expectimax, parse_strategy, search, seq
from strategies.native.verification.parity import parity
from tests.games.given import rules_agree

BOARDS = st.lists(st.integers(0, 15), min_size=16, max_size=16)


def word(powers: list[int]) -> U64:
    return U64(sum(power << 4 * i for i, power in enumerate(powers)))


def slow(game: Featured2048, powers: list[int]) -> int:
    """Compute the features as the original program does, term by term."""
    grid = [[1 << p if p else 0 for p in powers[k : k + 4]] for k in (0, 4, 8, 12)]
    columns = [list(c) for c in zip(*grid, strict=True)]
    matrix = MATRICES[game.matrix][0 if max(powers) <= 9 else 1]

    def descents(rows: list[list[int]]) -> int:
        return sum(b < a for row in rows for a, b in pairwise([9999999, *row]))

    def steps(rows: list[list[int]]) -> int:
        return sum(abs(a - b) for row in rows for a, b in pairwise(row))

    return (
        game.tiles
        * sum(
            w * t
            for ws, ts in zip(matrix, grid, strict=False)
            for w, t in zip(ws, ts, strict=False)
        )
        + game.empty * powers.count(0)
        + game.monotonicity * (descents(grid) + descents(columns))
        - game.smoothness * (steps(grid) + steps(columns))
        + (game.best if max(powers) == 11 else 0)
        + game.greatest * max(map(max, grid))
    )


@given(
    BOARDS, st.sampled_from([*MATRICES]), st.sampled_from([-3, 0, 1, 20]),
    st.sampled_from([-7, 0, 0, 1]),
)  # fmt: skip
def test_tables_agree_with_the_features(
    powers: list[int], matrix: str, tiles: int, greatest: int
) -> None:
    game = Featured2048(None, matrix, tiles=tiles, greatest=greatest)
    found = game.estimate(Tiles(word(powers), MAXIE))
    assert found == slow(game, powers)
    low, high = game.value_range
    assert low <= found <= high


def test_the_other_estimate_of_the_original_program() -> None:
    """Check the sum of the tiles, the greatest tile, empty cells and order by hand."""
    game = Featured2048(None, "even", empty=3, monotonicity=3, best=0, greatest=1)
    order = 3 * (3 + 2 + 1 + 1) + 3 * (2 + 2 + 2 + 1) - 5 * (8 + 4) - 5 * (8 + 4 + 4)
    board = game.parse_state("8 4 . .  . . 2 .  . . . .  . . . .")
    assert game.estimate(board) == 14 + 8 + 3 * 13 + order
    assert game.estimate(Tiles(U64(0), CHANCE)) == 3 * 16 + 3 * (4 + 4)


def test_the_cache_of_tables_is_bounded() -> None:
    for smoothness in range(SETS + 5):
        Featured2048(smoothness=smoothness)
    for kept in (weighed_rows, lines, extremes):
        assert 1 < kept.cache_info().currsize <= SETS


BY_NAME = "twenty48_pessimistic(target=None, matrix=snake, tiles=2, greatest=1)"


def test_both_engines_agree_on_the_rules() -> None:
    assert rules_agree(find_game(BY_NAME), plays=2, max_plies=25)


@pytest.mark.long
@pytest.mark.parametrize(
    "game", [Pessimistic2048(None), Featured2048(64, "even", greatest=3)], ids=repr
)
def test_searches_agree_on_both_engines(game: Featured2048) -> None:
    assert parity(game, playouts=2, max_plies=25) > 0


@pytest.mark.parametrize("engine", ["interpreted", pytest.param("native", marks=pytest.mark.long)])
def test_the_pessimistic_mean_takes_the_worst_cell_of_each_tile(engine: str) -> None:
    """Two cells are empty; a tile's value in each, and the rounded mean, are computed by hand."""
    game = Pessimistic2048(None, empty=1, monotonicity=0, smoothness=0)
    powers = [0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    state = Tiles(word(powers), CHANCE)
    # A 2 in cell 1 weighs 21 · 2, in cell 7 only 2 · 2, so Minnie takes cell 7; the same for a 4.
    base = game.estimate(state) - 2
    two, four = base + 2 * 2 + 1, base + 2 * 4 + 1
    found = search(game, expectimax(2, rounded=True), state=state, engine=engine).compute()
    assert found.value == round(0.9 * two) + round(0.1 * four)
    plain = search(game, expectimax(2), state=state, engine=engine).compute()
    assert plain.value == pytest.approx(0.9 * two + 0.1 * four)
    assert plain.value != found.value
    moves = game.moves(Tiles(state.cells, TWO))
    assert [game.move_text(Tiles(state.cells, TWO), m) for m in moves] == ["1", "7"]
    assert game.player(Tiles(state.cells, FOUR)) == MINNIE


def test_a_round_is_a_move_a_draw_and_minnie() -> None:
    game = Pessimistic2048(None)
    state = game.parse_state("2 4 8 .  8 4 16 4  16 32 4 2  64 32 8 .")
    players = []
    for _ in range(6):
        players.append(game.player(state))
        if game.player(state) == CHANCE:
            state = [s for _, s in game.outcomes(state)][1]
        else:
            state = game.make_move(state, next(iter(game.moves(state))))
    assert players == [MAXIE, CHANCE, MINNIE, MAXIE, CHANCE, MINNIE]
    assert "put a 4" in game.show(Tiles(state.cells, FOUR))


PLACEMENTS = {
    "by_kind(min=par_list).everywhere": "min",
    "par_list": "root",
    "by_kind(max=par_list).everywhere": "max",
}
"""Sparks at every step of the minimiser; for each move at the root; at every move."""


@pytest.mark.parametrize("text", PLACEMENTS)
def test_spark_placements_create_the_expected_sparks_and_keep_the_value(text: str) -> None:
    game = Pessimistic2048(None)
    state = game.parse_state("2 4 8 .  8 4 16 4  16 32 4 2  64 32 8 4")
    counts = {"max": 0, "min": 0, "root": 0}

    def count(state: Tiles, depth: int, root: bool = True) -> None:
        if depth == 0 or game.status(state):
            return
        player = game.player(state)
        if player == CHANCE:
            for _, child in game.outcomes(state):
                count(child, depth - 1, False)
            return
        below = [game.make_move(state, m) for m in game.moves(state)]
        if depth < 5 and len(below) > 1:  # a move of the root opens a node; one branch is a step
            counts["max" if player == MAXIE else "min"] += len(below)
        counts["root"] += len(below) * root
        for child in below:
            count(child, depth - 1, False)

    count(state, 5)
    algorithm = expectimax(5, rounded=True)
    plain, found = (
        search(game, algorithm, state=state, using=using, engine="interpreted").compute()
        for using in (seq, parse_strategy(text))
    )
    assert (found.value, found.move, found.nodes) == (plain.value, plain.move, plain.nodes)
    assert 0 < found.sparks.attempts == counts[PLACEMENTS[text]]


def test_games_by_name_can_be_pickled_and_bad_ones_are_refused() -> None:
    game = find_game(BY_NAME)
    again = pickle.loads(pickle.dumps(game))
    assert game == Pessimistic2048(None, "snake", tiles=2, greatest=1) == again
    assert (game.rows == again.rows).all()
    with pytest.raises(ValueError, match="matrix must be one of corner"):
        Featured2048(matrix="corners")


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        (
            {"empty": 10**20},
            r"empty: a weight must be a number from -10\^9 to 10\^9, not 100000000000000000000",
        ),
        ({"smoothness": float("nan")}, "smoothness: a weight must be a number"),
        ({"best": "much"}, "best: a weight must be a number from .*, not 'much'"),
        ({"monotonicity": 0.5}, "monotonicity: a weight is whole here, not 0.5"),
        ({"matrix": "snake", "tiles": 100}, "too large: an estimate could count as a win"),
        ({"greatest": 0.5}, "greatest: a weight is whole here, not 0.5"),
    ],
)
def test_weights_out_of_range_are_refused(fields: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Featured2048(**fields)
