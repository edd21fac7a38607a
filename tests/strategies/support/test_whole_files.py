"""Files are written completely or not at all; errors name the requested file."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import TicTacToe
from strategies import alphabeta, search
from strategies.support.files import write_whole


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
