"""Which functions of rules are linked into kernels, and which are called by address."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from strategies.native.compiler import rule_code
from strategies.rules.machine.compilation import prepared


def function(name: str, body: str, linkage: str = "internal") -> str:
    return f"define {linkage} i64 @{name}(i64 %x) noinline {{\n{body}\n}}\n"


def steps(n: int) -> str:
    """Return instructions that LLVM cannot make fewer."""
    lines = [f"%v{i} = call i64 @unknown(i64 {'%x' if i == 0 else f'%v{i - 1}'})" for i in range(n)]
    return "\n".join([*lines, f"ret i64 %v{n - 1}"])


def calls(name: str, n: int) -> str:
    return steps(n).replace("@unknown", f"@{name}")


def test_a_function_that_calls_large_ones_counts_with_them() -> None:
    prepared()
    large = rule_code.LONG // 2 + 1
    parts = [
        "declare i64 @unknown(i64)\n",
        function("large", steps(large)),
        function("between", calls("large", 1)),
        function("small", steps(9)),
        function("rule", calls("between", 2), ""),
        function("other", calls("small", 2), ""),
    ]
    made = rule_code.split("".join(parts), "digest")
    assert made.names.keys() == {"large", "between"}
    assert made.machine
    alone = [*parts[:1], parts[3], parts[5]]
    assert rule_code.split("".join(alone), "digest").names == {}


def test_another_version_keeps_the_code_of_rules_in_a_file_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = rule_code.file_of(Path(), "digest")
    monkeypatch.setattr(rule_code, "own_sources", lambda: "another version")
    assert rule_code.file_of(Path(), "digest") != before


FORGOTTEN = """
import gc
from ctypes import addressof
from games import find_game
from strategies.native.compiler.build import build
from strategies.native.compiler.rules_in_numba import Bound
from strategies.native.kernels.fixed_depth import perft
from strategies.native.memory.cells import cells

def counted():
    game = find_game("pacman")
    control = cells(64)
    rules = Bound(game, [game.start()])
    count = build(perft, rules, game.start(), lambda: None)[0]
    assert rules.filling.names, "these rules are too short for this test"
    return count(rules.address, game.start(), 2, False, addressof(control))

first = counted()
gc.collect()
print(counted() == first)
"""


def test_kernels_call_the_code_of_rules_that_were_forgotten() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORGOTTEN], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
