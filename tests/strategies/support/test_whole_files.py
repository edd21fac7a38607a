"""Files that are written whole: an error names the file that was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from strategies.support.files import write_whole


def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "no folder" / "picture.svg"
    with pytest.raises(FileNotFoundError) as error:
        write_whole(path, "text")
    assert error.value.filename == str(path)
