"""``jamboree solve``: what it prints, what it refuses, how it ends."""

import json

from click.testing import CliRunner

from strategies.cli.group import jamboree


def run(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(jamboree, ["solve", *args])
    return result.exit_code, result.output


def test_a_position_is_solved() -> None:
    status, text = run("tictactoe", "--memory", "1MB", "--state", "1 4 2 5")
    assert status == 0
    assert [line.split(maxsplit=1) for line in text.splitlines() if "compiling" not in line][
        :2
    ] == [
        ["result", "Maxie wins in 1 ply"],
        ["move", "3"],
    ]


def test_json() -> None:
    status, text = run("tictactoe", "--json", "--memory", "1MB", "--state", "1 2 3")
    data = json.loads(text[text.index("{") :])
    assert status == 0
    assert (data["exact"], data["value"], data["result"]) == (True, 0, "a draw")
    assert data["plies"] is None
    assert data["table"]["probes"] > 0


def test_what_is_known_when_time_is_up_is_no_failure() -> None:
    status, text = run("connect_four", "--time", "0.05", "--json")
    data = json.loads(text[text.index("{") :])
    assert (status, data["exact"], data["value"], data["move"]) == (0, False, None, None)


def test_bad_input_is_refused_in_one_line() -> None:
    for args, said in (
        (["twenty48", "--engine", "interpreted"], "chance moves in this game"),
        (["tictactoe", "--memory", "much"], "memory: a size is"),
        (["tictactoe", "--state", "1 1"], "not a legal move"),
    ):
        status, text = run(*args)
        assert status == 2
        assert said in text
