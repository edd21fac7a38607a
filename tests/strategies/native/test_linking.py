"""Functions linked into a kernel use LLVM's calling convention, not Numba's."""

import subprocess
import sys
from typing import Any

from llvmlite.binding import Linkage

from games import TicTacToe
from strategies.native.compiler import kernel_functions
from strategies.native.kept_code import identity
from strategies.native.kept_engines import engine_for
from strategies.native.kernels import fixed_depth as kernels


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
