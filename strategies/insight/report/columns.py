"""The tasks of a run as columns of numbers, for the page's script: small, and quick to read."""

from __future__ import annotations

from typing import Any, Final

from strategies.insight.analysis.utilisation import Utilisation, way
from strategies.running.plans.move_names import Names
from strategies.running.records.wording import SPARKS, known, window

KINDS: Final = (*SPARKS, "step", "fold")
"""What bars show as: sparks first, folds last."""
NANO: Final = 1e9


class Words:
    """Texts by number: each is kept once."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a text."""
        return self.numbers.setdefault(text, len(self.numbers))


def columns(found: Utilisation, names: Names | None) -> dict[str, Any]:
    """The tasks in order of their starts; times are whole nanoseconds from the start of the run.

    Ensures: `lane`, `kind`, `start`, `ready`, `took`, `cpu`, `name`, `at`, `window`, `found`,
    `why`, `nodes` and `leaves` are of equal length, one entry a task; the texts among them are
    numbers of `words`.
    """
    words = Words()
    rows: dict[str, list[int]] = {
        name: []
        for name in ("lane", "kind", "start", "ready", "took", "cpu", "name", "at", "window",
                     "found", "why", "nodes", "leaves")
    }  # fmt: skip
    for bar in found.bars:
        r = bar.record
        searched = r.role != "fold"
        row = {
            "lane": bar.lane,
            "kind": KINDS.index(bar.kind),
            "start": round(bar.start * NANO),
            "ready": round(bar.ready * NANO),
            "took": round((bar.end - bar.start) * NANO),
            "cpu": round(r.cpu * NANO),
            "name": words.number(r.key[0]),
            "at": words.number(way(bar, names)),
            "window": words.number(window(r.window) if searched else ""),
            "found": words.number(known(r.found) if r.outcome == "converted" else ""),
            "why": words.number("window closed half-way" if r.became == "aborted" else r.reason),
            "nodes": r.nodes,
            "leaves": r.leaves,
        }
        for name, value in row.items():
            rows[name].append(value)
    return {
        "seconds": found.seconds,
        "workers": found.workers,
        "kinds": list(KINDS),
        "words": list(words.numbers),
        **rows,
    }
