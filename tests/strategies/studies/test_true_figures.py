"""The figures of a study say no more than what was measured, and its verdict rests on them."""

from __future__ import annotations

from functools import partial
from html import unescape
from io import StringIO

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from games import TicTacToe
from strategies import alphabeta, search, seq, study
from strategies.algebra.combinators import par_list
from strategies.studies import measure
from strategies.studies.conduct import row_of
from strategies.studies.measure import Case, Measurement
from strategies.studies.plot import lines_of
from strategies.studies.report import study_page
from strategies.studies.rows import CLEAR_SPEEDUP, LEAST_CEILING, Row, verdict
from strategies.studies.study import Study
from tests.strategies.small_study import studied

TIMES = st.lists(st.floats(0.05, 5), min_size=1, max_size=7)
ALGORITHM = alphabeta(5)


def runs(times: list[float], cpu: float = 1.0) -> list[Measurement]:
    return [Measurement(seconds=t, cpu=cpu * t, work=t, created=1) for t in times]


@given(TIMES, TIMES, st.floats(0.1, 1))
def test_a_speed_up_lies_in_its_interval(own: list[float], base: list[float], cpu: float) -> None:
    row = row_of(Case(ALGORITHM, par_list, 2), runs(own), runs(base, cpu), 1.9)
    assert row.speedup is not None
    assert row.gain is not None
    low, high = row.gain
    assert low <= row.speedup * (1 + 1e-9)
    assert row.speedup <= high * (1 + 1e-9)


@given(TIMES, TIMES, st.floats(0.1, 1))
def test_a_simulated_time_is_compared_with_processor_time(
    own: list[float], base: list[float], cpu: float
) -> None:
    """So a busy machine, on which `seq` takes longer, makes no simulated speed-up greater."""
    case = Case(ALGORITHM, par_list, 16, simulated=True)
    busy, quiet = (row_of(case, runs(own), rows, None) for rows in (
        runs([t / cpu for t in base], cpu), runs(base),
    ))  # fmt: skip
    assert busy.speedup == pytest.approx(quiet.speedup)


@given(TIMES, TIMES, st.floats(0.1, 1), st.booleans())
def test_both_plots_show_the_speed_ups_of_the_table(
    own: list[float], base: list[float], cpu: float, simulated: bool
) -> None:
    best = row_of(Case(ALGORITHM, seq, 1), runs(base, cpu), runs(base, cpu), None)
    case = Case(ALGORITHM, par_list, 16, simulated=simulated)
    row = row_of(case, runs(own), runs(base, cpu), None)
    lines = lines_of([best, row], "speedup")
    assert lines.of(row, row.seconds) == pytest.approx(row.speedup)
    assert lines.of(best, best.seconds) == pytest.approx(1)
    times = lines_of([best, row], "time")
    assert times.of(best, best.seconds) == best.seconds
    assert best.seconds / times.of(row, row.seconds) == pytest.approx(row.speedup)
    told = "simulated times are drawn" in evolve(studied(), rows=(best, row)).draw("time").svg
    assert told == (simulated and 1 / cpu > 1.05)


@given(st.floats(0.001, 0.1), st.sampled_from(["time", "speedup"]))
def test_the_plot_says_which_speed_ups_say_nothing(seconds: float, what: str) -> None:
    first, row, _ = studied().rows
    found = evolve(studied(), rows=(first, evolve(row, seconds=seconds, speedup=1.0)))
    says = "1 of 1 say nothing" in found.draw(what).svg
    head, *_, last = found.cells()
    assert says is (what == "speedup" and last[head.index("speed-up")] == "short")


@given(st.floats(0.5, 4), st.floats(0.1, 2), st.floats(1, 2), st.floats(0.5, 3), st.booleans())
def test_a_share_is_given_only_where_it_means_something(
    speedup: float, low: float, wide: float, kernels: float, short: bool
) -> None:
    figures = {"speedup": speedup, "speedup_low": low, "speedup_high": low * wide}
    row: Row = evolve(studied().rows[-1], workers=2, kernels=kernels, **figures)
    row = evolve(row, seconds=0.001 if short else 1.0)
    unclear = low <= 1 <= low * wide or wide > CLEAR_SPEEDUP
    if short or kernels < LEAST_CEILING or kernels > 2.2 or unclear:
        assert row.share is None
    else:
        assert row.share == speedup / kernels


