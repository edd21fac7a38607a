"""The picture of a search's task graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from games.game import player_name
from graphs.arguments import check_kind
from graphs.errors import ArgumentError
from strategies.insight.analysis.move_naming import ShortNames
from strategies.insight.pictures.edges import Spot, edges_of, lines, tracks
from strategies.insight.pictures.labels import LINES, MEANING, Wording, Words, heading, legend
from strategies.insight.pictures.layout import Layout, Rows, folded, laid_out
from strategies.insight.pictures.marks import Mark, drawn, marks_of, size
from strategies.insight.pictures.picture import (
    MARKS,
    Picture,
    element,
    escaped,
    on_a_page,
    picture_of,
    width,
    words,
)
from strategies.insight.pictures.synopsis import draw_synopsis, synopsis_of
from strategies.notation.wording import plural
from strategies.running.execution.live_windows import Place
from strategies.running.plans.move_names import Names
from strategies.running.plans.plan import Node
from strategies.running.plans.search_graph import SearchGraph
from strategies.running.records.record import branch_numbers
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import shortened

LEFT = 34.0
"""The left edge of the graph, beside the numbers of the rows, in pixels."""

LARGEST = 10_000
"""The most marks of a picture; browsers become slow with more."""
READ = 700
"""The most tasks of a graph that is drawn, unless the caller asks for marks: of a larger one there
is a synopsis."""
SIGNS: Final = {"max": "▲", "min": "▼", "chance": "●"}
"""The signs of who moves, before the move that leads to a node."""
BELOW: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def draw_plan(
    search: SearchGraph, result: SearchRun | None = None, *, most: int | None = None
) -> Picture:
    """Draw the task graph of a search: time runs down, parallelism across, lines are dependencies.

    The row of a task is the length of the longest chain of tasks before it, so the height is the
    span in tasks.  Each opened node has a panel, named by its move, and its folds run straight down
    in it.  With a result, marks show the outcomes of their tasks, and tooltips their cost.

    A search that deepens is drawn as one graph to its full depth, without its results.  Above
    `READ` tasks, and above `LARGEST` marks, the picture is a synopsis: a table by ply and by kind.

    Requires: `result`, if given, is of this search; `most` is at least 3.
    Ensures: one mark per task, and so per created spark, unless there are more than `most` tasks:
    then whole subtrees are folded into one mark each, whose counts add up.  Without `most` there
    are as many marks as fit on a page.  The text depends only on the search and the result.
    Raises: ValueError if the result is of another search.
    Cost: linear in the tasks, and near to it in the marks.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, jamboree, search
    >>> answer = search(HANDOUT_SMALL, alphabeta(depth=2), using=jamboree(0.5).everywhere)
    >>> picture = draw_plan(answer)
    >>> picture.svg.count('<g class="mark ') == len(answer.tasks())
    True
    """
    if result is not None:
        check_kind(SearchRun, "a result, as from search(...).compute()", result=result)
    return plan_and_marks(search, result, most=most)[0]


def plan_and_marks(
    search: SearchGraph, result: SearchRun | None = None, *, most: int | None = MARKS
) -> tuple[Picture, dict[int, int]]:
    """Return the picture of `draw_plan`, and the number of each record's mark, by its identity."""
    note = ""
    if result and result.graphs:  # a row of graphs has other tasks: only the plan is drawn
        note = (
            f"the search deepened by {plural(len(result.graphs), 'graph')}: see timeline, overview"
        )
        result = None
    every = marks_of(search)
    names = ShortNames(search.plan)
    wording = Wording(names, result)
    if result and len(every) > 1 and not any(wording.record(m) for m in every):
        raise ArgumentError(
            "the result is not of this search: no record belongs to a task of the search's graph"
        )
    head = partial(heading, search, result, every, note=note)
    if min(len(every), LARGEST if most is None else most) > (READ if most is None else LARGEST):
        found = synopsis_of(every, [wording.record(mark) for mark in every])
        plain = result is None and not note
        top, across = heading(search, result, every, found.chain, note or found.line)
        more = [] if plain else [words(found.line, 14, 88, "sub")]
        return draw_synopsis(found, repr(search.plan.strategy), [*top, *more], across), {}

    def panelled(layout: Layout, rows: Rows) -> tuple[list[str], list[str]]:
        names_of = [
            words(_named(names, p.path), LEFT + p.left + 3, rows.ends(p)[0] + 11, "name")
            for p in layout.panels
        ]
        return _panels(layout, rows, names), names_of

    def named(path: Place) -> float:
        return width(_named(names, path), 10) + 8

    def drawn_with(most: int) -> tuple[Picture, tuple[Mark, ...]]:
        marks = folded(every, most)
        said = [wording.of(m) for m in marks]
        title = repr(search.plan.strategy)
        return pictured(title, marks, said, head, MEANING, LINES, named, panelled), marks

    picture, marks = on_a_page(len(every), drawn_with) if most is None else drawn_with(most)
    own = {
        id(r): k for k, mark in enumerate(marks) for m in mark.all if (r := wording.record(m))
    }  # fmt: skip
    return picture, own


