"""Explain in words in which order a strategy searches branches, and which are sparks."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from graphs.arguments import check_integers
from strategies.algebra.by_node import Budget, ByKind, Deal
from strategies.algebra.drivers import Driver
from strategies.algebra.groups import Window
from strategies.algebra.strategy import Kind, Layer, Modified, Strategy, seq, unfolded
from strategies.algebra.wording import layer_lines, numbered
from strategies.support.printing import Text
from strategies.values.for_search import check_using, for_search

if TYPE_CHECKING:
    from strategies.values.evaluated import EvaluatedGraph


def explain(strategy: Strategy | Driver | EvaluatedGraph, branches: int = 6) -> Text:
    """Explain in which order `strategy` searches the branches of a node, and which are sparks.

    For an `EvaluatedGraph`, which `using` returns, it explains the strategy on those values and the
    resulting tasks.

    Requires: branches >= 0, the number of branches of the node.
    Ensures: plain text, which a notebook shows line by line.  Every line is derived from the groups
    of the strategy, not from its name; a driver has no groups, so its text is fixed.  At the nodes
    that a plan opens, the sparks are counted in the ledger as `asked`: `opened` if the spark's node
    is opened too, `attempts` otherwise.

    >>> from strategies import jamboree
    >>> print(explain(jamboree(0.5).to_ply(1), branches=4))
    jamboree(0.5).to_ply(1), on a node with 4 branches (0 to 3):
      at ply 0:
        branches 0 and 1 run in order, each seeing the results of those before it;
        then branches 2 and 3 are sparks, each with the window that branches 0 and 1 leave;
        2 sparks, 1 step.
      below: seq: one task searches all branches in order, each seeing all earlier results.
    """
    check_integers(0, branches=branches)
    return Text(_explained(strategy, branches))


def _explained(strategy: Strategy | Driver | EvaluatedGraph, branches: int) -> str:
    if isinstance(strategy, Driver):
        return strategy.explained
    if not isinstance(strategy, Strategy):
        from strategies.values.evaluated import EvaluatedGraph
        from strategies.values.evaluation_text import explained

        if isinstance(strategy, EvaluatedGraph):
            return explained(strategy)
    check_using(strategy)
    strategy = for_search(strategy)
    many = f"{branches} branches (0 to {branches - 1})"
    if branches < 2:
        many = "1 branch (0)" if branches else "0 branches"
    lines = [f"{strategy!r}, on a node with {many}:"]
    order = strategy.body if isinstance(strategy, Modified) else strategy
    by_mover = isinstance(order, ByKind) or (isinstance(order, Budget) and order.at_max)
    for kind, where in (_KINDS if by_mover else _ANY).items():
        lines += _plies(strategy, kind, branches, where)
    return "\n".join([*lines, *[_JOINED] * strategy.is_joined])


_ANY: dict[Kind, str] = {"max": ""}
_KINDS: dict[Kind, str] = {
    "max": " where Maxie moves", "min": " where Minnie moves", "chance": " where chance decides",
}  # fmt: skip
_JOINED = (
    "  joined: a worker without a task joins a running task, and defers the branches that another "
    "worker is searching."
)
_SEQ = "seq: one task searches all branches in order, each seeing all earlier results."


def _plies(strategy: Strategy, kind: Kind, n: int, where: str) -> list[str]:
    if strategy.is_plain:
        return [f"  at every ply{where}: {_SEQ}"]
    layer = unfolded(strategy, kind, n)
    if isinstance(strategy, Modified) and _repeats(strategy, layer):
        return _repeated(strategy, layer, kind, n, where)
    lines = [f"  at ply 0{where}:", *_layer(layer)]
    inner = sorted(set(layer.inner), key=layer.inner.index)
    if len(inner) == 1:
        return lines + _below(inner[0], kind, n)
    for s in inner:
        who = [i for i, t in enumerate(layer.inner) if t == s]
        lines.append(f"  below {numbered(who, 'branch')}: {_SEQ if s == seq else _said(s)}")
    return lines


def _repeats(strategy: Modified, layer: Layer) -> bool:
    """Return whether a strategy orders the nodes of all its plies alike."""
    alike = (isinstance(s, Modified) and s.body == strategy.body for s in layer.inner)
    return strategy.plies == 1 or (strategy.plies is not None and all(alike))


def _repeated(strategy: Modified, layer: Layer, kind: Kind, n: int, where: str) -> list[str]:
    plies, grain, least = strategy.plies or inf, strategy.spark_plies, strategy.least
    at = "every interior node" if (most := min(plies, grain or inf)) == inf else _first(most)
    if least is not None:
        of = "" if most == inf else f" of {at}"
        at = f"every node{of} below which {least:,} nodes or more are expected"
    how = " one task, with these windows:" if grain == 0 else ""
    lines = [f"  at {at}{where}:{how}", *_layer(layer)]
    if grain and grain < plies:
        to = "" if plies == inf else f", to ply {plies - 1}"
        same = "the same windows and the same nodes, but inside one task: no sparks."
        lines.append(f"  below{to}: {same}")
    return lines + (_below(strategy.below, kind, n) if plies < inf or least is not None else [])


def _first(plies: float) -> str:
    names = {1.0: "ply 0", 2.0: "plies 0 and 1"}
    return names.get(plies, f"plies 0 to {plies - 1}")


def _below(inner: Strategy, kind: Kind, n: int) -> list[str]:
    if inner == seq:
        return [f"  below: {_SEQ}"]
    if isinstance(inner, (Budget, ByKind, Modified)):
        return [f"  below: {_said(inner)}."]
    return ["  below, at each branch:", *("  " + line for line in _plies(inner, kind, n, ""))]


_DEALT: dict[Deal, str] = {
    "even": "an equal part of the threads",
    "rest": "the threads that are left when every branch has one",
    "whole": "all threads",
}


def _said(inner: Strategy) -> str:
    """Return the text of an inner strategy; of a budget, with the threads of each branch."""
    if not isinstance(inner, Budget):
        return repr(inner)
    each = f"{inner!r}, where each branch gets {_DEALT[inner.deal]}"
    return each if inner.at_max is None else f"{each}; where Maxie moves, {_DEALT[inner.at_max]}"


def _layer(layer: Layer) -> list[str]:
    return layer_lines(layer, _how)


def _how(window: Window, sparked: bool, together: int, size: int, before: str) -> str:
    if not sparked:
        return (
            "run in order, each seeing the results of those before it"
            if size > 1
            else "runs by itself"
        )
    noun = (
        "are sparks, each"
        if together > 1
        else "is a spark"
        if size == 1
        else "are one spark, in order inside it,"
    )
    if window is Window.LIVE:
        known = "is known" if before.startswith("branch ") else "are known"
        wait = f"started once {before} {known} and " if before else ""
        return f"{noun} {wait}reading its window when it starts, from all that is known then"
    if window is Window.ZERO:
        test = f"{noun} tested with a null window after {before}"
        return f"{test}; those that pass are searched again, in order"
    if not before:
        return f"{noun} with the window of the node"
    leave = "leaves" if before.startswith("branch ") else "leave"
    return f"{noun} with the window that {before} {leave}"
