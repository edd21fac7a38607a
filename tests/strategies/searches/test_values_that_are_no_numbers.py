"""A value that is no number, or beyond that of a win, is refused wherever a search meets it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import WIN, Game, Status, win_in
from games.failed import RuleFailed
from games.laws.of_values import numbers_of
from games.laws.rules import Broken
from strategies import (
    abdada,
    alphabeta,
    expectimax,
    maxn,
    mcts,
    minimax,
    mtdf,
    par_list,
    pvs,
    search,
    seq,
    solve,
    young_brothers_wait,
)
from tests.properties import examples


@frozen
class Node:
    ply: int
    place: int


@frozen
class Tree(Game[Node, int]):
    """Three moves at each of four plies; the value at one place is `gives`."""

    gives: Any = 0.0
    where: int = 0
    at_end: bool = False
    """Whether `gives` is a utility, not an estimate."""
    luck: bool = False
    value_range = (-50.0, 50.0)

    def start(self) -> Node:
        return Node(0, 0)

    def status(self, state: Node) -> Status:
        return Status.IN_PLAY if state.ply < 4 else Status.OVER

    def player(self, state: Node) -> int:
        return -1 if self.luck and state.ply == 1 else state.ply % 2

    def moves(self, state: Node) -> Iterator[int]:
        if state.ply < 4:
            yield from range(3)

    def outcomes(self, state: Node) -> Iterator[tuple[float, Node]]:
        yield 0.5, self.make_move(state, 0)
        yield 0.5, self.make_move(state, 1)

    def make_move(self, state: Node, move: int) -> Node:
        return Node(state.ply + 1, state.place * 3 + move)

    def value(self, state: Node, wrong: bool) -> Any:
        return self.gives if wrong and state.place == self.where else float(state.place * 7 % 10)

    def estimate(self, state: Node) -> Any:
        return self.value(state, not self.at_end and state.ply == 3)

    def utility(self, state: Node) -> Any:
        return self.value(state, self.at_end)


WRONG = (nan, inf, -inf, 1e300, -1e300, 2**70, "3", None, 1j)
SEARCHES = [
    (minimax, seq), (alphabeta, seq), (pvs, seq), (mtdf, seq), (expectimax, seq),
    (pvs, par_list.to_ply(2)), (pvs, young_brothers_wait.to_ply(2)), (pvs, abdada(2)),
    (pvs, seq, 60), (mtdf, par_list.to_ply(2), 60),
]  # fmt: skip
"""The algorithm, the strategy, and the seconds of a limit."""


def answer(game: Game[Any, Any], depth: int, kind: Any, using: Any, time: Any = None) -> Any:
    lazy = search(game, kind(depth), using=using, time=time, engine="interpreted")
    try:
        found = lazy.compute(num_workers=2)
    except RuleFailed as error:
        return str(error)
    return found.value, found.move


@given(
    st.sampled_from(WRONG), st.sampled_from(SEARCHES), st.integers(0, 80), st.booleans(),
    st.booleans(),
)  # fmt: skip
def test_the_search_fails_or_never_met_the_value(
    gives: Any, how: Any, where: int, at_end: bool, luck: bool
) -> None:
    """If it does not fail, the answer is the same whatever the value is."""
    depth = 4 if at_end else 3
    found = answer(Tree(gives, where, at_end, luck), depth, *how)
    if isinstance(found, tuple):
        assert how[0] not in (minimax, expectimax) or where >= (81 if at_end else 27) or luck
        for other in (-40.0, 40.0):
            assert answer(Tree(other, where, at_end, luck), depth, *how) == found
    else:
        path = [str(where // 3**ply % 3) for ply in reversed(range(depth))]
        if luck:
            path[1] = f"outcome {path[1]}"
        rule = "utility" if at_end else "estimate"
        assert found.startswith(f"{rule} failed after the moves {' '.join(path)},")
        assert f"it returned {gives!r}, not a number" in found


class Alike(Tree):
    """All values are `gives`, so that the answer is."""

    def value(self, state: Node, wrong: bool) -> Any:
        return self.gives


TAKEN = (3, -40, 2.5, np.float64(2.5), np.int8(3), WIN, win_in(0), -win_in(0))
REFUSED = (*WRONG, Fraction(1, 3), np.float32(0.1), 10**17 + 3, 2**53 + 1)


@examples(30)
@given(st.sampled_from(TAKEN + REFUSED), st.booleans())
def test_the_laws_ask_for_what_searches_take(gives: Any, at_end: bool) -> None:
    rule, depth = ("utility", 4) if at_end else ("estimate", 3)
    game = Alike(gives)
    found = answer(game, depth, minimax, seq)
    try:
        told = numbers_of(game, gives, rule)
    except Broken as broken:
        assert isinstance(found, str)
        assert broken.expected.split(" to be ")[1] in found  # noqa: PT017
    else:
        assert told == (gives,)
        assert isinstance(found, tuple)


@examples(20)
@given(st.sampled_from(WRONG), st.integers(0, 80))
def test_samples_and_proofs_refuse_it(gives: Any, where: int) -> None:
    game = Tree(gives, where, True)
    for ask in (
        lambda: search(game, mcts(2_000), engine="interpreted").compute(),
        lambda: search(game, mcts(500, rollout="estimate"), engine="interpreted").compute(),
        lambda: solve(Tree(gives, 0, True), engine="interpreted", memory="64kB"),
    ):
        with pytest.raises(
            RuleFailed, match=r"utility failed after the moves( \d){4},.* not a num"
        ):
            ask()


COMPILED: dict[str, Any] = {
    "minimax": lambda game: search(game, minimax(4), engine="native").compute(),
    "mtdf": lambda game: search(game, mtdf(4), engine="native").compute(),
    "mcts": lambda game: search(game, mcts(2_000), engine="native").compute(),
    "solve": lambda game: solve(game, engine="native", memory="64kB"),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[] if n == "minimax" else [pytest.mark.long]) for n in COMPILED],
)
def test_machine_code_refuses_it(name: str) -> None:
    with pytest.raises(RuleFailed, match=r"utility failed after the moves( \d){4},"):
        COMPILED[name](Tree(nan, 0, True))


@frozen
class Three(Tree):
    players = 3

    def player(self, state: Node) -> int:
        return state.ply % 3

    def estimate(self, state: Node) -> Any:
        return 0.0, super().estimate(state), 1.0

    def utility(self, state: Node) -> Any:
        return 0.0, super().utility(state), 1.0


@pytest.mark.parametrize("gives", WRONG)
@pytest.mark.parametrize("algorithm", [maxn(4), mcts(2_000)], ids=str)
def test_among_three_players_too(algorithm: Any, gives: Any) -> None:
    with pytest.raises(RuleFailed, match=r"utility failed after the moves .*not a tuple of 3 num"):
        search(Three(gives, 5, True), algorithm, engine="interpreted").compute()
