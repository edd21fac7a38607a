"""Studies of sets of positions: sums, means, times to a solution, files, and resuming."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, HANDOUT_BIG, WIN, ConnectFour, Pig, TicTacToe
from graphs import ArgumentError
from strategies import alphabeta, expectimax, pvs, seq, study, young_brothers_wait
from strategies.algebra.combinators import par_list
from strategies.cli.group import jamboree
from strategies.insight.analysis.diagnosis.facts import SHORTEST
from strategies.studies import NotPositions, SetPosition, Study, compare, read_positions
from strategies.studies import places as studying
from strategies.studies.conduct import row_of, row_of_set
from strategies.studies.measure import (
    Case,
    Measurement,
    Setting,
    Step,
    as_text,
    measure,
    solution_time,
    steps_in,
)
from strategies.studies.study import COLUMNS

GAME = TicTacToe()


class Tuples(TicTacToe):
    """Tic-tac-toe with moves in brackets, as tuples are printed."""

    def move_text(self, state: Any, move: int) -> str:
        return f"({move}, {move % 3})"


STATES = [GAME.parse_state(text) for text in ("5 1", "1 5", "1 2 3")]
SMALL: dict[str, Any] = {"workers": [1], "repeat": 2, "engine": "interpreted"}


def of_set(states: Any = STATES, **more: Any) -> Study:
    return study(GAME, alphabeta(4), par_list, positions=states, **SMALL | more)


def test_a_set_of_one_position_is_the_study_of_that_position(tmp_path: Path) -> None:
    db = tmp_path / "study.db"
    one = of_set([STATES[0]], results=db)
    alone = study(GAME, alphabeta(4), par_list, state=STATES[0], results=db, **SMALL)
    assert one.rows == alone.rows
    assert one.positions == (alone,)
    assert one.steps == alone.steps


def made(*times: float, at: tuple[tuple[float, str], ...] = (), cpu: float = 0.0) -> list[Any]:
    """Return runs of these times; `at` has the moves of their depths, and when they ended."""
    steps = as_text([Step(i, t, move, 0.0) for i, (t, move) in enumerate(at, 1)])
    return [Measurement(seconds=t, moves=1, nodes=10, steps=steps, cpu=cpu) for t in times]


CASE = Case(alphabeta(3), par_list, 2)


def test_speed_ups_are_of_totals_and_geometric_means() -> None:
    runs, best = [made(1.0), made(4.0)], [made(2.0), made(32.0)]
    row = row_of_set(CASE, runs, best, None, [None, None])
    assert (row.seconds, row.nodes, row.moves) == (5.0, 20, 2)
    assert row.speedup == 34 / 5
    assert row.mean == pytest.approx(4.0)  # of 2 and 8
    assert (row.clear, row.solved, row.solution) == (2, 0, None)


def test_totals_are_of_each_repetition() -> None:
    row = row_of_set(CASE, [made(1.0, 2.0, 9.0), made(5.0, 3.0, 1.0)], [[], []], None, [None] * 2)
    assert row.runs == (6.0, 5.0, 10.0)
    assert row.seconds == 6.0
    assert (row.speedup, row.mean) == (None, None)


def test_positions_that_are_short_for_seq_are_not_in_the_mean() -> None:
    runs, best = [made(1.0), made(0.001)], [made(3.0), made(0.01)]
    row = row_of_set(CASE, runs, best, None, [None, None])
    assert (row.mean, row.clear) == (3.0, 1)
    assert row.speedup == 3.01 / 1.001
    short = row_of(CASE, made(0.001), made(0.01), None)
    assert (short.mean, short.clear) == (None, 0)


def has(move: str) -> Any:
    return lambda step: step.move == move


def test_the_time_to_a_solution_is_that_of_the_depth_from_which_it_stays() -> None:
    kept = ((1.0, "a"), (2.0, "b"), (4.0, "a"), (6.0, "a"))
    steps = steps_in(made(6.0, at=kept)[0].steps)
    assert solution_time(steps, has("a")) == 4.0
    assert solution_time(steps, has("b")) is None
    assert solution_time((), has("a")) is None


def test_solutions_are_summed_over_the_positions_that_are_solved() -> None:
    fast, slow = ((0.5, "a"), (1.0, "a")), ((4.0, "b"), (8.0, "a"))
    lost = ((1.0, "b"), (2.0, "b"))
    runs = [made(1.0, at=fast), made(8.0, at=slow), made(2.0, at=lost)]
    alone = [made(2.0, at=((1.0, "a"), (2.0, "a"))), made(32.0, at=((9.0, "b"), (32.0, "a"))),
             made(2.0, at=lost)]  # fmt: skip
    row = row_of_set(CASE, runs, alone, None, [has("a")] * 3)
    assert (row.solved, row.solution) == (2, 8.5)
    assert row.solution_speedup == pytest.approx(33 / 8.5)
    assert row.solution_mean == pytest.approx((2 * 4) ** 0.5)
    assert (row.solution_clear, row.solved_of, row.solution_short) == (2, "2 of 3", False)


def test_solutions_that_are_stated_and_not_found_are_counted() -> None:
    runs, alone = [made(1.0, at=((1.0, "b"),))] * 2, [made(1.0)] * 2
    row = row_of_set(CASE, runs, alone, None, [has("a"), None])
    assert (row.solved_of, row.solution) == ("0 of 1", None)


@given(st.sampled_from([0.001, 0.0199, 0.0201, 1.0]), st.sampled_from([0.001, 0.0199, 0.0201, 1.0]))
def test_a_speed_up_to_a_solution_within_20_ms_says_nothing(took: float, base: float) -> None:
    row = row_of(CASE, made(took, at=((took, "a"),)), made(base, at=((base, "a"),)), None, has("a"))
    cell = next(c for c in COLUMNS if c.name == "solution_speedup").text(row)
    assert (cell == "short") is (min(took, base) < SHORTEST)


def test_a_simulated_solution_is_compared_with_processor_time() -> None:
    case = Case(alphabeta(3), par_list, 16, simulated=True)
    at = ((1.0, "a"), (2.0, "a"))
    row = row_of(case, made(1.0, at=((0.25, "a"), (1.0, "a"))), made(2.0, at=at, cpu=1.0), None,
                 has("a"))  # fmt: skip
    assert row.speedup == 1.0
    assert row.solution_speedup == 2.0  # half a second of processor time against a quarter


@pytest.mark.parametrize(
    ("position", "move", "value", "solved"),
    [
        (SetPosition(None), 3, 0.0, False),
        (SetPosition(None, best=(3, 4)), 4, 0.0, True),
        (SetPosition(None, best=(3, 4)), 5, 0.0, False),
        (SetPosition(None, value=2.0), 5, 2.0, True),
        (SetPosition(None, value=2.0), 5, 3.0, False),
        (SetPosition(None, value=-WIN), 5, -WIN - 7, True),
        (SetPosition(None, value=-WIN), 5, WIN + 7, False),
        (SetPosition(None, best=(3,), value=2.0), 3, 1.0, False),
    ],
)
def test_a_solution_has_a_best_move_and_the_value(
    position: SetPosition, move: int, value: float, solved: bool
) -> None:
    assert position.solved_by(move, value) is solved


@pytest.mark.parametrize(("workers", "simulate"), [(1, False), (2, False), (1000, True)])
def test_depths_end_in_turn_and_the_last_is_the_answer(workers: int, simulate: bool) -> None:
    game = ConnectFour(5, 4, pairs=1)
    strategy = young_brothers_wait.to_size(300) if workers > 1 else seq
    setting = Setting(game, game.start(), engine="interpreted")
    run = measure(setting, Case(pvs(5), strategy, workers, simulate))
    steps = steps_in(run.steps)
    assert [step.depth for step in steps] == [1, 3, 5]
    assert [s.seconds for s in steps] == sorted(s.seconds for s in steps)
    assert 0 < steps[0].seconds < steps[-1].seconds == run.seconds
    assert steps[-1].move in run.found


def test_a_set_has_one_table_over_all_positions() -> None:
    found = study(
        HANDOUT_BIG, alphabeta(4), par_list, workers=[1, 500], simulate=True, repeat=1,
        positions=[HANDOUT_BIG.start(), HANDOUT_BIG.parse_state("0")], engine="interpreted",
    )  # fmt: skip
    assert [row.how for row in found.rows] == ["measured", "measured", "simulated"]
    for i, row in enumerate(found.rows):
        each = [position.rows[i] for position in found.positions]
        assert row.nodes == sum(one.nodes for one in each)
        assert row.seconds == sum(one.seconds for one in each)
    assert "2 positions" in str(found)
    assert "mean" in str(found)
    assert Study.from_json(found.to_json()).to_json() == found.to_json()
    assert compare(found, found).rows[0].ratio == 1
    with pytest.raises(ValueError, match="different sets of positions"):
        compare(found, study(HANDOUT_BIG, alphabeta(4), par_list, workers=[1], repeat=1,
                             positions=[HANDOUT_BIG.parse_state(t) for t in "01"],
                             engine="interpreted"))  # fmt: skip


def test_chance_may_move_in_a_position_of_a_set() -> None:
    start = Pig().start()
    rolled = Pig().make_move(start, Pig().parse_move(start, "roll"))
    assert Pig().player(rolled) == CHANCE
    found = study(Pig(), expectimax(2), par_list, positions=[rolled, start], **SMALL)
    assert [row.moves for row in found.rows] == [2, 2]


def test_only_what_is_missing_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db, asked, real = tmp_path / "study.db", list[Any](), measure
    first = of_set(STATES[:2], results=db)

    def counted(setting: Setting, case: Case) -> Measurement:
        asked.append(setting.state)
        return real(setting, case)

    monkeypatch.setattr(studying, "measure", counted)
    assert of_set(STATES[:2], results=db) == first
    assert asked == []
    of_set(results=db)
    assert set(asked) == {STATES[2]}
    asked.clear()
    of_set(results=db, repeat=3)
    warm, cases = 2, 2
    assert len(asked) == warm + len(STATES) * cases  # the third repetition alone


def test_an_interrupt_leaves_the_table_of_the_finished_positions() -> None:
    seen = list[Study]()
    with pytest.raises(KeyboardInterrupt):
        of_set(progress=lambda s: seen.append(s) if s.steps[0] < 6 else interrupt())
    *_, last = seen
    assert last.steps == (5, 12)
    assert not last.complete
    assert [p.complete for p in last.positions] == [True, False]
    assert last.rows == last.positions[0].rows
    assert "1 of them finished" in str(last)


def interrupt() -> None:
    raise KeyboardInterrupt


LINES = "# two positions\n\n5 1 | name corner | best 3, 9\n1 5 | value Minnie\n"


@pytest.mark.parametrize("best", ["(3,0), (8, 2)", "(3,0),(8,2)", "(3, 0) (8,2)"])
def test_best_moves_may_have_commas_in_brackets(tmp_path: Path, best: str) -> None:
    file = tmp_path / "set.txt"
    file.write_text(f"(1,1) (5,2) | best {best}\n")
    (one,) = read_positions(Tuples(), file)
    assert one.best == (3, 8)


def test_a_file_has_positions_solutions_and_names(tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    file.write_text(LINES)
    one, other = read_positions(GAME, file)
    assert one == SetPosition(STATES[0], best=(2, 8), name="corner")
    assert other == SetPosition(STATES[1], value=-WIN, name="4")
    assert of_set(file).state == "2 positions of two.txt"


DAMAGED = {
    "x y": "line 5: ",
    "5 1 | best 1": "line 5: '1' is not",
    "5 1 | bst 3": "line 5: a column is",
    "5 1 | best": "line 5: a column is",
    "5 1 | best 3 | best 9": "line 5: the column best is there twice",
    "5 1 | value much": "line 5: a value is a number",
    "5 1 | value nan": "line 5: a value is a number",
    "1 4 2 5 3": "line 5: the game is over",
}


@pytest.mark.parametrize("line", DAMAGED)
def test_a_damaged_line_is_refused_with_its_file_and_number(line: str, tmp_path: Path) -> None:
    file = tmp_path / "damaged.txt"
    file.write_text(f"{LINES}{line}\n5 1\n")
    with pytest.raises(NotPositions) as raised:
        read_positions(GAME, file)
    assert str(raised.value).startswith(f"{file}, {DAMAGED[line]}")
    ran = CliRunner().invoke(jamboree, ["study", "tictactoe", "--set", str(file)])
    assert ran.exit_code == 2
    told = [text for text in ran.stderr.splitlines() if not text.startswith("compiling the rules")]
    assert len(told) == 1
    assert f"{file}, {DAMAGED[line]}" in told[0]


@pytest.mark.parametrize(
    ("content", "said"), [(b"# none\n", "no line has a position"), (b"\xff", "not UTF-8")]
)
def test_a_file_without_positions_is_refused(content: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "empty.txt"
    file.write_bytes(content)
    with pytest.raises(NotPositions, match=said):
        read_positions(GAME, file)


def test_contradictory_arguments_are_refused() -> None:
    for wrong, said in (
        ({"state": STATES[0]}, "positions and state exclude"),
        ({"games": 1}, "positions and games exclude"),
        ({"states": []}, "positions is empty"),
        ({"states": 3}, "positions must be"),
        ({"states": "no file"}, "no file"),
    ):
        with pytest.raises((ArgumentError, NotPositions), match=said):
            of_set(**wrong)


def test_the_command_studies_a_set(tmp_path: Path) -> None:
    file, svg, db = tmp_path / "two.txt", tmp_path / "s.svg", tmp_path / "s.db"
    file.write_text(LINES)
    asked = ["study", "tictactoe", "--set", file, "--algorithm", "pvs(5)", "--engine",
             "interpreted", "--using", "par_list.to_ply(1)", "--workers", "1", "--repeat", "1",
             "--speedup", svg, "--results", db]  # fmt: skip
    ran = CliRunner().invoke(jamboree, list(map(str, asked)))
    assert ran.exit_code == 0, ran.stderr
    assert "2 positions of two.txt" in ran.stdout
    assert "Speed-up against workers" in svg.read_text()
    for option in ("--state", "1"), ("--games", "1"):
        ran = CliRunner().invoke(jamboree, [*map(str, asked), *option])
        assert (ran.exit_code, f"--set and {option[0]}" in ran.stderr) == (2, True)
