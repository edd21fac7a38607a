"""Read algorithms from text, without running code."""

from __future__ import annotations

from typing import Any

from games.game import DEEPEST
from graphs.arguments import choice, excerpt, shown
from graphs.errors import ArgumentError
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.names import ALGORITHMS
from strategies.algorithms.with_chance import PRUNINGS
from strategies.notation.calls import CallError, parse_call
from strategies.notation.strategies import NAMES

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
    if name in NAMES:
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
            takes = f"a depth from 0 to {DEEPEST:,}, written out, {example}"
        raise AlgorithmError(f"{quoted}: {name} takes {takes}") from None


def algorithm_of(algorithm: Any) -> Any:
    """Return an algorithm, read from text if a text is given.

    Raises: AlgorithmError, one line.

    >>> algorithm_of("pvs(6)"), algorithm_of(parse_algorithm("pvs(6)"))
    (pvs(depth=6), pvs(depth=6))
    """
    return parse_algorithm(algorithm) if isinstance(algorithm, str) else algorithm
