"""The error for a name that is no game in a user's file lists the games of the file."""

import re
import sys
from importlib import invalidate_caches
from pathlib import Path
from pickle import dumps, loads

import click
import pytest
from click.testing import CliRunner

from strategies.cli.group import jamboree
from strategies.cli.userfile import load

FILE = """
from attrs import frozen
from games import Game, HANDOUT_SMALL

@frozen
class Row:
    heap: int

@frozen
class Coins(Game[Row, int]):
    heap: int = 7

@frozen
class Sized(Game[Row, int]):
    size: int

little = HANDOUT_SMALL
"""
THERE = r"games in it: \S+:Coins, \S+:Sized\(size=…\)$"


def test_a_file_that_cannot_be_read_is_reported(tmp_path, monkeypatch):
    (tmp_path / "locked.py").write_text(FILE)
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(click.UsageError, match=r"cannot read \S+locked.py: Permission denied$"):
        load(f"{tmp_path}/locked.py:Coins")


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ("Row", r"Row of \S+ is not a game, derived from games.Game; "),
        ("Sized", r"missing a required argument: 'size'; it takes size; "),
        ("Coins(width=3)", r"got an unexpected keyword argument 'width'; it takes heap; "),
        ("frozen", r"is not a game, derived from games.Game; "),
        ("Nope", r"has no Nope; "),
    ],
)
def test_the_error_lists_the_games_of_the_file(tmp_path: Path, wanted: str, why: str) -> None:
    file = tmp_path / "some_coins.py"
    file.write_text(FILE)
    with pytest.raises(click.UsageError, match=why + THERE):
        load(f"{file}:{wanted}")
    assert load(f"{file}:Coins(heap=3)").heap == 3
    assert load(f"{file}:little").players == 2


@pytest.mark.parametrize("stem", ["my.game", "json.tool", ".hidden", "a.b.c", "my-game", "1", "os"])
def test_a_file_may_have_any_name(tmp_path: Path, stem: str) -> None:
    file = tmp_path / f"{stem}.py"
    file.write_text(FILE)
    game = load(f"{file}:Coins(heap=3)")
    assert game.heap == 3
    assert loads(dumps(game)) == game


def test_a_game_is_the_same_whether_its_folder_is_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its module is part of the identity of its rules, by which tables are recognised."""
    file = tmp_path / "coins_on_a_path.py"
    file.write_text(FILE)
    names = []
    for path in ([], [str(tmp_path)]):
        monkeypatch.setattr(sys, "path", [*path, *sys.path])
        monkeypatch.delitem(sys.modules, file.stem, raising=False)
        invalidate_caches()
        names.append(type(load(f"{file}:Coins")).__module__)
    assert names == [file.stem] * 2


REFUSED = """
from games import Game, Status

class Odd(Game):
    def start(self): return 0
    def status(self, state): return Status.IN_PLAY if state < 3 else Status.OVER
    def player(self, state): return state % 2
    def moves(self, state): return 1, 2
    def make_move(self, state, move): return state + move + 0 * hash("a")
    def estimate(self, state): return state
    def utility(self, state): return state

class Startless(Odd):
    def start(self): raise ValueError("no start")
"""


def test_a_check_ends_with_the_reason_why_rules_are_interpreted(tmp_path: Path) -> None:
    file = tmp_path / "odd_one.py"
    file.write_text(REFUSED)
    found = CliRunner().invoke(jamboree, ["check", f"{file}:Odd", "--profile", "ci"])
    assert "rules interpreted: Odd.make_move, line 9: hash is not compiled" in found.stderr
    broken = CliRunner().invoke(jamboree, ["check", f"{file}:Startless", "--profile", "ci"])
    assert isinstance(broken.exception, SystemExit)
    assert (broken.exit_code, broken.stderr) == (1, "")


STRATEGY = """
from strategies.algebra.groups import Group
from strategies.algebra.strategy import ListStrategy

class Ones(ListStrategy):
    def groups(self, n):
        return tuple(Group(i, i + 1, i) for i in range(n))
"""


def test_a_strategy_of_a_file_is_used_by_its_text(tmp_path: Path) -> None:
    (tmp_path / "ones.py").write_text(STRATEGY)
    using = f"{tmp_path}/ones.py:Ones().to_ply(1)"
    shown = CliRunner().invoke(jamboree, ["explain", using]).output
    assert shown.startswith("Ones(inner=seq).to_ply(1), on a node with")
    search = ["search", "handout_small", "--algorithm", "alphabeta(2)", "--using", using]
    assert "strategy   Ones(inner=seq).to_ply(1)" in CliRunner().invoke(jamboree, search).output
    study = ["study", "handout_small", "--depth", "2", "--using", using, "--workers", "1"]
    assert "Ones(inner=seq).to_ply(1)" in CliRunner().invoke(jamboree, study).output
    wrong = CliRunner().invoke(jamboree, ["explain", f"{tmp_path}/ones.py:One()"])
    assert "no strategy is called 'One'; did you mean Ones?" in wrong.output
    missing = CliRunner().invoke(jamboree, ["explain", f"{tmp_path}/none.py:Ones()"])
    assert f"there is no file {tmp_path}/none.py" in " ".join(missing.output.split())


@pytest.mark.parametrize("error", ["TypeError", "ValueError"])
@pytest.mark.parametrize(
    "command",
    ["search", "study", "solve", "play --maxie random --minnie random", "perft --depth 2",
     "tournament random random", "replay", "simulate", "search --state 4"],
)  # fmt: skip
def test_a_start_that_fails_is_named(command: str, error: str, tmp_path: Path) -> None:
    """Whatever is asked of the game first."""
    (tmp_path / "bad.py").write_text(
        "from games import TicTacToe\n"
        f"class Bad(TicTacToe):\n    def start(self):\n        raise {error}('no board')\n"
    )
    name, *more = command.split()
    ran = CliRunner().invoke(jamboree, [name, f"{tmp_path}/bad.py:Bad", *more])
    assert re.search(rf"^\S+ {name}: start failed: {error}: no board$", ran.stderr, re.M)
    assert ran.exit_code != 0
