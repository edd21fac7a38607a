"""What is kept of long work is not taken for that of a game with the same name and other rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import ConnectFour, Game, NTuples, RandomAgent, Status
from strategies import (
    Entrant,
    SearchAgent,
    alphabeta,
    learn,
    seq,
    study,
    tournament,
    tune_weights,
    with_estimate,
)
from strategies.cli.play_many import play_many
from strategies.players.learned_file import LearnedFileError, write_learned
from strategies.support.journal import JournalError
from tests.learned_files import parts_of
from tests.properties import examples

SMALL = NTuples(4, ((0, 1),))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


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


def take(cells: list[int], staged: bool, secured: float, module: str = __name__) -> Any:
    """Return a game whose name says nothing of what a network reads: of 7 coins, take 1 to 3."""

    class Take(Game[tuple[int, int], int]):
        def start(self) -> tuple[int, int]:
            return 7, 0

        def status(self, state: tuple[int, int]) -> Status:
            return Status.IN_PLAY if state[0] else Status.DRAW

        def player(self, state: tuple[int, int]) -> int:
            return state[1]

        def moves(self, state: tuple[int, int]) -> range:
            return range(1, 1 + min(3, state[0]))

        def make_move(self, state: tuple[int, int], move: int) -> tuple[int, int]:
            return state[0] - move, 1 - state[1]

        def estimate(self, state: tuple[int, int]) -> float:
            return 0.0

        def cell(self, state: tuple[int, int], k: int) -> int:
            return cells[state[0] - 1]

        def stage(self, state: tuple[int, int]) -> int:
            return int(staged and state[0] < 4)

        def secured(self, state: tuple[int, int]) -> float:
            return secured

    Take.__module__ = module
    return frozen(Take)()


ROWS = st.lists(st.integers(0, 2), min_size=7, max_size=7)
READ = st.tuples(ROWS, st.booleans(), st.sampled_from([0.0, 0.25]))


@examples(20)
@given(READ, READ, st.booleans())
def test_an_estimate_is_read_by_the_rules_that_it_was_learned_by(
    folder: Path, rules: Any, others: Any, same: bool
) -> None:
    """The module does not matter: what a script has learned is read by programs that import it."""
    file, others = folder / "e.npz", rules if same else others
    file.unlink(missing_ok=True)
    learn(take(*rules), NTuples(3, ((0,),), stages=2), games=2, file=file, engine="interpreted")
    game = take(*others, module="another")
    if rules == others:
        assert with_estimate(game, file).net_weights.values.size == 6
        return
    for read in with_estimate, lambda g, f: Entrant.parse(f"random with estimate={f}").game(g):
        with pytest.raises(LearnedFileError, match=r"in Take\(\), whose rules have changed since"):
            read(game, file)


def test_a_file_that_does_not_say_what_was_read_is_read(tmp_path: Path) -> None:
    file = tmp_path / "e.npz"
    learn(take([0] * 7, False, 0.0), SMALL, games=2, file=file, engine="interpreted")
    about, rows = parts_of(file)
    del about["reading"]
    write_learned(file, about, rows)
    assert with_estimate(take([1] * 7, False, 0.0), file).estimate((7, 0)) == 0
