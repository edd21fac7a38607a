"""A repr that looks like code evaluates to an equal value; other reprs are in angle brackets."""

import copy
import math
import pickle
from typing import Any

import pytest
from attrs import evolve

import jamboree as j
from strategies.insight.analysis.simulate import simulate

GAME = j.TicTacToe()
SEARCH = j.search(GAME, j.alphabeta(2), using=j.par_list.to_ply(1), engine="interpreted")
RESULT: Any = SEARCH.compute(num_workers=1)
SAMPLED: Any = j.search(GAME, j.mcts(20), engine="interpreted").compute()
PLAYED = j.play(GAME, j.RandomAgent(1), j.RandomAgent(2))
NAMES = {name: getattr(j, name) for name in j.__all__} | {"inf": math.inf}

WRITTEN = [
    RESULT.sparks, PLAYED, j.first_better(GAME, j.alphabeta(1), 0, engine="interpreted"),
    j.SearchAgent(j.alphabeta(1)),
    j.Entrant(j.RandomAgent(1)), j.from_edge_seq([(0, 1)], 2), j.Dense(3, 3), j.HANDOUT_SMALL,
    j.NTuples(3, [(0, 1)]), j.Tree("a", 0, (j.Tree("b", 1, (), 3),)), j.MINNIE, j.Estimate(3),
    j.with_chance(GAME, 1), j.with_chance(j.ConnectFour(), 0, [1, 2, 1, 1, 1, 1, 1]), j.share(0.5),
    j.with_chance(j.Pig(), 1), j.against_all(j.PigForMany(), 1), j.against_all(j.NimForMany(), 2),
    j.auto(2), j.abdada(2), j.pvs(3), j.mcts(5), j.find_game("riskless"), j.find_game("pacman"),
    j.with_repetition(GAME, 8),
]  # fmt: skip
BRIEF = [
    (RESULT, "<Result: move 5, Guess: 1, line 5 1; 72 leaves, 82 nodes>"),
    (RESULT.records[0], "<Record: spark at 0, converted, 10 nodes>"),
    (RESULT.draw(), "<Picture: "),
    (RESULT.against(), "<Comparison: 82 nodes, "),
    (RESULT.diagnosis(), "<Diagnosis: "),
    (SAMPLED, "<MonteCarloResult: move "),
    (j.Solution(0, 0), "<Solution: a draw>"),
    (simulate(SEARCH, 2), "<Simulation: simulated: 2 workers take "),
    (j.choose(j.auto(2), GAME, j.alphabeta(1), engine="interpreted"), "<Choice: "),
    (j.plan(GAME, j.alphabeta(2), j.par_list), "<Plan: search(TicTacToe(), alphabeta(depth=2), "),
    (j.using([1, 2], j.par_list(j.rseq)), "<Evaluated using par_list(rseq): "),
    (j.using([1, 2], j.par_list(j.rseq)).run(), "<EvaluatedRun: [1, 2]>"),
    (j.evaluate(1, j.rseq), "<Eval: "),
]


@pytest.mark.parametrize("value", WRITTEN, ids=repr)
def test_a_repr_as_code_evaluates_to_an_equal_value(value: Any) -> None:
    assert eval(repr(value), NAMES) == value  # safe: the values are listed above
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.deepcopy(value) == value == copy.copy(value)


@pytest.mark.parametrize(("value", "shown"), BRIEF, ids=[shown for _, shown in BRIEF])
def test_other_reprs_are_one_line_in_angle_brackets(value: Any, shown: str) -> None:
    text = repr(value)
    assert text.startswith(shown)
    assert text.endswith(">")
    assert "\n" not in text


def test_results_without_records_say_that_there_is_nothing_to_draw() -> None:
    bare: Any = evolve(RESULT, records=())
    assert "72 leaves" in bare._repr_html_()
    started: list[j.Study] = []
    j.study(
        GAME, j.alphabeta(1), [j.seq], workers=[1], repeat=1, engine="interpreted",
        progress=started.append,
    )  # fmt: skip
    assert not started[0].rows
    assert started[0]._repr_html_()
    for call in bare.draw, bare.diagnosis, started[0].draw, lambda: started[0].report("no.html"):
        with pytest.raises(j.ArgumentError, match=r"there is nothing to (draw|report)"):
            call()
