"""All loops that play whole games end them alike, and name a position in play without moves."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from games import Nim, RandomAgent, TicTacToe, Twenty48, play
from games.endings import status_of
from strategies import Entrant, SearchAgent, alphabeta, mcts, tournament, tune_weights
from strategies.cli.group import jamboree
from strategies.players.game_loop import play_out, row
from strategies.players.search_agent import HastyAgent, plays_alike
from strategies.players.tournaments.entrants import Called
from strategies.players.tournaments.pairings import openings
from strategies.players.weights.fitness import trial_fitness
from strategies.players.weights.result import Tuned
from tests.games.cyclic import Cycle, Mover, cycles

RING = Cycle(((1,), (2,), (0,)))
SLOW: dict[str, Any] = {"engine": "interpreted"}


@settings(max_examples=40)
@given(cycles(luck=False, players=2), st.lists(st.integers(0, 5), min_size=2, max_size=2),
       st.integers(1, 60))  # fmt: skip
def test_all_loops_end_a_game_alike(game: Cycle, numbers: list[int], limit: int) -> None:
    agents = [Mover(n) for n in numbers[: game.players]]
    record = play(game, *agents, ply_limit=limit)
    played = play_out(game, agents, ply_limit=limit, **SLOW)
    assert (played.ended, played.status, played.moves) == (
        record.ended, record.status, len(record.turns),
    )  # fmt: skip
    if game.players == 2:
        entrants = [Entrant(a, name) for a, name in zip(agents, ("a", "b"), strict=True)]
        found = tournament(game, entrants, rounds=1, plies=0, workers=1, ply_limit=limit)
        first = found.finished[0]
        assert (first.record.turns, first.record.ended) == (record.turns, record.ended)
        assert (first.status, first.score) == ("DRAW", 0.5)
        assert f"ended by {record.ended}, as draws" in str(found)


@settings(max_examples=30)
@given(cycles(players=2), st.integers(1, 40), st.integers(0, 9))
def test_games_with_chance_end_too(game: Cycle, limit: int, seed: int) -> None:
    """Chance that moves for ever stops at the limit of plies."""
    played = play_out(game, [Mover(1)] * game.players, seed, ply_limit=limit, **SLOW)
    assert played.moves + played.drawn <= limit
    assert played.ended == "repetition" or played.moves + played.drawn == limit
    assert played.status == status_of(game, played.last, played.ended)
    assert row(game, [Mover(1)] * game.players, played)["ended"] == played.ended


def test_a_random_player_draws_anew_where_a_position_occurs_again() -> None:
    """Else two of them would go in circles far more often than random moves do."""
    loop, seeds, players = Cycle(((0, 0),)), range(100), ["random(1)", "random(2)"]
    drawn = [play(loop, RandomAgent(n), RandomAgent(n + 1)).turns for n in seeds]
    assert drawn == [play(loop, RandomAgent(n), RandomAgent(n + 1)).turns for n in seeds]
    rounds = tournament(loop, players, rounds=50, plies=0, workers=1).finished
    for every in drawn, [game.record.turns for game in rounds]:
        assert 35 <= sum(turns[0] == turns[2] for turns in every) <= 65


def test_an_outcome_of_chance_leads_out_of_a_cycle() -> None:
    played = play_out(Cycle(((1,), (0,)), (1,)), [Mover(0)] * 2, ply_limit=40, **SLOW)
    assert (played.ended, played.moves, played.drawn) == ("limit of plies", 20, 20)


def test_openings_end_where_chance_alone_goes_on() -> None:
    lucky = Cycle(((0,),), (0,))
    assert len(openings(lucky, 1, 2, 0)[0]) == 2 + lucky.ply_limit


def test_the_rows_and_the_command_line_tell_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "rings.py"
    file.write_text("from tests.games.cyclic import Cycle\nring = Cycle(((1,), (2,), (0,)))\n")
    seats = ["--maxie", "random", "--minnie", "random"]
    run = CliRunner().invoke(jamboree, ["play", f"{file}:ring", *seats, "--ply-limit", "4"])
    assert "Draw by limit of plies, 4 turns." in run.stdout
    run = CliRunner().invoke(jamboree, ["play", f"{file}:ring", *seats, "--games", "2"])
    assert "DRAW" in run.stdout
    assert "repetition" in run.stdout
    table = ["tournament", f"{file}:ring", "random", "random(seed=1)", "--ply-limit", "4"]
    run = CliRunner().invoke(jamboree, [*table, "--rounds", "1", "--plies", "0"])
    assert "2 of 2 games ended by limit of plies, as draws." in run.stdout


def better(game: Any, state: Any) -> Any:
    return next(iter(game.moves(state)))


ALIKE = [SearchAgent(alphabeta(depth), **SLOW) for depth in (1, 3)]


@given(st.integers(1, 12), st.integers(0, 2), st.integers(0, 3))
@settings(max_examples=8)
def test_figures_do_not_depend_on_how_often_a_game_is_repeated(
    rounds: int, plies: int, seed: int
) -> None:
    found = tournament(Nim((2, 1)), ALIKE, rounds=rounds, plies=plies, seed=seed)
    seats = {(g.record.turns, g.pairing.maxie) for g in found.finished}
    assert len(found.different) == len(seats) == found.standings[0].games
    assert list(found.different) == [g for g in found.finished if g in found.different]
    assert [d for d, _ in pairwise([*found.different, None])] == list(found.different)
    unlike = f"{len(seats)} of {2 * rounds} games differ; repeated games count once"
    assert (unlike in str(found)) == (len(seats) < 2 * rounds)
    more = tournament(Nim((2, 1)), ALIKE, rounds=rounds + 40, plies=plies, seed=seed)
    again = {(g.record.turns, g.pairing.maxie) for g in more.finished}
    if again == seats:
        assert {p.games for p in more.pairs} <= {1, 2}
        assert sum(s.games for s in more.standings) == sum(s.games for s in found.standings)
    assert more.to_csv().count("\n") == 2 * (rounds + 40) + 1


def test_equal_games_by_chance_or_of_a_random_player_are_samples_of_their_own() -> None:
    found = tournament(Nim((1, 1)), [better, "random"], rounds=30, plies=0)
    assert len({g.record.turns for g in found.finished}) < 5
    assert len(found.different) == 60 == found.standings[0].games
    assert "differ" not in str(found)


@given(st.floats(0, 1), st.integers(0, 99))
@settings(max_examples=8, deadline=None)
def test_all_games_of_a_player_that_may_draw_by_itself_count(chance: float, seed: int) -> None:
    draw = Random(seed)

    def mixed(game: Any, state: Any) -> Any:
        return (
            draw.choice(list(game.moves(state))) if draw.random() < chance else better(game, state)
        )

    found = tournament(Nim((2, 1)), [ALIKE[0], mixed], rounds=20, plies=0, workers=1)
    won = sum(g.score if g.pairing.maxie == "mixed" else 1 - g.score for g in found.finished)
    assert found.score("mixed").value == pytest.approx(won / 40)
    assert len(found.different) == 40 == found.standings[0].games
    for s in evolve(found, finished=found.finished[:-1]).standings:  # a pair lacks a game
        assert s.score.value == pytest.approx((s.won + s.drawn / 2) / 39)
    again = 40 - len({(g.record.turns, g.pairing.maxie) for g in found.finished})
    assert (f"{again} of 40 games repeat another one, and count" in str(found)) == (again > 0)


def test_only_games_whose_repetition_is_certain_are_no_further_samples() -> None:
    search = SearchAgent(alphabeta(2))
    alike = [search, HastyAgent(search), SearchAgent(mcts(9)), *ALIKE]
    timed = [SearchAgent(algorithm, time=1.0) for algorithm in (alphabeta(2), mcts(9))]
    others = [*timed, HastyAgent(timed[0]), SearchAgent(mcts(9, threads=2)), RandomAgent(), better]
    assert [plays_alike(agent) for agent in (*alike, *others)] == [True] * 5 + [False] * 6
    for agent in ALIKE[0], Called(better):
        trial: Any = (TicTacToe(), agent, {}, ((), 1), "score")
        assert bool(trial_fitness(*trial)[2]) == plays_alike(agent)


def test_a_record_is_resumed_with_any_number_of_rounds(tmp_path: Path) -> None:
    """The games are those of a new tournament, and the file keeps all of them."""
    path, players = tmp_path / "games.jsonl", [better, "random"]
    tournament(TicTacToe(), players, rounds=5, record=path)
    kept = path.read_bytes()
    for rounds in (3, 5, 1):
        found = tournament(TicTacToe(), players, rounds=rounds, record=path, resume=True)
        assert found.to_json() == tournament(TicTacToe(), players, rounds=rounds).to_json()
        assert path.read_bytes() == kept
    with pytest.raises(ValueError, match="its entry 'ply_limit' is None, not 7"):
        tournament(TicTacToe(), players, rounds=5, record=path, resume=True, ply_limit=7)


def test_a_match_of_tuned_weights_counts_equal_games_once() -> None:
    pytest.importorskip("cma")
    from games import ConnectFour

    given: dict[str, Any] = {"names": ["pairs"], "generations": 1, "trials_each": 1, "plies": 0}
    tuned = tune_weights(ConnectFour(4, 4), SearchAgent(alphabeta(1), **SLOW), match=9, **given)
    assert (len(tuned.match), tuned.matched) == (1, 9)
    assert "1 of 9 trials differ" in str(tuned)
    assert tuned.gain.low < 0.4 < 0.6 < tuned.gain.high or tuned.gain.value in (0, 1)
    one = Tuned(Twenty48(), {}, {}, (), ((3.0, 1.0),), 1)
    assert "differ" not in str(one)
    assert "+2, no interval from one sample" in str(one)
    assert not one.better
    assert one.to_dict()["gain"] == {"value": 2, "low": None, "high": None}
