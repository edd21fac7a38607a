"""What code a search passes: the files of `strategies/`, and the functions that one task calls.

An action is carried out under Python's profiler, in all threads.  Counted are calls of functions
that have a name: a comprehension or a lambda belongs to the function around it, a generator is
called once, however often it goes on; what attrs makes has no line in a file.
"""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

HOUSE = Path(__file__).parents[1] / "strategies"
TAKEN, HANDED_BACK = "_Run.take", "_Run.done"
"""Where the scheduler gives a task to a worker, and where the worker gives back its result."""


class Call(NamedTuple):
    """A call of a function, or with `returns` its end, and by how many others it was called."""

    thread: int
    file: str
    function: str
    depth: int
    returns: bool = False


def calls(action: Callable[[], Any]) -> list[Call]:
    """Traces the calls of functions of `strategies/`, in order, with their ends."""
    found: list[Call] = []
    depth: dict[int, int] = {}
    begun: set[FrameType] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        code, thread = frame.f_code, threading.get_ident()
        path = Path(code.co_filename)
        if event not in ("call", "return") or code.co_name[0] == "<" or HOUSE not in path.parents:
            return
        if event == "call":
            depth[thread] = depth.get(thread, 0) + 1
            if frame in begun:
                return
        else:
            depth[thread] = depth.get(thread, 1) - 1
        if code.co_flags & inspect.CO_GENERATOR:
            begun.add(frame)
        place = str(path.relative_to(HOUSE)), code.co_qualname, depth[thread]
        found.append(Call(thread, *place, event == "return"))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return found


def files(action: Callable[[], Any]) -> set[str]:
    """Finds the files whose functions an action calls."""
    return {call.file for call in calls(action)}


def tasks(action: Callable[[], Any]) -> list[list[Call]]:
    """Lists the calls of each task: from where the scheduler gave it to a worker, to its result."""
    under_way: dict[int, list[Call]] = {}
    found = []
    for call in calls(action):
        if call.returns:
            if call.function == TAKEN:
                under_way[call.thread] = []
        elif call.function == HANDED_BACK:
            found.append(under_way.pop(call.thread))
        elif call.thread in under_way:
            under_way[call.thread].append(call)
    return found


def jobs(action: Callable[[], Any]) -> list[list[Call]]:
    """Lists the calls of each task that searches one branch, the shortest first."""
    searching = (
        task for task in tasks(action)
        if [call.function for call in task].count("NodeSearch.evaluate") == 1
    )  # fmt: skip
    return sorted(searching, key=lambda task: (len(task), task[0].function))


def call_tree(task: list[Call]) -> str:
    """Format the calls of a task as lines, each indented below its caller."""
    first = task[0].depth
    return "\n".join(f"{'  ' * (c.depth - first)}{c.function}  ({c.file})" for c in task)
