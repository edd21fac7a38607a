"""The texts of a picture: labels and tooltips of marks, the heading and the legend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from attrs import frozen

from graphs.limits import LABEL_LETTERS
from strategies.algebra.wording import plural
from strategies.insight.pictures.fates import SIGNS, signed
from strategies.insight.pictures.marks import SMALL, Mark, drawn
from strategies.insight.pictures.picture import element, headed, width, words
from strategies.running.plans.plan import Names
from strategies.running.plans.search_graph import SearchGraph
from strategies.running.records.record import Record, branch_numbers
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import (
    SPARKS,
    amount,
    game_text,
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
    fates: Collection[str] = ()
    """What became of the sparks of a folded mark."""


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
        sparks: Counter[str] = Counter(r.became for r in records if r.role == "spark")
        if records:
            lines += [f"{n} sparks {outcome}" for outcome, n in sorted(sparks.items())]
            lines.append(f"{sum(r.nodes for r in records):,} nodes")
            spent = seconds(sum(r.seconds for r in records))
            lines.append(f"{spent} ({seconds(sum(r.cpu for r in records))} of CPU time)")
        leaves = sum(r.leaves for r in records)
        below = f"+{amount(leaves)} {'leaf' if leaves == 1 else 'leaves'}" if records else ""
        shown: tuple[str, ...] = (
            shortened(head, LABEL_LETTERS), below or f"+{plural(len(mark.members), 'task')}",
        )  # fmt: skip
        if kinds["spark"]:
            counts = (f"{SIGNS[fate]}{amount(sparks[fate])}" for fate in SPARKS if sparks[fate])
            shown += (" ".join(counts) if records else plural(kinds["spark"], "spark"),)
        return Words(shown, "\n".join(lines), _outcome(records) if records else "planned", sparks)

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


def found(r: Record) -> tuple[str, ...]:
    """Return the lines that a mark shows of a search: window, result, and nodes."""
    sign = f"{SIGNS[r.became]} " if r.role == "spark" else ""
    if r.outcome == "fizzled":
        return (sign + ("known" if r.became == "known" else "closed"),)
    result = "aborted" if r.became == "aborted" else known(r.found)
    return window(r.window), f"{sign}{result} · {amount(r.nodes)}"


def heading(
    search: SearchGraph,
    result: SearchRun | None,
    every: tuple[Mark, ...],
    rows: int,
    note: str = "",
) -> tuple[list[str], float]:
    """Return the heading of a search or run, and its width in pixels.

    The third line of a plan is `note`, or the number of rows.
    """
    plan = search.plan
    kinds = Counter(m.kind for m in every)
    title = shortened(
        f"{plan.algorithm!r} of {game_text(plan.game, 60)}, using {plan.using!r}", 110
    )
    counts = f"{plural(len(every), 'task')}; {plural(kinds['spark'], 'spark')} created"
    if result is None:
        counts += f", {kinds['dud'] + (plan.attempts - kinds['spark'] - kinds['dud'])} dud"
        counts += f", {plan.counts.opened:,} opened" if plan.counts.opened else ""
        more = note or rows_line(rows)
    else:
        more = result.sparks.line
        counts += f"; {result.nodes:,} nodes, {result.leaves:,} leaves"
    return headed(title, counts, more)


def rows_line(rows: int) -> str:
    """Return the line that counts the rows of a task graph."""
    return f"{plural(rows, 'row')}: the tasks of a row can run at the same time"


LINES = {
    "window": "a window, passed down",
    "again": "the same, checked again later",
    "result": "a result, passed up to its node",
    "chain": "the fold of a node",
}


def legend(
    outcomes: Collection[tuple[str, str]], lines: Collection[str], across: float, y: float,
    meaning: Mapping[str, str] = MEANING, edge_words: Mapping[str, str] = LINES,
) -> tuple[list[str], float]:  # fmt: skip
    """Return the legend of shapes and lines, and the y coordinate at which it ends."""
    kinds = {kind for kind, _ in outcomes}
    items = [(kind, "done", f"{kind}: {text}") for kind, text in meaning.items() if kind in kinds]
    became = {outcome for kind, outcome in outcomes if kind in ("spark", "local", "folded")}
    items += [
        ("spark", outcome, text) for outcome, text in signed(SPARKS).items() if outcome in became
    ]
    if "folded" in kinds:
        items.append(("folded", "done", "a subtree, folded, with its sparks"))
    edges = [(kind, text) for kind, text in edge_words.items() if kind in lines]
    texts = [text for *_, text in (*items, *edges)]
    wide = 34 + max(map(width, texts), default=0.0) + 14
    columns = max(1, int((across - 14) // wide))

    def place(number: int) -> tuple[float, float]:
        return 14 + wide * (number % columns), y + 22 * (number // columns)

    out = []
    for number, (kind, outcome, text) in enumerate(items):
        x, row = place(number)
        sign = drawn(kind, outcome, () if kind in SMALL else ("",), x + 14, row, "")
        out += [sign.replace('"mark ', '"sign '), words(text, x + 34, row + 4, "key")]
    begun = columns * -(-len(items) // columns)  # the lines start in a new row
    for number, (kind, text) in enumerate(edges, begun):
        x, row = place(number)
        out.append(element("path", class_=f"edge {kind}", d=f"M{x:.0f} {row:.0f}h28"))
        out.append(words(text, x + 34, row + 4, "key"))
    _, end = place(begun + len(edges) - 1)
    if "start" in kinds:
        end += 22
        text = "Every task waits for start; only the edges from it that add information are drawn."
        out.append(words(text, 14, end + 4, "key"))
    if "window" in edge_words and any(
        kind != "folded" and outcome in ("converted", "aborted") for kind, outcome in outcomes
    ):
        end += 22
        text = "Under a move: its window, and the value found · the nodes visited."
        out.append(words(text, 14, end + 4, "key"))
    return [element("g", *out, class_="legend")], end + 22
