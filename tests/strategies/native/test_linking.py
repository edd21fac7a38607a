"""What is linked into a kernel is called in LLVM's way, not in Numba's."""

from typing import Any

from llvmlite.binding import Linkage

from games import TicTacToe
from strategies.native.compiler import rules
from strategies.native.compiler.layout import identity
from strategies.native.engine import engine_for
from strategies.native.kernels import fixed_depth as kernels


def test_the_functions_of_a_kernel_are_its_own() -> None:
    game = TicTacToe()
    engine_for(game, "native").warm()
    search: Any = kernels.search
    searching = rules.kernel_dispatcher(search, HAS_CHANCE=False)
    mine = identity(TicTacToe)  # others were compiled in this process before
    done = next(made for given, made in searching.overloads.items() if given[0].ident == mine)
    linked = done.library._get_module_for_linking()
    defined = {f.name: f for f in linked.functions if not f.is_declaration}
    below = [f for name, f in defined.items() if "descend" in name]
    assert below
    for function in below:
        assert function.linkage == Linkage.internal
        assert "excinfo" not in str(function).split("{")[0], "it cannot fail, but says how it did"
