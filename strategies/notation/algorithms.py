"""Read algorithms from text, without running code."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

from strategies.algebra.decimals import lost
from strategies.algorithms.algorithm import (
    DEEPEST,
    LINE,
    PRUNINGS,
    Algorithm,
    alphabeta,
    expectimax,
    maxn,
    minimax,
    mtdf,
    paranoid,
    pvs,
)
from strategies.algorithms.errors import AlgorithmError

ALGORITHMS: dict[str, Callable[..., Algorithm]] = {
    "minimax": minimax,
    "alphabeta": alphabeta,
    "expectimax": expectimax,
    "pvs": pvs,
    "mtdf": mtdf,
    "maxn": maxn,
    "paranoid": paranoid,
}


MONTE_CARLO = "simulations, as in mcts(simulations=10000)"


def _makers() -> dict[str, Callable[..., Any]]:
    """What makes each algorithm, by its name in a text."""
    from strategies.algorithms.monte_carlo import mcts

    return {**ALGORITHMS, "mcts": mcts}


def parse_algorithm(text: str) -> Any:
    """The algorithm that a text such as ``alphabeta(depth=8)`` describes; no code is run.

    Ensures: an `Algorithm`, or the `MonteCarlo` that ``mcts(…)`` makes.

    Raises: AlgorithmError, one line.

    >>> parse_algorithm("alphabeta(8)")
    alphabeta(depth=8)
    """
    import ast

    example = "as in alphabeta(depth=8)"
    source = text.strip()
    text = text if len(text) <= LINE else text[:LINE] + "…"
    try:
        call = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise AlgorithmError(f"not an algorithm: {text!r}; write it {example}") from None
    match call:
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            pass
        case ast.Name(id=name):
            args, keywords = [], []
        case _:
            raise AlgorithmError(f"not an algorithm: {text!r}; write it {example}")
    makers = _makers()
    if name in PRUNINGS:
        how = f"expectimax(depth=6, pruning={name!r})"
        raise AlgorithmError(f"{name} is a way to prune at chance nodes: write it as in {how}")
    if name not in makers:
        raise AlgorithmError(f"no algorithm is called {name!r}; there are {', '.join(makers)}")
    takes = MONTE_CARLO if name == "mcts" else f"a depth, {example}"
    named = [k.arg or "**" for k in keywords]
    twice = [k for k in named if named.count(k) > 1]
    if twice:
        raise AlgorithmError(f"{text}: {twice[0]} is given twice")
    try:
        signature(makers[name]).bind(*args, **dict.fromkeys(named))
    except TypeError as error:
        raise AlgorithmError(f"{text}: {error}; {name} takes {takes}") from None

    def literal(value: ast.expr, named: str = "") -> Any:
        for node in ast.walk(value):
            if isinstance(node, ast.Constant) and isinstance(node.value, float):
                written = ast.get_source_segment(source, node) or "0"
                if lost(written):
                    raise AlgorithmError(f"{named}{written} is too small for a float")
        try:
            return ast.literal_eval(value)
        except (TypeError, ValueError):
            why = f"{named}{ast.unparse(value)} is not a number, or a text in quotes"
            raise AlgorithmError(f"{why}; {name} takes {takes}") from None

    try:
        return makers[name](
            *(literal(a) for a in args),
            **{str(k.arg): literal(k.value, f"{k.arg}: ") for k in keywords},
        )
    except AlgorithmError as error:
        raise AlgorithmError(f"{text}: {error}") from None
    except (TypeError, ValueError):
        if name != "mcts":
            takes = f"a depth from 0 to {DEEPEST}, written out, {example}"
        raise AlgorithmError(f"{text}: {name} takes {takes}") from None
