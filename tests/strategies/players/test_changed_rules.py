"""What is kept of long work is not taken for that of a game with the same name and other rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from games import ConnectFour, NTuples, RandomAgent
from strategies import SearchAgent, alphabeta, learn, seq, study, tournament, tune_weights
from strategies.cli.play_many import play_many
from strategies.players.learned_file import LearnedFileError
from strategies.support.journal import JournalError

SMALL = NTuples(4, ((0, 1),))


class Interpreted(ConnectFour):
    """Connect Four whose rules are never compiled."""

    native = False


def four(factor: int) -> Any:
    """Return a game whose name says nothing of its factor."""

    class Four(Interpreted):
        def estimate(self, state: Any) -> float:
            return 0.001 * factor * len(list(self.moves(state)))

    return Four(4, 4)


def tune(game: Any, file: Path) -> Any:
    agent = SearchAgent(alphabeta(1))
    return tune_weights(
        game, agent, names="pairs", generations=1, trials_each=1, match=0, record=file, resume=True
    )


def play(game: Any, file: Path) -> None:
    agents = RandomAgent(1), SearchAgent(alphabeta(1))
    play_many(game, agents, range(2), game.start(), file)


WORKS: dict[str, tuple[Callable[[Any, Path], Any], type[Exception]]] = {
    "tournament": (
        lambda game, file: tournament(
            game, ["random", "alphabeta(1)"], rounds=1, record=file, resume=True
        ),
        JournalError,
    ),
    "tuning": (tune, JournalError),
    "learning": (
        lambda game, file: learn(game, network=SMALL, games=5, file=file, resume=True),
        LearnedFileError,
    ),
    "games": (play, click.UsageError),
}


@pytest.mark.parametrize("name", WORKS)
def test_work_is_continued_by_the_same_rules_only(name: str, tmp_path: Path) -> None:
    work, error = WORKS[name]
    file = tmp_path / ("kept.npz" if name == "learning" else "kept")
    work(four(1), file)
    work(four(1), file)
    before = file.read_bytes()
    with pytest.raises(error, match=r"rules.*name another file"):
        work(four(2), file)
    assert file.read_bytes() == before


def test_a_study_measures_other_rules_anew(tmp_path: Path) -> None:
    for factor in 1, 2, 1:
        found = study(
            four(factor), alphabeta(2), [seq], workers=[1], repeat=1, results=tmp_path / "results"
        )
        assert found.found == f"1, Guess: {0.004 * factor:g}"


def test_a_tournament_is_continued_with_the_same_estimate_only(tmp_path: Path) -> None:
    game, weights, file = Interpreted(4, 4), tmp_path / "e.npz", tmp_path / "kept"
    players = ["random", f"alphabeta(1) with estimate={weights}"]
    for games in 5, 5, 10:
        weights.unlink(missing_ok=True)
        learn(game, network=SMALL, games=games, seed=1, file=weights)
        if games == 5:
            tournament(game, players, rounds=1, record=file, resume=True)
    with pytest.raises(JournalError, match="what an estimate has learned"):
        tournament(game, players, rounds=1, record=file, resume=True)
