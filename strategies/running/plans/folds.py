"""The folds of a node that is being lowered, each made when a task first asks for it.

So what nobody asks for between two branches costs no task: several branches are merged at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from dask.task_spec import Task, TaskRef

from strategies.algorithms.fold import Rule
from strategies.running.execution.live_windows import Place
from strategies.running.plans.tasks import Reading, Told

Key = tuple[str, Place]
Graph = dict[Key, Task]

SAME = Reading("same", None, Rule(True))


class At(NamedTuple):
    """A fold of the node being lowered: the task that makes it, and how to read it."""

    ref: Any
    entry: Reading


class Piece(NamedTuple):
    """Branches start…stop that are searched ahead of the fold: by which task."""

    key: Key
    start: int
    stop: int
    branch: Told | None
    """The branch, where it is opened."""


class Folds:
    """The folds of a node after so many branches; `merge` makes one of the pieces behind another.

    Requires: `afters` are all those that groups wait for; one that is asked for stands behind a
    whole piece.
    """

    def __init__(
        self, first: At, afters: Iterable[int], merge: Callable[[At, tuple[Piece, ...]], Key]
    ) -> None:
        self.known, self.afters, self.merge = {0: first}, sorted(set(afters)), merge
        self.waiting: list[Piece] = []

    def __getitem__(self, stop: int) -> At:
        for end in (*(k for k in self.afters if k < stop), stop):
            pieces = tuple(p for p in self.waiting if p.stop <= end)
            if pieces:
                del self.waiting[: len(pieces)]
                key = self.merge(self.known[pieces[0].start], pieces)
                self.known[end] = At(TaskRef(key), SAME)
        return self.known[stop]
