"""Learning curves: their picture, test games during learning, one curve across interruptions."""

from __future__ import annotations

import json
import math
import re
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch
from xml.etree import ElementTree

import pytest
from attrs import evolve, frozen
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from games import MAXIE, TicTacToe
from strategies.cli import learn_command
from strategies.cli.group import jamboree
from strategies.players.learned_file import write_learned
from strategies.players.learning.curves import Point
from strategies.players.learning.learning_curve import draw_curve
from strategies.players.learning.result import Learned
from strategies.players.learning.self_play import _Run, learn
from strategies.players.learning.unseen import Trials
from strategies.players.tournaments.elo import Interval, mean_of, score_interval, t_quantile
from tests.learned_files import parts_of
from tests.properties import examples
from tests.strategies.players.learning.test_learning import Rolls

SLOW: dict[str, Any] = {"engine": "interpreted"}
NUMBERS = st.floats(-1e6, 1e6)
POINTS = st.lists(
    st.builds(Point, st.integers(1, 10**9), st.integers(1, 10**12), st.floats(0, 1e6), NUMBERS,
              st.floats(0, 1e6), st.none() | NUMBERS, *[st.none()] * 6),
    min_size=1, max_size=5,
)  # fmt: skip


@given(POINTS, st.sampled_from([1, 2]))
def test_a_picture_has_each_point_in_its_panels(points: list[Point], players: int) -> None:
    points = sorted(points, key=lambda point: point.games)
    svg = draw_curve(points, "A game", players).svg
    root = ElementTree.fromstring(svg)
    tested = sum(point.strength is not None for point in points)
    assert svg.count("<circle") == 4 * len(points) + 2 * tested
    fields = [e for e in root.iter() if e.get("class") == "field"]
    assert len(fields) == (6 if tested else 4)
    low, right = (max(float(e.get(a, 0)) + float(e.get(b, 0)) for e in fields)
                  for a, b in (("y", "height"), ("x", "width")))  # fmt: skip
    for circle in (e for e in root.iter() if e.tag.endswith("circle")):
        assert 70 <= float(circle.get("cx", 0)) <= right + 0.1
        assert 80 <= float(circle.get("cy", 0)) <= low + 0.1


def test_a_curve_without_points_is_refused() -> None:
    with pytest.raises(ValueError, match="no curve"):
        draw_curve([], "A game")


def told(found: Learned) -> list[tuple[Any, ...]]:
    """Return the curve without its times."""
    return [(p.games, p.moves, p.result, p.error, p.strength) for p in found.curve]


def test_a_resumed_run_continues_its_curve(tmp_path: Path) -> None:
    given: dict[str, Any] = {"trials": 4, **SLOW}
    whole = learn(TicTacToe(), games=50, **given)
    file = tmp_path / "learned.npz"
    for games in (3, 20, 50):
        parts = learn(TicTacToe(), games=games, file=file, resume=True, **given)
    assert told(parts) == told(whole)
    assert parts.draw().svg.count("<circle") == whole.draw().svg.count("<circle")
    tried = [p.games for p in whole.curve if p.strength is not None]
    assert tried == [1, 2, 5, 10, 20, 50]
    assert all(0 <= (p.strength or 0) <= 1 for p in whole.curve)
    without = learn(TicTacToe(), games=50, **SLOW)
    shown = ElementTree.fromstring(f"<d>{without._repr_html_()}</d>")
    assert [e.tag.rpartition("}")[2] for e in shown] == ["table", "pre", "svg", "style"]
    assert [*" ".join(shown[0].itertext()).split(), *(shown[1].text or "").split()][-8:] == (
        str(without).split()[-8:]
    )
    bare = ElementTree.fromstring(f"<d>{evolve(without, curve=())._repr_html_()}</d>")
    assert [e.tag for e in bare] == ["table", "pre"], "of no game, there is no curve"
    assert whole.weights == without.weights  # test games do not change the weights
    assert "strength" in str(whole)
    assert "strength" not in str(without)


