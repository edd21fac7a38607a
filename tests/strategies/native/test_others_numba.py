"""What others compile with Numba is the same code, whether this package is there or not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
if sys.argv[1] == "with":
    import strategies.native.compiler.build
from collections import namedtuple
import numba
import numpy as np

Pair = namedtuple("Pair", "x y")

def element(row, i): return row[i]
def named(pair, i): return pair[i] + pair.x
def parts(row):
    a, b, c = row
    return a, b + c, row[1:], row + row, row == row, 3 in row
def looped(row):
    total = 0
    for x in row: total += x
    return total
def words(a, b): return a * b + (a >> np.uint64(3)) ^ b
def lists(n):
    found = [i * i for i in range(n)]
    return found[-1], sum(found)
def ordered(n):
    found = [i * i for i in range(n)]
    found.sort()
    return max(found)
def dicts(n):
    found = {i: (i, 2.0 * i) for i in range(n)}
    return found[1][0], len(found)
def arrays(a): return a.sum(), a[-1], np.zeros(3)[0]
def sliced(a): a[1:] += 1
def floats(x): return x // 0.3, x % 0.7, round(x), int(x), x ** 3
def fails(x):
    if x < 0: raise ValueError("below")
    return None if x == 0 else x
def generated(n):
    for i in range(n): yield i, i * 0.5
def pairs(n):
    total = 0.0
    for i, x in generated_(n): total += i * x
    return total

generated_ = numba.njit(generated)
row = (1, 2, 3)
most = [
    (element, (row, 1)), (element, ((1.5, 2.5), 1)), (named, (Pair(1, 2), 0)), (parts, (row,)),
    (looped, (row,)), (words, (np.uint64(5), np.uint64(7))), (lists, (5,)),
    (floats, (1.5,)), (fails, (2,)), (pairs, (4,)),
]
large = [
    (ordered, (5,)), (dicts, (5,)), (sliced, (np.arange(4),)), (arrays, (np.arange(4),)),
]
for function, args in {"most": most, "large": large}[sys.argv[2]]:
    compiled = numba.njit(function)
    compiled(*args)
    print(*compiled.inspect_llvm().values())
"""


ROOT = str(Path(__file__).parents[3])


def code(folder: Path, *how: str) -> str:
    file = folder / "others.py"
    file.write_text(PROGRAM)
    env = {"PYTHONPATH": ROOT, "PYTHONHASHSEED": "0"}  # hashes are parts of names
    return subprocess.run(
        [sys.executable, file, *how], capture_output=True, text=True, check=True, cwd=ROOT, env=env
    ).stdout


@pytest.mark.parametrize("which", ["most", pytest.param("large", marks=pytest.mark.long)])
def test_the_code_of_other_functions_is_the_same(tmp_path: Path, which: str) -> None:
    plain, beside = (code(tmp_path, how, which) for how in ("without", "with"))
    assert len(plain) > 100_000
    assert plain == beside
