"""Groups: which branches of a node share a task, and what each task waits for.

A list strategy over n branches denotes a row of groups ``(start, stop, after)``: branches
start…stop run left to right in one task, which starts when branches 0…after are known.  What
happens before a group is thus a prefix of the branches, so the left fold over the branches already
holds every window that is needed.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Window(Enum):
    """How the task of a group gets its window."""

    FIXED = "fixed"
    """From exactly what happens before: the same nodes on every run."""
    LIVE = "live"
    """Read when the task starts, from cells that its siblings share."""
    ZERO = "zero"
    """A zero window: a test whether the branch can take the lead at all."""


class Group(NamedTuple):
    """Branches start…stop, in order in one task, once branches 0…after are known."""

    start: int
    stop: int
    after: int
    window: Window = Window.FIXED


def sparks(groups: tuple[Group, ...]) -> tuple[bool, ...]:
    """Which groups are sparks: those unordered with some other group; the others are steps.

    >>> sparks((Group(0, 2, 0), Group(2, 3, 2), Group(3, 4, 2)))
    (False, True, True)
    """
    return tuple(
        g.after < g.start or (k + 1 < len(groups) and groups[k + 1].after < g.stop)
        for k, g in enumerate(groups)
    )


def normal(groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """One form for each order.

    Ensures: neighbours that are totally ordered with all the rest are one group, and only a spark,
    which alone has something to gain from it, has a live window.

    >>> normal((Group(0, 1, 0), Group(1, 3, 1)))
    (Group(start=0, stop=3, after=0, window=<Window.FIXED: 'fixed'>),)
    """
    out: list[Group] = []
    last_is_step = False
    for g, spark in zip(groups, sparks(groups), strict=True):
        if not spark and g.window is Window.LIVE:
            g = g._replace(window=Window.FIXED)
        if last_is_step and not spark and out[-1].window is g.window is Window.FIXED:
            g = out.pop()._replace(stop=g.stop)
        out.append(g)
        last_is_step = not spark
    return tuple(out)


def happens_before(groups: tuple[Group, ...]) -> frozenset[tuple[int, int]]:
    """The pairs (i, j) such that branch j starts only when branch i is known.

    >>> sorted(happens_before((Group(0, 1, 0), Group(1, 2, 1), Group(2, 3, 1))))
    [(0, 1), (0, 2)]
    """
    return frozenset(
        (i, j)
        for g in groups
        for j in range(g.start, g.stop)
        for i in (*range(g.after), *range(g.start, j))
    )
