"""Wrong arguments and rules are refused in one line that says what would be right."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from games import CHANCE, MAXIE, WIN, ExplicitGame, Game, Position, Status, TicTacToe
from games.pig import Pig
from graphs import ArgumentError
from strategies import KeptTable, RuleFailed, alphabeta, jamboree, par_list, search, solve
from strategies.algebra.strategy import Strategy
from strategies.native.calls.solver import Unprovable
from strategies.native.hooks import window_bounds_of
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.control import kernel
from strategies.native.memory.cells import cells
from tests.properties import DEEP
from tests.strategies.searches.test_solving import promising

ENGINES = "interpreted", "native"


@pytest.mark.parametrize(
    ("args", "using", "why"),
    [
        ((TicTacToe, alphabeta(2)), par_list, r"write TicTacToe\(\)"),
        (("tictactoe", alphabeta(2)), par_list, "a game is needed, not 'tictactoe'"),
        ((Position(TicTacToe()), alphabeta(2)), par_list, r"write p\.game, …, state=p\.state"),
        ((TicTacToe(), alphabeta), par_list, r"an algorithm is needed, and alphabeta makes one"),
        ((TicTacToe(), alphabeta(2)), "seq", r"write parse_using\('seq'\)"),
        (
            (TicTacToe(), alphabeta(2)),
            jamboree,
            r"as jamboree\(0.5\).*, not the function jamboree$",
        ),
        ((TicTacToe(), alphabeta(2)), "abdada(2)", r"write parse_using\('abdada\(2\)'\)"),
    ],
)
def test_arguments_of_the_wrong_kind(args: Any, using: Any, why: str) -> None:
    with pytest.raises(TypeError, match=why):
        search(*args, using=using)


def test_a_kept_table_is_refused_as_a_size(tmp_path: Path) -> None:
    kept: Any = KeptTable(tmp_path / "a.table", "1MB")
    with pytest.raises(
        ValueError, match=r"pass a kept table to solve\(game, memory=…\) or compute\("
    ):
        alphabeta(2, table=kept)


@pytest.mark.parametrize("workers", [0, -1, 1.5, "2"])
def test_numbers_of_workers(workers: Any) -> None:
    with pytest.raises(ValueError, match="num_workers must be a whole number, 1 to "):
        search(TicTacToe(), alphabeta(2)).compute(num_workers=workers)


def test_an_executor_determines_the_number_of_workers() -> None:
    with ThreadPoolExecutor(2) as pool:
        answer = search(TicTacToe(), alphabeta(3), using=par_list, engine="interpreted")
        assert answer.compute(scheduler=pool).value == 3
        with pytest.raises(ArgumentError, match="an executor has as many workers as it"):
            answer.compute(scheduler=pool, num_workers=2)


@frozen
class Spot:
    ply: int


@frozen
class Odd(Game[Spot, int]):
    """A game with one fault."""

    fault: str
    native = False
    players = 2

    def start(self) -> Spot:
        if self.fault == "start":
            raise OSError("no board")
        return Spot(0)

    def status(self, state: Spot) -> Status:
        if self.fault == "status":
            return 9  # type: ignore[return-value]  # the fault
        if self.fault == "truth":
            return state.ply > 2  # type: ignore[return-value]  # the fault
        return Status.IN_PLAY

    def player(self, state: Spot) -> int:
        chances = {"player": 7, "no outcomes": CHANCE, "odds": CHANCE, "negative": CHANCE}
        return chances.get(self.fault, MAXIE)

    def moves(self, state: Spot) -> Iterator[int]:
        yield from () if self.fault == "moves" else (0, 1)

    def make_move(self, state: Spot, move: int) -> Spot:
        return Spot(state.ply + 1)

    def outcomes(self, state: Spot) -> Iterator[tuple[float, Spot]]:
        if self.fault != "no outcomes":
            yield (0.5 if self.fault == "odds" else -0.5), Spot(1)
            yield (0.6 if self.fault == "odds" else 1.5), Spot(2)

    def estimate(self, state: Spot) -> float:
        return 0


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("start", "start failed: OSError: no board"),
        ("status", "status failed.*it returned 9, not a Status"),
        ("truth", "status failed.*it returned False, not a Status, such as Status.IN_PLAY"),
        ("player", "player failed.*it returned 7, not a player from 0 to 1, or CHANCE"),
        ("moves", "moves failed.*it returned none, but status is Status.IN_PLAY"),
        ("no outcomes", "outcomes failed.*it returned none"),
        ("odds", r"outcomes failed.*must be above 0 and sum to 1, not \[0.5, 0.6\]"),
        ("negative", r"outcomes failed.*must be above 0 and sum to 1, not \[-0.5, 1.5\]"),
    ],
)
@pytest.mark.parametrize("using", [par_list.to_ply(2), jamboree(1)])
def test_rules_that_contradict_themselves(fault: str, why: str, using: Strategy) -> None:
    with pytest.raises(RuleFailed, match=why):
        search(Odd(fault), alphabeta(3), using=using)


@frozen
class Ends(Odd):
    native = True

    def make_move(self, state: Spot, move: int) -> Spot:
        if move != 1 or state.ply != 1:
            return Spot(state.ply + 1)
        return None  # type: ignore[return-value]  # the fault


@pytest.mark.parametrize("engine", ["native", "interpreted"])
def test_a_rule_that_returns_nothing_and_a_status_of_truth(engine: Any) -> None:
    with pytest.raises(RuleFailed, match=r"make_move.*None, not a Spot; does a path .* `return`"):
        search(Ends(""), alphabeta(3), engine=engine).compute()
    with pytest.raises(RuleFailed, match="it returned False, not a Status"):
        search(Ends("truth"), alphabeta(3), engine=engine).compute()


def test_chance_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """In pig, a player may go on rolling, so that there are infinitely many positions."""
    monkeypatch.setattr("strategies.searches.solving.GRAPH", 1 << 12)
    with pytest.raises(Unprovable, match=r"chance moves.* can be reached, .*: give more memory"):
        solve(Pig(target=4), memory="4kB", engine="interpreted")


@frozen
class Lying(TicTacToe):
    given: tuple[float, float] = (0, 0)

    def bounds(self, state: Any) -> tuple[float, float]:
        return self.given


@pytest.mark.parametrize(
    ("given", "least", "most"),
    [((5, -5), "5", "-5"), ((WIN, 2 * WIN), "1e\\+15", "0"), ((float("nan"), 1), "nan", "1")],
)
def test_bounds_that_contradict_themselves_or_the_rules_are_reported(
    given: tuple[float, float], least: str, most: str
) -> None:
    told = f"bounds, window_bounds or value_range contradicts itself .* {least} and at most {most}$"
    with pytest.raises(Unprovable, match=told):
        solve(Lying(given), engine="interpreted", memory="1MB")


NAN, FAR = float("nan"), float("inf")


def altered(hook: str, rule: Any) -> TicTacToe:
    """Return Tic-Tac-Toe with another hook."""
    made: TicTacToe = type("Windowed", (TicTacToe,), {hook: rule})()
    return made


WRONG_BOUNDS: dict[str, tuple[Any, str]] = {
    "raises": (((-1e18, 1e18),), "window_bounds failed .*IndexError"),
    "reversed": (((FAR, -FAR),) * 9, "window_bounds failed in .*the low one first"),
    "no number": (((FAR, NAN),) * 9, "window_bounds failed in .*the low one first"),
}
"""The bounds that a tree tells."""
WRONG_RULES: dict[str, tuple[TicTacToe, str]] = {
    "takes the state alone": (
        altered("window_bounds", lambda self, state: (-1, 1)),
        "window_bounds failed in .*TypeError",
    ),
    "takes nothing": (altered("bounds", lambda self: (-1, 1)), "bounds failed in .*TypeError"),
}  # fmt: skip


@pytest.mark.usefixtures("any_length")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("wrong", WRONG_BOUNDS)
def test_wrong_bounds_are_told_with_their_rule(wrong: str, engine: str) -> None:
    spans, said = WRONG_BOUNDS[wrong]
    tree = ExplicitGame.from_nested([[[3, 1], [4]], [2]])
    game = promising(tree, spans=spans)
    with pytest.raises(RuleFailed, match=said):
        solve(game, engine=engine, time=20)
    used: Any = engine if DEEP else "interpreted"  # no search but a proof asks for bounds
    found, wanted = (search(g, alphabeta(9), engine=used).compute() for g in (game, tree))
    assert (found.value, found.nodes) == (wanted.value, wanted.nodes)


@pytest.mark.parametrize("engine", ["interpreted", pytest.param("native", marks=pytest.mark.long)])
@pytest.mark.parametrize("wrong", WRONG_RULES)
def test_bounds_of_other_arguments_are_told_with_their_rule(wrong: str, engine: str) -> None:
    game, said = WRONG_RULES[wrong]
    with pytest.raises(RuleFailed, match=said):
        solve(game, game.parse_state("1 5 3 2"), engine=engine, time=20)


@kernel
def narrowed(game: TicTacToe, state: Any, low: float, control: Any) -> float:
    """Return the upper bound that is left for a window."""
    return window_bounds_of(game, state, low, low + 1, -50.0, 50.0)[1]


def test_bounds_may_take_more_than_they_are_given() -> None:
    def starred(self: Any, state: Any, *window: float) -> tuple[int, int]:
        return -(10**16), 7

    def usual(self: Any, state: Any, low: float, high: float, more: int = 1) -> tuple[float, float]:
        return -(10**16), high + more + 5

    for rule in starred, usual, staticmethod(lambda state, low, high: (-(10**16), high + 6)):
        game = altered("window_bounds", rule)
        state = game.parse_state("1 5 3 2")
        for engine in "native", "interpreted":
            assert engine_for(game, engine).call(narrowed, state, 0.0, cells(1)) == 7
    alone = WRONG_RULES["takes the state alone"][0]
    with pytest.raises(TypeError, match="wrong arguments"):
        engine_for(alone, "native").call(narrowed, alone.start(), 0.0, cells(1))
    wide = altered("window_bounds", lambda self, state, *window: (-(10**16), 10**16))
    assert solve(wide, wide.parse_state("1 5 3 2"), engine="interpreted").value == 0