def pictured(
    title: str, marks: Sequence[Mark], said: Sequence[Words],
    head: Callable[[int], tuple[list[str], float]], meaning: Mapping[str, str],
    edge_words: Mapping[str, str],
    named: Callable[[Place], float] = lambda _: 0.0,
    panelled: Callable[[Layout, Rows], tuple[list[str], list[str]]] = lambda *_: ([], []),
) -> Picture:  # fmt: skip
    """Draw tasks, each with its texts; `head` returns the heading for a number of rows."""
    sizes = [size(m.kind, s.lines) for m, s in zip(marks, said, strict=True)]
    layout = laid_out(marks, [w for w, _ in sizes], named)
    edges = edges_of(marks, layout.rows, layout.middles)
    across_at = tracks(edges, layout.rows, layout.middles)
    rows = Rows(layout, [h for _, h in sizes], [len(set(t.values())) for t in across_at])
    spots = [
        Spot(LEFT + x, rows.middle[r] - h / 2, rows.middle[r] + h / 2, w / 2)
        for x, r, (w, h) in zip(layout.middles, layout.rows, sizes, strict=True)
    ]
    to = [layout.rows[e.target] for e in edges]
    turns = [rows.turn(r, across_at[r].get(e.bus, 0)) for e, r in zip(edges, to, strict=True)]
    drawn_lines = lines(edges, spots, turns)
    top, least = head(len(rows.middle))
    across = max(LEFT + layout.width + 20, least)
    outcomes = Counter((m.kind, s.outcome) for m, s in zip(marks, said, strict=True))
    key, tall = legend(outcomes, tuple(drawn_lines), across, rows.bottom + 26, meaning, edge_words)
    behind, before = panelled(layout, rows)
    parts = [
        *top,
        *rows.ruled(across),
        *behind,
        *drawn_lines.values(),
        *before,
        *(
            drawn(m.kind, s.outcome, s.lines, p.x, (p.top + p.bottom) / 2, s.tooltip)
            for m, s, p in zip(marks, said, spots, strict=True)
        ),
        *key,
    ]
    return picture_of(title, parts, across, tall)


def _panels(layout: Layout, rows: Rows, names: Names) -> list[str]:
    out = []
    for p in layout.panels:
        top, bottom = rows.ends(p)
        box = element("rect", x=LEFT + p.left, y=top, width=p.right - p.left,
                      height=bottom - top, rx=5.0)  # fmt: skip
        node = names.node(p.path)
        kind = _mover(node, names)[1]
        tip = f"{kind} after {' '.join(names.way(p.path))}"
        if str(p.path[-1]).endswith("?"):
            tip += ": tested with a null window"
        out.append(element("g", element("title", escaped(tip)), box, class_="panel"))
    return out


def _named(names: Names, path: Place) -> str:
    """Return the name of a panel: the move to its node, with the sign of the player to move."""
    sign = _mover(names.node(path), names)[0]
    test = "?" if str(path[-1]).endswith("?") else ""
    return f"{sign} {shortened(names.move(path[:-1], branch_numbers(path)[-1]), 12)}{test}"


def _mover(node: Node | None, names: Names) -> tuple[str, str]:
    """Return the sign of the player to move at a node, and the name of such nodes.

    Where every player has a value of their own, all of them maximize: the number says who.
    """
    if node is None:
        return "", " node"
    if names.plan.algorithm.many and names.plan.algorithm.tuples and node.kind != "chance":
        number = str(node.player).translate(BELOW)
        return f"▲{number}", f"{player_name(node.player)}'s node"
    return SIGNS[node.kind], f"{node.kind} node"
