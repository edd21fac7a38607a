"""The command that replays a search."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from games import ConnectFour
from graphs.errors import ArgumentError
from strategies import alphabeta, par_list, search
from strategies.cli.group import jamboree


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(jamboree, ["replay", *arguments])
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["handout_big"], "alphabeta(depth=4) of HANDOUT_BIG"),
        (["handout_small", "--other", "jamboree(0.5)"], "seq and jamboree(0.5)"),
        (["late_spark", "--using", "jamboree(0.5).to_ply(2)"], "What to notice"),
        (["tictactoe", "--depth", "2", "--timed"], "alphabeta(depth=2) of TicTacToe()"),
        (["connect_four", "--depth", "3", "--using", "par_list"], "A virtual run"),
        (["pig", "--algorithm", "expectimax(3, pruning='star1')"], "pruning=&#x27;star1&#x27;"),
        (["nim:2-1(players=3)"], "maxn(depth=3)"),
    ],
)
def test_it_writes_a_page(arguments: list[str], shown: str) -> None:
    assert run(*arguments) == (0, "The replay is in replay.html.\n", "")
    assert shown in Path("replay.html").read_text(encoding="utf-8")


def test_the_advice_for_a_large_search_can_be_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("report.replay.page", "analysis.replays.replayed"):
        monkeypatch.setattr(f"strategies.insight.{module}.WALKED", 20)
    large = ["connect_four", "--depth", "3"]
    for timed in ([], ["--timed"]):
        status, _, told = run(*large, *timed)
        assert (status, told.count("\n")) == (2, 1)
        _, _, advice = told.partition("task by task: ")
        done = run(*large, *shlex.split(advice))  # which may say that it compiles
        assert done[:2] == (0, "The replay is in replay.html.\n")
        Path("replay.html").unlink()
    answer = search(ConnectFour(), alphabeta(3), using=par_list.to_ply(2))
    with pytest.raises(ArgumentError, match=r"\.compute\(\)\.replay\('run\.html'\)"):
        answer.replay("run.html")
    assert answer.compute().replay("run.html").exists()


def test_the_output_is_named() -> None:
    assert run("handout_big", "-o", "big.html")[0] == 0
    assert [path.name for path in Path().iterdir()] == ["big.html"]


@pytest.mark.parametrize(
    ("game", "algorithm"),
    [
        ("nim:2-1(players=3)", "paranoid(3)"), ("tictactoe", "pvs(3)"), ("tictactoe", "mtdf(5)"),
    ],
)  # fmt: skip
def test_the_algorithm_that_is_advised_can_be_replayed(game: str, algorithm: str) -> None:
    _, _, told = run(game, "--algorithm", algorithm)
    advised = told.strip().rpartition("such as ")[2]
    assert run(game, "--algorithm", advised) == (0, "The replay is in replay.html.\n", "")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["handout_big", "-o", "page.svg"], "its name must end in .html"),
        (["tictactoe", "--algorithm", "mcts(10)"], "'alphabeta(depth=4)'"),
        (["tictactoe", "--algorithm", "pvs(3)"], "replay a search to a fixed depth"),
        (["nim:2-1(players=3)", "--algorithm", "paranoid(3)"], "such as maxn(depth=3)"),
        (["tictactoe", "--using", "auto"], "replay one, such as"),
        (["tictactoe", "--other", "abdada"], "replay one, such as"),
        (["handout_big", "--depth", "2"], "no value to estimate"),
    ],
)
def test_a_refusal_is_one_line_and_writes_nothing(arguments: list[str], says: str) -> None:
    status, _, told = run(*arguments)
    assert (status, told.count("\n")) == (2, 1)
    assert says in told
    assert list(Path().iterdir()) == []
