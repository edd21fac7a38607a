"""Values that are not numbers: every search raises an error that names the rule."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import asdict, frozen

from games import WIN, TicTacToe
from games.explicit import ExplicitGame
from games.failed import RuleFailed
from games.pig import Pig
from strategies import alphabeta, mcts, par_list, pvs, search, solve
from strategies.native.calls.solver import Unprovable
from strategies.native.kept_engines import engine_for

TREE = ExplicitGame.from_nested([[1, 2], [3, [4, 5]]])


@frozen
class Numberless(ExplicitGame):
    """A tree whose values are not numbers."""

    gives: Any = float("nan")

    def estimate(self, state: Any) -> Any:
        return self.gives

    def utility(self, state: Any) -> Any:
        return self.gives


SEARCHES: list[Callable[[Any], Any]] = [
    lambda game: search(game, alphabeta(4), engine="interpreted").compute(),
    lambda game: search(game, pvs(4), using=par_list.to_ply(1), engine="interpreted").compute(),
    lambda game: search(game, pvs(4), engine="interpreted", time=5).compute(),
    lambda game: solve(game, engine="interpreted"),
    lambda game: search(game, mcts(9), engine="interpreted").compute(),
]


@pytest.mark.parametrize("gives", [float("nan"), "3"])
@pytest.mark.parametrize("ask", SEARCHES)
def test_the_error_names_the_rule(ask: Callable[[Any], Any], gives: Any) -> None:
    game = Numberless(**asdict(TREE, recurse=False), gives=gives)
    with pytest.raises(RuleFailed, match=f"it returned {gives!r}, not a number"):
        ask(game)


def test_chance_is_refused_before_rules_are_compiled() -> None:
    pig = Pig(target=4)
    with pytest.raises(Unprovable, match="chance moves in this game: use expectimax"):
        solve(pig, engine="auto")
    assert engine_for(pig).undecided


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
    told = f"the rule bounds, or value_range, contradicts itself .* {least} and at most {most}$"
    with pytest.raises(Unprovable, match=told):
        solve(Lying(given), engine="interpreted", memory="1MB")
