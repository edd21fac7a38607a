"""The public names of `games`: all there, loaded late."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import games


@pytest.mark.parametrize("name", games.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(games, name) is not None


def test_readers_and_the_interpreter_are_told_the_same() -> None:
    tree = ast.parse(Path(games.__file__).read_text())
    told = {
        (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("games.")
        for alias in node.names
    }
    assert told == {(f"games.{home}", name) for name, home in games._HOME.items()}
    assert set(games.__all__) == set(games._HOME)


def test_a_wrong_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Chess'"):
        games.Chess  # noqa: B018


@pytest.mark.parametrize("module", ["games", "games.catalogue", "games.tictactoe"])
def test_importing_loads_nothing_heavy(module: str) -> None:
    code = (
        f"import sys, {module}; print([m for m in ('numpy', 'numba', 'dask') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
