"""Probabilities that are not above 0, or do not sum to 1, end a search, with rule and moves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, Game, RandomAgent, Status, play
from strategies import (
    RuleFailed,
    alphabeta,
    endgame_table,
    expectimax,
    maxn,
    mcts,
    par_list,
    perft,
    search,
    solve,
    young_brothers_wait,
)
from tests.properties import examples

pytestmark = pytest.mark.usefixtures("any_length")


@frozen
class At:
    n: int = 0
    chance: bool = False


@frozen
class Tossing(Game[At, int]):
    """After each move, a coin is tossed; after some number of plies, it is a wrong one."""

    wrong: int = 99
    odds: tuple[float, ...] = (0.5, 0.5)
    many: int = 2
    value_range = (0, 9)

    @property
    def players(self) -> int:  # type: ignore[override]
        return self.many

    def start(self) -> At:
        return At()

    def status(self, state: At) -> Status:
        return Status.IN_PLAY

    def player(self, state: At) -> int:
        return CHANCE if state.chance else state.n % self.many

    def moves(self, state: At) -> Iterator[int]:
        yield 1
        yield 2

    def make_move(self, state: At, move: int) -> At:
        return At(state.n + move, True)

    def outcomes(self, state: At) -> Iterator[tuple[float, At]]:
        if state.n < self.wrong:
            yield 0.25, At(state.n)
            yield 0.75, At(state.n + 1)
        else:
            for i, p in enumerate(self.odds):
                yield p, At(state.n + i)

    def estimate(self, state: At) -> Any:
        if self.many > 2:
            return (state.n % 3, state.n % 5, state.n % 7)
        return state.n % 5

    def utility(self, state: At) -> Any:
        return self.estimate(state)


ALGORITHMS = {
    "alphabeta": (alphabeta(6), 2),
    "with a table": (alphabeta(6, table="1MB"), 2),
    "expectimax": (expectimax(6), 2),
    "expectimax with a table": (expectimax(6, table="1MB"), 2),
    "star1": (expectimax(6, pruning="star1"), 2),
    "an odd depth": (alphabeta(5), 2),
    "maxn": (maxn(6), 3),
    "mcts": (mcts(200, rollout=2), 2),
}
WRONG = (1.25, 1.25), (0.5, 0.5, 0.25), (1.5, -0.5), (-0.5, 1.5), (0.5, 0.0, 0.5)
ENGINES, LONG = ("native", "interpreted"), pytest.mark.long


@pytest.mark.parametrize(
    ("name", "engine"),
    [
        ("alphabeta", "native"),
        *(pytest.param(n, "native", marks=LONG) for n in ALGORITHMS if n != "alphabeta"),
        *((name, "interpreted") for name in ALGORITHMS),
    ],
)
def test_wrong_odds_are_reported_where_they_are(name: str, engine: Any) -> None:
    algorithm, many = ALGORITHMS[name]
    for odds in WRONG[: 2 if engine == "native" else None]:
        told = f"At(n=N, chance=True): probabilities must be above 0 and sum to 1, not {[*odds]}"
        told = re.escape(told).replace("N", "[3-9]")
        with pytest.raises(RuleFailed, match=f"outcomes failed after .* in {told}"):
            search(Tossing(3, odds, many), algorithm, engine=engine).compute()


LIVE = young_brothers_wait.everywhere.grain(3)
"""Its kernel tells of a rule that fails as for any other game, so it is compiled rarely."""


@pytest.mark.parametrize(
    ("using", "engine"),
    [
        *product((par_list.to_ply(1), par_list.to_ply(3)), ENGINES),
        (LIVE, "interpreted"), pytest.param(LIVE, "native", marks=LONG),
    ],
)  # fmt: skip
def test_strategies_report_it_too(using: Any, engine: Any) -> None:
    with pytest.raises(RuleFailed, match=r"outcomes failed after .* sum to 1"):
        search(Tossing(5, (0.5, 0.25)), alphabeta(6), using=using, engine=engine).compute()


@frozen
class Ending(Tossing):
    """The same game, with few positions."""

    def status(self, state: At) -> Status:
        return Status.OVER if state.n > 6 else Status.IN_PLAY


@pytest.mark.parametrize("engine", [pytest.param("native", marks=LONG), "interpreted"])
def test_solving_reports_it(engine: Any) -> None:
    assert solve(Ending(), engine=engine).value is not None
    with pytest.raises(RuleFailed, match=r"outcomes failed .* sum to 1"):
        solve(Ending(3, (0.5, 0.25)), engine=engine)


@given(
    st.sampled_from(ENGINES), st.lists(st.integers(1, 9), min_size=1, max_size=4),
    st.integers(-2, 2),
)  # fmt: skip
def test_sums_that_are_wrong_and_only_these(engine: Any, parts: list[int], off: int) -> None:
    odds = tuple((part + (off if i == 0 else 0)) / sum(parts) for i, part in enumerate(parts))
    game = Tossing(2, odds)
    answer = search(game, expectimax(4), engine=engine)
    if abs(sum(odds) - 1) > 1e-6 or min(odds) <= 0:
        with pytest.raises(RuleFailed, match="outcomes failed"):
            answer.compute()
    else:
        assert answer.compute().value == search(game, alphabeta(4), engine=engine).compute().value


@frozen
class Tossed(Game[Any, int]):
    """The first position has these outcomes; a move of one player ends the game."""

    pairs: Any
    native = False

    def start(self) -> Any:
        return (0, 0)

    def status(self, state: Any) -> Status:
        return Status.DRAW if state[0] > 1 else Status.IN_PLAY

    def player(self, state: Any) -> int:
        return 0 if state[0] else CHANCE

    def moves(self, state: Any) -> Iterator[int]:
        yield from (1, 2) if state[0] else ()

    def make_move(self, state: Any, move: int) -> Any:
        return (state[0] + 1, move)

    def outcomes(self, state: Any) -> Any:
        return self.pairs

    def estimate(self, state: Any) -> int:
        return 0


EVERYWHERE = (
    lambda game: search(game, alphabeta(3)).compute(),
    lambda game: search(game, expectimax(3), using=par_list).compute(),
    lambda game: search(game, mcts(9)).compute(),
    solve,
    endgame_table,
    lambda game: perft(game, 2),
    lambda game: play(game, RandomAgent()),
)
STATES = st.sampled_from([(1, 0), (1, 1)])
RIGHT = st.sampled_from([[1], [0.5, 0.5], [0.125, 0.875]])


@examples(40)
@given(st.sampled_from(EVERYWHERE), STATES, st.data())
def test_outcomes_are_judged_by_one_sentence_everywhere(ask: Any, state: Any, data: Any) -> None:
    odds = data.draw(RIGHT)
    ask(Tossed([(p, state) for p in odds]))
    off = data.draw(st.sampled_from([0.25, -0.25, 1, 100, 1e-3]))
    wrong = [odds[0] + off, *odds[1:]]
    sums = f"probabilities must be above 0 and sum to 1, not {wrong}"
    pairs, told = data.draw(
        st.sampled_from(
            [
                ([(p, state) for p in wrong], sums),
                ([(state, p) for p in odds], "not a probability from 0 to 1 first"),
                ([(str(p), state) for p in odds], "not a probability from 0 to 1 first"),
                ([0.5, 0.5], "it returned 0.5, not (probability, state)"),
            ]
        )
    )
    with pytest.raises(RuleFailed) as raised:
        ask(Tossed(pairs))
    said = str(raised.value)
    assert said.startswith("outcomes failed in (0, 0): ")
    assert told in said
