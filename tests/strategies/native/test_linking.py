"""Functions linked into a kernel use LLVM's calling convention, not Numba's."""

import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest
from llvmlite.binding import Linkage

from games import TicTacToe
from strategies.native.compiler import kernel_functions
from strategies.native.kept_code import identity
from strategies.native.kept_engines import engine_for
from strategies.native.kernels import fixed_depth as kernels
from strategies.rules.language.messages import RuleError
from tests.strategies.native.counting import Counting


def test_a_kernel_links_its_own_functions() -> None:
    game = TicTacToe()
    engine_for(game, "native").warm()
    search: Any = kernels.search
    searching = kernel_functions.kernel_dispatcher(search)
    mine = identity(TicTacToe)  # this process has compiled other functions before
    done = next(made for key, made in searching.kept.games.items() if key.classes[0] == mine)
    linked = done.library._get_module_for_linking()
    defined = {f.name: f for f in linked.functions if not f.is_declaration}
    below = [f for name, f in defined.items() if "descend" in name]
    assert below
    for function in below:
        assert function.linkage == Linkage.internal
        head = next(line for line in str(function).splitlines() if line.startswith("define"))
        assert "excinfo" not in head, "it cannot fail, but says how it did"
        assert "retptr" not in head, "it returns its value through memory"


def test_compiled_code_of_the_user_does_not_link_to_functions_of_a_kernel() -> None:
    """They share names, but those of a kernel are specialised for their callers: this crashed."""
    text = """
from numba import njit
from strategies.native.kept_engines import engine_for
from tests.strategies.native.naive import Einstein

game = Einstein()
engine = engine_for(game, "native")
print(engine.perft(game.start(), 2))

@njit
def rows(n):
    made = []
    for k in range(n):
        made.append([k])
    return None if n < 0 else len(made)

print(rows(4), rows(-1))
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "9\n4 None\n"), done.stderr


RECURSIVE = """
from typing import Any
from strategies.algorithms.kernels import kernel

def fell(n: int) -> int:
    return 1 if n <= 0 else 2 * fell(n - 1)

@kernel
def even(game: Any, state: Any, depth: int) -> int:
    return depth if depth <= 0 else 1 + odd(game, state, depth - 1)

@kernel
def odd(game: Any, state: Any, depth: int) -> int:
    return depth if depth <= 0 else 3 + even(game, state, depth - 1)

@kernel
def first(game: Any, state: Any, depth: int) -> int:
    if depth <= 0:
        return fell(5)
    return first(game, state, depth - 1) + even(game, state, depth)
"""


@pytest.mark.parametrize("name", ["absent", "renamed"])
def test_a_function_that_calls_itself_needs_no_module_here(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that came by value names a module that is absent, or is here under another name, as that
    of a program is in a process that it starts: then it called an undefined symbol."""
    monkeypatch.setitem(sys.modules, "renamed", ModuleType("another"))
    scope: dict[str, Any] = {"__name__": name}
    exec(RECURSIVE, scope)
    engines = "native", "interpreted"
    found = [engine_for(Counting(), one).call(scope["first"], 0, 4) for one in engines]
    assert found == [32 + 1 + 4 + 5 + 8] * 2


def test_code_with_an_undefined_function_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_functions, "PRESENT", "absent")
    scope: dict[str, Any] = {"__name__": "absent"}
    exec(RECURSIVE, scope)
    with pytest.raises(RuleError, match="which has no code"):
        engine_for(Counting(), "native").call(scope["first"], 0, 4)
