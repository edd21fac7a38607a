"""Learning in a game that need not end: a limit of plies, and Ctrl-C within one game."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from click.testing import CliRunner

from games import NTuples, TicTacToe
from strategies import learn
from strategies.cli.group import jamboree
from strategies.players.learning.unseen import play_unseen
from strategies.running.runtime import deadline
from tests.games.cyclic import Cycle, Token
from tests.learned_files import about_in

FOR_EVER = 1 << 60
RETURNS: list[dict[str, Any]] = [{}, {"trace": 0.5, "depth": 3}]


@frozen
class Ring(Cycle):
    def cell(self, state: Token, k: int) -> int:
        return state.place

    def network(self) -> NTuples:
        return NTuples(3, ((0,),))


RING = Ring(((1, 2), (2,), (0, 1)))
LUCKY = Ring(((1, 2), (2, 0), (0, 1)), (1,))


@pytest.mark.parametrize("how", RETURNS)
def test_a_game_ends_at_the_limit(how: dict[str, Any]) -> None:
    slow = learn(LUCKY, games=4, ply_limit=70, engine="interpreted", **how)
    assert (slow.cut, slow.games) == (4, 4)
    assert slow.moves <= 4 * 70
    assert "; 4 games ended by the limit of 70 plies" in str(slow)
    assert {p.result for p in slow.curve} == {0}  # draws
    assert slow.to_dict()["cut"] == 4


@pytest.mark.parametrize("how", [{}, pytest.param(RETURNS[1], marks=pytest.mark.long)])
def test_a_game_ends_at_the_limit_on_both_engines(how: dict[str, Any]) -> None:
    slow, native = (
        learn(LUCKY, games=4, ply_limit=70, engine=engine, **how)
        for engine in ("interpreted", "native")
    )
    assert (slow.cut, slow.games, slow.moves) == (native.cut, native.games, native.moves)
    assert np.array_equal(slow.weights.values, native.weights.values)


@pytest.mark.parametrize(
    ("engine", "how"),
    [
        *(("interpreted", how) for how in RETURNS),
        ("native", {}),
        pytest.param("native", RETURNS[1], marks=pytest.mark.long),
    ],
)
@pytest.mark.timeout(60)
def test_the_limit_of_time_and_ctrl_c_hold_within_a_game(
    engine: str, how: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadline, "GRACE", 0.05)  # no game ends
    given: dict[str, Any] = {"ply_limit": FOR_EVER, "engine": engine, **how}
    found = learn(LUCKY, time=0.01, **given)
    assert (found.games, found.interrupted) == (0, False)
    found = learn(LUCKY, games=1, progress=lambda _: signal.raise_signal(signal.SIGINT), **given)
    assert (found.games, found.interrupted) == (0, True)


def test_the_limit_and_its_games_are_kept_in_the_file(tmp_path: Path) -> None:
    file, how = tmp_path / "ring.npz", {"engine": "interpreted", "resume": True}
    whole = learn(RING, games=9, ply_limit=30, engine="interpreted")
    for games in (4, 9):
        parts = learn(RING, games=games, ply_limit=30, file=file, **how)  # type: ignore[arg-type]
    assert (parts.cut, parts.moves) == (whole.cut, whole.moves) == (9, whole.moves)
    assert np.array_equal(parts.weights.values, whole.weights.values)
    with pytest.raises(ValueError, match="its ply_limit is 30, not 31"):
        learn(RING, games=10, ply_limit=31, file=file, **how)  # type: ignore[arg-type]


def test_a_file_of_before_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a file says neither the limit nor how many games reached it."""
    from strategies.players.learning import self_play

    file = tmp_path / "marks.npz"

    def old(path: Path, about: dict[str, Any], rows: Any) -> None:
        schedule = {k: v for k, v in about["schedule"].items() if k != "ply_limit"}
        four = {name: about[name][:4] for name in ("done", "since")}
        write(path, {**about, **four, "schedule": schedule}, rows)

    write = self_play.write_learned
    with monkeypatch.context() as patch:
        patch.setattr(self_play, "write_learned", old)
        learn(TicTacToe(), games=3, file=file, engine="interpreted")
    assert "ply_limit" not in about_in(file)["schedule"]
    found = learn(TicTacToe(), games=5, file=file, resume=True, engine="interpreted")
    assert (found.games, found.cut) == (5, 0)


def test_test_games_end_and_equal_ones_count_once(tmp_path: Path) -> None:
    how: dict[str, Any] = {"ply_limit": 20, "engine": "interpreted"}
    found = learn(RING, games=2, trials=4, **how)
    assert found.curve[0].strength == 0.5  # of draws
    assert [row["utility"] for row in play_unseen(found, 5, engine="interpreted")] == [0]
    asked = [
        "learn",
        "tictactoe",
        "--file",
        str(tmp_path / "a.npz"),
        "--games",
        "2",
        "--engine",
        "interpreted",
    ]
    run = CliRunner().invoke(jamboree, [*asked, "--ply-limit", "99", "--test", "7"])
    assert "1 of 7 unseen games differ" in run.stdout
