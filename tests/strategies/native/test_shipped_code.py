"""Code that one process compiled is loaded by another one that has it from there."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import ConnectFour, Othello
from strategies.native import shipped_code
from strategies.native.compiler.disk_cache import Files
from strategies.native.kept_code import identity

KEY = "signature", "processor", "rules", (identity(ConnectFour),)


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped_code, "_used", {})
    monkeypatch.setattr(shipped_code, "_received", {})


def test_what_was_received_is_loaded_and_goes_on(tmp_path: Path) -> None:
    here, there = Files(str(tmp_path / "here"), "kernel"), Files(str(tmp_path / "there"), "kernel")
    here.folder.mkdir()
    here.save(KEY, "code")
    files = shipped_code.files_for(("search", (ConnectFour(4, 4),)))
    assert list(files) == [here.path(KEY).name]
    assert there.load(KEY) is None
    shipped_code.receive(files)
    assert there.load(KEY) == "code"
    assert not there.folder.exists()
    assert shipped_code.files_for(ConnectFour()) == files
    shipped_code.forget(files)
    assert there.load(KEY) is None


def test_what_was_received_for_something_else_does_not_answer(tmp_path: Path) -> None:
    files = Files(str(tmp_path), "kernel")
    files.save(KEY, "code")
    content = files.path(KEY).read_bytes()
    files.flush()
    other = "signature", "another processor", *KEY[2:]
    shipped_code.receive({files.path(other).name: content, files.path(KEY).name: content[:-1]})
    assert files.load(other) is None
    assert files.load(KEY) is None


def test_code_of_other_games_stays(tmp_path: Path) -> None:
    files = Files(str(tmp_path), "kernel")
    files.save(KEY, "code")
    assert not shipped_code.files_for((Othello(), "a text"))
