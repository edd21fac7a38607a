"""Unusual games: moves of any type, numbers of other libraries, values that are not numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from attrs import define, frozen

from games import CHANCE, Game, Status
from graphs import ArgumentError
from strategies import (
    RuleFailed,
    alphabeta,
    expectimax,
    mcts,
    minimax,
    par_list,
    perft,
    pvs,
    search,
    solve,
    tournament,
)


@frozen
class Way:
    taken: tuple[Any, ...]


@frozen
class Odd(Game[Way, Any]):
    """A game of some plies with the given moves; each position has the given value."""

    given: tuple[Any, ...]
    value: Callable[[Way], Any]
    plies: int = 2
    native = False

    def start(self) -> Way:
        return Way(())

    def status(self, state: Way) -> Status:
        return Status.IN_PLAY if self.given and len(state.taken) < self.plies else Status.OVER

    def player(self, state: Way) -> int:
        return len(state.taken) % 2

    def moves(self, state: Way) -> Iterator[Any]:
        yield from self.given

    def make_move(self, state: Way, move: Any) -> Way:
        return Way((*state.taken, move))

    def estimate(self, state: Way) -> Any:
        return self.value(state)

    def utility(self, state: Way) -> Any:
        return self.value(state)


@pytest.mark.parametrize(
    "moves", [(), (0,), ("left", "<b>"), ("", "x"), ((0, 1), (1, 0)), (None, 1), (np.int64(3), 4)]
)
@pytest.mark.parametrize("depth", [0, 1, 9])
def test_moves_of_any_kind(moves: tuple[Any, ...], depth: int) -> None:
    game = Odd(moves, lambda state: -0.0)
    result = search(game, alphabeta(depth), using=par_list).compute(num_workers=1)
    assert result.move == (moves[0] if moves and depth else None)
    assert result.value == 0
    assert "<b>" not in result._repr_html_()
    assert isinstance(json.loads(result.sparks.to_json()), list)


@pytest.mark.parametrize("number", [np.int64(3), np.float64(3), 3, 3.0])
def test_numbers_of_other_libraries_become_python_numbers(number: Any) -> None:
    result = search(Odd((0, 1), lambda state: number), alphabeta(2), using=par_list).compute()
    assert result.value == 3
    assert isinstance(result.value, (int, float))
    assert json.loads(result.sparks.to_json())


@pytest.mark.parametrize("value", [Fraction(1, 3), Decimal("0.5"), 1j, None, "x", np.array([1])])
@pytest.mark.parametrize("depth", [0, 2])
def test_the_error_for_a_value_that_is_not_a_number_names_the_rule(value: Any, depth: int) -> None:
    game = Odd((0, 1), lambda state: value)
    for made in (
        search(game, alphabeta(depth)).compute,
        search(game, alphabeta(depth), using=par_list).compute,
        search(game, alphabeta(depth)).trace,
    ):
        if made.__name__ == "trace" and isinstance(value, (Fraction, Decimal, np.ndarray)):
            continue  # Python can add and compare them
        with pytest.raises(RuleFailed, match=r"it returned .*, not a number"):
            made()


def test_a_state_without_a_hash_needs_a_key() -> None:
    game = Odd((Fraction(1, 2), Fraction(1, 3)), lambda state: 0, plies=4)
    for ask in search(game, pvs(4)).compute, lambda: solve(game, memory="1MB"):
        with pytest.raises(ArgumentError, match=r", not .*: define key\(state"):
            ask()


def test_texts_and_none_in_a_state_are_hashed() -> None:
    game = Odd(("left", None), lambda state: 0, plies=4)
    assert search(game, pvs(4)).compute().value == search(game, alphabeta(4)).compute().value


@pytest.mark.parametrize("infinite", [float("inf"), -float("inf"), 2**70])
def test_the_error_for_values_beyond_a_win_names_the_rule(infinite: float) -> None:
    game = Odd((0, 1), lambda state: infinite)
    told = f"it returned {infinite}, not a number from -WIN to WIN"
    for algorithm in alphabeta(1), minimax(2), pvs(3), expectimax(1), alphabeta(2, table="1MB"):
        with pytest.raises(RuleFailed, match=told):
            search(game, algorithm).compute()
        with pytest.raises(RuleFailed, match=told):
            search(game, algorithm, using=par_list).compute(num_workers=2)
    if abs(infinite) == float("inf"):  # then no move is best
        with pytest.raises(RuleFailed, match=told):
            tournament(game, [alphabeta(1), "random"], rounds=1, plies=0)
    with pytest.raises(RuleFailed, match=told):
        search(game, mcts(20)).compute()


class Taken:
    """A mutable position, as written by someone who does not know that it must not change."""

    def __init__(self, left: int) -> None:
        self.left = left


@frozen
class Changing(Game[Any, int]):
    """Take one or two; moves change the position in place."""

    first: Any
    native = False

    def start(self) -> Any:
        return self.first()

    def status(self, state: Any) -> Status:
        return Status.IN_PLAY if state.left > 0 else Status.OVER

    def player(self, state: Any) -> int:
        return int(state.left) % 2

    def moves(self, state: Any) -> Iterator[int]:
        yield from (1, 2)

    def make_move(self, state: Any, move: int) -> Any:
        state.left -= move
        return state

    def estimate(self, state: Any) -> int:
        return 0


@define
class Left:
    left: int = 7


@pytest.mark.parametrize("first", [Left, partial(Taken, 7)])
def test_a_move_that_changes_the_position_is_reported(first: Any) -> None:
    game = Changing(first)
    for ask in (
        lambda: search(game, alphabeta(4)).compute(),
        lambda: search(game, alphabeta(4), using=par_list).compute(),
        lambda: search(game, mcts(20)).compute(),
        lambda: solve(game),
    ):
        with pytest.raises(RuleFailed, match=r"make_move failed .* it changed the position"):
            ask()


class Bare:
    """A position that is equal to itself alone."""

    def __init__(self, left: int = 7) -> None:
        self.left = left


class Renewed(Changing):
    def make_move(self, state: Any, move: int) -> Any:
        return Bare(state.left - move)


def test_a_move_to_a_new_position_without_equality_changes_nothing() -> None:
    assert search(Renewed(Bare), alphabeta(4)).compute().nodes == 26


def left_of(state: Any, less: int) -> Any:
    return type(state)((state[0] - less, 1 - state[1]))


class Dice(Game[Any, int]):
    """Players and dice take stones from a pile, which is a tuple or a list."""

    def __init__(self, pile: Any) -> None:
        self.pile = pile

    def start(self) -> Any:
        return self.pile

    def status(self, state: Any) -> Status:
        if state[0]:
            return Status.IN_PLAY
        return Status.MAXIE_WINS if state[1] else Status.MINNIE_WINS

    def player(self, state: Any) -> int:
        return CHANCE if state[0] % 3 == 1 else int(state[1])

    def outcomes(self, state: Any) -> Iterator[Any]:
        for less in range(1, min(2, state[0]) + 1):
            yield (3 - less) / min(3, 2 * state[0]), left_of(state, less)

    def moves(self, state: Any) -> Iterator[int]:
        yield from range(1, min(3, state[0]) + 1)

    def make_move(self, state: Any, move: int) -> Any:
        return left_of(state, move)

    def estimate(self, state: Any) -> int:
        return int(state[0]) - 4


@frozen
class Called:
    """An object that is called as a rule without its game, and that no class binds."""

    rule: Callable[..., Any]

    def __call__(self, *args: Any) -> Any:
        return self.rule(None, *args)


WAYS_TO_BIND: dict[str, Callable[[Any], Any]] = {
    "static": lambda rule: staticmethod(partial(rule, None)),
    "of the class": classmethod,
    "not bound": Called,
}
RULES = "status", "player", "outcomes", "moves", "make_move", "estimate"


@pytest.mark.parametrize("pile", [(8, 0), [8, 0]])
@pytest.mark.parametrize("way", WAYS_TO_BIND)
def test_rules_that_need_no_game_may_be_bound_in_any_way(way: str, pile: Any) -> None:
    def found(game: Game[Any, int]) -> Any:
        yield perft(game, 4, engine="interpreted")
        for algorithm in alphabeta(5), expectimax(5, rounded=True), mcts(50):
            result = search(game, algorithm, engine="interpreted").compute()
            yield result.value, result.move, result.nodes

    plain = list(found(Dice(pile)))
    for rule in RULES:
        bound = {rule: WAYS_TO_BIND[way](vars(Dice)[rule])}
        assert list(found(type("Bound", (Dice,), bound)(pile))) == plain, rule


def test_solve_reports_a_failing_start() -> None:
    with pytest.raises(RuleFailed, match="start failed: TypeError"):
        solve(Changing(3))


@frozen
class Parts(Odd):
    def children(self, state: Way) -> Any:
        return [(1,)]


@frozen
class Nothing(Odd):
    def candidates(self, state: Way) -> Any:
        return None


def test_hooks_that_return_the_wrong_types_are_reported() -> None:
    with pytest.raises(RuleFailed, match=r"children failed .* \(1,\), not \(move, state\)"):
        search(Parts((0, 1), lambda state: 0, plies=3), alphabeta(3)).compute()
    with pytest.raises(RuleFailed, match=r"candidates failed .* it returned None, not a generator"):
        solve(Nothing((0, 1), lambda state: 0, plies=3), memory="64kB")
