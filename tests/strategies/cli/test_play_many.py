"""``jamboree play --games``: a table, rows in a file, and resuming without playing games again."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

from games import NTuples, TicTacToe, Twenty48
from strategies import learn
from strategies.cli import play_many
from strategies.cli.group import jamboree
from strategies.cli.play_command import _seated

RANDOM = ["play", "tictactoe", "--maxie", "random", "--minnie", "random(seed=2)"]


def run(*args: Any) -> Any:
    return CliRunner().invoke(jamboree, [*map(str, args)])


def test_games_are_printed_as_a_table_and_written_as_rows(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    found = run(*RANDOM, "--games", 3, "--results", path)
    assert found.exit_code == 0
    assert ["seed", "result", "moves", "seconds", "ms", "a", "move"] in [
        line.split() for line in found.stdout.splitlines()
    ]
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert [row["seed"] for row in rows] == ["0", "1", "2"]
    assert len({row["last"] for row in rows}) == 3
    assert rows[0]["players"] == "random(seed=0) / random(seed=2)"


@pytest.mark.parametrize("left", [-5, -40, -62])
def test_a_last_row_that_was_cut_off_is_played_again(tmp_path: Path, left: int) -> None:
    path = tmp_path / "games.csv"
    run(*RANDOM, "--games", 2, "--results", path)
    whole = path.read_bytes()
    path.write_bytes(whole[:left] + "é".encode()[:1])
    found = run(*RANDOM, "--games", 3, "--results", path)
    assert found.exit_code == 0
    assert path.read_bytes().startswith(whole[: whole[:left].rindex(b"\n") + 1])
    with path.open() as file:
        assert [row["seed"] for row in csv.DictReader(file)] == ["0", "1", "2"]


def test_a_file_of_something_else_is_not_taken_for_a_header_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("a note without a line end")
    assert run(*RANDOM, "--games", 1, "--results", path).exit_code == 2
    assert path.read_text() == "a note without a line end"
    path.write_text("rules,game,pl")
    assert run(*RANDOM, "--games", 1, "--results", path).exit_code == 0
    assert path.read_text().startswith("rules,game,players")
    cut = path.read_text().rpartition(",")[0]
    for end, why in ("", "is cut off"), (',"..', "cannot be read: unexpected end of data"):
        path.write_text(f"{cut}{end}\n")
        found = run(*RANDOM, "--games", 1, "--results", path)
        assert f"line 2 {why}; delete the line" in found.output


def test_finished_games_are_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    run(*RANDOM, "--games", 2, "--results", path)
    marked = path.read_text().splitlines()
    marked[1] = ",".join([*marked[1].split(",")[:-1], "marked"])
    path.write_text("\n".join(marked) + "\n")
    found = run(*RANDOM, "--games", 3, "--results", path)
    assert found.exit_code == 0
    lines = path.read_text().splitlines()
    assert lines[:3] == marked
    assert len(lines) == 4


def test_rows_that_another_process_adds_are_kept(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "games.csv"
    real, others = play_many.play_out, [0, 9]

    def play_out(*args: Any, **more: Any) -> Any:
        played = real(*args, **more)
        seed = str(others.pop())
        command = [sys.executable, "-m", "strategies.cli", *RANDOM, "--games", "1", "--seed", seed]
        subprocess.run([*command, "--results", str(path)], check=True, capture_output=True)
        return played

    monkeypatch.setattr(play_many, "play_out", play_out)
    assert run(*RANDOM, "--games", 2, "--results", path).exit_code == 0
    with path.open() as file:
        assert [row["seed"] for row in csv.DictReader(file)] == ["9", "0", "1"]


def test_a_row_is_appended_to_the_file(tmp_path: Path, monkeypatch: Any) -> None:
    """Rewriting the file for each game would take time quadratic in their number."""
    path = tmp_path / "games.csv"
    written: list[int] = []
    real = os.write

    def write(file: int, content: bytes) -> int:
        written.append(len(content))
        return real(file, content)

    monkeypatch.setattr(os, "write", write)
    assert run(*RANDOM, "--games", 6, "--results", path).exit_code == 0
    assert len(written) == 6
    assert sum(written) == path.stat().st_size


def test_a_row_that_cannot_be_written_leaves_the_file_unchanged(
    tmp_path: Path, monkeypatch: Any
) -> None:
    path = tmp_path / "games.csv"
    run(*RANDOM, "--games", 2, "--results", path)
    before, real = path.read_bytes(), os.write

    def full(file: int, content: bytes) -> int:
        if len(content) > 20:
            return real(file, content[:20])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    found = run(*RANDOM, "--games", 3, "--results", path)
    assert found.exit_code == 2
    assert f"cannot write {path}: No space left on device" in found.stderr
    assert path.read_bytes() == before


def test_a_row_without_a_seed_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    run(*RANDOM, "--games", 2, "--results", path)
    path.write_text(path.read_text().replace(",1,", ",one,", 1))
    found = run(*RANDOM, "--games", 3, "--results", path)
    assert found.exit_code == 2
    assert "line 3 has no seed; delete the line" in found.output


def test_a_file_without_a_column_of_all_games_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    assert run(*RANDOM, "--games", 2, "--results", path).exit_code == 0
    head, *rows = path.read_text().splitlines(keepends=True)
    for name in head.strip().split(","):
        path.write_text(head.replace(name, name.upper()) + "".join(rows))
        found = run(*RANDOM, "--games", 2, "--results", path)
        assert (found.exit_code, str(path) in found.stderr) == (2, True), name
        assert f"has no column {name}; name another file" in found.stderr, name


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "games.csv"
    path.write_text("game\n")
    monkeypatch.setattr(Path, "open", Mock(side_effect=PermissionError(13, "Permission denied")))
    found = run(*RANDOM, "--games", 2, "--results", path)
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr == f"jamboree play: cannot read {path}: Permission denied\n"


def test_a_file_with_other_columns_stays_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("a,b\n")
    found = run(*RANDOM, "--games", 1, "--results", path)
    assert found.exit_code == 2
    assert "has other columns than these games; name another file" in found.output
    assert path.read_text() == "a,b\n"


def test_every_row_is_written_once_to_a_stream() -> None:
    found = run(*RANDOM, "--games", 3, "--results", "/dev/stdout")
    lines = [line for line in found.stdout.splitlines() if "TicTacToe()" in line]
    assert (found.exit_code, len(lines)) == (0, 3)
    assert found.stdout.count("game,players,seed") == 1


@pytest.mark.parametrize(
    "game", ["pig(target=12)", "tictactoe(chance=maxie)", "twenty48(target=8)"]
)
@pytest.mark.parametrize("more", [[], ["--ply-limit", 9], ["--state"]])
def test_a_play_is_told_as_its_record_is(game: str, more: list[Any], tmp_path: Path) -> None:
    """With the outcomes of chance: the first, several in a row, and those after the last move."""
    record = tmp_path / "game.json"
    where = {"pig(target=12)": "roll", "twenty48(target=8)": "; 3"}.get(game, "4")
    players = ["--maxie", "random", *["--minnie", "random"] * ("twenty48" not in game)]
    how = ["--state", where] if more == ["--state"] else more
    for seed in range(4):
        found = run("play", game, *players, *how, "--seed", seed, "--record", record)
        assert (found.exit_code, found.stderr) == (0, "")
        assert "Chance: " in found.stdout
        assert run("play", game, "--replay", record).stdout == found.stdout
        record.unlink()


def test_three_players_play_many_games() -> None:
    players = ["--maxie", "random", "--minnie", "random(seed=1)", "--player", "random(seed=2)"]
    found = run("play", "pig(players=3,target=9)", *players)
    assert found.exit_code == 0
    names = {line.split(":")[0] for line in found.stdout.splitlines()[:-2]}
    assert {"Maxie", "Minnie", "Player 2"} <= names


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (
            ["play", "tictactoe", "--player", "random"],
            "the third and later players, but TicTacToe has only 2",
        ),
        (["play", "twenty48", "--player", "random"], "Twenty48 has only 1"),
        (["play", "pig:3", "--maxie", "random", "--minnie", "alphabeta(3)"], "use maxn or paran"),
        (["play", "tictactoe", "--minnie", "minimax(3) using scout"], "use alphabeta"),
        ([*RANDOM, "--games", 0], "not in the range x>=1"),
        ([*RANDOM, "--results", "x.csv"], "--results needs the number of games"),
        (["play", "tictactoe", "--games", 2], "a person can only play one game at a time"),
        ([*RANDOM, "--games", 2, "--show"], "--games cannot be combined with"),
        ([*RANDOM, "--games", 2, "--results", "x.csv", "--state", "5"], "leave out --state"),
    ],
)
def test_contradictory_options_are_refused(args: list[Any], why: str) -> None:
    found = run(*args)
    assert found.exit_code == 2
    assert found.stdout == ""
    assert why in found.stderr


def test_rows_of_other_games_are_not_mixed(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    run(*RANDOM, "--games", 1, "--results", path)
    seeded = run(*RANDOM[:-1], "random(seed=3)", "--games", 1, "--results", path)
    other = run("play", "connect_four", *RANDOM[2:], "--games", 1, "--results", path)
    for found in (seeded, other):
        assert found.exit_code == 2
        assert "name another file" in found.stderr


def test_a_game_learned_for_one_player_is_played_by_a_search_agent_by_default() -> None:
    learned = learn(Twenty48(8), NTuples(16, ((0,),)), games=1, engine="interpreted").game
    assert [str(agent) for agent in _seated(learned, learned.start(), None, None, ())] == [
        "expectimax(depth=3)"
    ]
    for game in (Twenty48(8), learn(TicTacToe(), games=1, engine="interpreted").game):
        assert _seated(game, game.start(), None, None, ())[0].name == "human"


def test_a_result_without_a_winner_is_printed_with_its_value() -> None:
    players = "--maxie", "random", "--minnie", "random"
    assert "value" in run("play", "handout_small", *players, "--games", 1).output
    assert "value" not in run("play", "tictactoe", *players, "--games", 1).output