def test_a_refused_search_leaves_its_reason_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measure, "search", partial(search, most_tasks=1_000))
    found = study(
        TicTacToe(), alphabeta(9), ["par_list.everywhere", "par_list.to_ply(1)"],
        workers=[1], repeat=1,
    )  # fmt: skip
    assert [row.strategy for row in found.rows] == ["seq", "par_list.to_ply(1)"]
    (refused,) = found.refused
    assert refused.startswith("par_list.everywhere on 1 at depth 9: ")
    assert "tasks" in refused
    assert "refused: par_list" in str(found)
    assert Study.from_json(found.to_json()).refused == found.refused


def at(
    speedup: float, *, plies: int | None = None, low: float = 0.0, runs: tuple[float, ...] = ()
) -> Row:
    """Return a row on two workers, beside a `seq` of one second."""
    text = "par_list" if plies is None else f"par_list.to_ply({plies})"
    times = runs or (1 / speedup,) * 3
    figures = {"speedup": speedup, "speedup_low": low or speedup, "speedup_high": speedup + 0.1}
    row = evolve(studied().rows[-1], strategy=text, template=text, plies=plies, **figures)
    return evolve(row, workers=2, how="measured", seconds=times[0], runs=times)


def test_the_verdict_names_the_ply_and_the_figure() -> None:
    swept = [at(1.2, plies=1), at(1.7, plies=2), at(0.9, plies=3)]
    assert verdict(swept) == (
        "splitting 2 plies pays most; beyond it, tasks cost more than they save: "
        "par_list.to_ply(2) on 2: 1.70 times seq, between 1.70 and 1.80"
    )
    assert verdict(swept[:2]).startswith("splitting 2 plies pays most, the last that was tried: ")
    near = [at(1.7, plies=2), at(1.69, plies=3, runs=(0.57, 0.59, 0.62))]
    assert verdict(near).startswith("splitting 2 plies pays most; beyond it, no gain is clear: ")
    alone = at(1.7, runs=(0.6,))
    assert verdict([alone]) == (
        "single runs show no spread; the best is par_list on 2: 1.70 times seq"
    )
    assert verdict([at(1.3)]).startswith("splitting pays: par_list on 2: 1.30 times seq")
    unclear = verdict([at(1.3, low=0.8)])
    assert unclear.startswith("no strategy is clearly faster than seq; the best is par_list on 2")
    assert verdict([]) == ""
    both = verdict([at(1.3), evolve(at(1.3, low=0.8), workers=24)])
    assert both.startswith("on 24 workers, no strategy is clearly faster than seq; the best is ")


@given(st.floats(0.01, 1))
def test_a_busy_machine_is_told_in_one_line(cpu: float) -> None:
    first, *rest = studied().rows
    alone = evolve(first, strategy=repr(seq), seconds=1.0, work=1.0, cpu=cpu)
    found = evolve(studied(), rows=(alone, *rest))
    assert bool(found.busy) is (cpu < 0.9)
    assert ("busy: seq had a processor for" in str(found)) is (cpu < 0.9)
    for engine, may_wait in (("native", False), ("interpreted (a reason)", True)):
        told = evolve(found, engine=engine).busy
        assert ("it waited for something" in told) is (may_wait and cpu < 0.9)


@given(st.floats(0.1, 1), st.floats(0.5, 2), st.sampled_from(["measured", "simulated"]))
def test_a_busy_machine_has_no_verdict_on_what_it_measured(
    had: float, speedup: float, how: str
) -> None:
    first = evolve(studied().rows[0], seconds=1.0, runs=(1.0,) * 3, work=1.0, cpu=had)
    found = evolve(studied(), rows=(first, evolve(at(speedup), how=how)))
    assert bool(found.verdict) is (how == "simulated" or not found.busy)
    assert "between 1.00" not in found.verdict or "clearly" in found.verdict


@given(st.integers(30, 120), st.floats(0.001, 1.0), st.sampled_from(["measured", "simulated"]))
def test_every_explanation_below_the_table_begins_a_line(width: int, last: float, how: str) -> None:
    """At a terminal of any width, and a sentence on the page."""
    first, row, _ = studied().rows
    found = evolve(
        studied(), refused=("scout on 2: too many tasks",),
        rows=(first, evolve(row, seconds=last, speedup=1.5, kernels=1.0, how=how)),
    )  # fmt: skip
    console = Console(file=StringIO(), width=width)
    console.print(found)
    shown, page = console.file.getvalue().split("\n"), study_page(found)
    for note in found.foot():
        begins = note.lines[0].partition(":")[0] + ":"
        assert any(line.startswith(begins) for line in shown), begins
        assert f". {begins[:1].upper()}{begins[1:]}" in unescape(page), begins
