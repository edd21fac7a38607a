"""Tables become DataFrames of pandas with the names that their CSV has."""

from __future__ import annotations

import csv
import sys
from io import StringIO
from types import ModuleType
from typing import Any

import pytest

from games import HANDOUT_BIG, HANDOUT_SMALL, TicTacToe
from strategies import SearchAgent, alphabeta, learn, par_list, search, tournament
from strategies.insight.selection.tune import tune
from tests.strategies.small_study import studied


class Frame:
    """What a DataFrame keeps of its rows."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows


@pytest.fixture
def pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("pandas")
    module.DataFrame = Frame
    monkeypatch.setitem(sys.modules, "pandas", module)


def tables() -> list[Any]:
    plain = {"engine": "interpreted"}
    found = search(HANDOUT_BIG, alphabeta(4), using=par_list.everywhere, **plain).compute()
    tuned = tune(HANDOUT_SMALL, alphabeta(2), workers=2, candidates=[par_list], measure=False)
    agents = [SearchAgent(alphabeta(depth), **plain) for depth in (1, 2)]
    return [studied(), tuned, found.sparks, tournament(TicTacToe(), agents, rounds=2)]


@pytest.mark.usefixtures("pandas")
def test_a_frame_has_the_rows_of_the_csv() -> None:
    for table in tables():
        head, *rows = csv.reader(StringIO(table.to_csv()))
        frame = table.to_pandas()
        assert all(list(row) == head for row in frame.rows)
        assert len(frame.rows) == len(rows) > 0


@pytest.mark.usefixtures("pandas")
def test_runs_and_moves_become_frames() -> None:
    found = search(TicTacToe(), alphabeta(3), using=par_list).compute(num_workers=1)
    assert len(found.to_pandas().rows) == len(found.records)
    assert [row["move"] for row in found.values("best").to_pandas().rows]


@pytest.mark.usefixtures("pandas")
def test_a_learning_curve_becomes_a_frame() -> None:
    found = learn(TicTacToe(), games=5, engine="interpreted")
    assert found.to_pandas().rows == found.to_dict()["curve"] != []


def test_without_pandas_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"to_pandas\(\) needs pandas: pip install pandas"):
        studied().to_pandas()
