"""Tuning returns the best candidate, as an expression that can be pasted into code."""

from __future__ import annotations

import csv
import json
import os
from io import StringIO
from math import inf
from time import sleep
from types import SimpleNamespace
from typing import Any

import pytest

import strategies
from games import HANDOUT_BIG, ConnectFour, ExplicitGame
from strategies import (
    alphabeta,
    by_type,
    jamboree,
    minimax,
    par_list,
    parse_strategy,
    scout,
    seq,
    tune,
)
from strategies.insight.analysis import calibration
from strategies.insight.analysis.calibration import measured_burden
from strategies.insight.analysis.scaling import Scaling
from strategies.insight.analysis.simulation import FREE, Burden
from strategies.insight.selection.tune import POLICIES, _staged
from strategies.insight.selection.tuning import Trial, Tuning
from strategies.running.plans.search_graph import graph

SMALL = ConnectFour(5, 4)
CANDIDATES = [par_list, jamboree(0.5), par_list.to_ply(2)]


def tuned(workers: int = 64, burden: Burden = FREE) -> Tuning:
    return tune(
        SMALL, alphabeta(4), workers=workers, candidates=CANDIDATES, burden=burden,
        engine="interpreted", measure=False,
    )  # fmt: skip


def test_the_best_candidate_takes_the_least_time() -> None:
    found = tuned()
    assert [r.strategy for r in found.rows] == [seq, *CANDIDATES]
    best = min(found.rows, key=lambda r: r.expected or float("inf"))
    assert found.best == best.strategy
    assert parse_strategy(repr(found.best)) == found.best
    assert str(found).splitlines()[-1] == f"best: {found.best!r}"
    assert found.against_seq(found.rows[0]) == 1


def test_the_first_plan_of_a_process_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "strategies.insight.selection.tune"
    clock = [0.0]

    def slow_at_first(*args: Any, **kwargs: Any) -> Any:
        clock[0] += 0.001 if clock[0] else 100
        return graph(*args, **kwargs)

    monkeypatch.setattr(f"{module}.graph", slow_at_first)
    monkeypatch.setattr(f"{module}.processor_time", lambda: clock[0])
    assert [r.planning < 1 for r in tuned().rows] == [True] * 4


def test_waiting_for_a_processor_is_no_planning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated times are processor time, so `seq` would win or lose by other programs' work."""

    def waiting(*args: Any, **kwargs: Any) -> Any:
        sleep(0.3)
        return graph(*args, **kwargs)

    monkeypatch.setattr("strategies.insight.selection.tune.graph", waiting)
    assert max(r.planning for r in tuned().rows) < 0.3


def test_heavy_tasks_make_seq_best() -> None:
    found = tuned(burden=Burden(task=1.0))
    assert found.best == seq
    assert [r.expected for r in found.rows[1:]] == [None] * 3
    table, _, slower = str(found).partition("slower than the best before")
    assert not any(repr(s) in table for s in CANDIDATES)
    assert all(repr(s) in " ".join(slower.split()) for s in CANDIDATES)


def test_the_best_strategies_are_tried_deeper() -> None:
    found = tune(
        HANDOUT_BIG, alphabeta(4), workers=8, burden=FREE, engine="interpreted", measure=False
    )
    tried = [r.strategy for r in found.rows]
    assert by_type(pv=scout).to_ply(8) in tried
    assert len(tried) == len(set(tried))
    assert {jamboree(0.25).to_ply(1), jamboree(0.75).to_ply(2), scout.to_ply(2)} <= set(tried)
    assert found.best in tried


def test_impossible_candidates_are_skipped_unless_requested() -> None:
    found = tune(
        HANDOUT_BIG, minimax(4), workers=2, burden=FREE, engine="interpreted", measure=False
    )
    assert not any("scout" in repr(r.strategy) for r in found.rows)
    with pytest.raises(strategies.StrategyError, match="tests with windows"):
        tune(HANDOUT_BIG, minimax(4), workers=2, candidates=[scout], burden=FREE)


