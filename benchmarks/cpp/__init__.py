"""Searches of the same trees, written by hand in C++ and compiled with full optimization."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.finding import Skipped

FLAGS = ("-O3", "-march=native", "-std=c++17", "-shared", "-fPIC")
HERE = Path(__file__).parent


ANCHOR = f"C++ {' '.join(FLAGS[:2])}"
"""What the table calls these loops."""


def version() -> str:
    """Return the compiler and its version, or that there is none."""
    try:
        command = [_compiler(), "--version"]
    except Skipped as reason:
        return str(reason)
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]


def _compiler() -> str:
    found = next(filter(None, map(shutil.which, (os.environ.get("CXX", ""), "c++", "g++"))), None)
    if found is None:
        raise Skipped("no C++ compiler")
    return found


def build(name: str, result: Any, **constants: int) -> Any:
    """Return the C function `run` of ``name.cpp``, compiled with `constants` as macros.

    Ensures: it releases the interpreter's lock while it runs; the files are deleted at once.
    Raises: Skipped if there is no compiler.
    """
    macros = [f"-D{name}={value}" for name, value in constants.items()]
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / f"{name}.so"
        source = HERE / f"{name}.cpp"
        command = [_compiler(), *FLAGS, *macros, "-o", str(library), str(source)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
        run = ctypes.CDLL(str(library)).run
    run.restype = result
    return run
