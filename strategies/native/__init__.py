"""The engines, which run the rules of a game under a search: as machine code, or interpreted.

This package searches one position in one thread.  It may import `games`, and nothing else of
`strategies`: it knows no strategy, no `Algorithm` and no Dask.  Its floors, from the top:
`verification`, `calls`, `engine`, `failures`, then `kernels` beside `compiler`, then `hooks` and
`digest`, then `memory` and `errors`; imports go down only.  Begin with `engine.Engine.search`, go
on to `kernels.control` and `kernels.fixed_depth`.  No kernel knows the compiler, which is a layer
of its own.

Importing this package does not load Numba; compiling the first rule does.

Rules that compile are plain Python over numbers.  A state is a frozen attrs class of int (64 bits),
float, bool, `U64`, other such classes, and tuples of them of fixed length.  The numbers in a game's
fields become constants of the code; its tuples of numbers, tuples of such tuples and NumPy arrays
become read-only tables; a field that is a frozen attrs class of such fields works like a game;
rules may not read other fields.  Rules may use methods, generators, properties, helper functions of
any module, class constants, `IntEnum`, `attrs.evolve`, `games.put`.  `super()`, text, and attrs
converters, validators and `__attrs_post_init__` of a state do not compile: the engine then says
why, and interprets the rules.

In machine code an int wraps at 64 bits (`parity` finds rules where it would).

>>> from games import HANDOUT_SMALL as game
>>> engine = engine_for(game)
>>> engine.search(game.start(), 2).value, engine.native, engine.reason
(4, True, '')
"""

from __future__ import annotations

from strategies.native.compiling import on_compile
from strategies.native.engine import Engine, Searched, check_choice, engine_for
from strategies.native.errors import RuleError, RuleFailed
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
