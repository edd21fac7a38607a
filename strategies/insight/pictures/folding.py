"""Folding: subtrees with too many marks become one mark each."""

from __future__ import annotations

from collections import Counter

from attrs import evolve

from graphs.errors import ArgumentError
from strategies.insight.pictures.marks import Mark
from strategies.running.execution.live_windows import Place


def folded(marks: tuple[Mark, ...], most: int) -> tuple[Mark, ...]:
    """Return at most `most` marks that stand for all of `marks`.

    Requires: `most` is at least 3; the marks are in the order of `marks_of`.
    Ensures: nodes are opened ply by ply, left to right, as long as there is room; the counts add
    up; each mark still comes after all marks that it waits for.
    Cost: linear in the marks.
    """
    if most < 3:
        raise ArgumentError(f"most must be at least 3 marks, not {most}")
    if len(marks) <= most:
        return marks
    shown = _shown(marks, most)
    groups: dict[Place | int, list[int]] = {}
    for i, mark in enumerate(marks):
        groups.setdefault(shown[mark.path] or i, []).append(i)
    rows = list(groups.values())
    if len(rows) > most:
        rows[most - 2 : -1] = [[i for row in rows[most - 2 : -1] for i in row]]
    return _joined(marks, rows)


def _shown(marks: tuple[Mark, ...], most: int) -> dict[Place, Place | None]:
    """Return, for each node, the place of the mark that hides it, or None if it is shown."""
    own: Counter[Place] = Counter()
    below: dict[Place, list[Place]] = {(): []}
    for mark in marks:
        own[mark.path] += 1
        path = mark.path
        while path not in below:
            below[path] = []
            path = path[:-1]
    for path in below:
        if path:
            below[path[:-1]].append(path)
    shown: dict[Place, Place | None] = {(): None}
    count, layer = own[()] + len(below[()]), below[()]
    while layer:
        deeper: list[Place] = []
        for path in layer:
            cost = own[path] + len(below[path]) - 1
            hidden = shown[path[:-1]] or (path if count + cost > most else None)
            shown[path] = hidden
            count += 0 if hidden else cost
            deeper += below[path]
        layer = deeper
    return shown


def _joined(marks: tuple[Mark, ...], rows: list[list[int]]) -> tuple[Mark, ...]:
    """Return one mark for each row of numbers."""
    to = {i: k for k, row in enumerate(rows) for i in row}
    joined = []
    for k, row in enumerate(rows):
        after = {to[d] for i in row for d in marks[i].after} - {k}
        mark = evolve(marks[row[0]], after=tuple(sorted(after)))
        if len(row) > 1:
            place = _common([marks[i].path for i in row])
            members = tuple(marks[i] for i in row)
            mark = evolve(
                mark, kind="folded", place=place, path=place[:-1], spine=False, members=members
            )
        joined.append(mark)
    return tuple(joined)


def _common(paths: list[Place]) -> Place:
    """Return the deepest common ancestor of places."""
    least = min(paths, key=len)
    n = next((i for i in range(len(least)) if any(p[i] != least[i] for p in paths)), len(least))
    return least[:n]


def counted(mark: Mark) -> Counter[str]:
    """Count the tasks of each kind that a mark stands for."""
    return Counter(m.kind for m in mark.all)
