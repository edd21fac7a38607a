"""The kernels of local search for one problem, as machine code or interpreted."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from games.problems import Assignment
from strategies.native.alike import alike
from strategies.native.engine import Engine
from strategies.native.kept_engines import KEPT


class ProblemEngine(Engine):
    """The engine of one kernel of local search for a problem; kernels compile independently."""

    def _trials(self, kernel: Any) -> list[tuple[Any, Any]]:
        return [(kernel, 0)]


@lru_cache(maxsize=KEPT)
def _made(kernel: Any, kind: Any, problem: Any, choice: str) -> ProblemEngine:
    return ProblemEngine(problem, choice)


def engine_of(kernel: Any, problem: Any, choice: str) -> ProblemEngine:
    """Return the engine that runs ``kernel(problem, 0, …)``, which ends with rows of cells.

    Ensures: equal problems share an engine if their fields excluded from ``==`` are the same too;
    rules that were redefined since are compiled again.
    """
    key: Any = kernel, type(problem), problem, choice
    found = _made(*key)
    if not found.current:
        _made.cache_clear()
        found = _made(*key)
    return found if alike(found.game, problem) else ProblemEngine(problem, choice)


def warm(choice: str, kernel: Any, problem: Assignment) -> str:
    """Compile a kernel for a problem, or load it from the cache, unless it is interpreted.

    Returns: why it is interpreted, or an empty text.
    Raises: RuleError if the rules must be native but cannot be compiled.
    """
    engine = engine_of(kernel, problem, choice)
    engine.settle(kernel)
    return engine.reason
