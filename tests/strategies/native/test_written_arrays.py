"""Rules write to the arrays of fields that are marked for it, as Python does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from games.fields import WRITTEN, prefetch
from strategies import RuleError
from strategies.native.kept_engines import engine_for
from tests.properties import examples
from tests.strategies.native.counting import At, Counting, mixed


@frozen(eq=False)
class Noting(Counting):
    """Its estimate notes each position that it values, in arrays of several types and shapes."""

    whole: Any = field(kw_only=True, metadata={WRITTEN: True})
    real: Any = field(kw_only=True, metadata={WRITTEN: True})
    short: Any = field(kw_only=True, metadata={WRITTEN: True})
    truth: Any = field(kw_only=True, metadata={WRITTEN: True})

    def estimate(self, state: At) -> float:
        k = state.a % 5 - self.whole[0, 0]
        self.whole[k % 2, k] = self.whole[k % 2, k] + state.a
        self.real[k] = state.a / 3 if k % 2 else state.a
        self.short[-1] = float(self.short[-1]) / 3 + 0.1 * k
        self.truth[k] = not self.truth[k]
        return float(self.real[k])


def noting(shift: int) -> Noting:
    whole = np.zeros((2, 6), np.int64)[:, ::2] if shift > 1 else np.zeros((2, 3), np.int64)
    whole[0, 0] = shift
    return Noting(
        whole=whole, real=np.zeros(4), short=np.ones(2, np.float32), truth=np.zeros(3, bool)
    )


def outcome(game: Any, choice: str, n: int) -> Any:
    try:
        return engine_for(game, choice).call(mixed, At(n), 0)
    except Exception as error:
        return type(error)


@examples(30)
@given(st.lists(st.integers(0, 9), max_size=5), st.integers(0, 2))
def test_the_arrays_are_what_python_makes_them(states: list[int], shift: int) -> None:
    """Also where an index is out of range, after some were written."""
    games = {choice: noting(shift) for choice in ("native", "interpreted")}
    for n in states:
        found, wanted = (outcome(game, choice, n) for choice, game in games.items())
        assert found == wanted
        if isinstance(wanted, type):  # the failure is found by running the rule again
            return
        for name in ("whole", "real", "short", "truth"):
            fast, slow = (getattr(game, name) for game in games.values())
            assert fast.tolist() == slow.tolist()


@frozen(eq=False)
class Wrong(Counting):
    row: Any = field(kw_only=True, metadata={WRITTEN: True})
    other: Any = field(factory=lambda: np.zeros(2))


@frozen(eq=False)
class IntoShort(Wrong):
    def estimate(self, state: At) -> float:
        self.row[0] = state.a
        return 0


@frozen(eq=False)
class IntoPart(Wrong):
    def estimate(self, state: At) -> float:
        self.row[0] = 1.0
        return 0


@frozen(eq=False)
class IntoUnmarked(Wrong):
    def estimate(self, state: At) -> float:
        self.other[0] = 1.0
        return 0


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (IntoShort(row=np.zeros(2, np.int8)), "storing int in array of int8 is not compiled"),
        (IntoPart(row=np.zeros((2, 2))), "assigning to a part of an array is not compiled"),
        (IntoUnmarked(row=np.zeros(2)), "rules only read the arrays of a game"),
    ],
)
def test_what_is_not_written_is_refused(game: Any, told: str) -> None:
    with pytest.raises(RuleError, match=told):
        engine_for(game, "native").warm()


@frozen(eq=False)
class Announcing(Wrong):
    def estimate(self, state: At) -> float:
        prefetch(self.row, 1)
        prefetch(self.row, -(10**15))  # out of range, which does no harm
        return float(self.row[1])


@frozen(eq=False)
class AnnouncingByFloat(Wrong):
    def estimate(self, state: At) -> float:
        prefetch(self.row, 0.5)  # type: ignore[arg-type]
        return 0


def test_an_announcement_changes_nothing() -> None:
    game = Announcing(row=np.arange(3.0))
    assert outcome(game, "native", 0) == outcome(game, "interpreted", 0) == 1
    with pytest.raises(RuleError, match="prefetch takes an index that is an int, not float"):
        engine_for(AnnouncingByFloat(row=np.zeros(2)), "native").warm()
