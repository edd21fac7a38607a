"""The wheel contains all packages and works without a checkout."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("games", "graphs", "jamboree", "strategies")

pytestmark = pytest.mark.slow


def pip(*arguments):
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    pip("install", "--no-deps", "--no-index", "--target", folder, wheel)
    return folder


def run_in(folder, *command):
    """Return the output of a Python that imports from `folder` first, outside the checkout."""
    ran = subprocess.run(
        [sys.executable, *command],
        cwd=folder.parent,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout


def test_the_distribution_is_called_jamboree_search(wheel):
    assert wheel.name.startswith("jamboree_search-")


def test_the_wheel_contains_every_file_of_the_packages(wheel):
    expected = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == expected


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_are_imported_from_the_wheel(installed, package):
    home = run_in(installed, "-c", f"import {package}; print({package}.__file__)")
    assert Path(home.strip()).is_relative_to(installed)


@pytest.mark.parametrize("package", ["games", "graphs", "strategies"])
def test_public_names_are_read_from_the_stub_in_the_wheel(installed, package):
    stub = (ROOT / package / "__init__.pyi").read_text()
    names = run_in(installed, "-c", f"import {package}; print(*{package}.__all__)").split()
    assert names == sorted(line.split()[-1] for line in stub.splitlines())


def test_the_command_runs_from_the_wheel(installed):
    assert "Usage: jamboree" in run_in(installed, installed / "bin" / "jamboree", "--help")
    assert "Usage: jamboree" in run_in(installed, "-m", "jamboree", "--help")
    assert run_in(installed, "-m", "jamboree", "--version").startswith("jamboree 0.")
