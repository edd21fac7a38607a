"""Both engines name a hook that fails or returns something wrong, with moves or line."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import frozen

from games import TicTacToe
from strategies import AlgorithmError, RuleFailed, alphabeta, expectimax, perft, pvs, search, solve

WHOLE = "a 64-bit integer"


def game_with(**hooks: Any) -> TicTacToe:
    """Return the game with these hooks, each of which returns a constant or raises."""

    def giving(found: Any) -> Any:
        def hook(self: Any, state: Any) -> Any:
            if isinstance(found, Exception):
                raise found
            return found

        return hook

    kind = type("Hooked", (TicTacToe,), {name: giving(found) for name, found in hooks.items()})
    return frozen(kind)()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("hook", "gives", "said"),
    [
        ("key", 0.5, f"it returned 0.5, not {WHOLE}"),
        ("key", "abc", f"it returned 'abc', not {WHOLE}"),
        ("key", KeyError("x"), "KeyError: 'x'"),
        ("promise", None, "it returned None, not a number"),
        ("moves_in_play", (), "it returned none, but status is Status.IN_PLAY"),
    ],
)
def test_the_error_for_a_failing_hook_lists_the_moves(hook: str, gives: Any, said: str) -> None:
    game = game_with(**{hook: gives})
    for algorithm in (alphabeta(4, table="4kB"), pvs(3)) if hook != "promise" else (pvs(3),):
        with pytest.raises(RuleFailed, match=f"^{hook} failed (in|after) ") as caught:
            search(game, algorithm, engine="interpreted").compute()
        assert said in str(caught.value)
    with pytest.raises(RuleFailed, match=f"^{hook} failed (in|after) "):
        solve(game, engine="interpreted")
    if hook == "key":
        with pytest.raises(RuleFailed, match=r"^key failed (in|after) "):
            perft(game, 4, table="4kB", engine="interpreted")


@pytest.mark.parametrize("gives", [None, (1, 2, 3)])
def test_bounds_must_be_two_numbers(gives: Any) -> None:
    with pytest.raises(RuleFailed, match=r"^bounds failed (in|after) .*not a tuple of two numbers"):
        solve(game_with(bounds=gives), engine="interpreted")


@pytest.mark.parametrize("known", [(1, -1), (float("-inf"), 1), 5])
def test_a_value_range_must_be_two_finite_numbers(known: Any) -> None:
    game = game_with()
    type(game).value_range = known
    with pytest.raises(AlgorithmError, match="value_range of Hooked must be two finite numbers"):
        search(game, expectimax(2, pruning="star1"))