def test_strength_is_the_score_against_the_estimate_of_the_game() -> None:
    """An estimate of 0 scores one half against itself; a good estimate scores more."""

    @frozen
    class Blind(TicTacToe):
        def estimate(self, state: Any) -> float:
            return 0.0

    curve = learn(Blind(), games=120, trials=40, **SLOW).curve
    last = next(p.strength for p in reversed(curve) if p.strength is not None)
    assert last > 0.6

    @frozen
    class Wise(TicTacToe):
        def estimate(self, state: Any) -> float:
            most = max if self.player(state) == MAXIE else min
            ends = [
                0.0 if self.status(child) == 0 else max(-1.0, min(1.0, self.utility(child)))
                for child in (self.make_move(state, move) for move in self.moves(state))
            ]
            return most(ends)

    first = learn(Wise(), games=1, trials=40, **SLOW).curve[0].strength
    assert first is not None
    assert first < 0.5 < last


def test_the_command_draws_the_curve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    more = ["--engine", "interpreted", "--trials", "2", "--curve", "curve.svg"]
    done = CliRunner().invoke(jamboree, ["learn", "tictactoe", "--games", "20", *more])
    assert done.exit_code == 0, done.output
    assert "81 weights, in tictactoe.npz" in done.output
    first = Path("curve.svg").read_text()
    done = CliRunner().invoke(jamboree, ["learn", "tictactoe", "--games", "40", "--resume", *more])
    assert done.exit_code == 0, done.output
    second = Path("curve.svg").read_text()
    tips = re.findall("after ([0-9]+) games", second)
    assert {*re.findall("after ([0-9]+) games", first), "30", "40"} == set(tips)


def test_the_command_writes_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    more = ["--engine", "interpreted", "--report", "curve.html"]
    for games, resume in (("20", []), ("40", ["--resume"])):
        given = ["learn", "tictactoe", "--games", games, *resume, *more]
        done = CliRunner().invoke(jamboree, given)
        assert done.exit_code == 0, done.output
        page = Path("curve.html").read_text()
        assert page.rstrip().endswith("</html>")
        assert f">{games}<" in page
    missing = CliRunner().invoke(jamboree, [*given[:-1], "none/curve.html"])
    assert missing.exit_code == 2
    assert not Path("none").exists()


def test_without_options_it_learns_for_a_default_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(learn_command, "SECONDS", 0.2)
    given = ["tictactoe", "--engine", "interpreted", "--json"]
    done = CliRunner().invoke(jamboree, ["learn", *given])
    assert done.exit_code == 0, done.output
    assert 0.2 <= json.loads(done.output)["seconds"] < 20
    done = CliRunner().invoke(jamboree, ["learn", *given])
    assert done.exit_code == 2
    assert "tictactoe.npz exists already: continue it by resume=True (--resume)" in done.output


def each(game: Any, first: int, last: int) -> list[tuple[float, float, int]]:
    """Return the result, the sum of the errors and the moves of some games, one by one."""
    before = learn(game, games=first - 1, **SLOW).moves
    totals = [(0.0, 0.0, 0)]
    for n in range(first, last + 1):
        run = learn(game, games=n, **SLOW)
        point, moves = run.curve[-1], run.moves - before
        totals.append((point.result * (n - first + 1), point.error * moves, moves))
    return [(b[0] - a[0], b[1] - a[1], b[2] - a[2]) for a, b in pairwise(totals)]


def test_intervals_are_those_of_the_games_that_measured_a_point() -> None:
    point = learn(TicTacToe(), games=20, **SLOW).curve[-1]
    games = each(TicTacToe(), 11, 20)
    assert point.between("result") == pytest.approx(mean_of([r for r, _, _ in games])[1:])
    errors, moves = sum(e for _, e, _ in games), sum(m for _, _, m in games)
    mean, many = errors / moves, len(games)
    apart = [(e - mean * m) / (moves / many) for _, e, m in games]
    half = t_quantile(many - 1) * math.sqrt(sum(x * x for x in apart) / (many - 1) / many)
    assert point.error == pytest.approx(mean)
    assert point.between("error") == pytest.approx((mean - half, mean + half), rel=1e-6)


def test_test_games_have_the_interval_of_a_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    scores: list[float] = []
    pair = Trials._pair

    def kept(trials: Trials, random: Any) -> float:
        scores.append(pair(trials, random))
        return scores[-1]

    monkeypatch.setattr(Trials, "_pair", kept)
    (point,) = learn(TicTacToe(), games=1, trials=12, **SLOW).curve
    _, *tried = scores  # the first pair is played before the clock starts, to compile
    assert len(tried) == 6
    assert (point.strength, *(point.between("strength") or ())) == pytest.approx(
        score_interval(tried)
    )
    (one,) = learn(TicTacToe(), games=1, trials=1, **SLOW).curve
    assert one.strength is not None
    assert one.between("strength") is one.between("result") is one.between("error") is None


