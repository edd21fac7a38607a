"""Importing is cheap: large dependencies load on first use."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"bokeh", "distributed", "hypothesis", "llvmlite", "matplotlib", "numba", "pytest", "rich"}


def loaded(code):
    """Return the top-level modules that a fresh interpreter has loaded after running `code`."""
    script = (
        f"import sys\n{code}\nprint('loaded:', *{{name.split('.')[0] for name in sys.modules}})"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(ran.stdout.rpartition("loaded:")[2].split())


HELP = """
from importlib.metadata import entry_points
sys.argv = ["jamboree", "--help"]
try:
    entry_points(group="console_scripts")["jamboree"].load()()
except SystemExit as stop:
    assert not stop.code, stop.code
"""


@pytest.mark.parametrize(
    "code",
    [
        "import games",
        "import graphs",
        "import strategies",
        "import jamboree",
        "from jamboree import Game, Seq, par_list",
        pytest.param(HELP, id="--help"),
    ],
)
def test_no_large_dependency_is_loaded(code):
    assert loaded(code) & HEAVY == set()


PIPED = """
from strategies.cli import main
sys.argv = ["jamboree", "games"]
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
"""


def test_rich_is_not_loaded_without_a_terminal():
    assert "rich" not in loaded(PIPED)


SOLVED = """
from games import TicTacToe
from strategies import solve
assert solve(TicTacToe(), engine="interpreted", line=0).value == 0
"""


def test_dask_and_numpy_load_only_when_needed():
    assert "dask" not in loaded(SOLVED)
    assert "numpy" not in loaded("from strategies import search, simulate, solve, study")
    assert "dask" not in loaded("from strategies import Learned")


def test_sequences_need_no_numpy():
    assert "numpy" not in loaded("from graphs import Seq, to_list; to_list(Seq([1]))")
    assert "numpy" in loaded("from graphs import Graph")


@pytest.mark.parametrize("package", ["games", "graphs", "jamboree", "strategies"])
def test_every_public_name_exists(package):
    module = __import__(package)
    missing = [name for name in module.__all__ if not hasattr(module, name)]
    assert missing == []
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = module.no_such_name


@pytest.mark.parametrize("package", ["jamboree", "strategies", "games", "graphs"])
def test_no_module_shadows_a_public_name(package: str) -> None:
    """Importing a module sets its name on the package: it must not be that of a public object."""
    folder = Path(importlib.import_module(package).__file__ or "").parent
    modules = {p.stem for p in folder.iterdir() if p.suffix == ".py" or p.is_dir()}
    assert not modules & set(importlib.import_module(package).__all__)
