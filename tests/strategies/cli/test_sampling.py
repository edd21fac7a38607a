"""Monte Carlo tree search on the command line: its output, its timeline, and what it refuses."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from strategies.cli.group import jamboree
from strategies.native.engine import Engine

SEARCH = ["search", "tictactoe", "--engine", "interpreted"]


def run(*args: Any) -> Any:
    return CliRunner().invoke(jamboree, [*SEARCH, *map(str, args)])


def test_moves_are_printed_and_the_timeline_is_drawn(tmp_path: Path) -> None:
    timeline = tmp_path / "trees.svg"
    done = run("--algorithm", "mcts(40, trees=3)", "--using", "par_list", "--timeline", timeline)
    assert done.exit_code == 0, done.output
    assert "simulations 40" in done.stdout
    assert "in 3 tasks" in done.stdout
    assert "3 sparks" in timeline.read_text()


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--using", "par_list"], "par_list orders trees, but mcts"),
        (["--using", "lazy_smp(2)"], "use mcts(threads=2)"),
        (["--graph", "x.svg"], "it plans no positions"),
        (["--trace"], "it plans no positions"),
        (["--nodes", "5"], "mcts takes no limit of nodes"),
    ],
)
def test_contradictory_options_are_refused_in_one_line(more: list[str], says: str) -> None:
    done = run("--algorithm", "mcts(9)", *more)
    assert done.exit_code == 2
    assert says in done.stderr
    assert done.stdout == ""


def test_options_are_refused_before_rules_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(Engine, "warm", lambda engine: told.append("compiled") or engine)
    done = run("--algorithm", "mcts(9)", "--using", "auto", "--report", "x.html")
    assert (done.exit_code, told) == (2, [])
    done = run("--using", "auto", "--algorithm", "maxn(2)")
    assert (done.exit_code, told) == (2, [])


def test_for_three_players_the_value_is_printed_with_its_player() -> None:
    done = CliRunner().invoke(
        jamboree,
        ["search", "nim:1-2(players=3)", "--algorithm", "mcts(9)", "--engine", "interpreted"],
    )
    assert done.exit_code == 0
    value = next(line for line in done.stdout.splitlines() if line.startswith("value"))
    assert value.endswith(" for Maxie")
