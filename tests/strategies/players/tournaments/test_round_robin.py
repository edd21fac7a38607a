"""Tournaments are fair, independent of the number of workers, and lose or repeat no game."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st

from games import ConnectFour, HumanAgent, IllegalMove, RandomAgent, TicTacToe, Twenty48
from strategies import Entrant, HastyAgent, SearchAgent, alphabeta, tournament
from strategies.players.tournaments.entrants import EntrantError, entrants
from strategies.players.tournaments.pairings import openings
from strategies.support.journal import Journal, JournalError

GAME = ConnectFour(5, 4)
AGENT = SearchAgent(alphabeta(2), engine="interpreted")
PLAYERS = [AGENT, Entrant(AGENT, "keen", {"pairs": 1}), "random(seed=4)"]


def first(game: Any, state: Any) -> Any:
    return next(iter(game.moves(state)))


def test_each_pair_plays_each_opening_from_both_sides() -> None:
    found = tournament([GAME, ConnectFour(4, 5)], PLAYERS, rounds=4, plies=2)
    assert found.complete
    assert len(found.finished) == 3 * 2 * 4 * 2
    seats = Counter((p.pairing.game, p.pairing.maxie, p.pairing.minnie) for p in found.finished)
    assert set(seats.values()) == {4}
    begun: dict[Any, set[Any]] = {}
    for played in found.finished:
        key = played.pairing.game, played.pairing.round
        begun.setdefault(key, set()).add(played.record.turns[: played.opening])
    assert {len(found) for found in begun.values()} == {1}
    assert len({next(iter(turns)) for turns in begun.values()}) > 4


def test_no_player_is_said_to_be_above_an_equal_one() -> None:
    """The same agent twice, from both sides of each opening, gets half of the points."""
    told = str(tournament(GAME, [AGENT, Entrant(AGENT, "same")], rounds=2))
    assert "alphabeta(depth=2) and same are equal to a point of Elo, " in told


def test_records_agree_with_the_referee() -> None:
    for played in tournament(GAME, PLAYERS, rounds=2).finished:
        assert played.record.status.name == played.status
        utility = played.record.utility
        assert utility is not None
        assert played.score == (utility > 0) + 0.5 * (utility == 0)


@pytest.mark.parametrize("workers", [1, 3])
def test_the_games_do_not_depend_on_the_workers(workers: int) -> None:
    found = tournament(GAME, PLAYERS, rounds=3, workers=workers)
    assert found.to_json() == tournament(GAME, PLAYERS, rounds=3, workers=2).to_json()
    other = tournament(GAME, PLAYERS, rounds=3, seed=1)
    assert found.to_csv() != other.to_csv()


def test_processes_play_the_same_games() -> None:
    found = tournament(GAME, PLAYERS, rounds=2, workers=2, scheduler="processes")
    assert found.to_json() == tournament(GAME, PLAYERS, rounds=2).to_json()


def test_any_agents_may_play() -> None:
    agents = [AGENT, RandomAgent(1), first, Entrant(first, "again")]
    found = tournament(TicTacToe(), agents, rounds=1, plies=1)
    assert found.players == ("alphabeta(depth=2)", "random(seed=1)", "first", "again")
    twins = tournament(TicTacToe(), ["random", "random"], rounds=1)
    assert twins.players == ("random", "random (2)")


def refuses(game: Any, state: Any) -> Any:
    raise IllegalMove("no move is good enough")


@pytest.mark.parametrize("agent", [lambda game, state: 99, refuses], ids=["plays 99", "raises"])
def test_the_error_for_an_illegal_move_names_the_player_once(agent: Any) -> None:
    with pytest.raises(IllegalMove, match=r"^cheat(: no move| played 99)") as caught:
        tournament(GAME, [Entrant(agent, "cheat"), "random"], rounds=1)
    assert str(caught.value).count("cheat") == 1


@pytest.mark.parametrize(
    ("players", "game", "why"),
    [
        (["random"], GAME, "two players or more"),
        (["random", HumanAgent()], GAME, "one game at a time"),
        (["random", "random"], Twenty48(), "of two players"),
        (["random", 3], GAME, "next_move"),
        (["random", "random with pears=2"], GAME, "no setting 'pears'; settings: width"),
        (["random", "random with pairs"], GAME, "as in pairs=1"),
        (["random", "random with pairs=1 pairs=2"], GAME, "pairs is given twice"),
        (["random", "random with pairs=nan"], GAME, "'pairs=nan' is not a setting"),
        (["random", "random with =2"], GAME, "'=2' is not a setting"),
        (
            ["random", "me (2): alphabeta(2)"],
            GAME,
            "a name before ':' has no brackets, quotes or =",
        ),
    ],
)
def test_contradictory_arguments_are_refused(players: Any, game: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why) as caught:
        tournament(game, players, rounds=1)
    assert isinstance(caught.value, EntrantError) or "pears" in why


def test_openings_that_end_the_game_are_refused_and_others_differ() -> None:
    with pytest.raises(ValueError, match="use fewer plies"):
        openings(TicTacToe(), 1, 9, 0)
    assert len(set(openings(GAME, 5, 1, 0))) == 5
    assert openings(GAME, 9, 3, 7)[:4] == openings(GAME, 4, 3, 7)


def test_more_rounds_continue_the_record(tmp_path: Path) -> None:
    path, told = tmp_path / "games.jsonl", list[int]()
    tournament(GAME, PLAYERS, rounds=2, record=path)
    before = path.read_text()
    found = tournament(
        GAME, PLAYERS, rounds=3, record=path, resume=True,
        progress=lambda t: told.append(len(t.finished)),
    )  # fmt: skip
    assert told == list(range(13, 19))
    assert path.read_text().startswith(before)
    assert found.to_json() == tournament(GAME, PLAYERS, rounds=3).to_json()
    with pytest.raises(JournalError, match="its entry 'players' is"):
        tournament(GAME, [*PLAYERS[:1], "keen: random"], rounds=3, record=path, resume=True)
    with pytest.raises(JournalError, match="exists already"):
        tournament(GAME, PLAYERS, rounds=3, record=path)


def test_games_of_a_player_whose_code_was_edited_are_not_continued(tmp_path: Path) -> None:
    def careful(place: int) -> Any:
        scope: dict[str, Any] = {"__name__": "players"}
        exec(f"def careful(game, state):\n    return list(game.moves(state))[{place}]", scope)
        return scope["careful"]

    path = tmp_path / "games.jsonl"
    tournament(GAME, [careful(0), "random"], rounds=1, record=path)
    assert len(tournament(GAME, [careful(0), "random"], record=path, resume=True).finished) == 20
    with pytest.raises(JournalError, match="a player, or what an estimate has learned, have chang"):
        tournament(GAME, [careful(-1), "random"], record=path, resume=True)


class Leftmost:
    """An agent without a name or a text."""

    def next_move(self, game: Any, state: Any) -> Any:
        return next(iter(game.moves(state)))


@pytest.mark.parametrize("make", [Leftmost, lambda: partial(first), lambda: Leftmost().next_move])
def test_an_agent_without_a_name_has_the_same_one_in_each_run(make: Any, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    before = tournament(GAME, [make(), "random"], rounds=1, record=path)
    found = tournament(GAME, [make(), "random"], rounds=2, record=path, resume=True)
    assert found.players == before.players
    assert len(found.finished) == 4
    assert " at 0x" not in found.players[0]


SCRIPT = """
import sys
from games import ConnectFour
from strategies import Entrant, SearchAgent, alphabeta, tournament
agent = SearchAgent(alphabeta(3), engine="interpreted")
tournament(ConnectFour(5, 4), [agent, Entrant(agent, "keen", {{"pairs": 1}})], rounds=150,
           record={path!r}, resume=True, progress=lambda t: print(len(t.finished), flush=True))
