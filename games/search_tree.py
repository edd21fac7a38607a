"""Trees that are no games: nodes and branches, to be counted, searched for a leaf, or optimised."""

from __future__ import annotations

from typing import Any

from games.game import MAXIE, Game, M, S, Status


class SearchTree(Game[S, M]):
    """A tree whose nodes are made on demand: a game of one player, with less to write.

    Required: `start`, the root; `moves`, the branches of a node; `make_move`, the node that a
    branch leads to.  A node without branches is a leaf.
    To fold over all nodes: `measure`, `combine`.  To find a best leaf: `utility`, its value, and
    `bounds`, a pair between which the values of all leaves below a node lie.
    `status` costs a look at the first branch: define it where that is slow.

    >>> from attrs import frozen
    >>> from strategies import enumeration, search
    >>> @frozen
    ... class Subsets(SearchTree):
    ...     size: int
    ...     def start(self):
    ...         return ()
    ...     def moves(self, chosen):
    ...         yield from range(chosen[-1] + 1 if chosen else 0, self.size)
    ...     def make_move(self, chosen, element):
    ...         return (*chosen, element)
    >>> search(Subsets(4), enumeration()).compute().value
    16
    """

    players = 1
    sorted_bounds: bool = False
    """Whether upper bounds never rise from one branch of a node to the next, so that all later
    branches may be cut off with the first one that is too low."""

    def status(self, state: S) -> Status:
        """Return whether the node has branches."""
        for _ in self.moves(state):
            return Status.IN_PLAY
        return Status.OVER

    def player(self, state: S) -> int:
        """Return the only player."""
        return MAXIE

    def estimate(self, state: S) -> float:
        """Return the value of a node that is not expanded; by default, as if it were a leaf."""
        return self.utility(state)

    def measure(self, state: S) -> Any:
        """Return what a node adds to the fold over the tree: 1, to count nodes."""
        return 1

    def combine(self, first: Any, second: Any) -> Any:
        """Combine two results of the fold; the first comes from nodes further left.

        Requires: it is associative, since subtrees are folded apart.
        """
        return first + second
