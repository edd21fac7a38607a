"""What a shell sees of the command: completion, a position on the standard input, JSON."""

import json
import sys
from time import sleep

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from strategies.cli import console
from strategies.cli.console import Line, clock
from strategies.cli.group import COMMANDS, jamboree

SEARCH = ["search", "tictactoe", "--algorithm", "alphabeta(2)", "--engine", "interpreted"]


@pytest.mark.parametrize(
    ("arguments", "incomplete", "wanted"),
    [
        (["search"], "ticta", {"tictactoe", "ticta"}),
        (["search", "nim", "--algorithm"], "alpha", {"alphabeta"}),
        (["search", "nim", "--using"], "jam", {"jamboree"}),
        (["search", "nim", "--using"], "abd", {"abdada"}),
        (["explain"], "par_list_c", {"par_list_chunk"}),
    ],
)
def test_the_shell_knows_games_algorithms_and_strategies(arguments, incomplete, wanted):
    asked = ShellComplete(jamboree, {}, "jamboree", "_JAMBOREE_COMPLETE")
    assert {item.value for item in asked.get_completions(arguments, incomplete)} == wanted


def test_help_says_how_to_switch_completion_on():
    assert "_JAMBOREE_COMPLETE=bash_source jamboree" in CliRunner().invoke(jamboree).output


def test_a_position_is_read_from_the_standard_input():
    typed = CliRunner().invoke(jamboree, [*SEARCH, "--json", "--state", "5 1"])
    read = CliRunner().invoke(jamboree, [*SEARCH, "--json", "--state", "-"], input="5 1\n")
    start = CliRunner().invoke(jamboree, [*SEARCH, "--json"])
    positions = [json.loads(run.stdout)["position"] for run in (typed, read, start)]
    assert positions[0] == positions[1] != positions[2]


@pytest.mark.parametrize(
    "command",
    [
        SEARCH,
        ["solve", "nim:2-1", "--engine", "interpreted"],
        ["tournament", "nim:2-1", "random", "random(seed=2)", "--rounds", "1", "--plies", "0"],
        ["games"],
        [
            "simulate",
            "tictactoe",
            "--algorithm",
            "alphabeta(2)",
            "--using",
            "par_list.to_ply(1)",
            "--workers",
            "8",
            "--no-measure",
            "--engine",
            "interpreted",
        ],
    ],
)
def test_json_says_the_version_of_its_form(command):
    run = CliRunner().invoke(jamboree, [*command, "--json"])
    assert run.exit_code == 0, run.stderr
    assert next(iter(json.loads(run.stdout).items())) == ("schema", 1)


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_shows_how_long_work_has_been_going_on(terminal, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    told = ""
    with clock("searching", every=0.01):
        while terminal and "searching: 0 s" not in told:
            sleep(0.01)
            told += capsys.readouterr().err
    rest = capsys.readouterr().err
    assert rest.endswith("\r") if terminal else rest == ""
    assert bool(told) == terminal


@pytest.mark.parametrize("colour", [None, False])
def test_a_line_that_changes_fits_its_terminal_and_is_wiped(colour, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(console, "_columns", lambda: 20)
    with click.Context(jamboree, color=colour):
        line = Line()
    for text in ("12 of 20 games, about 0:12 left", "all"):
        line.show(text)
    line.wipe()
    told = capsys.readouterr().err
    shown = click.unstyle(told).split("\r")
    assert shown == ["", "12 of 20 games, ab…", "all".ljust(19), " " * 3, ""]
    assert told == click.unstyle(told) or colour is None


def test_nothing_is_told_of_progress_in_a_pipe(capsys):
    line = Line()
    line.show("1 of 2")
    line.wipe()
    assert capsys.readouterr().err == ""


def test_sentences_of_help_fit_the_terminal_but_for_lines_to_copy():
    for name in COMMANDS:
        told = CliRunner().invoke(jamboree, [name, "--help"], terminal_width=60).stdout
        sentences = (line for line in told.splitlines() if not line.startswith("    "))
        assert [line for line in sentences if len(line) > 80] == [], name
