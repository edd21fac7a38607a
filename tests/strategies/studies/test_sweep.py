"""Sweeps: names for numbers, presets, simulated rows, and the picture."""

import csv
import json
from io import StringIO
from xml.etree import ElementTree

import pytest

from games import HANDOUT_SMALL, TicTacToe, Twenty48, find_game
from strategies import (
    AlgorithmError,
    StrategyError,
    abdada,
    alphabeta,
    budget,
    expectimax,
    jamboree,
    mcts,
    par_list,
    pvs,
    seq,
)
from strategies.insight.analysis.scaling import _nodes
from strategies.native.kept_engines import engine_for
from strategies.studies.measure import Case, Setting, measure
from strategies.studies.run_study import PRESETS, cases, preset, study

SLOW = "interpreted"


def found(*strategies, **more):
    return [(c.strategy, c.workers) for c in cases([alphabeta(4)], strategies, **more)]


def test_names_are_replaced_by_numbers():
    swept = found("jamboree(p).to_ply(plies)", "budget(threads=workers)", par_list,
                  workers=[1, 2], p=[0.5, 1], plies=[1, 3])  # fmt: skip
    assert swept == [
        (seq, 1),
        *((jamboree(p).to_ply(n), w) for p in (0.5, 1) for n in (1, 3) for w in (1, 2)),
        (budget(1), 1), (budget(2), 2), (par_list, 1), (par_list, 2),
    ]  # fmt: skip


def test_keywords_and_attributes_are_not_replaced():
    text = "par_list.everywhere.grain(plies=2)"
    assert [repr(s) for s, _ in found(text, workers=[1])] == ["seq", text]


def test_a_repeated_case_is_measured_once():
    twice = found("par_list.to_ply(plies)", par_list.to_ply(1), seq, "par_list", workers=[2],
                  plies=[1, 1, 2])  # fmt: skip
    assert twice == [(seq, 1), (par_list.to_ply(1), 2), (par_list.to_ply(2), 2), (par_list, 2)]


@pytest.mark.parametrize(
    ("strategy", "numbers", "said"),
    [
        ("jamboree(p)", {}, "no numbers for p: give some, as p="),
        ("par_list", {"plies": [1]}, "no strategy uses plies"),
        ("par_list.to_ply(plise)", {}, "plise"),
        ("auto()", {}, "chooses a strategy"),
    ],
)
def test_contradictory_sweeps_are_refused(strategy, numbers, said):
    with pytest.raises(StrategyError, match=said):
        found(strategy, workers=[1], **numbers)


def test_each_depth_is_compared_with_its_own_seq():
    s = study(TicTacToe(), alphabeta(1), ["par_list"], depths=[3, 4, 4], workers=[1], repeat=1,
              engine=SLOW)  # fmt: skip
    assert [(r.depth, r.strategy) for r in s.rows] == [
        (3, "seq"), (3, "par_list"), (4, "seq"), (4, "par_list"),
    ]  # fmt: skip
    assert [r.speedup for r in s.rows[::2]] == [1, 1]
    assert "depth 3: " in s.found
    assert "depth  workers" in str(s)


def test_plies_alone_sweep_the_usual_strategies():
    s = study(TicTacToe(), alphabeta(3), plies=[1, 2], workers=[1], repeat=1, engine=SLOW)
    assert [(r.template, r.p, r.plies) for r in s.rows[1:]] == [
        ("par_list.to_ply(1)", None, 1), ("par_list.to_ply(2)", None, 2),
        ("jamboree(0.5).to_ply(1)", 0.5, 1), ("jamboree(0.5).to_ply(2)", 0.5, 2),
        ("young_brothers_wait.to_ply(1)", None, 1), ("young_brothers_wait.to_ply(2)", None, 2),
    ]  # fmt: skip


