"""Groups: which branches of a node share a task, and which branches each task waits for.

A list strategy over n branches denotes a row of groups ``(start, stop, after)``: branches
start…stop run left to right in one task, which starts when branches 0…after are known.  The
branches before a group are thus a prefix, so the left fold over the branches has every window.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from enum import Enum
from itertools import islice
from typing import NamedTuple

from graphs.arguments import shown as short
from graphs.errors import JamboreeError


class Window(Enum):
    """The source of the search window of a group's task."""

    FIXED = "fixed"
    """Exactly the results that the group waits for: the same nodes on every run."""
    LIVE = "live"
    """All results known when the task starts, read from cells that siblings share."""
    ZERO = "zero"
    """A null window, which tests whether the branch is better than those before."""


class Group(NamedTuple):
    """Branches start…stop, searched in order in one task, after branches 0…after are known."""

    start: int
    stop: int
    after: int
    window: Window = Window.FIXED


def sparks(groups: tuple[Group, ...]) -> tuple[bool, ...]:
    """Return which groups are sparks: those unordered with some other group; the rest are steps.

    >>> sparks((Group(0, 2, 0), Group(2, 3, 2), Group(3, 4, 2)))
    (False, True, True)
    """
    out: list[bool] = []
    least = groups[-1].stop if groups else 0  # the least `after` of the later groups
    for g in reversed(groups):
        out.append(g.after < g.start or least < g.stop)
        least = min(least, g.after)
    return tuple(reversed(out))


def after_known(groups: tuple[Group, ...], known: int) -> tuple[Group, ...]:
    """Return the groups shifted by `known` branches, which take the place of the eldest.

    >>> after_known((Group(0, 1, 0), Group(1, 2, 1), Group(2, 3, 1)), 2)[1:]
    (Group(start=3, stop=4, after=3, window=<Window.FIXED: 'fixed'>), \
Group(start=4, stop=5, after=3, window=<Window.FIXED: 'fixed'>))
    """
    places = [i and i + known for i in range(groups[-1].stop + 1)]
    return tuple(Group(places[g.start], places[g.stop], places[g.after], g.window) for g in groups)


def normal(groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """Return the normal form of groups, which is unique for each partial order.

    Ensures: neighbours that are totally ordered with all the rest are one group; only a spark has a
    live window, because no other group gains from it.

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


class GroupsError(JamboreeError, ValueError):
    """Raised if groups are not a partial order of the branches; the message names a branch."""


def whole(groups: object, n: int) -> tuple[Group, ...]:
    """Check that groups cover n branches, and return their normal form.

    Requires: an iterable of groups, which may be endless.
    Ensures: each branch is in one group; each group waits for whole groups before it, or for none.
    Raises: GroupsError.

    >>> whole([Group(0, 1, 0), Group(1, 2, 0)], 3)
    Traceback (most recent call last):
        ...
    strategies.algebra.groups.GroupsError: branch 2 is in no group: the last group stops at 3,
    not at 2
    """
    if not isinstance(groups, Iterable):
        raise GroupsError(f"groups must be a tuple of Group, not {short(groups)}")
    row = tuple(islice(groups, n + 1))
    edges = [0]
    for g in row:
        fault = _fault(g, edges, n)
        if fault:
            raise GroupsError(fault)
        edges.append(g.stop)
    if edges[-1] < n:
        at = edges[-1]
        raise GroupsError(f"branch {at} is in no group: the last group stops at {n}, not at {at}")
    return normal(row)


def _fault(g: object, edges: list[int], n: int) -> str:
    """Return what is wrong with a group that follows those that stop at `edges`; "" if nothing."""
    at = edges[-1]
    if not isinstance(g, Group):
        return f"for branch {at} there is {short(g)}: a group is Group(start, stop, after)"
    for name, number in zip(("start", "stop", "after"), g[:3], strict=True):
        if type(number) is not int:
            return f"{name} of the group of branch {at} must be a whole number, not {short(number)}"
    if not isinstance(g.window, Window):
        return f"the window of the group of branch {at} must be a Window, not {short(g.window)}"
    if g.start != at:
        what = f"there is no branch {g.start}"
        if 0 <= g.start < at:
            what = f"branch {g.start} is in two groups"
        elif at < g.start < n:
            what = f"branch {at} is missing, or not in its turn"
        there = f"the next group starts at {at}" if at < n else f"the last group stops at {n}"
        return f"{what}: {there}, and this one starts at {g.start}"
    if at == n:
        return f"there is no branch {n}: the last group stops at {n}"
    if not at < g.stop <= n:
        what = "has no branch" if g.stop <= at else f"has branch {n}, which does not exist"
        return f"the group of branch {at} {what}: it stops at {at + 1} to {n}, not at {g.stop}"
    place = bisect_left(edges, g.after)  # the edges rise
    if edges[place : place + 1] != [g.after]:
        what = "no such branch" if g.after < 0 else f"branch {g.after - 1}, not before it"
        what = what if not 0 < g.after < at else "half a group"
        allowed = " or ".join(map(str, edges[-4:]))
        return f"the group of branch {at} waits for {what}: its after is {allowed}, not {g.after}"
    if g.window is Window.ZERO and g.stop > at + 1:
        return f"branch {at + 1} needs a group of its own: a null window tests one branch"
    if g.window is Window.ZERO and g.after == 0:
        return f"branch {at} has no lead to test with a null window: its after is 1 or more, not 0"
    return ""
