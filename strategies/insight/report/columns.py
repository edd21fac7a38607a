"""The tasks of a run as columns of numbers: a compact form for the page's script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from strategies.insight.analysis.move_naming import Naming, WholeSearch, move_from, place_of
from strategies.insight.analysis.timeline_marks import IterationSpan, LostMark
from strategies.insight.analysis.utilisation import (
    Bar,
    Utilisation,
    critical_path,
    process_bands,
    short_names,
)
from strategies.insight.pictures.fates import SIGNS
from strategies.running.records.rows import Numbered
from strategies.running.records.wording import SPARKS, known, window

KINDS: Final = (*SPARKS, "step", "join", "fold")
"""The kinds of bars: sparks first, folds last."""
NANO: Final = 1e9


class Words:
    """A numbered list of texts, each stored once."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Return the number of a text."""
        return self.numbers.setdefault(text, len(self.numbers))


class Places:
    """A numbered list of places in the tree: for each, its parent and the move from there."""

    def __init__(self, names: Naming | None, words: Words) -> None:
        self.names, self.words = names, words
        self.numbers: dict[tuple[int, ...], int] = {(): 0}
        self.up, self.move = [0], [words.number("")]

    def number(self, place: tuple[int, ...]) -> int:
        """Return the number of a place; its ancestors have smaller numbers."""
        if place not in self.numbers:
            above = self.number(place[:-1])
            self.numbers[place] = len(self.up)
            self.up.append(above)
            self.move.append(self.words.number(move_from(place, self.names)))
        return self.numbers[place]


def columns(
    found: Utilisation, names: Naming | None, spans: Sequence[IterationSpan] = (),
    marks: Mapping[int, int] | None = None, losses: Sequence[LostMark] = (), *,
    values: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Return the tasks in order of their starts, with times in nanoseconds from the run's start.

    `spans` are the iterations; `marks` maps the identity of a record to the number of its mark in
    the picture of the graph; `losses` are the lost workers.  With `values`, the tasks are calls
    among values, which have no windows and no results of a search.

    Ensures: `lane`, `kind`, `start`, `ready`, `took`, `cpu`, `name`, `place`, `window`, `found`,
    `why`, `nodes`, `leaves`, `after`, `sent` and `lost` have one entry per task.  Texts are indices
    into `words`.  `after` lists the tasks that a task waited for, as distances back in the order.
    `critical` are the numbers of the tasks on the critical path.
    `place` is an index into `places`, which holds the parent of each place and the move from there;
    `tree` says whether places are branches of a tree, not threads or trees that are grown.
    """
    words, processes = Words(), process_bands(found)
    places = Places(names, words)
    rows: dict[str, list[Any]] = {}
    for number, bar in enumerate(found.bars):
        for name, value in _row(bar, number, words, places, values).items():
            rows.setdefault(name, []).append(value)
    return {
        "seconds": found.seconds,
        "workers": found.workers,
        "values": values,
        "tree": not isinstance(names, Numbered | WholeSearch),
        "kinds": list(KINDS),
        "signs": [SIGNS.get(kind, "") for kind in KINDS],
        "critical": critical_path(found),
        "words": list(words.numbers),
        "places": {"up": places.up, "move": places.move},
        "bands": [
            {"start": round(s.start * NANO), "end": round(s.end * NANO), "names": s.names,
             "says": s.says}
            for s in spans
        ],
        "losses": [{"time": round(m.time * NANO), "says": m.says} for m in losses],
        "processes": [
            {"name": name, "first": band.first, "last": band.last}
            for band, name in zip(processes, short_names(processes), strict=True)
        ],
        "marks": [marks.get(id(b.record), -1) for b in found.bars] if marks else [],
        **rows,
    }  # fmt: skip


def _row(bar: Bar, number: int, words: Words, places: Places, values: bool) -> dict[str, Any]:
    """Return the entries of one task, by the names of the columns."""
    r = bar.record
    searched = r.role != "fold" and not values
    return {
        "lane": bar.lane,
        "kind": KINDS.index(bar.kind),
        "start": round(bar.start * NANO),
        "ready": round(bar.ready * NANO),
        "took": round((bar.end - bar.start) * NANO),
        "cpu": round(r.cpu * NANO),
        "name": words.number(f"{r.key[0]} {r.key[1][0]}:" if values else r.key[0]),
        "place": places.number(place_of(bar)),
        "window": words.number(window(r.window) if searched else ""),
        "found": words.number(known(r.found) if searched and r.outcome == "converted" else ""),
        "why": words.number("window closed half-way" if r.became == "aborted" else r.reason),
        "nodes": r.nodes,
        "leaves": r.leaves,
        "after": [number - before for before in bar.after],  # small numbers compress well
        "sent": int(bar.sent),
        "lost": r.lost,
    }
