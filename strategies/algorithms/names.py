"""Read algorithms from text, by their names: those of the package, and a user's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, dataclass_transform

from attrs import field, frozen

from games.game import SEARCH_PLIES
from graphs.arguments import choice, excerpt, shown
from graphs.errors import ArgumentError
from strategies.algebra.calls import CallError, parse_call
from strategies.algebra.combinators import FOR_VALUES, NAMES
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.monte_carlo import mcts
from strategies.algorithms.several_players import maxn, paranoid
from strategies.algorithms.trees import decision, enumeration, optimisation
from strategies.algorithms.two_players import alphabeta, minimax, mtdf, pvs
from strategies.algorithms.with_chance import PRUNINGS, expectimax

_PACKAGE: Final = (minimax, alphabeta, expectimax, pvs, mtdf, maxn, paranoid, mcts)
_OF_TREES: Final = (enumeration, decision, optimisation)
ALGORITHMS: Final[dict[str, Callable[..., Any]]] = {
    make.__name__: make for make in (*_PACKAGE, *_OF_TREES)
}
"""The names that the text of an algorithm may use, and what makes each algorithm."""
_STRATEGIES: Final = frozenset([*NAMES, *FOR_VALUES])
_USED: Final = _STRATEGIES | frozenset(ALGORITHMS)
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


SPECIAL = {
    "mcts": "simulations, as in mcts(simulations=10000)",
    "decision": "a target, as in decision(21)",
    "optimisation": "a depth or nothing, as in optimisation()",
    "enumeration": "a depth or nothing, as in enumeration()",
}
"""What algorithms take that are not like the others."""


def parse_algorithm(text: str) -> Any:
    """Read an algorithm from text such as ``alphabeta(depth=8)``; no code is run.

    Ensures: an `Algorithm`, or the `MonteCarlo` that ``mcts(…)`` makes.

    Raises: AlgorithmError, one line.

    >>> parse_algorithm("alphabeta(8)")
    alphabeta(depth=8)
    """
    example = "as in alphabeta(depth=8)"
    if not isinstance(text, str):
        raise ArgumentError(
            f"an algorithm is read from a text, such as 'alphabeta(depth=8)', not {shown(text)}"
        )
    quoted = excerpt(text)
    try:
        call = parse_call(text)
    except CallError:
        raise AlgorithmError(f"not an algorithm: {shown(text)}; write it {example}") from None
    name = call.name
    if name in PRUNINGS:
        how = f"expectimax(depth=6, pruning={shown(name)})"
        raise AlgorithmError(f"{name} is a pruning at chance nodes, not an algorithm; write {how}")
    if name in _STRATEGIES:
        raise AlgorithmError(f"{name} is a strategy, not an algorithm")
    if name not in ALGORITHMS:
        raise AlgorithmError(f"no algorithm is called {shown(name)}; {choice(name, ALGORITHMS)}")
    takes = SPECIAL.get(name, f"a depth, {example}")
    try:
        return call.to(ALGORITHMS[name])
    except AlgorithmError as error:
        raise AlgorithmError(f"{quoted}: {error}") from None
    except CallError as error:
        raise AlgorithmError(f"{quoted}: {error}; {name} takes {takes}") from None
    except (TypeError, ValueError):
        if name not in SPECIAL:
            takes = f"a depth from 0 to {SEARCH_PLIES:,}, written out, {example}"
        raise AlgorithmError(f"{quoted}: {name} takes {takes}") from None


def algorithm_of(algorithm: Any) -> Any:
    """Return an algorithm, read from text if a text is given.

    Raises: AlgorithmError, one line.

    >>> algorithm_of("pvs(6)"), algorithm_of(parse_algorithm("pvs(6)"))
    (pvs(depth=6), pvs(depth=6))
    """
    return parse_algorithm(algorithm) if isinstance(algorithm, str) else algorithm
