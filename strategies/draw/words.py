"""What a mark says: its label, and all there is to know about it in a tooltip."""

from __future__ import annotations

from collections import Counter
from typing import Any

from attrs import frozen

from games import WIN
from strategies.draw.marks import Mark, Names, number
from strategies.draw.svg import shortened
from strategies.fold import Interval
from strategies.records import Record
from strategies.result import Result

TINIEST = 5e-324
"""The least number above 0."""

LONGEST = 14
"""Characters of a label; the tooltip has the whole of it."""

MEANING = {
    "spark": "searches ahead of the node's fold, in parallel",
    "step": "searches in order",
    "dud": "known without a search: asked for in parallel, no spark",
    "merge": "folds a branch's result into its node",
    "local": "folds results for the windows inside a group",
    "gate": "opens the window of a tested branch, or shuts it",
    "resolve": "searches a tested branch for its value if its test passed",
    "start": "makes the cells that live windows read",
    "result": "the last fold, and the answer",
}


@frozen
class Words:
    """The words of a mark."""

    lines: tuple[str, ...]
    """What stands on the mark: nothing, a label, or a label and a count."""
    tooltip: str
    outcome: str
    """converted, fizzled, done; unseen where a result says nothing of it, planned without one."""


class Wording:
    """Words for the marks of one search."""

    def __init__(self, names: Names, result: Result | None) -> None:
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
            outcome = r.outcome
            lines += told(r)
            lines.append(f"{r.seconds * 1e3:.3g} ms on worker {self.workers[r.worker]}")
        shown: tuple[str, ...] = (shortened(label, LONGEST),) if label else ()
        if r is not None and shown and mark.kind in ("spark", "step", "dud", "resolve"):
            shown += found(r)
        if mark.kind == "result" and self.result:
            shown += (str(self.result.estimate),)
            lines.append(str(self.result.estimate))
        return Words(shown, "\n".join(lines), outcome)

    def label(self, mark: Mark) -> str:
        if mark.kind == "result":
            best = self.result.line if self.result else ()
            if not best:
                return "result"
            return self.names.plan.game.move_text(self.names.plan.state, best[0])
        if mark.kind == "start":
            return "start"
        if mark.kind not in ("spark", "step", "dud", "resolve"):
            return ""
        first, last = mark.branches[0], mark.branches[-1]
        label = self.names.move(mark.path, first)
        return label if first == last else f"{label}…{self.names.move(mark.path, last)}"

    def folded(self, mark: Mark) -> Words:
        kinds = Counter(m.kind for m in mark.members)
        head = self.names.move(mark.path, number(mark.place[-1])) if mark.place else "more"
        way = " ".join(self.names.way(mark.place)) or "the root"
        lines = [f"{tasks(len(mark.members))} below {way}"]
        lines.append(", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
        records = [r for m in mark.members if (r := self.record(m))]
        if records:
            sparks = Counter(r.outcome for r in records if r.role == "spark")
            lines += [f"{n} sparks {outcome}" for outcome, n in sorted(sparks.items())]
            lines.append(f"{sum(r.nodes for r in records):,} nodes")
            lines.append(f"{sum(r.seconds for r in records) * 1e3:.3g} ms")
        below = f"+{amount(sum(r.leaves for r in records))} leaves" if records else ""
        shown: tuple[str, ...] = (
            shortened(head, LONGEST), below or f"+{tasks(len(mark.members))}",
        )  # fmt: skip
        if kinds["spark"]:
            shown += (sparks_of(kinds["spark"]),)
        return Words(shown, "\n".join(lines), _outcome(records) if records else "planned")

    def record(self, mark: Mark) -> Record | None:
        """What the mark's task brought home."""
        names = {"resolve": ("resolve", "step"), "alone": ("step",)}.get(mark.work, (mark.work,))
        place = (0,) if mark.work == "alone" else mark.place
        found = (self.records.get((name, place)) for name in names)
        return next((r for r in found if r), None)


def _outcome(records: list[Record]) -> str:
    """What became of the sparks of several tasks: converted if any was."""
    outcomes = {r.outcome for r in records if r.role == "spark"}
    return next((o for o in ("converted", "fizzled") if o in outcomes), "done")


def found(r: Record) -> tuple[str, ...]:
    """What a mark shows of a search: the window, what was found, and nodes."""
    if r.outcome == "fizzled":
        return ("closed",)
    return window(r.window), f"{known(r.found)} · {amount(r.nodes)}"


def told(r: Record) -> list[str]:
    """What a record says of a search."""
    if r.role == "fold":
        return []
    lines = [f"window {window(r.window)}"]
    lines.append(r.outcome + (f": {r.reason}" if r.reason else f", found {known(r.found)}"))
    lines.append(f"{r.nodes:,} nodes, {r.leaves:,} leaves")
    lines += [f"{r.inlined:,} sparks inlined"] if r.inlined else []
    lines += [f"{r.pruned:,} branches pruned"] if r.pruned else []
    return lines


def window(ab: Interval) -> str:
    """A window as people write it.

    >>> window((3, float("inf"))), window((2.9999999999999996, 3.0)), window((1, 0))
    ('(3, ∞)', '(2.9999999999999996, 3.0)', 'closed')
    >>> window((0, 5e-324)), window((-5e-324, 0))  # a test: is it above 0, is it below?
    ('(0, 0⁺)', '(0⁻, 0)')
    """
    a, b = ab
    if a >= b:
        return "closed"
    if a == 0 and b == TINIEST:
        return "(0, 0⁺)"
    if b == 0 and a == -TINIEST:
        return "(0⁻, 0)"
    if f"{a:.6g}" == f"{b:.6g}":
        return f"({a!r}, {b!r})"
    return f"({bound(a)}, {bound(b)})"


def bound(x: Any) -> str:
    """One end of a window; of several players' values, one after the other."""
    if isinstance(x, tuple):
        return f"({', '.join(map(bound, x))})"
    if abs(x) == float("inf"):
        return "∞" if x > 0 else "-∞"
    if abs(x) >= WIN:
        return "Maxie wins" if x > 0 else "Minnie wins"
    return f"{x:.6g}"


def known(interval: Interval) -> str:
    """What is known of a value.

    >>> known((3, 3)), known((3, float("inf"))), known((float("-inf"), 2)), known((1, 2))
    ('3', '≥3', '≤2', '1…2')
    """
    lo, hi = interval
    if lo == hi:
        return bound(lo)
    if hi == float("inf"):
        return "?" if lo == -hi else f"≥{bound(lo)}"
    return f"≤{bound(hi)}" if lo == -float("inf") else f"{bound(lo)}…{bound(hi)}"


def amount(n: int) -> str:
    """A count in few characters.

    >>> amount(7), amount(1234), amount(2_500_000)
    ('7', '1.2k', '2.5M')
    """
    for size, unit in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if n >= size:
            return f"{n / size:.1f}{unit}" if n < 10 * size else f"{n // size}{unit}"
    return str(n)


def tasks(n: int) -> str:
    """So many tasks."""
    return f"{n:,} task" + "s" * (n != 1)


def sparks_of(n: int) -> str:
    """So many sparks."""
    return f"{n:,} spark" + "s" * (n != 1)
