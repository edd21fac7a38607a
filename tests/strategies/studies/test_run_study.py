"""Studies: rows, tables, and errors if strategies disagree."""

import csv
import json
from io import StringIO

import pytest
from attrs import evolve

from games import HANDOUT_BIG, HANDOUT_SMALL, Nim, TicTacToe, Twenty48
from strategies import (
    StrategyError,
    alphabeta,
    expectimax,
    jamboree,
    minimax,
    par_list,
    parse_algorithm,
    seq,
)  # fmt: skip
from strategies.algorithms.errors import AlgorithmError
from strategies.insight.analysis import scaling
from strategies.insight.analysis.scaling import calibrate, deepen
from strategies.native.kept_engines import engine_for
from strategies.players.search_agent import SearchAgent
from strategies.studies.measure import Disagreement, measure
from strategies.studies.run_study import study

SLOW = "interpreted"


def small(**more):
    return study(HANDOUT_SMALL, alphabeta(2), [jamboree(0.5).everywhere], workers=[1, 2],
                 engine=SLOW, **more)  # fmt: skip


def test_rows_are_seq_once_then_each_strategy_for_each_number_of_workers():
    rows = study(HANDOUT_SMALL, alphabeta(2), [seq, par_list], workers=[2, 1], repeat=2,
                 engine=SLOW).rows  # fmt: skip
    assert [(r.strategy, r.workers) for r in rows] == [("seq", 1), ("par_list", 1), ("par_list", 2)]
    assert all(len(r.runs) == 2 for r in rows)
    assert rows[0].speedup == 1
    assert [r.kernels is None for r in rows] == [True, True, False]


def test_all_formats_have_the_same_rows():
    found = small()
    data = json.loads(found.to_json())
    assert [r["leaves"] for r in data["rows"]] == [7, 9, 9]
    assert [r["leaves"] for r in csv.DictReader(StringIO(found.to_csv()))] == ["7", "9", "9"]
    assert str(found).count("jamboree(0.5).everywhere") == 2
    assert found._repr_html_().count("<tr>") == 4


def test_a_note_explains_kernels_of_1_or_less():
    found = small()
    for kernels, said in ((0.9, True), (1.8, False)):
        rows = tuple(evolve(r, kernels=kernels) for r in found.rows)
        assert ("kernels of 1 or less" in str(evolve(found, rows=rows))) is said


def test_progress_is_reported_after_every_run():
    seen = []
    last = small(repeat=2, progress=lambda s: seen.append(s.steps))
    assert seen == [(n, 6) for n in range(7)]
    assert last.complete


def test_whole_games_have_the_same_moves_from_the_same_seed():
    game = Twenty48(target=16)
    one, two = (
        study(game, expectimax(1), [par_list], games=2, repeat=1, workers=[1], engine=SLOW)
        for _ in range(2)
    )
    assert one.rows[0].moves == one.rows[1].moves == two.rows[0].moves > 1


def test_a_disagreement_is_raised(monkeypatch):
    real = measure

    def wrong(setting, case):
        run = real(setting, case)
        return run if case.strategy == seq else evolve(run, found="0, Guess: 99", answer="other")

    monkeypatch.setattr("strategies.studies.places.measure", wrong)
    with pytest.raises(Disagreement, match=r"found .*Guess: 99; seq found middle, Guess: 4"):
        small()


def test_a_depth_is_chosen_if_none_is_given():
    engine = engine_for(HANDOUT_BIG, SLOW)
    assert deepen(engine, alphabeta(1), HANDOUT_BIG.start(), 1.0) == alphabeta(4)
    game = TicTacToe()
    assert deepen(engine_for(game, SLOW), minimax(1), game.start(), 0.0).depth < 9


@pytest.mark.parametrize("text", ["minimax(1)", "alphabeta(1)", "alphabeta(1, table='4MB')",
                                  "pvs(1)", "pvs(1, table='4MB')", "mtdf(1)"])  # fmt: skip
