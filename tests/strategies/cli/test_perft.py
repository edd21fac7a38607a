"""The command perft counts what is published, and says what differs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from games import ConnectFour, ExplicitGame, Othello, Pig, TicTacToe
from strategies import jamboree, par_list, perft, seq
from strategies.algorithms.positions import children, is_terminal, kind_of
from strategies.cli.group import jamboree as command
from strategies.native.kept_engines import engine_for
from strategies.searches.counting import distinct_positions
from tests.properties import examples
from tests.strategies.given import trees

OTHELLO = (4, 12, 56, 244, 1396, 8200, 55092)
"""Published by A. Bik."""
DIFFERENT = (1, 7, 49, 238, 1120, 4263, 16422)
"""Positions of Connect Four, published as the sequence A212693."""


def run(*arguments: object) -> Any:
    return CliRunner().invoke(command, ["perft", *map(str, arguments)])


@pytest.mark.parametrize("using", [seq, par_list, jamboree(0.5)])
def test_counts_are_those_that_are_published(using: Any) -> None:
    for depth, count in enumerate(OTHELLO, 1):
        found = perft(Othello(), depth, using=using, workers=2)
        assert found.total == count == sum(n for _, n in found.moves)


@given(trees(chance=True), st.integers(0, 5), st.sampled_from([seq, par_list]))
@examples(40)
def test_ended_games_count_if_asked(game: ExplicitGame, depth: int, using: Any) -> None:
    def count(state: Any, left: int) -> tuple[int, int]:
        if left == 0:
            return 1, 0
        if is_terminal(game, state):
            return 0, 1
        below = [count(s, left - 1) for _, _, s in children(game, state, kind_of(game, state))]
        return sum(n for n, _ in below), sum(n for _, n in below)

    at, before = count(game.start(), depth)
    how: dict[str, Any] = {"using": using, "engine": "interpreted"}
    assert perft(game, depth, **how).total == at
    assert perft(game, depth, ended=True, **how).total == at + before


def test_moves_are_counted_one_by_one() -> None:
    game = TicTacToe()
    found = perft(game, 5, engine="interpreted")
    engine = engine_for(game, "interpreted")
    for text, count in found.moves:
        after = game.make_move(game.start(), game.parse_move(game.start(), text))
        assert engine.perft(after, 4) == count
    assert str(perft(game, 0)) == "1 position after 0 plies"
    over = game.parse_state("1 4 2 5 3")
    assert perft(game, 3, over).total == 0


def test_an_outcome_is_a_ply() -> None:
    pig = Pig(target=5)
    rolled = pig.make_move(pig.start(), 0)
    assert [text for text, _ in perft(pig, 1, rolled).moves] == [f"#{i}" for i in range(6)]


def test_different_positions() -> None:
    assert tuple(distinct_positions(ConnectFour(), 6)) == DIFFERENT
    found = run("connect_four", "--depth", 6, "--distinct", "--json")
    assert tuple(json.loads(found.stdout)["distinct"]) == DIFFERENT


def test_the_command_prints_and_compares(tmp_path: Path) -> None:
    found = run("othello", "--depth", 3, "--divide")
    assert "d3            14" in found.stdout
    assert "56 positions after 3 plies" in found.stdout
    file = tmp_path / "counts.csv"
    file.write_text("position,depth,count\n,1,4\n,2,12\n,3,57\n")
    compared = run("othello", "--expect", file)
    assert compared.exit_code == 1
    assert "start         3        57     56  differs" in compared.stdout
    data = json.loads(run("othello", "--expect", file, "--json").stdout)
    assert [row["same"] for row in data["rows"]] == [True, True, False]
    file.write_text("position,depth,count\n,1,4\n")
    assert run("othello", "--expect", file).exit_code == 0


def test_wrong_requests_are_refused_in_one_line(tmp_path: Path) -> None:
    missing = run("othello")
    assert (missing.exit_code, missing.stderr.count("\n")) == (2, 1)
    assert "--depth is missing" in missing.stderr
    file = tmp_path / "counts.csv"
    head = "position,depth,count\n"
    wrong = ("a,b\n", "needs the columns"), (f"{head},x,1\n", "line 2"), (head, "has no counts")
    for text, why in wrong:
        file.write_text(text)
        assert why in run("othello", "--expect", file).stderr
