"""The engines: a game's rules as machine code, or interpreted, under the same searches.

Importing this package does not load Numba; compiling the first rule does.
"""

from .cells import Stop, Stopped
from .engine import Engine, Searched, engine_for, on_compile
from .errors import RuleError, RuleFailed
from .parity import Disagreement, parity

__all__ = [
    "Disagreement",
    "Engine",
    "RuleError",
    "RuleFailed",
    "Searched",
    "Stop",
    "Stopped",
    "engine_for",
    "on_compile",
    "parity",
]
