"""Stages have weights of their own; a run begins with those of an earlier one, stage by stage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve, frozen
from click.testing import CliRunner

from games import ConnectFour, Dense, TicTacToe
from games.networks.learned import network_of, with_network
from games.networks.ntuples import NTuples
from games.networks.weights import Weights
from strategies import learn
from strategies.cli.group import jamboree
from strategies.native.kept_engines import engine_for
from strategies.native.verification.parity import estimate
from strategies.players.learned_file import ROWS, LearnedFileError, with_estimate
from tests.learned_files import row_in
from tests.strategies.players.learning.test_learning import values

SLOW: dict[str, Any] = {"engine": "interpreted"}


@frozen
class Staged(TicTacToe):
    """A stage for each two marks, of which networks know fewer."""

    def stage(self, state: Any) -> int:
        return sum(self.cell(state, k) > 0 for k in range(9)) // 2


GAME = Staged()
ONE = network_of(GAME)
assert isinstance(ONE, NTuples)
TWO, THREE = evolve(ONE, stages=2), evolve(ONE, stages=3)


def test_each_stage_reads_weights_of_its_own_on_both_engines() -> None:
    row = np.random.default_rng(2).uniform(-0.01, 0.01, THREE.size)
    game: Any = with_network(GAME, THREE, Weights(row))
    size = ONE.size
    for moves, stage in (("", 0), ("1", 0), ("1 5", 1), ("1 5 9", 1), ("1 5 9 2", 2)):
        part = row[stage * size : (stage + 1) * size]
        state = game.parse_state(moves)
        wanted = with_network(GAME, ONE, Weights(part)).estimate(state)
        assert game.estimate(state) == wanted != 0
        assert engine_for(game, "native").call(estimate, state) == wanted
    late = game.parse_state("1 5 9 2 3 7")  # its stage is 3
    part = row[2 * size :]
    assert game.estimate(late) == with_network(GAME, ONE, Weights(part)).estimate(late)


def test_both_engines_learn_the_same_stages_interrupted_or_not(tmp_path: Path) -> None:
    file = tmp_path / "a.npz"
    whole = learn(GAME, THREE, games=60, seed=3, engine="native")
    for games in (20, 60):
        parts = learn(GAME, THREE, games=games, seed=3, file=file, resume=True, **SLOW)
    assert values(whole) == values(parts) != values(learn(GAME, ONE, games=60, seed=3, **SLOW))
    assert np.all(np.ptp(whole.weights.values.reshape(3, -1), axis=1) > 0)
    assert with_estimate(GAME, file) == whole.game
    with pytest.raises(LearnedFileError, match=r"tuples, 3 stages\), not n-tuples \(\d+ tuples\)"):
        learn(GAME, games=61, seed=3, file=file, resume=True, **SLOW)


def test_a_fresh_stage_begins_with_the_weights_of_the_last_one(tmp_path: Path) -> None:
    two, three = tmp_path / "two.npz", tmp_path / "three.npz"
    learn(GAME, TWO, games=30, file=two, **SLOW)
    given: dict[str, Any] = {"begin": two, "file": three, "rate": 1e-30, **SLOW}
    learn(GAME, THREE, games=1, **given)
    size = ONE.size
    for name in ROWS:
        old, new = row_in(two, name), row_in(three, name)
        assert new.tolist() == pytest.approx([*old, *old[size:]], abs=1e-6)
        assert np.ptp(old[size:]) > 0
    again = learn(GAME, THREE, games=2, resume=True, **given)
    assert again.games == 2
    with pytest.raises(LearnedFileError, match=r"its begin is .*, not None"):
        learn(GAME, THREE, games=3, resume=True, **(given | {"begin": None}))


def test_a_run_of_one_rate_begins_with_weights_of_coherent_rates_and_back(tmp_path: Path) -> None:
    for coherent in (True, False):
        old = tmp_path / f"{coherent}.npz"
        first = learn(GAME, games=20, file=old, coherent=coherent, **SLOW)
        given: dict[str, Any] = {"begin": old, "coherent": not coherent, "rate": 1e-30, **SLOW}
        found = learn(GAME, games=1, **given)
        assert found.weights.values == pytest.approx(first.weights.values, abs=1e-6)


@pytest.mark.parametrize(
    ("game", "network", "why"),
    [
        (ConnectFour(4, 4, 3), None, r"was learned in Staged\(\), not in ConnectFour"),
        (GAME, NTuples(3, ((0,),)), "has another network; begin with a file of the same tuples"),
        (GAME, Dense(3, 9, 4), "has another network"),
    ],
)
def test_weights_of_something_else_begin_nothing(
    tmp_path: Path, game: Any, network: Any, why: str
) -> None:
    learn(GAME, games=1, file=tmp_path / "a.npz", **SLOW)
    with pytest.raises(LearnedFileError, match=why):
        learn(game, network, games=1, begin=tmp_path / "a.npz", **SLOW)


def test_a_game_without_stages_is_refused() -> None:
    with pytest.raises(ValueError, match=r"TicTacToe has no stage\(state\); define it"):
        learn(TicTacToe(), TWO, games=1, **SLOW)


def test_the_command_learns_stages_and_begins_with_a_file(tmp_path: Path) -> None:
    def run(*more: str) -> Any:
        given = "tictactoe", "--games", "1", "--engine"
        return CliRunner().invoke(jamboree, ["learn", *given, "interpreted", *more])

    one, two = (str(tmp_path / f"{k}.npz") for k in (1, 2))
    assert run("--file", one).exit_code == 0
    assert "no stage(state)" in run("--file", two, "--begin", one, "--stages", "2").output
    done = run("--file", two, "--begin", one, "--stages", "1")
    assert (done.exit_code, Path(two).exists()) == (0, True)
    assert "leave out --hidden or --stages" in run("--hidden", "4", "--stages", "2").output
