"""List strategies, the partial orders of searches, on lists of values."""

from __future__ import annotations

from typing import Any

from strategies.algebra.strategy import Strategy, unfolded
from strategies.values.basic import r0
from strategies.values.containers_of import rebuilt
from strategies.values.eval import Evaluator
from strategies.values.parallel import elements


def evaluate_list(thread: Evaluator, xs: Any, s: Strategy) -> Any:
    """Evaluate the elements of a list by a partial order, each spark in a new thread.

    Ensures: a group starts when all elements before its `after` are known, with their sparks.
    Inside a group, and between steps, an element does not wait for the sparks of the one before.
    """
    held = elements(s, xs)
    layer = unfolded(s, "list", len(held))
    pairs = list(zip(held, layer.inner, strict=True))
    record, edges = thread.record, {g.after for g in layer.groups}
    known: dict[int, frozenset[Any]] = {0: frozenset()}
    front: set[Any] = set()  # what to wait for when all elements so far are to be known
    out: list[Any] = []
    for g, spark in zip(layer.groups, layer.sparks, strict=True):

        def row(
            t: Evaluator, part: list[tuple[Any, Strategy]] = pairs[g.start : g.stop]
        ) -> list[Any]:
            return [t.evaluate(x, inner) for x, inner in part]

        before = known[g.after]
        if spark:
            thread.close()
            ahead = any(inner != r0 for _, inner in pairs[g.start : g.stop])
            new, ends = thread.spark(row, record.joined(thread.after, before), ahead)
            front.difference_update(before, *(record.place[k].after for k in ends))
            front |= ends
        else:
            thread.wait(before)
            new = row(thread)
            front = set()  # the thread has waited for all elements before
        if g.stop in edges:
            known[g.stop] = frozenset(front)
        out += new
    return rebuilt(xs, out)
