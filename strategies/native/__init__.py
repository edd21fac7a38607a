"""The two engines, which run the rules of a game as machine code, or interpreted.

This subpackage searches one position in one thread. It may import `games` and `support`, and is
independent of strategies, of `Algorithm` and of Dask. Its main layers, from the top, are
`verification`, `calls`, `engine`, `failures`, then `kernels` and `compiler` side by side, `hooks`
and `digest`, and `memory` and `errors`. Start with `engine.Engine.search`, then `kernels.control`
and `kernels.fixed_depth`.

Importing this package does not load Numba; compiling the rules of a game does.

Rules that compile are plain Python over numbers. A state is a frozen attrs class of int (64 bits),
float, bool, `U64`, other such classes, and tuples of them of fixed length. The numbers in a game's
fields become constants of the code; its tuples of numbers, tuples of such tuples and NumPy arrays
become read-only tables. A field that is a frozen attrs class of such fields works like a game;
rules may not read other fields. Rules may use methods, generators, properties, helper functions of
any module, class constants, `IntEnum`, `attrs.evolve`, `games.put`. `super()`, text, and attrs
converters, validators and `__attrs_post_init__` of a state do not compile: the engine then says
why, and interprets the rules.

In machine code an int wraps at 64 bits; `parity` finds rules where it would.

>>> from games import HANDOUT_SMALL as game
>>> engine = engine_for(game)
>>> engine.search(game.start(), 2).value, engine.native, engine.reason
(4, True, '')
"""

from __future__ import annotations

from games.failed import RuleFailed
from strategies.native.compiling import on_compile
from strategies.native.engine import Engine, Searched, check_choice
from strategies.native.errors import RuleError
from strategies.native.kept_engines import engine_for
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Table
from strategies.native.verification.parity import Disagreement, parity

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
