"""Weights are read from memory, so games that differ only in weights run the same code."""

from __future__ import annotations

import gc
from typing import Any
from weakref import ref

import numpy as np
import pytest
from attrs import evolve, field, frozen
from hypothesis import given
from hypothesis import strategies as st

from games import ConnectFour, Featured2048, Othello, with_weights
from games.connect_four import Discs
from games.fields import WEIGHT
from strategies import alphabeta, search
from strategies.native.compiler.rules_in_numba import Bound, bind
from strategies.native.compiling import on_compile
from strategies.native.kept_engines import KEPT, engine_for
from tests.strategies.native.counting import mixed


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


def test_a_weight_of_another_type_needs_other_code() -> None:
    other = evolve(Leaning(), whole=1.0)  # type: ignore[arg-type]
    assert digest_of(Leaning(whole=1)) != digest_of(other)


@frozen
class Nets:
    """Weights of a made-up network, and how far it is scaled."""

    values: Any
    scale: int = 2


@frozen
class Netted(ConnectFour):
    net: Any = field(default=None, eq=False)

    def estimate(self, state: Discs) -> float:  # type: ignore[override]
        return float(self.net.values[state.all.bit_count() % 3]) * self.net.scale


@given(
    st.lists(st.floats(-4, 4, width=32), min_size=3, max_size=4),
    st.sampled_from([2, 3]),
    st.sampled_from([np.float32, np.float64]),
)
def test_games_share_rules_if_they_differ_in_arrays_alone(
    row: list[float], scale: int, kind: Any
) -> None:
    first = Netted(net=Nets(np.zeros(3, np.float32)))
    bound = bind(first, first.start())
    game = Netted(net=Nets(np.array(row, kind), scale))
    shared = (len(row), scale, kind) == (3, 2, np.float32)
    assert (bound.over(game, [game.start()]) is not None) is shared


class Scale:
    def __init__(self, by: int) -> None:
        self.by = by

    def scaled(self, n: int) -> int:
        return self.by * n


@frozen
class Ruled(Netted):
    rule: Any = field(default=None, eq=False)

    def estimate(self, state: Discs) -> float:
        return super().estimate(state) + float(self.rule(state.all.bit_count() + 1))


def test_games_share_rules_if_they_hold_methods_of_the_same_object() -> None:
    one = Scale(2)
    first = Ruled(net=Nets(np.zeros(3, np.float32)), rule=one.scaled)
    bound = bind(first, first.start())
    for rule in one.scaled, Scale(3).scaled, Scale(2).scaled:
        game = Ruled(net=Nets(np.ones(3, np.float32)), rule=rule)
        shared = rule.__self__ is one
        assert (bound.over(game, [game.start()]) is not None) is shared
        found = [
            engine_for(game, e).call(mixed, game.start(), 2) for e in ("native", "interpreted")
        ]
        assert found[0] == found[1]


@pytest.mark.parametrize("place", ["first", "second"])
def test_a_record_of_arrays_that_is_replaced_is_read_again(place: str) -> None:
    """Also of a game that shares the engine of another one, which stays as it is."""
    games = [Netted(net=Nets(np.ones(3, np.float32))) for _ in range(2)]
    state = games[0].start()
    for game in games:
        assert engine_for(game, "native").call(mixed, state, 0) == 2
    changed = 0 if place == "first" else 1
    object.__setattr__(games[changed], "net", Nets(np.full(3, 4, np.float32)))
    assert engine_for(games[changed], "native").call(mixed, state, 0) == 8
    assert engine_for(games[1 - changed], "native").call(mixed, state, 0) == 2


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


@pytest.mark.usefixtures("only_new_garbage")
def test_tables_of_many_weights_are_released() -> None:
    first = engine_for(Featured2048(smoothness=1000), "interpreted").game
    rows = ref(first.rows)
    del first
    for smoothness in range(1001, 1001 + KEPT):
        engine_for(Featured2048(smoothness=smoothness), "interpreted")
    gc.collect()
    assert rows() is None
