"""Files are written completely or not at all; errors name the requested file."""

from __future__ import annotations

import errno
import os
import stat
import sys
import threading
from io import BytesIO, TextIOWrapper
from pathlib import Path
from unittest.mock import Mock, patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import TicTacToe
from strategies import alphabeta, search
from strategies.support.files import STDOUT, append, sole_writer, whole_file, write_whole


def test_errors_name_the_requested_file(tmp_path: Path) -> None:
    path = tmp_path / "no folder" / "picture.svg"
    with pytest.raises(FileNotFoundError) as error:
        write_whole(path, "text")
    assert error.value.filename == str(path)


def test_the_error_for_a_folder_names_it(tmp_path: Path) -> None:
    answer = search(TicTacToe(), alphabeta(1), engine="interpreted")
    result = answer.compute()
    for write in (answer.visualize, result.report, lambda path: write_whole(Path(path), "")):
        with pytest.raises(IsADirectoryError) as told:
            write(str(tmp_path))
        assert told.value.filename == str(tmp_path)
    assert list(tmp_path.parent.glob(f"{tmp_path.name}.*")) == []


@pytest.mark.skipif(os.name == "nt", reason="the system has no permissions")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o755, 0o666])
def test_a_file_that_is_replaced_keeps_its_permissions_and_its_link(
    tmp_path: Path, mode: int
) -> None:
    (tmp_path / "folder").mkdir()
    path, link = tmp_path / "folder" / "a.txt", tmp_path / "link"
    path.write_text("before")
    path.chmod(mode)
    link.symlink_to(path)
    write_whole(link, "after")
    assert (path.read_text(), link.is_symlink()) == ("after", True)
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert [p.name for p in path.parent.iterdir()] == ["a.txt"]


@pytest.mark.skipif(os.name == "nt", reason="the system has no permissions")
@pytest.mark.parametrize("mode", [0o400, 0o444, 0o555])
def test_a_read_only_file_is_not_replaced(tmp_path: Path, mode: int) -> None:
    path, link = tmp_path / "a.html", tmp_path / "link.html"
    path.write_text("before")
    path.chmod(mode)
    link.symlink_to(path)
    result = search(TicTacToe(), alphabeta(1), engine="interpreted").compute()
    for name in (path, link):
        for write in (result.report, lambda path: write_whole(path, "after")):
            with pytest.raises(PermissionError) as told:
                write(name)
            assert told.value.filename == str(name)
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("before", mode)


def test_a_new_file_gets_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_whole(tmp_path / "a.txt", "text")
    modes = [(tmp_path / name).stat().st_mode for name in ("usual", "a.txt")]
    assert modes[0] == modes[1]


def test_an_error_while_writing_names_the_file_and_leaves_the_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("before")
    full = Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))
    with pytest.raises(OSError, match="No space") as told, whole_file(path):
        full()
    assert told.value.filename == str(path)
    with pytest.raises(FileNotFoundError) as missing:
        append(tmp_path / "none" / "a.csv", b"row")
    assert missing.value.filename == str(tmp_path / "none" / "a.csv")
    assert ([p.name for p in tmp_path.iterdir()], path.read_text()) == (["a.txt"], "before")


def test_a_file_has_one_writer_at_a_time(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path, writing = tmp_path / "a.npz", list[int]()

    def work() -> None:
        for _ in range(200):
            with sole_writer(path) as alone:
                if alone:
                    writing.append(1)
                    assert len(writing) == 1
                    writing.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    with sole_writer(path) as one, sole_writer(path) as two:
        assert (one, two) == (True, False)
    assert list(tmp_path.iterdir()) == []


TEXTS = st.text(st.characters(exclude_categories=()))
"""Texts of any characters, with halves of pairs, as names of files that are not UTF-8 have them."""


@given(TEXTS, st.sampled_from(["ascii", "latin-1", "koi8-r", "utf-8"]))
def test_every_text_is_written_as_utf_8_whatever_the_terminal_has(text: str, encoding: str) -> None:
    out = BytesIO()
    with patch.object(sys, "stdout", TextIOWrapper(out, encoding)):
        write_whole(STDOUT, text)
        written = out.getvalue()
        sys.stdout.detach()  # type: ignore[union-attr]
    assert written.decode() == text.encode("utf-8", "backslashreplace").decode()
