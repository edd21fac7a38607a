"""Errors name a failing hook on both engines, anywhere in the tree."""

from __future__ import annotations

from typing import Any

import pytest

from games import TicTacToe
from games.failed import RuleFailed
from strategies import pvs, search, solve
from strategies.searches.solving import Unprovable


class NoCandidates(TicTacToe):
    def candidates(self, state: Any) -> Any:
        return 3


class MovePromise(TicTacToe):
    def promise(self, state: Any, move: int) -> Any:  # type: ignore[override]
        return 1


@pytest.mark.parametrize("engine", [pytest.param("native", marks=pytest.mark.long), "interpreted"])
def test_both_engines_name_a_failing_hook(engine: str) -> None:
    """A failing rule of machine code is told in `test_failing_rules`, too."""
    with pytest.raises(RuleFailed, match=r"^candidates failed in .*it returned 3, not a"):
        solve(NoCandidates(), engine="interpreted")
    with pytest.raises(RuleFailed, match=r"^promise failed in .*missing 1 required"):
        solve(MovePromise(), engine="interpreted")
    with pytest.raises(RuleFailed, match=r"^promise failed in .*missing 1 required"):
        search(MovePromise(), pvs(4), engine=engine).compute()


class Late(TicTacToe):
    def key(self, state: Any) -> int:
        return 1 // (len(list(self.moves(state))) - 6)


def test_the_error_lists_the_moves_to_a_failing_hook() -> None:
    with pytest.raises(
        RuleFailed, match=r"^key failed after the moves \S \S \S, in .*ZeroDivisionError"
    ):
        search(Late(), pvs(6), engine="interpreted").compute()


class Colliding(TicTacToe):
    def key(self, state: Any) -> int:
        return 0


def test_a_key_shared_by_different_positions_raises_no_assertion_error() -> None:
    with pytest.raises(Unprovable, match="a hook of Colliding, such as key or bounds, contr"):
        solve(Colliding(), engine="interpreted")
