"""The laws of searches on every game of the package, from its start and from random positions."""

from __future__ import annotations

from typing import Any

import pytest

from games import ConnectFour, Pursuit, Riskless, TicTacToe, Twenty48, with_chance
from strategies import (
    alphabeta,
    engine_for,
    jamboree,
    minimax,
    par_list,
    parse_strategy,
    search,
    seq,
)
from tests.properties import DEEP

GAMES = [
    TicTacToe(), ConnectFour(5, 4, pairs=1), Riskless.on("islands"), Twenty48(),
    Pursuit(), with_chance(Pursuit(), 1),
]  # fmt: skip
TEXTS = [
    "seq", "par_list", "jamboree(0.5).to_ply(2)", "jamboree(0.3).everywhere",
    "split_at(1, eval_list, par_list.live())(par_list)", "young_brothers_wait.to_ply(2)",
    "scout.to_ply(2)", "par_buffer(2).everywhere.grain(plies=1)", "critical.everywhere",
]  # fmt: skip


OTHERS = [
    ConnectFour(), Riskless.on("duel"), Pursuit.line(), with_chance(Pursuit.line(), 1),
]  # fmt: skip
SEARCHED = [
    *((game, 2 if isinstance(game, Twenty48) else 3, "interpreted") for game in GAMES),
    (GAMES[1], 3, "native"),
    *(pytest.param(game, 3, "native", marks=pytest.mark.long) for game in OTHERS + GAMES),
]
"""Games, plies and engines: in 2048 a move and a tile, and one more move in the long tests, which
also have other boards of the same games."""


def positions(game: Any) -> list[Any]:
    """Return the start, and the last position in play of a random game, or of several."""
    engine = engine_for(game, "interpreted")
    seeds = (1, 2) if DEEP else (2,)
    found = [engine.playout(game.start(), seed, max_plies=2 + 3 * seed)[0] for seed in seeds]
    if isinstance(game, Twenty48) and not DEEP:
        return found  # its start has the most tiles that can come
    return [game.start(), *found]


@pytest.mark.parametrize(("game", "plies", "engine"), SEARCHED, ids=repr)
def test_no_strategy_changes_the_value_or_the_move(game: Any, plies: int, engine: Any) -> None:
    for state in positions(game):
        once = search(game, minimax(plies), state=state, engine="interpreted")
        plain = once.compute(num_workers=1)
        for text in TEXTS:
            using = parse_strategy(text)
            answer = search(game, alphabeta(plies), state=state, using=using, engine=engine)
            found = answer.compute(num_workers=2)
            assert found.value == pytest.approx(plain.value, rel=1e-12), text
            assert found.move == plain.move, text
            assert found.sparks.balanced()
            assert len(found.records) == len(answer.tasks())
            assert found.nodes <= plain.nodes or "scout" in text


@pytest.mark.parametrize(("game", "plies", "engine"), SEARCHED, ids=repr)
def test_jamboree_lies_between_alphabeta_and_minimax(game: Any, plies: int, engine: Any) -> None:
    for state in positions(game):
        ab, everything, one, zero, ahead = (
            search(game, algorithm(plies), state=state, using=using, engine=engine).compute(
                num_workers=2
            )
            for algorithm, using in (
                (alphabeta, seq),
                (minimax, seq),
                (alphabeta, jamboree(1).everywhere),
                (alphabeta, jamboree(0).everywhere),
                (alphabeta, par_list.everywhere),
            )
        )
        assert (one.nodes, one.leaves) == (ab.nodes, ab.leaves)
        assert (zero.nodes, zero.leaves) == (everything.nodes, everything.leaves)
        assert (ahead.nodes, ahead.leaves) == (everything.nodes, everything.leaves)
