"""What the tests of hard rules share: whether engines agree, and what a message may say."""

from __future__ import annotations

from typing import Any

from strategies.native.engine import Engine
from strategies.native.kept_engines import engine_for
from tests.strategies.native.counting import mixed

MACHINERY = (
    *("int64", "float64", "i64", "Tuple(", "iv=", "reflected", "undefined", "Type of", "Literal"),
    *("TypingError", "LLVM", "nopython", "Val(", "Either"),
)
"""Words of the compiler that mean nothing to somebody who writes rules."""


def is_plain(told: str) -> bool:
    return not [word for word in MACHINERY if word in told]


def outcome(engine: Engine, depth: int) -> Any:
    """Return the value of a search and the type of the value, or the failure."""
    try:
        found = engine.call(mixed, engine.game.start(), depth)
    except Exception as error:
        return type(error)
    return found, type(found)


def agree(game: Any) -> bool:
    engines = [engine_for(game, choice) for choice in ("auto", "interpreted")]
    return all(len({outcome(e, depth) for e in engines}) == 1 for depth in range(4))
