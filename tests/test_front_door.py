"""`jamboree` exports the public names of the three packages; each package checks its siblings."""

import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

import games
import graphs
import jamboree
import strategies
from graphs.siblings import PACKAGES

ROOT = Path(__file__).parents[1]
ROOTS = (games, graphs, strategies)


@pytest.mark.parametrize(("one", "other"), [*combinations(ROOTS, 2)])
def test_no_two_public_objects_have_the_same_name(one, other):
    both = set(one.__all__) & set(other.__all__)
    assert {name for name in both if getattr(one, name) is not getattr(other, name)} == set()


@pytest.mark.parametrize("root", ROOTS)
def test_jamboree_exports_every_public_name(root):
    assert {name for name in root.__all__ if name not in jamboree.__all__} == set()
    assert all(getattr(jamboree, name) is getattr(root, name) for name in root.__all__)


def python(*command, folder):
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_module_is_the_command_line(tmp_path):
    ran = python("-m", "jamboree", "--help", folder=tmp_path)
    assert ran.stdout.startswith("Usage: jamboree [OPTIONS]")


@pytest.mark.parametrize("package", [*PACKAGES, "jamboree"])
@pytest.mark.parametrize("taken", PACKAGES)
def test_the_error_names_the_file_that_hides_a_package(tmp_path, taken, package):
    if package == taken:  # else Python would import the file itself
        package = "jamboree"
    theirs = tmp_path / (f"{taken}.py" if package != "strategies" else taken)
    code = theirs if theirs.suffix else theirs / "__init__.py"
    code.parent.mkdir(exist_ok=True)
    code.write_text("raise SystemExit('not to be run')\n")
    ran = python("-c", f"import {package}", folder=tmp_path)
    assert f"ImportError: {theirs} hides Jamboree's package {taken}, which is in" in ran.stderr
    assert "rename yours" in ran.stderr


@pytest.mark.parametrize("taken", PACKAGES)
def test_a_folder_without_code_hides_no_package(tmp_path, taken):
    (tmp_path / taken).mkdir()
    assert python("-c", "import jamboree", folder=tmp_path).returncode == 0


def test_the_copies_of_the_check_are_the_same():
    folders = ("graphs", "games", "strategies/support", "jamboree")
    assert len({(ROOT / folder / "siblings.py").read_text() for folder in folders}) == 1
