"""The two engines, which run the rules of a game as machine code, or interpreted.

This subpackage searches one position in one thread. It may import `games`, `strategies.rules` and
`support`, and is independent of strategies, of `Algorithm` and of Dask. Its main layers, from the
top, are `verification`, `calls`, `engine`, `failures`, then `kernels` and `compiler` side by side,
`fingerprint` and `hooks`, and `memory` and `errors`. Start with `engine.Engine.search`, then
`kernels.control` and `kernels.fixed_depth`.

Importing this package does not load Numba; compiling the rules of a game does.

A kernel is a search in the subset of Python that Numba compiles. The rules of a game are compiled
by `strategies.rules`, which takes ordinary Python and has its values, types and exceptions;
`compiler` lets kernels call them as opaque functions. Rules that cannot be compiled are
interpreted, and `engine.reason` says why. `parity` compares the two engines on a game.

>>> from games import HANDOUT_SMALL as game
>>> engine = engine_for(game)
>>> engine.search(game.start(), 2).value, engine.native, engine.reason
(4, True, '')
"""

from __future__ import annotations

from games.failed import RuleFailed
from strategies.native.compiling import on_compile
from strategies.native.engine import Engine, Searched, check_choice
from strategies.native.kept_engines import engine_for
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Table
from strategies.native.verification.parity import Disagreement, parity
from strategies.rules.language.messages import RuleError

__all__ = [
    "Disagreement",
    "Engine",
    "RuleError",
    "RuleFailed",
    "Searched",
    "Stop",
    "Stopped",
    "Table",
    "check_choice",
    "engine_for",
    "on_compile",
    "parity",
]
