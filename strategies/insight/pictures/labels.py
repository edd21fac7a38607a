"""The texts of marks: labels and tooltips."""

from __future__ import annotations

from collections import Counter

from attrs import frozen

from graphs.limits import LABEL_LETTERS
from strategies.insight.pictures.fates import SIGNS
from strategies.insight.pictures.marks import Mark
from strategies.notation.wording import plural
from strategies.running.plans.move_names import Names
from strategies.running.records.record import Record, branch_numbers
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import (
    SPARKS,
    amount,
    known,
    search_lines,
    seconds,
    shortened,
    took,
    window,
)

MEANING = {
    "spark": "searches ahead of the node's fold, in parallel",
    "step": "searches in order",
    "dud": "sparked, but its value was known without a search",
    "merge": "folds a branch's result into its node",
    "local": "folds results for the windows inside a group",
    "gate": "opens or closes the window of a tested branch",
    "resolve": "searches a branch for its value if its test passed",
    "start": "creates the cells of the live windows",
    "result": "the last fold, and the answer",
}


@frozen
class Words:
    """The texts of a mark."""

    lines: tuple[str, ...]
    """The text on the mark: nothing, a label, or a label and a count."""
    tooltip: str
    outcome: str
    """As `Record.became`; unseen if the result has no record of it, planned without a result."""


class Wording:
    """The texts for the marks of one search."""

    def __init__(self, names: Names, result: SearchRun | None) -> None:
        self.names, self.result = names, result
        records = result.records if result else ()
        self.records = {r.key: r for r in records}
        ordered = sorted(records, key=lambda r: r.start)
        self.workers = {w: i for i, w in enumerate(dict.fromkeys(r.worker for r in ordered))}

    def of(self, mark: Mark) -> Words:
        return self.folded(mark) if mark.members else self.single(mark)

    def single(self, mark: Mark) -> Words:
        r = self.record(mark)
        label, way = self.label(mark), " ".join(self.names.way(mark.path)) or "the root"
        lines = [f"{mark.kind} {label}".rstrip() + f", at {way}", MEANING[mark.kind]]
        if r is None:
            outcome = "unseen" if self.result else "planned"
        else:
            outcome = r.became
            lines += search_lines(r)
            lines.append(f"{took(r)} on worker {self.workers[r.worker]}")
        shown: tuple[str, ...] = (shortened(label, LABEL_LETTERS),) if label else ()
        if r is not None and shown and mark.kind in ("spark", "step", "dud", "resolve"):
            shown += found(r)
        if mark.kind == "result" and self.result:
            shown += (self.result.value_text,)
            lines.append(self.result.value_text)
        return Words(shown, "\n".join(lines), outcome)

    def label(self, mark: Mark) -> str:
        if mark.kind == "result":
            best = self.result.line_texts if self.result else ()
            return shortened(best[0], LABEL_LETTERS) if best else "result"
        if mark.kind == "start":
            return "start"
        if mark.kind not in ("spark", "step", "dud", "resolve"):
            return ""
        first, last = mark.branches[0], mark.branches[-1]
        label = self.names.move(mark.path, first)
        return label if first == last else f"{label}…{self.names.move(mark.path, last)}"

    def folded(self, mark: Mark) -> Words:
        kinds = Counter(m.kind for m in mark.members)
        head = self.names.move(mark.path, branch_numbers(mark.place)[-1]) if mark.place else "more"
        way = " ".join(self.names.way(mark.place)) or "the root"
        lines = [f"{plural(len(mark.members), 'task')} below {way}"]
        lines.append(", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
        records = [r for m in mark.members if (r := self.record(m))]
        if records:
            sparks = Counter(r.became for r in records if r.role == "spark")
            lines += [f"{n} sparks {outcome}" for outcome, n in sorted(sparks.items())]
            lines.append(f"{sum(r.nodes for r in records):,} nodes")
            spent = seconds(sum(r.seconds for r in records))
            lines.append(f"{spent} ({seconds(sum(r.cpu for r in records))} of CPU time)")
        below = f"+{amount(sum(r.leaves for r in records))} leaves" if records else ""
        shown: tuple[str, ...] = (
            shortened(head, LABEL_LETTERS), below or f"+{plural(len(mark.members), 'task')}",
        )  # fmt: skip
        if kinds["spark"]:
            shown += (_fates(records) if records else plural(kinds["spark"], "spark"),)
        return Words(shown, "\n".join(lines), _outcome(records) if records else "planned")

    def record(self, mark: Mark) -> Record | None:
        """Return the record of the mark's task, if there is one."""
        names = {"resolve": ("resolve", "step"), "alone": ("step",)}.get(mark.work, (mark.work,))
        place = (0,) if mark.work == "alone" else mark.place
        found = (self.records.get((name, place)) for name in names)
        return next((r for r in found if r), None)


def _outcome(records: list[Record]) -> str:
    """Return the outcome to show for several tasks, of which any that searched comes first."""
    outcomes = {r.became for r in records if r.role == "spark"}
    if any(r.nodes for r in records):
        return next((o for o in ("converted", "aborted") if o in outcomes), "done")
    return next((o for o in SPARKS if o in outcomes), "done")


def _fates(records: list[Record]) -> str:
    """Count the sparks of several tasks by their outcomes, each with its sign."""
    found: Counter[str] = Counter(r.became for r in records if r.role == "spark")
    return " ".join(f"{SIGNS[fate]}{amount(found[fate])}" for fate in SPARKS if found[fate])


def found(r: Record) -> tuple[str, ...]:
    """Return the lines that a mark shows of a search: window, result, and nodes."""
    sign = f"{SIGNS[r.became]} " if r.role == "spark" else ""
    if r.outcome == "fizzled":
        return (sign + ("known" if r.became == "known" else "closed"),)
    result = "aborted" if r.became == "aborted" else known(r.found)
    return window(r.window), f"{sign}{result} · {amount(r.nodes)}"