def test_rows_for_more_workers_than_cores_are_marked_as_simulated():
    s = study(TicTacToe(), alphabeta(3), ["par_list"], workers=[1, 1000], simulate=True, repeat=1,
              engine=SLOW)  # fmt: skip
    assert [(r.workers, r.how) for r in s.rows[1:]] == [(1, "measured"), (1000, "simulated")]
    one, many = s.rows[1:]
    assert (one.nodes, one.created, many.kernels) == (many.nodes, many.created, None)
    assert "simulated: the tasks ran one at a time" in str(s)
    picture = s.draw()
    ElementTree.fromstring(picture.svg)
    assert picture.svg.count('class="point simulated"') == 2  # one in the legend
    assert picture.svg.count("par_list on 1: work and span allow") == 1
    assert picture.svg.count("par_list on 1000: work and span allow") == 1
    assert "what work and span allow" in picture.svg
    assert "a prediction" not in str(study(HANDOUT_SMALL, alphabeta(2), ["par_list"], workers=[1],
                                           repeat=1, engine=SLOW))  # fmt: skip


def test_a_study_takes_the_text_of_an_algorithm():
    s = study(HANDOUT_SMALL, "alphabeta(2)", [], workers=[1], repeat=1, engine=SLOW)
    assert (s.algorithm, s.rows[0].leaves) == ("alphabeta(depth=2)", 7)
    with pytest.raises(AlgorithmError, match="no algorithm is called 'alpha'"):
        study(HANDOUT_SMALL, "alpha(2)")


def test_searches_that_cannot_be_studied_are_refused():
    with pytest.raises(StrategyError, match="cannot be simulated"):
        study(TicTacToe(), pvs(3), [abdada(2)], workers=[1000], simulate=True, engine=SLOW)
    with pytest.raises(AlgorithmError, match="searches to a depth"):
        study(TicTacToe(), mcts(simulations=10), engine=SLOW)
    with pytest.raises(ValueError, match="search or random"):
        study(TicTacToe(), alphabeta(1), against="nobody", engine=SLOW)


def test_against_a_random_player_only_one_side_searches():
    setting = Setting(TicTacToe(), TicTacToe().start(), 1, against="random", engine=SLOW)
    case = Case(alphabeta(9), seq, 1)
    assert measure(setting, case).moves <= 5
    few = Setting(TicTacToe(), TicTacToe().start(), 1, moves=2, engine=SLOW)
    assert measure(few, Case(alphabeta(2), seq, 1)).moves == 2


def test_calibration_uses_all_options_of_the_algorithm():
    game = Twenty48()
    engine, state = (
        engine_for(game, SLOW),
        game.parse_state("2 4 8 .  8 4 16 4  16 32 4 2  64 32 8 ."),
    )
    plain, cut = (
        _nodes(engine, a, state, None) for a in (expectimax(4), expectimax(4, cutoff=0.2))
    )
    assert cut < plain


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_is_a_study(name):
    less = {"depths": [1], "workers": [1, 1000], "repeat": 1, "engine": SLOW}
    less |= {"moves": 1} if "games" in preset(name) else {}
    s = study(**preset(name) | less)
    assert s.complete
    assert {r.how for r in s.rows} == {"measured", "simulated"}


def test_the_error_for_a_wrong_name_lists_the_presets():
    with pytest.raises(ValueError, match="2048-sparks"):
        preset("2048")
    assert find_game("pursuit(chance=minnie)").players == 2


NAMES = (
    "algorithm,depth,strategy,template,p,plies,workers,how,seconds,moves,seconds_a_move,leaves,"
    "nodes,tasks,created,converted,gcd,fizzled,pruned,work,span,cpu,"
    "speedup,speedup_low,speedup_high,kernels,share,low,high,"
    "mean,clear,solved,solution,solution_speedup,solution_mean,solution_clear,stated"
)


def test_columns_are_stable():
    s = study(HANDOUT_SMALL, alphabeta(2), ["par_list"], workers=[1], repeat=1, engine=SLOW)
    assert s.to_csv().splitlines()[0] == NAMES
    assert set(json.loads(s.to_json())["rows"][0]) == {*NAMES.split(","), "runs"}
    assert [r["how"] for r in csv.DictReader(StringIO(s.to_csv()))] == ["measured"] * 2
