"""The tree of tasks, folded to a page: one row per ply, one box per position."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from attrs import frozen

from graphs.errors import ArgumentError
from strategies.algebra.wording import plural
from strategies.insight.analysis.move_naming import Naming, ShortNames, move_from, naming
from strategies.insight.analysis.utilisation import kind_of
from strategies.insight.pictures.fates import SIGNS
from strategies.insight.pictures.marks import marks_of
from strategies.insight.pictures.picture import (
    Picture,
    element,
    escaped,
    headed,
    picture_of,
    width,
    words,
)
from strategies.running.plans.search_graph import SearchGraph
from strategies.running.records.record import branch_numbers
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import SPARKS, shortened

Place = tuple[int, ...]
ACROSS, LEFT, TOP, ROW, STRIP = 972.0, 14.0, 92.0, 34.0, 10.0
"""In pixels: the width of the root's box, the space left of it and above it, the height of a row,
and of the strip under a name."""
LEAST = 3.0
"""Pixels. Neighbours with narrower boxes share one box."""
PLANNED = {"spark": "converted", "step": "step", "resolve": "step", "dud": "known"}
"""The colours of the tasks of a plan; all others fold results."""
ORDER = ("step", *SPARKS)


def draw_overview(search: SearchGraph | None, result: SearchRun | None = None) -> Picture:
    """Draw the tree of tasks, folded to a page: as wide for ten tasks as for a hundred thousand.

    The root's box is on top.  Below each box are the boxes of its branches; the width of a box is
    the number of tasks in its subtree.  The strip in a box shows the shares of kinds of tasks, or
    of their outcomes if there is a result.  Neighbours that would be too narrow share a box.

    Requires: a search, or a result that knows its search.
    Ensures: the picture fits on a page; the counts of a position's branches and of its own tasks
    add up to the count of its box; no name is wider than its box.
    Cost: linear in the tasks.

    >>> from games import HANDOUT_BIG
    >>> from strategies import alphabeta, par_list, search
    >>> picture = draw_overview(search(HANDOUT_BIG, alphabeta(depth=4), using=par_list.everywhere))
    >>> "tasks" in picture.svg
    True
    """
    if result is not None:
        found, names = _recorded(result), naming(result)
        title = "Tasks of the run"
    elif search is not None:
        found, names = _planned(search), ShortNames(search.plan)
        title = shortened(f"{search.plan.algorithm!r}, using {search.plan.using!r}", 110)
    else:
        raise ArgumentError("an overview needs a search or a result, and got neither")
    tree = _Tree(found)
    boxes = list(tree.boxes())
    rows = 1 + max(box.row for box in boxes)
    everything = tree.total[()]
    sparks = sum(everything[k] for k in SPARKS) if result else everything["converted"]
    counted = f"{plural(everything.total(), 'task')}, {plural(sparks, 'spark')}"
    under = f"{counted}; one row per ply; the width is the number of tasks"
    tall = TOP + ROW * rows + 40
    parts = [
        *headed(title, under)[0],
        *(part for box in boxes for part in _drawn(box, names, result is not None)),
        *_legend(set(everything), TOP + ROW * rows + 22, planned=result is None),
    ]  # fmt: skip
    return picture_of(title, parts, ACROSS + 2 * LEFT, tall, SHEET)


SHEET = """.jam .box{fill:var(--panel);stroke:var(--edge)}
.jam .box:hover{stroke:var(--ink);stroke-width:1.6}
.jam .share.converted{fill:var(--spark)}.jam .share.aborted{fill:var(--aborted)}
.jam .share.fizzled{fill:var(--bad)}.jam .share.known{fill:var(--known)}
.jam .share.step{fill:var(--step)}
"""


def _recorded(result: SearchRun) -> Iterator[tuple[Place, str]]:
    for r in result.records:
        if r.role == "join":  # it is no task
            continue
        place = r.key[1][:-1] if r.role == "fold" else r.key[1]
        yield branch_numbers(place), kind_of(r)


def _planned(search: SearchGraph) -> Iterator[tuple[Place, str]]:
    for mark in marks_of(search):
        kind = PLANNED.get(mark.kind, "fold")
        yield branch_numbers(mark.path if kind == "fold" else mark.place), kind


@frozen
class _Box:
    """The box of one position, or of several neighbours that are too narrow to see."""

    places: tuple[Place, ...]
    counts: Counter[str]
    left: float
    wide: float
    row: int


class _Tree:
    """The tasks in the subtree of each place, by kind."""

    def __init__(self, found: Iterable[tuple[Place, str]]) -> None:
        self.total: dict[Place, Counter[str]] = defaultdict(Counter)
        for place, kind in found:
            self.total[place][kind] += 1
        for place in list(self.total):
            for k in range(len(place)):  # ancestors are listed even without tasks of their own
                self.total[place[:k]] += Counter()
        self.below: dict[Place, list[Place]] = defaultdict(list)
        for place in sorted(self.total, key=len, reverse=True):  # leaves first
            if place:
                self.total[place[:-1]].update(self.total[place])
                self.below[place[:-1]].append(place)

    def boxes(self) -> Iterator[_Box]:
        """Return the boxes from the root down, each before those below it."""
        each = ACROSS / max(1, self.total[()].total())
        todo = [_Box(((),), self.total[()], LEFT, ACROSS, 0)]
        while todo:
            box = todo.pop()
            yield box
            if len(box.places) == 1:
                todo += reversed(self._inside(box, each))

    def _inside(self, box: _Box, each: float) -> list[_Box]:
        out: list[_Box] = []
        x = box.left
        row: list[Place] = []

        def close() -> None:
            if row:
                counts = sum((self.total[p] for p in row), Counter[str]())
                wide = each * counts.total()
                out.append(_Box(tuple(row), counts, x - wide, wide, box.row + 1))
                row.clear()

        for place in sorted(self.below[box.places[0]]):
            wide = each * self.total[place].total()
            if wide >= LEAST:
                close()
                out.append(_Box((place,), self.total[place], x, wide, box.row + 1))
            else:
                row.append(place)
            x += wide
        close()
        return out


def _drawn(box: _Box, names: Naming | None, signs: bool) -> list[str]:
    y = TOP + ROW * box.row
    first = box.places[0]
    name = move_from(first, names) if first else "the root"
    way = " ".join(move_from(first[: i + 1], names) for i in range(len(first))) or "the root"
    if len(box.places) > 1:
        name, way = "…", f"{len(box.places):,} branches from {way} on"
    tip = [way, plural(box.counts.total(), "task")]
    tip += [f"{kind}: {n:,}" for kind, n in sorted(box.counts.items())]
    out = [
        element("rect", element("title", escaped("\n".join(tip))), class_="box", x=box.left, y=y,
                width=max(box.wide - 0.6, 0.4), height=ROW - 2)
    ]  # fmt: skip
    x = box.left
    for kind in ORDER:
        wide = box.wide * box.counts[kind] / (box.counts.total() or 1)
        if wide >= 0.2:
            out.append(element("rect", class_=f"share {kind}", x=x, y=y + ROW - 2 - STRIP,
                               width=wide, height=STRIP))  # fmt: skip
        if wide >= 14 and kind in SIGNS and signs:
            out.append(words(SIGNS[kind], x + wide / 2, y + ROW - 3, f"bar-sign {kind}"))
        x += wide
    if width(name) + 6 <= box.wide:
        out.append(words(name, box.left + 3, y + 15, "label"))
    return out


def _legend(kinds: set[str], y: float, *, planned: bool) -> list[str]:
    out: list[str] = []
    x = LEFT
    said = {"converted": "spark", "known": "dud", "step": "step"} if planned else {
        kind: f"{SIGNS.get(kind, '')} spark, {kind}" if kind in SIGNS else kind for kind in ORDER
    }  # fmt: skip
    for kind in (k for k in ORDER if k in kinds):
        out.append(element("rect", class_=f"share {kind}", x=x, y=y - 9, width=14.0, height=10.0))
        out.append(words(said[kind], x + 20, y, "key"))
        x += 40 + width(said[kind])
    if "fold" in kinds:
        out.append(words("the rest of a strip: folds", x, y, "key"))
    return out
