"""Visit the branches of a node one after the other, with the windows that a strategy defines.

Everything that follows a strategy inside one task uses this: the search, the trace, the drawn tree,
the replayed visits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, Self, TypeVar

from strategies.algebra.groups import Group, Window, sparks
from strategies.algorithms.fold import Fold, Interval, Searched, intersect

Found = TypeVar("Found")
Taken = TypeVar("Taken", contravariant=True)


class NodeFold(Protocol[Taken]):
    """The protocol of a fold over a node's branches."""

    def with_child(self, branch: Taken, /) -> Self:
        """Fold one more branch into the node."""

    def settled(self, test: Taken, /) -> bool:
        """Return whether a null-window test of a branch already says all that the node needs."""


Node = TypeVar("Node", bound=NodeFold[Any])


def visit(
    groups: Sequence[Group], entered: Node, search: Callable[[int, Node, Found | None], Found],
    test: Callable[[int, Node], Found], cut: Callable[[Node], bool] | None = None,
) -> Node:  # fmt: skip
    """Fold over the branches of a node in order, each with the window of its group.

    ``test(i, node)`` searches branch i with a null window; ``search(i, node, tested)`` searches its
    value, where `tested` is the result of an earlier test.  If the branches run in order and
    ``cut(node)`` returns that the window is closed, the later branches are cut off.
    """
    prefix = [entered]
    for g, sparked in zip(groups, sparks(tuple(groups)), strict=True):
        local = prefix[
            g.start if g.window is Window.LIVE else g.after
        ]  # the branches known by then
        for i in range(g.start, g.stop):
            if g.window is Window.ZERO:
                result = test(i, local)
                if not prefix[i].settled(result):
                    result = search(i, prefix[i], result)
            else:
                result = search(i, local, None)
                local = local.with_child(result)
            prefix.append(prefix[i].with_child(result))
            if cut is not None and not sparked and g.after == g.start and cut(local):
                return local
    return prefix[-1]


def in_order(
    groups: Sequence[Group], entered: Fold, chances: Sequence[float],
    branch: Callable[[int, Interval], Searched],
) -> Fold:  # fmt: skip
    """Fold over the results of `branch` for each branch, with the window of its group."""

    def search(i: int, node: Fold, tested: Searched | None) -> Searched:
        result = branch(i, node.child_window(chances[i]))
        return (
            result
            if tested is None
            else result._replace(interval=intersect(tested.interval, result.interval))
        )

    return visit(groups, entered, search, lambda i, node: branch(i, node.null_window()))