@given(POINTS, st.sampled_from([1, 2]))
def test_a_picture_has_a_line_for_each_interval(points: list[Point], players: int) -> None:
    points = sorted(points, key=lambda point: point.games)
    wide = [p.measured("result", Interval(p.result, p.result - 1, p.result + 1)) for p in points]
    for found, many in (points, 0), (wide, len(points)):
        root = ElementTree.fromstring(draw_curve(found, "A game", players).svg)
        lines = [e.get("d", "") for e in root.iter() if e.get("opacity")]
        assert len(lines) == 2 * many
        assert ("95% intervals" in "".join(root.itertext())) == bool(many)
        fields = [e for e in root.iter() if e.get("class") == "field"]
        ends = [float(y) for line in lines for y in re.findall(r"[\d.]+", line)[1:]]
        lowest = max(float(e.get("y", 0)) + float(e.get("height", 0)) for e in fields)
        assert all(80 <= y <= lowest + 0.1 for y in ends), "cut to the panel"


def test_a_file_of_an_earlier_version_has_no_intervals_until_the_next_point(
    tmp_path: Path,
) -> None:
    file = tmp_path / "learned.npz"
    learn(TicTacToe(), games=25, file=file, **SLOW)
    about, rows = parts_of(file)
    for name in ("done", "since"):
        about[name] = about[name][:5]
    about["curve"] = [point[:6] for point in about["curve"]]
    write_learned(file, about, rows)
    found = learn(TicTacToe(), games=40, file=file, resume=True, **SLOW)
    known = {p.games: p.between("result") is not None for p in found.curve if p.games > 10}
    assert known == {20: False, 30: False, 40: True}
    assert learn(TicTacToe(), games=40, **SLOW).curve[-1].between("error") == found.curve[
        -1
    ].between("error")


def test_the_page_and_the_data_have_the_intervals(tmp_path: Path) -> None:
    found = learn(TicTacToe(), games=30, trials=4, **SLOW)
    last = found.to_dict()["curve"][-1]
    assert last["result_low"] < last["result"] < last["result_high"]
    page = found.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "{:,.4g} to {:,.4g}".format(*(found.curve[-1].between("result") or ())) in page
    assert page.count("<svg") == 1
    assert "95% intervals" in page


def test_the_curve_does_not_depend_on_the_batches_of_games() -> None:
    """Batches follow the pace of the machine, and an interrupted run has others."""
    usual, found = _Run.play, []
    for most in 1, 3, 100:

        def play(run: Any, first: int, count: int, most: int = most) -> Any:
            return usual(run, first, min(count, most))

        with patch.object(_Run, "play", play):
            found.append(told(learn(TicTacToe(), games=100, trace=0.3, **SLOW)))
    assert found[0] == found[1] == found[2]


@examples(20)
@given(
    st.sampled_from([TicTacToe(), Rolls()]),
    st.lists(st.tuples(st.integers(0, 18), st.booleans()), max_size=4),
)
def test_the_curve_is_that_of_an_uninterrupted_run_also_from_stopped_test_games(
    game: Any, stops: list[tuple[int, bool]]
) -> None:
    """Each slice is stopped in one of its test games, which is left or not."""
    how: dict[str, Any] = {"games": 12, "trials": 5, "epsilon": 0.2, **SLOW}
    whole = learn(game, **how)
    usual, left = Trials._result, [0, False]

    def result(trials: Trials, number: int) -> float:
        left[0] -= 1
        if left[0] == 0:
            trials.stop.set()
            if left[1]:
                trials.leave.set()
        return usual(trials, number)

    with TemporaryDirectory() as folder, patch.object(Trials, "_result", result):
        for left[:] in [*stops, (0, False)]:
            found = learn(game, file=Path(folder) / "a.npz", resume=True, **how)
    assert [p._replace(seconds=0) for p in found.curve] == [
        p._replace(seconds=0) for p in whole.curve
    ]
    assert all((p.strength is None) == (str(p.games)[0] not in "125") for p in whole.curve[:-1])
