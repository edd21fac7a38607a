"""The hooks of trees that are no games, and what a search uses in the place of an absent one.

- ``measure(state)``, ``combine(first, second)``: a fold over all nodes; by default, their number.
- ``sorted_bounds``: whether upper bounds never rise from one branch of a node to the next.
"""

from __future__ import annotations

from typing import Any

from games.search_tree import SearchTree
from strategies.native.hooks import defines


def measure_of(game: Any, state: Any) -> Any:
    """Return what a node adds to a fold over a tree; 1 for a game that does not say."""
    return game.measure(state) if defines(game, "measure") else 1


def combined_of(game: Any, first: Any, second: Any) -> Any:
    """Combine two results of a fold over a tree; numbers are added for a game that does not say."""
    return game.combine(first, second) if defines(game, "combine") else first + second


def asks_status(game: Any) -> bool:
    """Return whether status is asked before branches are generated: a constant in compiled code.

    It must be if they may be generated only of a position that is known to be in play.  `moves` has
    none for others; a tree may have a status that is faster to ask, but by default looks at them.
    """
    generic = type(game).status is SearchTree.status
    return not generic or defines(game, "children") or defines(game, "moves_in_play")


def sorted_bounds(game: Any) -> bool:
    """Return whether upper bounds never rise from branch to branch: a constant in compiled code."""
    return bool(getattr(game, "sorted_bounds", False))
