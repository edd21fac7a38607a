"""Describe in words the groups of a layer, rows of numbers, and counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from strategies.algebra.groups import Window
from strategies.algebra.strategy import Layer, Strategy

How = Callable[[Window, bool, int, int, str], str]
"""A function that describes like groups: their window, whether they are sparks, the number of
groups, the number of branches in each, and the branches that come before them."""
_PLURAL = {"branch": "branches"}


def layer_lines(
    layer: Layer, how: How, noun: str = "branch", idle: Strategy | None = None
) -> list[str]:
    """Describe the groups of a layer, and count its sparks and steps.

    Elements evaluated by `idle` are neither, because they are left to Dask.
    """
    lines: list[str] = []
    groups = layer.groups
    left = [all(s == idle for s in layer.inner[g.start : g.stop]) for g in groups]
    sparked = [s and not idles for s, idles in zip(layer.sparks, left, strict=True)]
    k = 0
    while k < len(groups):
        g, end = groups[k], k + 1
        single = g.stop - g.start == 1
        if sparked[k] and single:  # neighbours that differ only in their place share a line
            while (
                end < len(groups)
                and sparked[end]
                and groups[end][2:] == g[2:]
                and (groups[end].stop - groups[end].start == 1)
            ):
                end += 1
        while left[k] and end < len(groups) and left[end]:
            end += 1
        who = numbered(range(g.start, groups[end - 1].stop), noun)
        if left[k]:
            is_ = "is" if groups[end - 1].stop - g.start == 1 else "are"
            lines.append(f"    {who} {is_} left to Dask;")
            k = end
            continue
        before = numbered(range(g.after), noun) if g.after else ""
        then = "then " if g.after and g.after >= g.start else ""
        if k and sparked[k] and sparked[k - 1] and g.after == groups[k - 1].after:
            then = "at the same time, "
        lines.append(
            f"    {then}{who} {how(g.window, sparked[k], end - k, g.stop - g.start, before)};"
        )
        k = end
    spark_count = sum(sparked)
    steps = len(groups) - spark_count - sum(left)
    lines.append(f"    {plural(spark_count, 'spark')}, {plural(steps, 'step')}.")
    return lines


def numbered(which: Sequence[int], noun: str) -> str:
    """Return the text for a selection of numbered things.

    >>> numbered([1, 2], "branch"), numbered(range(3), "task"), numbered([0, 2, 3], "task")
    ('branches 1 and 2', 'tasks 0 to 2', 'tasks 0, 2, 3')
    """
    which = list(which)
    if len(which) == 1:
        return f"{noun} {which[0]}"
    nouns = _PLURAL.get(noun, f"{noun}s")
    if len(which) == 2:
        return f"{nouns} {which[0]} and {which[1]}"
    if which == list(range(which[0], which[-1] + 1)):
        return f"{nouns} {which[0]} to {which[-1]}"
    return f"{nouns} " + ", ".join(map(str, which))


def plural(n: int, noun: str) -> str:
    """Return the text of a count.

    >>> plural(1, "task"), plural(1234, "worker")
    ('1 task', '1,234 workers')
    """
    return f"{n:,} {noun}" + "s" * (n != 1)
