"""What is asked of texts: their cases, order, parts and lengths, for all texts that occur."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import compile_function
from tests.properties import examples
from tests.strategies.rules.compared import differences, same

TEXTS = st.sampled_from(["", "a", "A", "b", "ab", "Ba", "7", " ", "ß", "Z"])


def cases(x: Any, y: Any) -> Any:
    return x.upper(), y.lower(), x.swapcase().title(), x.isupper(), y.islower(), y.isdigit()


def order(x: Any, y: Any) -> Any:
    return x < y, x <= y, x > "a", max(x, y), sorted([x, y, "B", "b", x.upper()]), x == y


def parts(x: Any, y: Any) -> Any:
    whole = x in "aAbB", "a" in y, "abc".find(x), y.find("b"), x.startswith("a"), y.endswith("a")
    return whole, "abca".find(x, 1), y.count("b", None, 1), x.endswith("a", -2, 9)


def lengths(x: Any, y: Any) -> Any:
    return len(x), "xyz"[len(x)], [t for t in (x, y) if len(t) == 1]


LEVEL = ("#ab", ".#B", "Z7#")


def letters(x: Any, y: Any) -> Any:
    found = [c.upper() for c in x]
    walls = [(i, j) for i, row in enumerate(LEVEL) for j, c in enumerate(row) if c in ("#", x)]
    return (
        found,
        walls,
        LEVEL[len(x)][len(y)],
        tuple(y),
        sorted(y),
        [a == b for a, b in zip(x, iter(y), strict=False)],
    )


def indexed(x: Any, y: Any) -> Any:
    return x[0], y[-1], x[1]


def mixed(x: Any, y: Any) -> Any:
    found = None if y == "a" else x
    return [found in "ab", found]


@examples(20)
@given(TEXTS, TEXTS)
@pytest.mark.parametrize("function", [cases, order, parts, lengths, letters, indexed, mixed])
def test_as_in_python(function: Any, x: str, y: str) -> None:
    assert not differences(function, [(x, y)])


def test_texts_that_no_function_names_are_known_from_the_call() -> None:
    def f(x: Any) -> Any:
        return x.upper(), x < "m", x in "xyz"

    compiled = compile_function(f)
    for x in ("a", "z", "new", "newer", "a"):
        assert same(compiled(x), f(x))


NAMES = frozenset({"a", "b", "c", "d", "e", "f"})


def is_name(x: Any) -> Any:
    return x in NAMES, x == "a", x.upper() == "F"


def test_the_code_is_the_same_in_each_process() -> None:
    text = (
        "import hashlib\n"
        "from strategies import compile_function\n"
        "from tests.strategies.rules.test_texts import is_name\n"
        "compiled = compile_function(is_name)\n"
        "compiled('b')\n"
        "print(hashlib.sha256(compiled._made[0].program.text().encode()).hexdigest())\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in "12"
    }  # fmt: skip
    assert len(found) == 1
