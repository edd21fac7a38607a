"""Weights are read from memory, so games that differ only in weights run the same code."""

from __future__ import annotations

import gc
from typing import Any
from weakref import ref

from attrs import evolve, field, frozen

from games import ConnectFour, Featured2048, Othello, with_weights
from games.connect_four import Discs
from games.marks import WEIGHT
from strategies import alphabeta, search
from strategies.native.compiler.rules_in_numba import Bound
from strategies.native.compiling import on_compile
from strategies.native.kept_engines import KEPT, engine_for
from strategies.native.verification.parity import parity


@frozen
class Leaning(ConnectFour):
    """Connect Four with an estimate by the last column, with an int and a float weight."""

    whole: int = field(default=3, metadata={WEIGHT: True})
    broken: float = field(default=0.5, metadata={WEIGHT: True})

    def estimate(self, state: Discs) -> float:  # type: ignore[override]
        height = float(state.all.bit_count() % 5)
        return self.whole + self.broken * height


@frozen
class Plain(Leaning):
    """The same game with constants instead of weights."""

    whole: int = 3
    broken: float = 0.5


def digest_of(game: Any) -> str:
    """Return the digest of the code of a game's rules."""
    return Bound(game, [game.start()]).digest


def test_other_weights_are_used_without_compiling_again() -> None:
    told: list[str] = []
    games = [Leaning(), Leaning(whole=-7), Leaning(broken=-1e12), Leaning(whole=2**62)]
    engine_for(games[0], "native").warm()
    with on_compile(told.append):
        for game in games[1:]:
            state = game.start()
            assert engine_for(game, "native").warm().native
            found = engine_for(game, "native").search(state, 3)
            assert found == engine_for(game, "interpreted").search(state, 3)
    assert told == []
    assert len({digest_of(game) for game in games}) == 1
    assert len({digest_of(Plain(whole=k)) for k in (1, 2)}) == 2


def test_both_engines_agree_on_the_rules() -> None:
    for game in (Leaning(), Leaning(whole=-1, broken=2.25)):
        assert parity(game, playouts=2, max_plies=25) > 0


def test_a_weight_of_another_type_needs_other_code() -> None:
    other = evolve(Leaning(), whole=1.0)  # type: ignore[arg-type]
    assert digest_of(Leaning(whole=1)) != digest_of(other)


def test_searches_distinguish_weights() -> None:
    games: list[Any] = [Leaning(), Leaning(whole=5), Featured2048(), Featured2048(smoothness=6)]
    assert len({engine_for(game) for game in games}) == len(set(games)) == 4
    answers = [search(game, alphabeta(3)) for game in games[:2]]
    assert answers[0].__dask_tokenize__() != answers[1].__dask_tokenize__()
    assert answers[0].compute().value + 2 == answers[1].compute().value


def test_features_and_matrices_of_weights_are_data() -> None:
    for games in (
        [Othello(), with_weights(Othello(), discs=2)],
        [Featured2048(None), Featured2048(None, empty=7, best=0, tiles=3)],
        [Featured2048(None, "corner"), Featured2048(None, "slope")],
    ):
        assert len({digest_of(game) for game in games}) == 1


def test_tables_of_many_weights_are_released() -> None:
    first = engine_for(Featured2048(smoothness=1000), "interpreted").game
    rows = ref(first.rows)
    del first
    for smoothness in range(1001, 1001 + KEPT):
        engine_for(Featured2048(smoothness=smoothness), "interpreted")
    gc.collect()
    assert rows() is None