def test_candidates_are_measured_if_there_are_enough_cores() -> None:
    game = ExplicitGame.from_nested([[3, 5], [2, 9]])
    found = tune(
        game, alphabeta(2), workers=1, candidates=[par_list], burden=FREE, repeat=1,
        engine="interpreted",
    )  # fmt: skip
    assert found.rows[0].measured is not None
    for r in found.rows:
        assert (r.measured is None) == (r.expected is None)
        assert r.seconds == r.measured
    cores = os.cpu_count() or 1
    with pytest.raises(ValueError, match="only simulated: leave out"):
        tune(game, alphabeta(2), workers=cores + 1, measure=True)


def test_measurements_take_precedence_over_simulations() -> None:
    rows = tuple(
        Trial(s, 2, 1, 0.0, simulated, 1, 1.0, measured)
        for s, simulated, measured in ((seq, 3.0, 3.0), (par_list, 1.0, 2.0), (scout, 0.5, None))
    )
    found = Tuning("search(…)", 2, 2, FREE, rows)
    assert found.best == par_list
    assert [found.against_seq(r) for r in rows] == [1.0, 1.5, 6.0]


def test_the_result_as_data() -> None:
    found = tuned()
    data = json.loads(found.to_json())
    assert data["best"] == repr(found.best)
    assert [r["strategy"] for r in data["rows"]] == [repr(r.strategy) for r in found.rows]
    assert [r["best"] for r in data["rows"]].count(True) == 1
    read = list(csv.DictReader(StringIO(found.to_csv())))
    assert list(read[0]) == list(data["rows"][0])


def test_the_overhead_of_this_machine_is_positive() -> None:
    b = measured_burden(workers=2)
    assert b.task >= 0
    assert b.dispatch > 0
    assert 0 < b.together <= 1
    assert measured_burden(workers=2) is b
    plain = measured_burden(SMALL, workers=1, engine="interpreted")
    assert plain.serial
    assert plain.together == 1, "what Python's lock costs is counted once"


def test_the_best_three_policies_are_tried_at_more_plies() -> None:
    times: dict[Any, float] = {}
    tuner: Any = SimpleNamespace(expected=lambda s: times.get(s, inf), algorithm=alphabeta(4))
    tried = []
    for s in _staged(tuner):
        tried.append(s)
        times |= {p.to_ply(2): 9.0 - k for k, p in enumerate(POLICIES) if p.to_ply(2) == s}
    *rest, third, second, best = POLICIES
    assert tried[: 2 * len(POLICIES)] == [p.to_ply(n) for n in (1, 2) for p in POLICIES]
    assert tried[-3:] == [p.to_ply(3) for p in (best, second, third)], "4 plies are the whole tree"
    assert not {p.to_ply(3) for p in rest} & set(tried)


def test_the_overhead_is_measured_as_the_search_will_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten workers of which eight have a core; independent searches reach 3 times one's speed."""
    ratios = iter([2.5, 3.0, 2.0, 2.75, 1.5])
    empty = []
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(calibration, "deepen", lambda engine, one, *_: one)
    monkeypatch.setattr(calibration, "_known", {})
    monkeypatch.setattr(calibration, "REPEAT", 5)
    monkeypatch.setattr(
        calibration, "engine_for",
        lambda game, engine: SimpleNamespace(
            warm=lambda: SimpleNamespace(native=engine != "interpreted")
        ),
    )  # fmt: skip
    monkeypatch.setattr(
        calibration, "calibrate", lambda *given: Scaling(given[-1], next(ratios), given[-1])
    )
    monkeypatch.setattr(calibration, "_empty", lambda *given: empty.append(given) or Burden(1e-3))
    for engine in ("native", "interpreted"):
        ratios = iter([2.5, 3.0, 2.0, 2.75, 1.5])
        found = measured_burden(SMALL, workers=10, scheduler="processes", engine=engine, fresh=True)
        assert found == Burden(1e-3, together=3 / 8, cores=8)
    assert empty == [("processes", 8, "auto"), ("processes", 8, "interpreted")]
    ratios = iter([9.0] * 5)
    assert measured_burden(SMALL, workers=8, fresh=True, engine="native").together == 1


def test_a_game_with_too_many_tasks_for_a_plan_is_tuned(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "strategies.insight.selection.tune"
    monkeypatch.setattr(f"{module}.MOST_TASKS", 3)
    monkeypatch.setattr(f"{module}._Tuner.of.__defaults__", (3,))
    found = tune(ConnectFour(5, 4), alphabeta(4), workers=4, burden=Burden(), measure=False)
    assert found.best == seq
