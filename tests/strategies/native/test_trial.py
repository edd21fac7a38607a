"""The first search of a game starts interpreted, and starts again compiled if it takes long."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, frozen

from games import Nim
from strategies import RuleFailed, alphabeta, engine_for, jamboree, pvs, search
from strategies.insight.analysis.diagnosis.facts import Facts
from strategies.insight.analysis.diagnosis.faults import interpreted
from strategies.insight.report.page import report_page
from strategies.native import kept_engines
from strategies.native.compiler import build
from strategies.running.plans import search_graph

FIRST = """
import sys
from games import TicTacToe
from strategies import alphabeta, engine_for, search
print(search(TicTacToe(), alphabeta(2)).compute().nodes, "numba" in sys.modules)
print(bool(engine_for(TicTacToe()).so_far))
engine_for(TicTacToe()).warm()
"""


class Compiled(Exception):
    """An error: something was compiled that must not be."""


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a new class of games, whose rules must not be compiled."""

    @frozen
    class Heaps(Nim):
        """Nim as a new class."""

    def refused(*_: Any) -> Any:
        raise Compiled

    monkeypatch.setattr(build, "build", refused)
    return Heaps


@pytest.mark.parametrize("algorithm", [alphabeta(5), pvs(5)])
@pytest.mark.parametrize("using", [None, jamboree(0.5).to_ply(2)])
def test_a_short_first_search_compiles_nothing(untried: Any, algorithm: Any, using: Any) -> None:
    game, more = untried((3, 4)), {} if using is None else {"using": using}
    found = search(game, algorithm, **more).compute(num_workers=1)
    wanted = search(game, algorithm, engine="interpreted", **more).compute(num_workers=1)
    assert found == wanted.__class__(**_same_times(found, wanted))
    assert found.request is not None
    assert (found.request.engine, found.request.ran_on) == ("auto", "interpreted")
    assert engine_for(game).undecided
    assert "ended before compiling" in engine_for(game).so_far


def test_a_report_of_a_trial_compares_it_with_a_search_of_its_kind(untried: Any) -> None:
    """Compiled by now, the sequential search would be a hundred times as fast."""
    game = untried((3, 4, 5))
    found = search(game, alphabeta(5), using=jamboree(0.5).to_ply(2)).compute(num_workers=2)
    page = report_page(found)
    assert "<dt>rules</dt><dd>interpreted</dd>" in page
    assert "<dt>sequential search</dt>" in page
    assert engine_for(game).undecided


def test_the_diagnosis_of_a_trial_says_how_to_compile(untried: Any) -> None:
    answer = search(untried((2, 3, 4)), alphabeta(3), using=jamboree(0.5).to_ply(2))
    result = answer.compute(num_workers=2)
    records = [
        r._replace(start=0.0, end=1.0, cpu=1 / len(result.records), worker=f"here/7/{i % 2}")
        for i, r in enumerate(result.records)
    ]
    finding = interpreted(Facts.of(evolve(result, records=tuple(records))))
    assert finding is not None
    assert "engine='native'" in finding.advice


def _same_times(found: Any, wanted: Any) -> dict[str, Any]:
    """Return `wanted` with the times and workers of `found`."""
    timed = {"start", "end", "cpu", "worker"}
    records = tuple(
        w._replace(**{name: getattr(f, name) for name in timed})
        for f, w in zip(found.records, wanted.records, strict=True)
    )
    fields = {name: getattr(wanted, name) for name in ("move", "value", "leaves", "nodes")}
    more = {"sparks": wanted.sparks, "span": found.span, "replay": wanted._replay}
    return fields | more | {"records": records}


def test_the_second_search_of_a_class_compiles(untried: Any) -> None:
    search(untried((3, 4)), alphabeta(2)).compute()
    again = untried((1, 2))
    assert search(again, alphabeta(2)).compute().value in (-1, 0, 1)
    assert "Compiled" in engine_for(again).reason


def test_a_long_first_search_starts_again_compiled(
    untried: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_graph, "TRIAL_SECONDS", 0.0)
    game = untried((3, 4))
    for using in (jamboree(0.5).to_ply(1), jamboree(0.5).everywhere):
        monkeypatch.setattr(kept_engines, "_tried", set())
        found = search(game, alphabeta(4), using=using).compute(num_workers=2)
        assert found.sparks.balanced()
        assert "Compiled" in engine_for(game).so_far


def test_a_failing_rule_is_reported_at_once(untried: Any) -> None:
    @frozen
    class Faulty(untried):  # type: ignore[misc]
        def make_move(self, state: Any, move: Any) -> Any:
            if sum(state.heaps) < 6:
                raise ZeroDivisionError("no heap")
            return Nim.make_move(self, state, move)

    game = Faulty((3, 4))  # type: ignore[call-arg]
    with pytest.raises(RuleFailed, match="no heap"):
        search(game, alphabeta(5)).compute()
    assert engine_for(game).undecided


def test_other_errors_are_reported_by_the_second_run(
    untried: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise RecursionError

    game = untried((3, 4))
    monkeypatch.setattr(type(engine_for(game, "interpreted")), "search", fails)
    with pytest.raises(RecursionError):
        search(game, alphabeta(3)).compute()
    assert "Compiled" in engine_for(game).so_far


def test_a_process_uses_cached_code(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(root)}
    for known in (False, True):
        out = subprocess.run(
            [sys.executable, "-c", FIRST], env=env, capture_output=True, text=True, check=True
        )
        assert out.stdout.split() == ["36", str(known), str(not known)], out.stderr