@pytest.mark.parametrize(
    ("game", "deepest", "engine"), [(TicTacToe(), 9, "auto"), (Nim((3, 2)), 5, SLOW)], ids=str
)
def test_no_depth_far_beyond_the_tree_is_tried(game, deepest, engine, text, monkeypatch):
    tried, real = [], scaling._searches

    def count(engine, algorithm, state, threads):
        tried.append(algorithm.depth)
        return real(engine, algorithm, state, threads)

    monkeypatch.setattr(scaling, "_searches", count)
    found = deepen(engine_for(game, engine), parse_algorithm(text), game.start(), 1e9)
    assert deepest - 3 <= found.depth < max(tried) <= deepest + 6


def test_calibration_measures_both_searches():
    found = calibrate(engine_for(HANDOUT_SMALL, SLOW), alphabeta(2), HANDOUT_SMALL.start(), 2)
    assert found.ratio == 2 * found.alone / found.together


def test_calibration_runs_no_more_threads_than_processors(monkeypatch):
    real, ran = scaling._searches, []

    def searches(engine, algorithm, state, threads, times=1):
        ran.append(threads)
        return real(engine, algorithm, state, threads, times)

    monkeypatch.setattr(scaling, "_searches", searches)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    found = calibrate(engine_for(HANDOUT_SMALL, SLOW), alphabeta(2), HANDOUT_SMALL.start(), 50)
    assert found.threads == 50
    assert max(ran) == 2


def test_agents_are_read_and_written():
    agent = SearchAgent.parse("alphabeta(6) using jamboree(0.5).to_ply(1)")
    assert str(agent) == "alphabeta(depth=6) using jamboree(0.5).to_ply(1)"
    assert SearchAgent.parse(str(agent)) == agent
    with pytest.raises(AlgorithmError, match="depth=1 or more"):
        SearchAgent.parse("alphabeta(0)")
    with pytest.raises(StrategyError):
        SearchAgent.parse("alphabeta(1) using nothing")


def test_an_agent_plays_the_move_of_its_search():
    agent = SearchAgent.parse("alphabeta(2) using par_list", workers=2, engine=SLOW)
    assert agent.next_move(HANDOUT_SMALL, HANDOUT_SMALL.start()) == 1
    leaf = HANDOUT_SMALL.make_move(HANDOUT_SMALL.make_move(HANDOUT_SMALL.start(), 0), 0)
    with pytest.raises(ValueError, match="no player is to move"):
        agent.next_move(HANDOUT_SMALL, leaf)


def test_a_note_marks_times_that_are_too_short():
    found = small()
    for seconds, said in ((0.001, True), (0.5, False)):
        clear = {"speedup": 1.3, "speedup_low": 1.2, "speedup_high": 1.4, "kernels": 1.9}
        rows = tuple(evolve(r, seconds=seconds, workers=2, **clear) for r in found.rows)
        table = str(evolve(found, rows=rows))
        assert ("says nothing" in table) is said
        assert table.count(" short") == (3 if said else 0)  # no share
        assert all(r.speedup is not None for r in rows)  # programs read the numbers
    beside_a_short_one = evolve(found.rows[0], seconds=0.03, speedup=0.4)
    assert beside_a_short_one.short
    assert not evolve(beside_a_short_one, speedup=0.8).short


def test_short_searches_are_repeated_until_they_last_long_enough(monkeypatch):
    """A time slice of another program may make a single search seem long."""
    made = []

    def searches(engine, algorithm, state, threads, times=1):
        made.append((threads, times))
        slow = 0.15 if len(made) == 1 else 0.0
        return slow + 0.001 * times, 0.0, 1

    monkeypatch.setattr(scaling, "_searches", searches)
    monkeypatch.setattr(scaling, "SHORTEST", 0.02)
    found = calibrate(engine_for(HANDOUT_SMALL, SLOW), alphabeta(2), HANDOUT_SMALL.start(), 2)
    assert made[-1] == (2, made[-2][1])
    assert found.alone == found.together == 0.001 * made[-1][1] >= 0.02
    assert found.ratio == 2
