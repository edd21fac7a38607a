"""Explain in words what a strategy makes happen before what."""

from __future__ import annotations

from games.integers import check_integers
from strategies.algebra.by_node import Budget, ByKind
from strategies.algebra.drivers import Driver
from strategies.algebra.groups import Window, sparks
from strategies.algebra.strategy import (
    Everywhere,
    Kind,
    Layer,
    Live,
    Strategy,
    ToPly,
    ToSize,
    seq,
    unfolded,
)
from strategies.values.for_search import for_search


def explain(strategy: Strategy | Driver, branches: int = 6) -> str:
    """Explain what `strategy` makes happen before what, on a node with so many branches.

    Requires: branches >= 0.
    Ensures: plain text; every line is a fact of the strategy's groups, not of its name.  (A
    shared-table search has no groups: it is described in a few words.)  At the nodes that a plan
    opens, its sparks are the ledger's: `asked`, of which those at a node above another opened one
    are `opened`, the others `attempts`.

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
    if isinstance(strategy, Driver):
        return strategy.explained
    strategy = for_search(strategy)
    lines = [f"{strategy!r}, on a node with {branches} branches (0 to {branches - 1}):"]
    if isinstance(strategy, ByKind):
        for kind, whose in _KINDS.items():
            lines += _plies(strategy, kind, branches, f" at {whose} nodes")
    else:
        lines += _plies(strategy, "max", branches, "")
    return "\n".join(lines)


_KINDS: dict[Kind, str] = {"max": "Maxie's", "min": "Minnie's", "chance": "chance"}
_SEQ = "seq: one task searches all branches in order, each seeing all earlier results."


def _plies(strategy: Strategy, kind: Kind, n: int, where: str) -> list[str]:
    if strategy == seq:
        return [f"  at every ply{where}: {_SEQ}"]
    if isinstance(strategy, Everywhere):
        if strategy.plies == 0:
            return [
                f"  everywhere{where}: one task, with these windows:",
                *_layer(unfolded(strategy, kind, n)),
            ]
        at = "every interior node" if strategy.plies is None else _first(strategy.plies)
        lines = [f"  at {at}{where}:", *_layer(unfolded(strategy, kind, n))]
        if strategy.plies is not None:
            lines.append(
                "  below: the same windows and the same nodes, but inside one task: no sparks."
            )
        return lines
    if isinstance(strategy, ToSize):
        at = f"every node below which {strategy.nodes:,} nodes or more are expected"
        return [f"  at {at}{where}:", *_layer(strategy.unfold(kind, n)), f"  below: {_SEQ}"]
    if isinstance(strategy, ToPly):
        return [
            f"  at {_first(strategy.plies)}{where}:",
            *_layer(unfolded(strategy, kind, n)),
            *_below(strategy.inner, kind, n),
        ]
    layer = unfolded(strategy, kind, n)
    lines = [f"  at ply 0{where}:", *_layer(layer)]
    inner = sorted(set(layer.inner), key=layer.inner.index)
    if len(inner) == 1:
        return lines + _below(inner[0], kind, n)
    for s in inner:
        who = [i for i, t in enumerate(layer.inner) if t == s]
        lines.append(f"  below {_branches(who)}: {_SEQ if s == seq else repr(s)}")
    return lines


def _first(plies: int) -> str:
    return {1: "ply 0", 2: "plies 0 and 1"}.get(plies, f"plies 0 to {plies - 1}")


def _below(inner: Strategy, kind: Kind, n: int) -> list[str]:
    if inner == seq:
        return [f"  below: {_SEQ}"]
    if isinstance(inner, (Live, Budget, Everywhere, ToPly, ToSize, ByKind)):
        return [f"  below: {inner!r}."]
    return ["  below, at each branch:", *("  " + line for line in _plies(inner, kind, n, ""))]


def _layer(layer: Layer) -> list[str]:
    lines: list[str] = []
    groups, sparked = layer.groups, sparks(layer.groups)
    k = 0
    while k < len(groups):
        g, end = groups[k], k + 1
        single = g.stop - g.start == 1
        if sparked[k] and single:  # neighbours that differ only in their place are told together
            while (
                end < len(groups)
                and sparked[end]
                and groups[end][2:] == g[2:]
                and (groups[end].stop - groups[end].start == 1)
            ):
                end += 1
        who = _branches(range(g.start, groups[end - 1].stop))
        before = _branches(range(g.after)) if g.after else ""
        then = "then " if g.after and g.after >= g.start else ""
        lines.append(
            f"    {then}{who} {_how(g.window, sparked[k], end - k, g.stop - g.start, before)};"
        )
        k = end
    spark_count = sum(sparked)
    lines.append(f"    {_many(spark_count, 'spark')}, {_many(len(groups) - spark_count, 'step')}.")
    return lines


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


def _branches(which: range | list[int]) -> str:
    which = list(which)
    if len(which) == 1:
        return f"branch {which[0]}"
    if len(which) == 2:
        return f"branches {which[0]} and {which[1]}"
    if which == list(range(which[0], which[-1] + 1)):
        return f"branches {which[0]} to {which[-1]}"
    return "branches " + ", ".join(map(str, which))


def _many(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
