"""``jamboree solve``: what it prints, what it refuses, and its exit status."""

import json
import re
from pathlib import Path

from click.testing import CliRunner

from strategies.cli.group import jamboree


def run(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(jamboree, ["solve", *args, "--engine", "interpreted"])
    return result.exit_code, result.output


def test_a_position_is_solved() -> None:
    status, text = run("tictactoe", "--memory", "1MB", "--state", "1 4 2 5")
    assert status == 0
    assert [
        line.split(maxsplit=1)
        for line in text.splitlines()
        if not line.startswith(("compiling", "the memory has room"))
    ][:2] == [
        ["result", "Maxie wins in 1 ply"],
        ["move", "3"],
    ]


def test_the_outcome_alone() -> None:
    for state, result, outcome in (("1 4 2 5", "Maxie wins", 1), ("1 2 4", "Maxie wins", 1)):
        wish = "tictactoe", "--outcome", "--state", state, "--memory", "1MB"
        status, text = run(*wish)
        assert (status, re.search(r"(?m)^result +(.*)$", text)[1]) == (0, result)  # type: ignore[index]
        status, text = run(*wish, "--json")
        data = json.loads(text[text.index("{") :])
        assert (status, data["result"], data["outcome"]) == (0, result, outcome)


def test_the_lack_of_a_move_has_a_reason() -> None:
    for game, state, why in (
        ("tictactoe", "1 4 2 5 3", "none: the game is over"),
        ("tictactoe(chance=minnie)", "1", "none: chance moves"),
    ):
        _, text = run(game, "--memory", "1MB", "--state", state)
        assert re.search(rf"(?m)^move +{why}$", text), text


def test_the_room_of_the_memory_is_told_on_stderr() -> None:
    result = CliRunner().invoke(
        jamboree,
        ["solve", "tictactoe", "--memory", "1MB", "--engine", "interpreted", "--state", "1 2 3"],
    )
    assert "room" not in result.stdout
    assert re.search(r"(?m)^the memory has room for about 65,536 positions; ", result.stderr)


def test_json() -> None:
    status, text = run("tictactoe", "--json", "--memory", "1MB", "--state", "1 2 3")
    data = json.loads(text[text.index("{") :])
    assert status == 0
    assert (data["exact"], data["value"], data["result"]) == (True, 0, "a draw")
    assert data["plies"] is None
    assert data["table"]["probes"] > 0


def test_bounds_known_at_the_time_limit_are_printed_with_status_0() -> None:
    status, text = run("connect_four", "--time", "0.05", "--json")
    data = json.loads(text[text.index("{") :])
    assert (status, data["exact"], data["value"], data["move"]) == (0, False, None, None)


def test_solving_with_threads_prints_the_same() -> None:
    for using in ("abdada(2)", "young_brothers_wait.to_ply(1)"):
        status, text = run("tictactoe", "--state", "1 2 3", "--using", using, "--workers", "2")
        assert status == 0
        assert "a draw" in text


def test_the_choice_of_auto_is_printed() -> None:
    how = "tictactoe", "--state", "1 2 3", "--using", "auto"
    status, text = run(*how)
    assert status == 0
    assert text.splitlines()[-1].split() == ["using", "seq"]
    text = run(*how, "--json")[1]
    assert json.loads(text[text.index("{") :])["using"] == "seq"


def test_a_table_is_stored_in_a_file(tmp_path: Path) -> None:
    file, nodes = str(tmp_path / "kept.table"), []
    for size in (["--memory", "64kB"], []):
        status, text = run("tictactoe", "--table", file, *size, "--json")
        assert status == 0
        nodes.append(json.loads(text[text.index("{") :])["nodes"])
    assert nodes[1] < nodes[0] / 2
    for args, said in (
        (["connect_four"], "belongs to proof searches of TicTacToe()"),
        (["tictactoe", "--memory", "1MB"], "is a table of 64kB"),
        (["tictactoe", "--memory", "1B"], "memory: a table needs 4kB or more"),
    ):
        status, text = run(*args, "--table", file)
        assert status == 2
        assert said in " ".join(text.split())


def test_bad_input_is_refused_in_one_line() -> None:
    for args, said in (
        (["pig(players=3)"], "solve is for one player or two opponents"),
        (["tictactoe", "--memory", "much"], "memory: a size must be"),
        (["tictactoe", "--state", "1 1"], "not a legal move"),
    ):
        status, text = run(*args)
        assert status == 2
        assert said in text


INTERPRETED = "from games import Nim\nclass Piles(Nim):\n    native = False\n"


def test_a_table_that_is_written_is_read_by_searches_and_players(tmp_path: Path) -> None:
    file, rules = str(tmp_path / "nim.npz"), tmp_path / "piles.py"
    rules.write_text(INTERPRETED)
    game = f"{rules}:Piles((1,2,2))"
    assert run(game, "--endgame", file)[0] == 0
    played = CliRunner().invoke(
        jamboree,
        ["play", game, "--maxie", "alphabeta(depth=1)", "--minnie", "random",
         "--games", "5", "--endgame", file],
    )  # fmt: skip
    assert played.exit_code == 0
    assert played.output.count("MAXIE_WINS") == 5  # one ply ahead it would lose some
    other = CliRunner().invoke(jamboree, ["search", "nim:1-2-3", "--endgame", file])
    assert other.exit_code == 2
    assert "is the endgame table of another game" in other.output
    _, text = run("tictactoe", "--endgame", str(tmp_path / "ttt.npz"), "--memory", "8MB")
    assert re.search(r"(?m)^8MB has room for about \d\d,\d{3} positions, \d+ bytes each", text)
    status, text = run(game, "--endgame", file, "--using", "abdada")
    assert status == 2
    assert "leave out --using and --table" in text
