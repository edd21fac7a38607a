"""The heading and the legend of a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from strategies.insight.pictures.fates import signed
from strategies.insight.pictures.labels import MEANING
from strategies.insight.pictures.marks import SMALL, Mark, drawn
from strategies.insight.pictures.picture import headed
from strategies.insight.pictures.svg import element, width, words
from strategies.notation.wording import plural
from strategies.running.plans.search_graph import SearchGraph
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import SPARKS, game_text, shortened


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
    became = {outcome for kind, outcome in outcomes if kind in ("spark", "local")}
    items += [
        ("spark", outcome, text) for outcome, text in signed(SPARKS).items() if outcome in became
    ]
    if "folded" in kinds:
        items.append(("folded", "done", "a subtree, folded"))
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
    if "window" in edge_words and any(o in ("converted", "aborted") for _, o in outcomes):
        end += 22
        text = "Under a move: its window, and the value found · the nodes visited."
        out.append(words(text, 14, end + 4, "key"))
    return [element("g", *out, class_="legend")], end + 22
