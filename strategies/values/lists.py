"""List strategies, the partial orders of searches, on lists of values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strategies.groups import sparks
from strategies.strategy import Strategy
from strategies.values.containers import elements
from strategies.values.shape import rebuilt

if TYPE_CHECKING:
    from strategies.values.thread import Thread


def evaluate_list(thread: Thread, xs: Any, s: Strategy) -> Any:
    """The elements of a list by a partial order: a group that is a spark has a thread of its own.

    Ensures: a group starts when all elements before its `after` are known, with their sparks; only
    within a group, and between steps, an element does not wait for what the one before sparks.
    """
    held = elements(s, xs)
    layer = s.unfold("list", len(held))
    pairs = list(zip(held, layer.inner, strict=True))
    known: dict[int, frozenset[Any]] = {0: frozenset()}
    out: list[Any] = []
    for g, spark in zip(layer.groups, sparks(layer.groups), strict=True):

        def row(t: Thread, part: list[tuple[Any, Strategy]] = pairs[g.start : g.stop]) -> list[Any]:
            return [t.evaluate(x, inner) for x, inner in part]

        before = known[g.after]
        if spark:
            thread.close()
            new, ends = thread.spark(row, thread.record.joined(thread.after, before))
            known[g.stop] = thread.record.joined(known[g.start] - before, ends)
        else:
            thread.wait(before)
            new = row(thread)
            known[g.stop] = frozenset()  # the thread has waited for all before
        out += new
    return rebuilt(xs, out)