"""


def test_a_killed_tournament_loses_and_repeats_no_game(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    script = SCRIPT.format(path=str(path))
    told = 0
    for _ in range(2):
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as run:
            assert run.stdout is not None
            for _ in range(7):
                told += 1
                assert int(run.stdout.readline()) >= told  # no game is played again
            os.kill(run.pid, signal.SIGKILL)
    lines = path.read_text().splitlines()
    whole = [json.loads(line) for line in lines[1:] if line.endswith("}")]
    keys = {(e["round"], e["maxie"]) for e in whole}
    assert len(keys) == len(whole) >= told
    rounds = max(e["round"] for e in whole) + 1
    agent = evolve(AGENT, algorithm=alphabeta(3))
    players = [agent, Entrant(agent, "keen", {"pairs": 1})]
    found = tournament(GAME, players, rounds=rounds, record=path, resume=True)
    assert found.to_json() == tournament(GAME, players, rounds=rounds).to_json()
    again = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    assert len({(e["round"], e["maxie"]) for e in again}) == len(again) == 2 * rounds


def test_a_hasty_player_may_take_part() -> None:
    hasty = Entrant.parse("quick: hasty alphabeta(depth=2) with pairs=1")
    assert isinstance(hasty.agent, HastyAgent)
    assert hasty.text == "hasty alphabeta(depth=2) with pairs=1"
    found = tournament(GAME, [evolve(hasty, agent=HastyAgent(AGENT)), AGENT], rounds=1)
    assert {p.pairing.maxie for p in found.finished} == {"quick", "alphabeta(depth=2)"}


@given(st.text(st.characters(exclude_categories=["C"], exclude_characters="()='\""), min_size=1))
@example("my player")
@example("42")
@example("one with & without")
@example("random")
def test_a_name_may_be_any_text_that_is_no_call_and_no_setting(name: str) -> None:
    name = name.replace(":", "").strip() or "-"
    entrant = Entrant.parse(f" {name} : alphabeta(2) with pairs=1")
    assert (entrant.name, entrant.text) == (name, "alphabeta(depth=2) with pairs=1")


@pytest.mark.parametrize("games", [[], None, ["random"], [GAME, "random"], PLAYERS])
def test_wrong_games_are_refused(games: Any) -> None:
    with pytest.raises(TypeError, match="a game is needed"):
        tournament(games, PLAYERS)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"turns": ["9", "9"]}, "turn 2: "),
        ({"turns": []}, "its moves lead to a position in play"),
        ({"turns": [], "ended": "left"}, "no player leaves"),
        ({"score": 0.25}, "do not lead to"),
        ({"status": "DRAW"}, "its moves do not lead to DRAW with a score of 1"),
        ({"game": 3}, "there is no game 3"),
        ({"round": -1}, "there is no game 0 in round -1"),
        ({"round": True}, "it has no valid round"),
        ({"minnie": "nobody"}, "are not two of the players"),
        ({"turns": [None]}, "a turn is neither a text nor"),
        ({"turns": "1234"}, "it has no valid turns"),
        ({"score": None}, "it has no valid score"),
    ],
)
def test_games_that_the_rules_do_not_allow_are_told_with_their_line(
    tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    path = tmp_path / "games.jsonl"
    players = ["alphabeta(depth=3)", "random"]
    tournament(TicTacToe(), players, rounds=3, plies=1, record=path)
    header, *entries = (json.loads(line) for line in path.read_text().splitlines())
    won = next(e for e in entries if e["status"] == "MAXIE_WINS")
    path.unlink()
    del header["crc32"], won["crc32"]
    with Journal(path, header) as journal:
        journal.add(won | changes)
    before = path.read_bytes()
    with pytest.raises(JournalError, match="games.jsonl, line 2 is not of this work: .*" + why):
        tournament(TicTacToe(), players, rounds=3, plies=1, record=path, resume=True)
    assert path.read_bytes() == before


def test_an_entrant_may_hold_an_algorithm_or_a_text() -> None:
    named = [
        Entrant("random", "one"),
        Entrant(alphabeta(2), "two"),
        Entrant("alphabeta(2)", "three"),
    ]
    found = entrants(named)
    assert [e.name for e in found] == ["one", "two", "three"]
    assert [type(e.agent) for e in found] == [RandomAgent, SearchAgent, SearchAgent]
