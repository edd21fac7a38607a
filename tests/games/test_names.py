"""The public names of `games` load on first use."""

import subprocess
import sys

import pytest

import games


def test_a_wrong_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Chess'"):
        games.Chess  # noqa: B018


@pytest.mark.parametrize("module", ["games", "games.catalogue", "games.tictactoe"])
def test_importing_loads_no_large_dependency(module: str) -> None:
    code = (
        f"import sys, {module}; print([m for m in ('numpy', 'numba', 'dask') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_error_for_an_unknown_status_lists_the_known_ones() -> None:
    with pytest.raises(AttributeError, match="Status has no WON; it has IN_PLAY, MAXIE_WINS"):
        games.Status.WON  # type: ignore[attr-defined]  # noqa: B018
