"""Search algorithms: what to compute at a node.  How it is evaluated is a strategy's business."""

from __future__ import annotations

from typing import Any

from attrs import evolve, field, frozen

from games import Game

DEEPEST = 400
"""The greatest depth of a search: a deeper recursion could outgrow a thread's stack."""


class AlgorithmError(ValueError):
    """An algorithm that makes no sense, or not for this game."""


def _depth(_instance: object, _attribute: object, value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= DEEPEST:
        raise AlgorithmError(f"depth is a whole number from 0 to {DEEPEST}, not {value!r}")


@frozen(repr=False)
class Algorithm:
    """A node rule and the depth in plies to which it is applied; chance counts as a ply."""

    name: str
    depth: int = field(validator=_depth)
    narrows: bool = True
    """Whether windows narrow: False visits every node."""
    nearer_wins: bool = True
    """Whether of two forced wins the nearer is chosen (and of two forced losses the later)."""

    def __repr__(self) -> str:
        more = "" if self.nearer_wins else ", nearer_wins=False"
        return f"{self.name}(depth={self.depth}{more})"

    def at_depth(self, depth: int) -> Algorithm:
        """The same rule at another depth."""
        return evolve(self, depth=depth)

    def check(self, game: Game[Any, Any]) -> None:
        """Raises AlgorithmError if this algorithm would be wrong for `game`."""
        if game.players > 2:
            raise AlgorithmError(
                f"{self.name} is for one or two players whose interests are opposed; "
                f"{type(game).__name__} has {game.players} players"
            )


def minimax(depth: int, *, nearer_wins: bool = True) -> Algorithm:
    """Every branch of every node: maxima, minima, and means at chance nodes.

    >>> minimax(4)
    minimax(depth=4)
    """
    return Algorithm("minimax", depth, False, nearer_wins)


def alphabeta(depth: int, *, nearer_wins: bool = True) -> Algorithm:
    """Fail-soft alpha-beta; a window never passes through a chance node (a closed one does).

    Source: Knuth and Moore, An Analysis of Alpha-Beta Pruning (1975).

    >>> alphabeta(depth=8, nearer_wins=False)
    alphabeta(depth=8, nearer_wins=False)
    """
    return Algorithm("alphabeta", depth, True, nearer_wins)


def expectimax(depth: int, *, nearer_wins: bool = True) -> Algorithm:
    """Every branch of every node, means at chance nodes: minimax is its case without chance."""
    return Algorithm("expectimax", depth, False, nearer_wins)


ALGORITHMS = {"minimax": minimax, "alphabeta": alphabeta, "expectimax": expectimax}


def parse_algorithm(text: str) -> Algorithm:
    """The algorithm that a text such as ``alphabeta(depth=8)`` describes; no code is run.

    Raises: AlgorithmError, one line.

    >>> parse_algorithm("alphabeta(8)")
    alphabeta(depth=8)
    """
    import ast

    example = "as in alphabeta(depth=8)"
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise AlgorithmError(f"not an algorithm: {text!r}; write it {example}") from None
    match call:
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            pass
        case ast.Name(id=name):
            args, keywords = [], []
        case _:
            raise AlgorithmError(f"not an algorithm: {text!r}; write it {example}")
    if name not in ALGORITHMS:
        raise AlgorithmError(f"no algorithm is called {name!r}; there are {', '.join(ALGORITHMS)}")
    try:
        return ALGORITHMS[name](
            *(ast.literal_eval(a) for a in args),
            **{str(k.arg): ast.literal_eval(k.value) for k in keywords},
        )
    except AlgorithmError as error:
        raise AlgorithmError(f"{text}: {error}") from None
    except (TypeError, ValueError):
        raise AlgorithmError(f"{text}: {name} takes a depth, {example}") from None
