"""The report on a game and the class of tests: both list every law, and why one was skipped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import find

from games import Game, Status, TicTacToe, with_chance, with_repetition
from games.laws import (
    LAWS,
    Broken,
    check_laws,
    installed_laws,
    law_of_states,
    law_suite,
    laws,
    replay,
    states,
    traces,
)
from games.laws.examine import Verdict
from games.laws.law import AnyGame
from graphs.errors import ArgumentError
from tests.games.laws.faults import RaisesInEstimate
from tests.games.laws.faults_of_values import UtilityIsReversed
from tests.games.laws.given import Heap, Pile, ThreePile, WindyPile

ROOT = Path(__file__).parents[3]


@law_of_states()
def holds_more_than_6(game: AnyGame, state: Heap) -> None:
    """More than 6 tokens are left."""
    if state.left <= 6:
        raise Broken("more than 6 tokens", f"{state.left}")


def only(*names: str) -> dict[str, str]:
    """Return the laws to skip so that only some are checked."""
    every = (*LAWS, *installed_laws())
    return {law.name: "not this time" for law in every if law.name not in names}


NOT_COMPILED = {law.name: "compiling takes seconds" for law in installed_laws()}


@pytest.mark.parametrize("game", [Pile(9), WindyPile(9), ThreePile(9)], ids=repr)
def test_a_correct_game_passes_every_law(game: AnyGame) -> None:
    told: list[Verdict] = []
    report = check_laws(game, seed=0, skip=NOT_COMPILED, tell=told.append)
    assert report.ok, str(report)
    assert [v.law for v in report.verdicts] == [law.name for law in (*LAWS, *installed_laws())]
    assert tuple(told) == report.verdicts
    assert sum(v.seconds for v in told) > 0
    assert "not met" not in [v.result for v in report.verdicts], str(report)


class Countdown(Game[int, int]):
    """States and moves are numbers, whose texts are those of the defaults."""

    value_range = (-9, 9)

    def start(self) -> int:
        return 9

    def status(self, state: int) -> Status:
        return Status.IN_PLAY if abs(state) > 1 else Status.OVER

    def player(self, state: int) -> int:
        return int(state < 0)

    def moves(self, state: int) -> Iterator[int]:
        yield from range(1, min(4, abs(state)))

    def make_move(self, state: int, move: int) -> int:
        return -(state - move if state > 0 else state + move)

    def estimate(self, state: int) -> float:
        return state


COUNTDOWN = Countdown()


@pytest.mark.parametrize(
    "game", [COUNTDOWN, with_chance(COUNTDOWN, 1), with_repetition(COUNTDOWN)], ids=repr
)
def test_a_state_that_is_a_number_may_have_the_text_of_a_move(game: AnyGame) -> None:
    elsewhere = {"answers_keep_in_a_fresh_process": "of texts in this process"}
    report = check_laws(game, seed=0, skip=NOT_COMPILED | elsewhere)
    assert report.ok, str(report)


def test_a_report_prints_what_was_broken_and_how_to_reproduce_it() -> None:
    report = check_laws(UtilityIsReversed(), skip=only("utility_agrees_with_status"), seed=0)
    assert not report.ok
    assert "(profile dev, seed 0, at most 40 plies)" in str(report)
    assert dedent("""\
        broken          utility_agrees_with_status
            law       Maxie's win is worth more than 0, Minnie's less; a draw is not a forced win.
            moves     3, 3, 3
            position  Heap(left=0, turn=1, past=(3, 3, 3))
            expected  a utility above 0, as MAXIE_WINS
            got       -100
            replay    replay(UtilityIsReversed(size=9), [3, 3, 3])
        """) in str(report)


def test_a_rule_that_raises_breaks_one_law_only() -> None:
    report = check_laws(RaisesInEstimate(), seed=0, skip=NOT_COMPILED)
    assert [v.law for v in report.broken] == ["rules_answer"]
    assert report.broken[0].expected == "estimate to answer"
    assert report.broken[0].got == "ZeroDivisionError: division by zero"


def test_a_report_is_json() -> None:
    read = json.loads(check_laws(Pile(9), skip=only("moves_are_fixed")).to_json())
    assert read["ok"] is True
    assert read["game"] == "Pile(size=9)"
    assert [v["law"] for v in read["verdicts"] if v["result"] == "pass"] == ["moves_are_fixed"]
    skipped = {v["law"]: v["reason"] for v in read["verdicts"] if v["result"] == "skipped"}
    assert skipped == only("moves_are_fixed")


def test_extra_laws_are_checked_with_the_others() -> None:
    report = check_laws(Pile(9), extra=[holds_more_than_6], skip=only(), seed=0)
    assert [(v.law, v.moves) for v in report.broken] == [("holds_more_than_6", ("3",))]


def test_the_seed_of_a_report_repeats_it() -> None:
    skip = only("moves_are_distinct")
    report = check_laws(Pile(40), skip=skip)
    assert check_laws(Pile(40), skip=skip, seed=report.seed) == report
    others = (check_laws(Pile(40), skip=skip, seed=report.seed + k) for k in range(1, 9))
    assert any(other.verdicts != report.verdicts for other in others)  # one may test as many
    assert check_laws(Pile(40), skip=only(), profile="ci").seed == 0


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"skip": {"moves_are_distnct": "typo"}}, "no law is called 'moves_are_distnct'; laws: "),
        (
            {"skip": {"moves_are_distinct": " "}},
            "skip: give a reason for skipping moves_are_distinct",
        ),
        ({"extra": [LAWS[0]]}, "two laws are called rules_answer"),
    ],
)
def test_a_bad_selection_of_laws_is_refused(how: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        check_laws(Pile(9), **how)
    with pytest.raises(ValueError, match=says):
        law_suite(Pile(9), **how)


def test_only_laws_that_apply_are_checked() -> None:
    names = {law.name for law in laws(Pile(9))}
    assert {law.name for law in LAWS} - names == {
        "cells_have_weights", "chances_are_probabilities", "children_are_what_moves_make",
        "combining_is_associative",
        "moves_in_play_are_the_moves", "moves_make_progress", "nth_moves_are_the_moves",
        "outcomes_are_pure", "packed_words_have_the_cells", "play_comes_to_an_end",
        "practice_is_the_game", "priors_are_weights",
        "rollout_moves_are_moves", "sorted_bounds_never_rise",
        "stages_are_counted_from_0", "symmetries_are_those_of_the_game",
        "values_keep_to_the_value_sum",
    }  # fmt: skip
    assert all(law.sentence.endswith(".") and "\n" not in law.sentence for law in LAWS)


def test_a_suite_has_one_test_for_each_law_that_applies() -> None:
    suite = law_suite(Pile(9), extra=[holds_more_than_6])
    tests = [name for name in vars(suite) if name.startswith("test_")]
    assert tests == [
        f"test_{law.name}" for law in (*laws(Pile(9)), *installed_laws(), holds_more_than_6)
    ]


def test_an_environment_variable_sets_the_profile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JAMBOREE_LAWS", "hard")
    with pytest.raises(ValueError, match="no profile 'hard'; profiles: dev, ci, deep"):
        law_suite(Pile(9))
    law_suite(Pile(9), profile="dev", max_plies=0)().test_moves_are_distinct()


def test_the_error_says_how_to_install_pytest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pytest", None)
    with pytest.raises(ImportError) as error:
        law_suite(TicTacToe())
    assert str(error.value) == "law_suite needs pytest: pip install hypothesis pytest"


def test_the_error_says_how_to_install_hypothesis() -> None:
    script = "import sys; sys.modules['hypothesis'] = None; import games.laws"
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    says = "ImportError: games.laws needs Hypothesis: pip install hypothesis pytest"
    assert says in run.stderr


def test_a_suite_fails_and_skips_under_pytest_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "test_pile.py").write_text(
        dedent("""\
        from games.laws import law_suite
        from tests.games.laws.given import Pile
        from tests.games.laws.test_check import holds_more_than_6, only

        TestPile = law_suite(
            Pile(99),
            extra=[holds_more_than_6],
            skip=only("rules_answer", "utility_is_a_number")
            | {"move_texts_are_words": "they are what they are"},
            max_plies=9,
        )
        TestLow = law_suite(Pile(7), extra=[holds_more_than_6], skip=only("rules_answer"))
        """)
    )
    options = ["-q", "-rA", "-p", "no:cacheprovider", "--import-mode=importlib", "-Werror"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "test_pile.py", f"--rootdir={tmp_path}"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed" in run.stdout, run.stdout + run.stderr
    assert "FAILED test_pile.py::TestLow::test_holds_more_than_6" in run.stdout
    assert "moves     1" in run.stdout
    assert "PASSED test_pile.py::TestPile::test_rules_answer" in run.stdout
    assert "move_texts_are_words: they are what they are" in run.stdout
    assert "utility_is_a_number: not met: no position to which it applies was reached" in run.stdout


def test_installed_packages_add_laws_by_an_entry_point(tmp_path: Path) -> None:
    info = tmp_path / "more_laws-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: more-laws\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[jamboree.laws]\nmore = more_laws:MORE\n")
    (tmp_path / "more_laws.py").write_text(
        dedent("""\
        from games.laws import Broken, law_of_states
        @law_of_states()
        def never_starts(game, state):
            "There is no position."
            raise Broken("none", "one")
        MORE = (never_starts,)
        """)
    )
    script = dedent("""\
        from games import ExplicitGame
        from games.laws import LAWS, check_laws, installed_laws, law_suite
        from more_laws import MORE
        assert set(MORE) <= set(installed_laws())
        skip = {law.name: "-" for law in (*LAWS, *installed_laws()) if law not in MORE}
        game = ExplicitGame.from_nested([1, 2])
        for extra in ((), MORE):
            report = check_laws(game, extra=extra, skip=skip)
            assert [v.law for v in report.broken] == ["never_starts"]
        assert hasattr(law_suite(game, skip=skip), "test_never_starts")
        """)
    path = os.pathsep.join([str(ROOT), str(tmp_path)])
    subprocess.run([sys.executable, "-c", script], env={"PYTHONPATH": path}, check=True)


def test_strategies_adds_the_laws_of_the_engines() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = project["entry-points"]["jamboree.laws"]
    assert named == {"engines": "strategies.native.verification.engine_laws:LAWS"}
    assert [law.name for law in resolve_name(named["engines"])] == [
        "engines_agree",
        "hooks_change_no_value",
        "learning_changes_no_proven_result",
    ]


THREE: Any = 3
TEXT: Any = "x"
CLASS: Any = TicTacToe


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: check_laws(THREE), "a game is needed, not 3"),
        (lambda: check_laws(CLASS), r"a game is needed, .*; write TicTacToe\(\)"),
        (lambda: law_suite(THREE), "a game is needed, not 3"),
        (lambda: check_laws(TicTacToe(), seed=TEXT), "seed must be a whole number, not 'x'"),
        (
            lambda: check_laws(TicTacToe(), max_plies=-1),
            "max_plies must be a whole number, 0 or more",
        ),
        (lambda: check_laws(TicTacToe(), limit=TEXT), "limit must be a number above 0, not 'x'"),
        (lambda: find(states(THREE), lambda _: True), "a game is needed, not 3"),
        (
            lambda: find(traces(TicTacToe(), -1), lambda _: True),
            "max_plies must be a whole number, 0",
        ),
        (lambda: replay(TicTacToe(), THREE), "choices must be a row of moves and chances, not 3"),
        (lambda: replay(CLASS, [3]), "a game is needed"),
    ],
)
def test_errors_name_the_wrong_argument(call: Any, said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        call()
