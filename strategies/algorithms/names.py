"""The names of algorithms in texts: those of the package, and a user's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, dataclass_transform

from attrs import field, frozen

from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.algebra.combinators import NAMES
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.monte_carlo import mcts
from strategies.algorithms.several_players import maxn, paranoid
from strategies.algorithms.trees import decision, enumeration, optimisation
from strategies.algorithms.two_players import alphabeta, minimax, mtdf, pvs
from strategies.algorithms.with_chance import expectimax

_PACKAGE: Final = (minimax, alphabeta, expectimax, pvs, mtdf, maxn, paranoid, mcts)
_OF_TREES: Final = (enumeration, decision, optimisation)
ALGORITHMS: Final[dict[str, Callable[..., Any]]] = {
    make.__name__: make for make in (*_PACKAGE, *_OF_TREES)
}
"""The names that the text of an algorithm may use, and what makes each algorithm."""
_USED: Final = frozenset(ALGORITHMS) | frozenset(NAMES)
A = TypeVar("A", bound=Algorithm)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def register_algorithm(cls: type[A]) -> type[A]:
    """Register a class of algorithms of your own, so that texts may use its `name`.

    Requires: a subclass of `Algorithm` with a `kernel`, or with a method `search`.
    Ensures: an immutable class, whose fields are options; `repr` writes them and `parse_algorithm`
    reads them.  A class of the same name that was registered before is replaced.
    Raises: ArgumentError if `name` is not a word, or belongs to the package.

    >>> from strategies import Algorithm, parse_algorithm, register_algorithm
    >>> from strategies.native.kernels.fixed_depth import search
    >>> @register_algorithm
    ... class Deeper(Algorithm):
    ...     name = "deeper"
    ...     kernel = staticmethod(search)
    >>> parse_algorithm("deeper(5, nearer_wins=False)")
    deeper(depth=5, nearer_wins=False)
    """
    if not (isinstance(cls, type) and issubclass(cls, Algorithm)):
        raise ArgumentError(f"a subclass of Algorithm is needed, not {shown(cls)}")
    if not (isinstance(cls.name, str) and cls.name.isidentifier()):
        raise ArgumentError(f"{cls.__name__} needs a name that is a word, such as name = 'beam'")
    if cls.name in _USED:
        raise ArgumentError(f"{cls.name!r} is a name of this package: give {cls.__name__} another")
    if cls.kernel is None and cls.search is Algorithm.search:
        raise ArgumentError(
            f"{cls.__name__} has no kernel: set kernel = staticmethod(…), or define search"
        )
    made: type[A] = frozen(repr=False)(cls)
    ALGORITHMS[cls.name] = made
    return made
