"""Rules that fail during a search, and the messages about them, on both engines."""

from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, MAXIE, Game, Status, TicTacToe
from games.failed import RuleFailed
from strategies import alphabeta, expectimax, mcts, par_list, pvs, search, solve
from strategies.native.engine import Engine, control_for
from strategies.native.failures import failure, failure_at, failure_under
from strategies.native.kept_engines import engine_for
from tests.strategies.native.counting import At, Counting


@frozen
class Raises(Counting):
    def make_move(self, state: At, move: int) -> At:
        if state.a > 6 and move == 1:
            raise ValueError("no second move from here")
        return At(state.a + 2)


@frozen
class LateNone(Counting):
    native = False

    def make_move(self, state: At, move: int) -> At:
        return At(state.a + 1) if state.a < 4 else None  # type: ignore[return-value]


@pytest.mark.parametrize("choice", ["native", "interpreted"])
def test_a_rule_that_raises(choice: str) -> None:
    for depth in (5, 6, 9):
        with pytest.raises(RuleFailed) as failed:
            engine_for(Raises(), choice).search(At(0), depth)
        found = failed.value
        assert (found.rule, found.moves) == ("make_move 1", ("0",) * (depth - 1))
        assert found.state == At(2 * depth - 2)
        assert isinstance(found.__cause__, ValueError)
        assert "no second move from here" in str(found)


def test_a_rule_that_returns_the_wrong_type() -> None:
    with pytest.raises(RuleFailed) as failed:
        engine_for(LateNone()).search(At(0), 8)
    assert str(failed.value) == (
        "make_move failed after the moves 0 0 0 0, in At(a=4): it returned None, not a At; "
        "does a path of it end without `return`?"
    )


@frozen
class Faulty(Counting):
    """One rule fails at one ply; each move is 0 or 1."""

    rule: str = ""
    ply: int = 0

    def check(self, rule: str, state: At) -> None:
        if (rule, state.a) == (self.rule, self.ply):
            raise ValueError("a fault")

    def status(self, state: At) -> Status:
        self.check("status", state)
        return Status.IN_PLAY

    def player(self, state: At) -> int:
        self.check("player", state)
        return state.a % 2

    def moves(self, state: At) -> Any:
        self.check("moves", state)
        yield from (0, 1)

    def make_move(self, state: At, move: int) -> At:
        if move:
            self.check("make_move 1", state)
        return At(state.a + 1)


@given(
    st.sampled_from(["status", "player", "moves", "make_move 1"]),
    st.integers(0, 5), st.integers(0, 5), st.booleans(),
)  # fmt: skip
def test_a_rule_that_fails_while_positions_or_games_are_counted(
    rule: str, ply: int, depth: int, games: bool
) -> None:
    engine = Engine(Faulty(rule=rule, ply=ply), "interpreted")
    count = engine.complete_games if games else engine.perft
    if ply < depth + (games and rule == "status"):
        with pytest.raises(RuleFailed) as failed:
            count(At(0), depth)
        found = failed.value
        assert (found.rule, found.moves, found.state) == (rule, ("0",) * ply, At(ply))
    else:
        assert count(At(0), depth) == (0 if games else 2**depth)


def test_errors_outside_the_rules_are_raised_unchanged() -> None:
    with pytest.raises(OverflowError):
        engine_for(Counting(), "native").search(At(2**70), 3)


def test_a_number_that_only_machine_code_cannot_hold_is_not_blamed_on_the_state() -> None:
    error = OverflowError("a number of 2**63 or more does not fit into an int")
    found = failure(Counting(), At(0), 1, control_for(1), error)
    assert isinstance(found, RuleFailed)
    assert "in machine code: OverflowError: a number of 2**63 or more" in str(found)


@frozen
class Odds(Game[int, int]):
    """A game of chance with one odd probability."""

    odd: float
    value_range = (-1.0, 1.0)

    def start(self) -> int:
        return 0

    def status(self, state: int) -> Status:
        return Status.IN_PLAY if state < 2 else Status.OVER

    def player(self, state: int) -> int:
        return CHANCE if state == 1 else MAXIE

    def moves(self, state: int) -> Any:
        if state == 0:
            yield 1

    def make_move(self, state: int, move: int) -> int:
        return 1

    def outcomes(self, state: int) -> Any:
        yield self.odd, 2
        yield 0.5, 3

    def estimate(self, state: int) -> int:
        return 0

    def utility(self, state: int) -> int:
        return 1


@pytest.mark.parametrize("depth", [2, 3])
def test_a_probability_that_is_no_number_is_named(depth: int) -> None:
    odds = Odds(float("nan"))
    with pytest.raises(RuleFailed, match=r"outcomes failed .*not a probability from 0 to 1"):
        search(odds, expectimax(depth), engine="interpreted").compute(num_workers=1)


@frozen
class Late(TicTacToe):
    def make_move(self, state: Any, move: int) -> Any:
        if len(list(self.moves(state))) < 7:
            raise ValueError("no more moves")
        return super().make_move(state, move)


HOW: dict[str, Any] = {"engine": "interpreted"}


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: search(game, alphabeta(5), **HOW).compute(),
        lambda game: search(game, pvs(5), using=par_list, **HOW).compute(),
        lambda game: search(game, mcts(9), **HOW).compute(),
        lambda game: solve(game, memory="64kB", **HOW),
        lambda game: engine_for(game, "interpreted").perft(game.start(), 5),
    ],
)
def test_the_causes_of_a_failure_end(ask: Any) -> None:
    """Dask follows them to their end when a worker sends a failure."""
    with pytest.raises(RuleFailed, match="no more moves") as failed:
        ask(Late())
    causes: list[BaseException | None] = [failed.value]
    while causes[-1] is not None:
        assert causes[-1].__cause__ not in causes
        causes.append(causes[-1].__cause__)


def test_a_rule_that_took_too_much_memory_is_not_run_again() -> None:
    """In Python nothing would end it."""
    error = MemoryError("more memory than rules may take")
    for found in (
        failure(Raises(), At(7), 2, control_for(2), error),
        failure_at(Raises(), At(7), error),
        failure_under(Raises(), At(7), 2, error, lambda state, depth: 0),
    ):
        assert found is error
