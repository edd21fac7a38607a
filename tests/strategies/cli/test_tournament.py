"""The commands tournament, tune and learn: tables, records, and errors in one line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from strategies.cli.group import jamboree

PLAY = ["tournament", "tictactoe", "alphabeta(depth=2)", "random", "--rounds", "3"]
TUNE = ["tune", "connect_four(width=5,height=4)", "--weight", "pairs", "--generations", "1",
        "--trials", "2", "--match", "2", "--agent", "alphabeta(depth=1)"]  # fmt: skip


def run(*args: Any) -> Any:
    return CliRunner().invoke(jamboree, [*map(str, args)])


def test_a_table_a_record_and_rows(tmp_path: Path) -> None:
    record, rows = tmp_path / "games.jsonl", tmp_path / "games.csv"
    found = run(*PLAY, "--record", record, "--csv", rows)
    assert found.exit_code == 0
    assert "6 of 6 games" in found.stdout
    with rows.open() as file:
        assert len(list(csv.DictReader(file))) == 6
    again = run(*PLAY, "--record", record, "--resume", "--json")
    assert json.loads(again.stdout)["played"] == 6
    assert len(record.read_text().splitlines()) == 7
    assert "(--resume)" in run(*PLAY, "--record", record).stderr


def test_tuning_prints_the_weights_before_and_after() -> None:
    pytest.importorskip("cma")
    found = run(*TUNE)
    assert found.exit_code == 0
    assert "score of the new weights against the old" in found.stdout
    assert json.loads(run(*TUNE, "--json").stdout)["before"] == {"pairs": 0}


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ([*PLAY, "--resume"], "--resume needs a record"),
        (["tournament", "tictactoe", "random"], "two players or more"),
        (["tournament", "tictactoe", "random", "nobody"], "player 'nobody'"),
        (
            ["tournament", "tictactoe", "random", "human"],
            "a person can only play one game at a time",
        ),
        (["tune", "othello", "--agent", "human"], "use a search, such as alphabeta(3)"),
        (["tune", "othello", "--agent", "random"], "use a search, such as alphabeta(3)"),
        (["tournament", "twenty48", "random", "random"], "'jamboree play --games' plays it"),
        (["tune", "twenty48", "--weight", "empty"], "there is no weight 'empty'; weights: none"),
        ([*TUNE, "--weight", "pairs"], "the weight 'pairs' is named twice"),
        ([*TUNE, "--resume"], "--resume needs a record"),
    ],
)
def test_contradictory_options_are_refused(args: list[str], why: str) -> None:
    found = run(*args)
    assert found.exit_code == 2
    assert why in found.stderr


def test_learning_resumes_and_agents_play_by_its_weights(tmp_path: Path) -> None:
    file, rules = tmp_path / "marks.npz", tmp_path / "marks.py"
    rules.write_text("from games import TicTacToe\nclass Marks(TicTacToe):\n    native = False\n")
    game = f"{rules}:Marks"
    begin = ["learn", game, "--file", file, "--engine", "interpreted"]
    assert run(*begin, "--games", 20).exit_code == 0
    assert "(--resume)" in run(*begin, "--games", 30).stderr
    found = run(*begin, "--games", 30, "--resume", "--json")
    told = json.loads(found.stdout)
    assert (told["games"], told["weights"], told["schema"]) == (30, 81, 1)
    assert f"with estimate={file}" in run(
        "tournament", game, f"alphabeta(1) with estimate={file}", "random", "--rounds", "1"
    ).stdout  # fmt: skip
    assert "was learned in Marks()" in run("play", "nim", "--estimate", file).stderr
    assert "(--resume)" in run("learn", game, "--file", file).stderr


def test_a_dense_network_is_learned_and_searched_in_batches(tmp_path: Path) -> None:
    file = tmp_path / "dense.npz"
    begin = ["learn", "tictactoe", "--file", file, "--engine", "interpreted", "--hidden", 32]
    found = run(*begin, "--games", 5, "--json")
    assert json.loads(found.stdout)["weights"] == 27 * 32 + 2 * 32 + 1
    asked = ["tictactoe", "--estimate", file, "--engine", "interpreted"]
    assert run("search", *asked, "--algorithm", "minimax(depth=2)").exit_code == 0
    assert "its network is" in run("learn", "tictactoe", "--file", file, "--resume").stderr
