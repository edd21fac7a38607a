"""Marks: the tasks of a search to draw, before they are laid out.

A mark belongs to the node in the tree that its task works for, and is on that node's spine if its
task passes on the node's fold.  Marks are in the order of the graph: each task comes after all
tasks that it waits for, and the tasks below a node are adjacent.

The kinds of tasks differ in shape as well as in colour.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from strategies.insight.pictures.picture import element, escaped, number, width, words
from strategies.running.execution.branches import job_of
from strategies.running.execution.live_windows import Place
from strategies.running.plans import tasks
from strategies.running.plans.search_graph import SearchGraph

SPINE = (tasks.step, tasks.merge, tasks.dud, tasks.resolve, tasks.reopen, tasks.alone, tasks.begin)
"""The tasks that pass on a node's fold; the others only search, or only make windows."""


@frozen
class Mark:
    """One task, or several that are folded into one mark."""

    kind: str
    """spark, step, dud, merge, local, gate, resolve, start, result; or folded."""
    place: Place
    path: Place
    """The node that the task works for."""
    spine: bool
    after: tuple[int, ...]
    """The numbers of the marks that it waits for."""
    branches: tuple[int, ...] = ()
    """The branches that the task searches."""
    work: str = ""
    """The kind of task of the last fold, whose `kind` is result; else the same as `kind`."""
    members: tuple[Mark, ...] = ()
    """The marks that are folded into this one."""

    @property
    def all(self) -> tuple[Mark, ...]:
        """Return the marks of single tasks that this one stands for."""
        return self.members or (self,)


def marks_of(search: SearchGraph) -> tuple[Mark, ...]:
    """Return one mark for each task of the search, in the order of its graph."""
    graph = search.tasks()
    numbers = {key: i for i, key in enumerate(graph)}
    return tuple(
        _mark(key, task, tuple(sorted(numbers[d] for d in task.dependencies)))
        for key, task in graph.items()
    )


def _mark(key: tuple[str, Place], task: Any, after: tuple[int, ...]) -> Mark:
    kind, place = key[0].partition("-")[0], key[1]
    func = task.func
    if kind == "result":
        func = next((a for a in task.args if a in SPINE), tasks.alone)
    job = job_of(task)
    branches = tuple(b.index for b in job.branches) if job else ()
    work = func.__name__ if kind == "result" else kind
    return Mark(kind, place, place[:-1], func in SPINE, after, branches=branches, work=work)


SMALL = {"merge": 11.0, "local": 11.0, "gate": 14.0}
"""The kinds of marks without text, and their size in pixels."""
LINE = 12.0
"""The distance between lines of text, in pixels."""


def size(kind: str, lines: tuple[str, ...]) -> tuple[float, float]:
    """Return the width and height of a mark in pixels."""
    if kind in SMALL:
        return SMALL[kind], SMALL[kind]
    text = max((width(line, 11 if i == 0 else 9) for i, line in enumerate(lines)), default=0.0)
    return max(text + 14, 26.0), 8 + LINE * max(len(lines), 1)


def drawn(kind: str, outcome: str, lines: tuple[str, ...], x: float, y: float, tip: str) -> str:
    """Draw a mark with its middle at (x, y)."""
    w, h = size(kind, lines)
    inside = _shape(kind, x, y, w, h)
    first = y - LINE * (len(lines) - 1) / 2 + 4
    for i, line in enumerate(lines):
        inside.append(words(line, x, first + LINE * i - (1 if i else 0), "less" if i else "label"))
    return element("g", element("title", escaped(tip)), *inside, class_=f"mark {kind} {outcome}")


def _shape(kind: str, x: float, y: float, w: float, h: float) -> list[str]:
    left, top = x - w / 2, y - h / 2
    if kind in ("merge", "local"):
        return [element("circle", class_="shape", cx=x, cy=y, r=w / 2)]
    if kind == "gate":
        return [_polygon((x, top), (x + w / 2, y), (x, top + h), (left, y))]
    if kind == "resolve":
        cut = 6.0
        right, low = left + w, top + h
        return [
            _polygon(
                (left + cut, top), (right - cut, top), (right, y), (right - cut, low),
                (left + cut, low), (left, y),
            )
        ]  # fmt: skip
    round_ = {"spark": min(h / 2, 12.0), "start": h / 2, "result": 6.0}.get(kind, 3.0)
    shape = element("rect", class_="shape", x=left, y=top, width=w, height=h, rx=round_)
    if kind == "folded":
        behind = element("rect", class_="shape", x=left + 3, y=top + 3, width=w, height=h, rx=3.0)
        return [behind, shape]
    return [shape]


def _polygon(*points: tuple[float, float]) -> str:
    return element(
        "polygon", class_="shape", points=" ".join(f"{number(x)},{number(y)}" for x, y in points)
    )
