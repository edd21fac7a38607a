"""Code that one process compiled is loaded by another process that receives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import ConnectFour, TicTacToe
from strategies.native import kept_code
from strategies.native.compiler.disk_cache import Files
from strategies.native.kept_code import content, forget, identity, receive
from strategies.native.kept_engines import engine_for
from tests.strategies.native.counting import mixed

KEY = "signature", "processor", "rules", (identity(ConnectFour),)


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_code, "_received", {})


def test_received_code_is_loaded_and_sent_on(tmp_path: Path) -> None:
    here, there = Files(str(tmp_path / "here"), "kernel"), Files(str(tmp_path / "there"), "kernel")
    here.folder.mkdir()
    here.save(KEY, "code")
    file = there.path(KEY)
    assert there.load(KEY) is None
    receive({file.name: content(here.path(KEY))})
    assert there.load(KEY) == "code"
    assert not there.folder.exists()
    assert content(file) == content(here.path(KEY))
    forget([file.name])
    assert there.load(KEY) is None


def test_received_code_is_not_used_for_another_key(tmp_path: Path) -> None:
    files = Files(str(tmp_path), "kernel")
    files.save(KEY, "code")
    code = content(files.path(KEY))
    files.path(KEY).unlink()
    other = "signature", "another processor", *KEY[2:]
    receive({files.path(other).name: code, files.path(KEY).name: code[:-1]})
    assert files.load(other) is None
    assert files.load(KEY) is None


def test_an_engine_knows_the_files_of_its_own_code() -> None:
    class Small(TicTacToe):
        """Games of this test alone: the files of others are removed when there are many newer."""

    class Large(ConnectFour):
        pass

    small, large = engine_for(Small(), "native"), engine_for(Large(), "native")
    for engine in small, large:
        engine.call(mixed, engine.game.start(), 2)
    assert small.files
    assert large.files
    assert not small.files & large.files
    assert all(content(file) for file in small.files | large.files)
    assert not engine_for(Small(), "interpreted").files
