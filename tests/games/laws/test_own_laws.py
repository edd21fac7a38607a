"""Laws as users write them, and the tests that users write over drawn positions."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given, settings

from games import HANDOUT_SMALL, Game, Nim, Status
from games.failed import RuleFailed
from games.laws import (
    Broken,
    Law,
    law_of_positions,
    law_of_states,
    law_of_traces,
    state_and_move,
    states,
    traces,
)
from games.laws.check import LAWS
from games.laws.examine import examine
from games.laws.plays import Plays
from games.laws.trace import Impure, replay
from strategies.native.verification.parity import parity

PLAYS = Plays(HANDOUT_SMALL, "dev", 0, 10)
MAKERS = [law_of_states, law_of_traces, law_of_positions]


def verdict_on(law: Law) -> Any:
    return examine(law, PLAYS)


def law_that(answer: Callable[[], Any], maker: Any, bare: bool) -> Law:
    def mine(game: Any, place: Any) -> Any:
        """Mine."""
        return answer()

    return (maker if bare else maker())(mine)  # type: ignore[no-any-return]


@pytest.mark.parametrize("bare", [True, False])
@pytest.mark.parametrize("maker", MAKERS)
def test_a_decorator_is_written_with_and_without_parentheses(maker: Any, bare: bool) -> None:
    law = law_that(lambda: None, maker, bare)
    assert (law.name, law.sentence) == ("mine", "Mine.")
    assert verdict_on(law).result == "pass"


VALUES = (None, True, False, 0, 2, -1, 0.5, float("nan"), "", "late", (), [None], print)


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("answer", VALUES, ids=lambda value: type(value).__name__)
def test_a_law_that_returns_anything_but_its_result_is_broken(maker: Any, answer: Any) -> None:
    counts = maker is not law_of_states and type(answer) is int and answer > 0
    holds = answer is None or answer is True or counts
    found = verdict_on(law_that(lambda: answer, maker, True))
    if maker is not law_of_states and type(answer) is int and answer == 0:
        assert found.result == "not met"
        return
    assert found.result == ("pass" if holds else "broken")
    assert holds or ("mine to return" in found.expected and found.got == repr(answer))


@pytest.mark.parametrize("then", [0, (), [0]], ids=repr)
@pytest.mark.parametrize(("expected", "got"), [*zip(VALUES, VALUES[::-1], strict=True)])
def test_a_law_may_raise_broken_with_any_values(expected: Any, got: Any, then: Any) -> None:
    def raising() -> None:
        raise Broken(expected, got, then)

    found = verdict_on(law_that(raising, law_of_states, True))
    assert found.result == "broken"
    assert found.expected == (expected if isinstance(expected, str) else repr(expected))
    assert found.got == (got if isinstance(got, str) else repr(got))


# Games of many moves ------------------------------------------------------------------------------


@frozen
class Wide(Game[int, int]):
    """A game of many moves at each of its plies."""

    many: int
    foreign: bool = False
    read: Any = None

    def start(self) -> int:
        return 0

    def status(self, state: int) -> Status:
        return Status.IN_PLAY if state < 4 else Status.DRAW

    def player(self, state: int) -> int:
        return state % 2

    def moves(self, state: int) -> Iterator[int]:
        if state < 4:
            yield from range(state * self.many, (state + 1) * self.many)

    def make_move(self, state: int, move: int) -> int:
        return state + 1

    def parse_move(self, state: int, text: str) -> int:
        if self.read is not None:
            self.read.append(self.many)
        if self.foreign and text.isdecimal():
            return int(text)
        return super().parse_move(state, text)


@pytest.mark.parametrize("name", ["foreign_texts_are_refused", "move_texts_are_read_back"])
def test_laws_of_texts_do_not_grow_with_the_square_of_the_moves(name: str) -> None:
    law = next(law for law in LAWS if law.name == name)
    spent = []
    for many in (200, 400):
        read: list[int] = []
        game = Wide(many, read=read)
        law.check(game, replay(game, [0, many, 2 * many]))
        spent.append(sum(read))
    assert spent[1] <= 3 * spent[0]


def test_foreign_texts_are_found_in_large_games() -> None:
    law = next(law for law in LAWS if law.name == "foreign_texts_are_refused")
    game = Wide(200, foreign=True)
    with pytest.raises(Broken, match="to be refused with IllegalMove"):
        law.check(game, replay(game, [0, 200, 400]))


# Rules that are not fixed -------------------------------------------------------------------------


@frozen
class Drawn(Game[tuple[int, float], int]):
    """A game of which one rule uses random numbers."""

    impure: str
    random: Any

    def some(self, rule: str) -> float:
        return self.random.random() if rule == self.impure else 0.0  # type: ignore[no-any-return]

    def start(self) -> tuple[int, float]:
        return 0, self.some("start")

    def status(self, state: tuple[int, float]) -> Status:
        return Status.IN_PLAY if state[0] < 6 else Status.DRAW

    def player(self, state: tuple[int, float]) -> int:
        return state[0] % 2

    def moves(self, state: tuple[int, float]) -> Iterator[int]:
        yield from range(1, 3 + int(1000 * self.some("moves")))

    def make_move(self, state: tuple[int, float], move: int) -> tuple[int, float]:
        return state[0] + 1, self.some("make_move")

    def estimate(self, state: tuple[int, float]) -> float:
        return self.some("estimate")


@pytest.mark.parametrize("rule", ["start", "moves", "make_move", "estimate"])
@pytest.mark.parametrize("draw", [states, traces, state_and_move])
def test_a_test_over_positions_of_rules_that_are_not_fixed_says_so(rule: str, draw: Any) -> None:
    game = Drawn(rule, Random(1))

    @settings(database=None, max_examples=30)
    @given(draw(game))
    def mine(drawn: Any) -> None:
        assert self_consistent(drawn)

    def self_consistent(drawn: Any) -> bool:
        return game.random.random() < 0.9 if game.impure == rule else True

    with pytest.raises(Impure, match=r"the rules of Drawn are not fixed: after the choices \["):
        mine()


def test_rules_that_are_fixed_may_be_tested() -> None:
    @settings(database=None, max_examples=20)
    @given(states(Nim((1, 2))))
    def mine(state: Any) -> None:
        assert state is not None

    mine()


# Rules that fail ----------------------------------------------------------------------------------


@frozen
class Place:
    n: int
    turn: int


@frozen
class Failing(Game[Place, int]):
    """A game whose moves cannot be listed after two plies."""

    def start(self) -> Place:
        return Place(0, 0)

    def status(self, state: Place) -> Status:
        return Status.IN_PLAY if state.n < 4 else Status.DRAW

    def player(self, state: Place) -> int:
        return state.turn

    def moves(self, state: Place) -> Iterator[int]:
        if state.n >= 2:
            raise IndexError("out of range")
        yield 1

    def make_move(self, state: Place, move: int) -> Place:
        return Place(state.n + move, 1 - state.turn)

    def estimate(self, state: Place) -> int:
        return 0


@pytest.mark.long
def test_parity_names_the_rule_that_fails() -> None:
    with pytest.raises(RuleFailed, match=r"moves failed .*IndexError"):
        parity(Failing(), playouts=1)
