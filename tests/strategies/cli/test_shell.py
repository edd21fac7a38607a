"""The command in a shell: completion, a position on standard input, JSON."""

import json

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

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
def test_the_shell_completes_games_algorithms_and_strategies(arguments, incomplete, wanted):
    asked = ShellComplete(jamboree, {}, "jamboree", "_JAMBOREE_COMPLETE")
    assert {item.value for item in asked.get_completions(arguments, incomplete)} == wanted


def test_help_says_how_to_enable_completion():
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
def test_json_contains_its_format_version(command):
    run = CliRunner().invoke(jamboree, [*command, "--json"])
    assert run.exit_code == 0, run.stderr
    assert next(iter(json.loads(run.stdout).items())) == ("schema", 1)


def test_help_fits_the_terminal_except_lines_to_copy():
    for name in COMMANDS:
        told = CliRunner().invoke(jamboree, [name, "--help"], terminal_width=60).stdout
        sentences = (line for line in told.splitlines() if not line.startswith("    "))
        assert [line for line in sentences if len(line) > 80] == [], name


def test_an_empty_standard_input_is_no_position() -> None:
    read = CliRunner().invoke(jamboree, [*SEARCH, "--state", "-"], input="")
    assert read.exit_code == 2
    assert "the standard input is empty" in read.stderr
