"""The page of a replay: one search, or two side by side under one clock."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Final

from attrs import evolve

from games import Position
from games.lessons import notice_of
from graphs.arguments import check_integers, check_kind
from graphs.errors import ArgumentError
from graphs.limits import REPLAY_POSITIONS
from strategies.algebra.strategy import Strategy
from strategies.insight.analysis.replays.drawn_tree import drawn_tree, spots
from strategies.insight.analysis.replays.moments import Replay
from strategies.insight.analysis.replays.replayed import (
    WALKED,
    check_replayed,
    check_request,
    replayed,
)
from strategies.insight.analysis.simulate import simulate
from strategies.insight.analysis.trace import TraceWalk, whole
from strategies.insight.analysis.trace_steps import Entered, Step
from strategies.insight.pictures.fates import FATES, SIGNS
from strategies.insight.pictures.picture import Picture
from strategies.insight.pictures.replay_tree import TREE_STYLE, draw_replay, replay_tree
from strategies.insight.report.document import COUNTS, buttons, document, heading
from strategies.insight.report.replay.rows import ADDED, Words, leaf_values, side
from strategies.running.plans.plan import Plan
from strategies.running.plans.search_graph import SearchGraph, graph_of
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import game_text
from strategies.support.stacks import room_for

SCRIPTS: Final = (
    "theme", "words", "picture", "data",
    *(f"replay/{name}" for name in ("state", "tree", "interval", "lanes", "main")),
)  # fmt: skip
"""The scripts in order: each uses those before it."""
SHEETS: Final = ("page.css", "replay/replay.css")
Searched = SearchRun | SearchGraph
LINE = 60
"""The most characters of a position that the lines of a trace contain."""
IN_PYTHON: Final = "search(..., using=par_list.to_ply(2)).compute().replay('run.html')"
"""How a run is replayed task by task."""


class TooManyToReplay(ArgumentError):
    """A search visits too many positions to be replayed one by one; `instead` replays its tasks."""

    def __init__(self, instead: str = IN_PYTHON) -> None:
        super().__init__(
            f"the search visits more than {WALKED:,} positions, too many to replay one by one: "
            f"search fewer plies, or replay the result of a run, task by task: {instead}"
        )


def replay_page(
    first: Searched, other: Searched | Strategy | None = None, *, workers: int = 2,
    most: int = REPLAY_POSITIONS,
) -> str:  # fmt: skip
    """Return one HTML page that replays a search step by step, or two side by side.

    A result is replayed as it ran, by its recorded times.  A search that has not run yet is run on
    virtual `workers`, where each position takes one unit of time, so that the page is the same on
    every machine.  `other` is a strategy for the same search, or another result or search of it.

    Ensures: the page is complete in itself and makes no requests; at most `most` positions are
    drawn.
    Raises: ArgumentError for searches that cannot be replayed; it says what to do instead.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, jamboree, search
    >>> page = replay_page(search(HANDOUT_SMALL, alphabeta(2)), jamboree(0.5))
    >>> "jamboree(0.5)" in page, "http://" in page.replace("http://www.w3.org", "")
    (True, False)
    """
    runs, replays = _replays(first, other, workers, most)
    plan = graph_of(runs[0].request).plan
    with room_for(plan.algorithm.depth):
        return _drawn(plan, runs, replays, most)


def replay_picture(
    first: Searched, other: Searched | Strategy | None = None, *, workers: int = 2,
    most: int = REPLAY_POSITIONS,
) -> Picture:  # fmt: skip
    """Return a still picture of a replay at its end.

    Raises: as `replay_page`.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, jamboree, search
    >>> picture = replay_picture(search(HANDOUT_SMALL, alphabeta(2)), jamboree(0.5))
    >>> "leaves 7, work 11, span 11" in picture.svg, "leaves 9, work 13, span 9" in picture.svg
    (True, True)
    """
    runs, replays = _replays(first, other, workers, most)
    root = drawn_tree(graph_of(runs[0].request).plan, replays, most)
    return draw_replay(root, replays)


def _replays(
    first: Searched, other: Searched | Strategy | None, workers: int, most: int
) -> tuple[list[SearchRun], list[Replay]]:
    check_integers(1, most=most)
    check_integers(1, workers=workers)
    runs = [ran(run, workers) for run in both(first, other)]
    _check_same(runs)
    ticks = not isinstance(first, SearchRun)
    replays = [replayed(run, ticks=ticks) for run in runs]
    for run, replay in zip(runs, replays, strict=True):
        if not replay.whole and len(replay.tasks) == 1 and run.nodes > WALKED:
            raise TooManyToReplay
    algorithms = [repr(run.request and run.request.algorithm) for run in runs]
    if len(set(algorithms)) > 1:
        pairs = zip(replays, algorithms, strict=True)
        replays = [evolve(r, title=f"{r.title}, {algorithm}") for r, algorithm in pairs]
    return runs, replays


def both(first: Searched, other: Searched | Strategy | None) -> list[Searched]:
    """Return what is replayed: a search or run, and the other one if there is one."""
    if not isinstance(first, SearchRun):
        getattr(first, "plan", None)  # a Monte Carlo search raises here that it has no plan
    check_kind((SearchRun, SearchGraph), "a search, or its result", answer=first)
    if other is None:
        return [first]
    if isinstance(other, Strategy):
        return [first, _under(first, other)]
    check_kind((SearchRun, SearchGraph), "a strategy, or another search or result", other=other)
    if isinstance(first, SearchRun) != isinstance(other, SearchRun):
        raise ArgumentError(
            "two results can be replayed side by side, or two searches that have not run: "
            "call compute() on both, or on neither"
        )
    return [first, other]


def _under(first: Searched, strategy: Strategy) -> Searched:
    if isinstance(first, SearchRun):
        check_replayed(first)
        assert first.request is not None
        alike = evolve(first.request, engine=first.request.ran_on)
        found: SearchRun = graph_of(alike, strategy).compute(num_workers=first.request.workers)
        return found
    return graph_of(first.plan.request(), strategy)


def ran(found: Searched, workers: int) -> SearchRun:
    """Return the run of a search on virtual workers, by positions; a run as it is."""
    if isinstance(found, SearchRun):
        return found
    request = found.plan.request()
    check_request(request)
    check_size(found.plan)
    alone = evolve(request, engine="interpreted")
    return simulate(graph_of(alone), workers, node=1.0).result


def check_size(plan: Plan) -> None:
    """Raise ArgumentError if a search would visit more positions than can be replayed.

    Cost: the rules run interpreted, up to that number.
    """
    seen = 0

    def count(step: Step) -> None:
        nonlocal seen
        seen += isinstance(step, Entered)
        if seen > WALKED:
            raise TooManyToReplay

    with room_for(plan.algorithm.depth):
        whole(TraceWalk(plan.game, plan.algorithm, count), plan.state, plan.strategy)


def _check_same(runs: Sequence[SearchRun]) -> None:
    for run in runs:
        check_replayed(run)
    asked = [run.request for run in runs if run.request is not None]
    trees = [(request.game, request.state, request.algorithm.depth) for request in asked]
    if any(tree != trees[0] for tree in trees):
        raise ArgumentError(
            "two searches are replayed side by side on one tree: search the same game from the "
            "same position to the same depth"
        )


def _drawn(plan: Plan, runs: Sequence[SearchRun], replays: Sequence[Replay], most: int) -> str:
    root = drawn_tree(plan, replays, most)
    every = list(spots(root))
    numbers = {p.path: n for n, p in enumerate(every)}
    long = any("\n" in p.shown or len(p.shown) > LINE for p in every)
    words = Words({p.path: p.name for p in every}, {p.path: p.move for p in every}, long)
    notice = notice_of(plan.game)
    game = game_text(plan.game, 90)
    algorithms = dict.fromkeys(repr(graph_of(run.request).plan.algorithm) for run in runs)
    titles = " and ".join(dict.fromkeys(replay.title for replay in replays))
    longest = max(len(text) for replay in replays for text in leaf_values(replay))
    trees = [replay_tree(root, f"the tree under {r.title}", longest) for r in replays]
    body = [
        heading(titles, f"{' and '.join(algorithms)} of {game}, step by step"),
        _says(replays, sum(p.folded for p in every)),
        f'<p class="notice"><b>What to notice</b> {escape(notice)}</p>' if notice else "",
        '<noscript><p class="notice">The steps need JavaScript: without it, the page shows only '
        "the tree.</p><style>.counts,.now,.trace,.steer,#legend{display:none}</style></noscript>",
        panels(replays, trees),
        controls(replays),
    ]
    data: Any = {
        "sides": [side(r, root, numbers, words) for r in replays],
        "up": [numbers.get(p.path[:-1], 0) for p in every],
        "boards": [Position(plan.game, p.state).board for p in every] if long else [],
        "counts": ADDED,
    }
    return document(f"Replay: {titles}", "".join(body), data, SCRIPTS, SHEETS, TREE_STYLE)


def _says(replays: Sequence[Replay], folded: int) -> str:
    """Return what to know about the clock, and about what is not shown."""
    text = "A run as it was recorded. Inside a task, positions are spread evenly over its time."
    if replays[0].ticks:
        text = "A virtual run: each position takes one unit of time, on every machine."
    if folded:
        text += (
            " The tree is too large to draw. Its top plies are shown, and the numbers at their "
            f"edge count the {folded:,} visited positions below."
        )
    if not all(r.whole for r in replays):
        text += (
            " Some tasks are shown as one step: their positions are too many, or a table answered "
            "for some of them."
        )
    return f'<p class="lead">{escape(text)}</p>'


JUMPS: Final = (("cut", "cutoff", "c"), ("aborted", "abort", "a"), ("lead", "best move", "b"))
"""Kinds of moments to jump to: the kind, what it is called, its key."""
MEANINGS: Final = {
    "best so far": "the value of the best move that is known now",
    "leaves": "positions evaluated so far",
    "positions": "positions visited so far",
    "work": "the time of all tasks so far, added up",
    "span": "the time of the longest chain of tasks that wait for each other",
    "sparks": "branches that were asked for ahead of time",
    **{name: COUNTS[name] for name in
       ("converted", "fizzled", "aborted", "dud", "opened", "inlined", "pruned")},
}  # fmt: skip
"""The counts of a replay and their meanings."""
HOW: Final = (
    ("→ ←", "one step forward, or back"),
    ("space", "play, or stop"),
    ("c, a, b", "to the next cutoff, abort, change of the best at the root; with Shift, back"),
    ("Home, End", "to the start, to the end"),
    ("click a line, a bar or a mark", "goes to its step, to its start, to where it is entered"),
)


def panels(replays: Sequence[Replay], trees: Sequence[str]) -> str:
    """Return the panels: for each replay its counts, tree, window and trace."""
    parts = [
        _panel(n, replay, tree, len(replays) > 1)
        for n, (replay, tree) in enumerate(zip(replays, trees, strict=True))
    ]
    pair = " two" if len(replays) > 1 else ""
    return f'<div class="replay{pair}">{"".join(parts)}</div>'


def _panel(n: int, replay: Replay, tree: str, titled: bool) -> str:
    name = escape(replay.title)
    counts = "".join(
        f'<div title="{escape(meaning)}"><dt>{count}</dt><dd data-count="{count}"></dd></div>'
        for count, meaning in MEANINGS.items()
    )
    title = f"<h2>{name}</h2>" if titled else ""
    return (
        f'<section class="side" id="side-{n}" aria-label="{name}">{title}'
        f'<dl class="counts">{counts}</dl>'
        f'<div class="stage" tabindex="0" role="group" aria-label="tree, {name}">{tree}</div>'
        f'<div class="now jam"><p class="says"></p><svg class="interval" '
        f'role="img" aria-label="window"></svg><p class="window"></p>'
        '<div class="board" hidden></div></div>'
        f'<ol class="trace" tabindex="0" aria-label="steps, {name}"></ol></section>'
    )


def controls(replays: Sequence[Replay]) -> str:
    """Return the slider with its buttons, the lanes, the legend and the keys."""
    lanes = "".join(
        f'<div class="lanes jam"><h3>{escape(r.title)}</h3><svg role="img" '
        f'aria-label="workers, {escape(r.title)}"></svg></div>'
        for r in replays
    )
    jumps = "".join(
        f'<button type="button" data-jump="{kind}" title="next {name}: key {key}">'
        f"{name} <kbd>{key}</kbd></button>"
        for kind, name, key in JUMPS
    )
    own = buttons(
        ("first", "|◀", "to the start"), ("back", "◀", "one step back"), ("play", "play", "play"),
        ("next", "▶", "one step forward"), ("last", "▶|", "to the end"),
    )  # fmt: skip
    key = "".join(
        f'<span data-fate="{fate}" data-sign="{SIGNS[fate]}">{escape(text)}</span>'
        for fate, text in FATES.items()
    )
    how = "".join(f"<dt>{escape(by)}</dt><dd>{escape(does)}</dd>" for by, does in HOW)
    return (
        f'<div class="steer"><div class="tools">{own}{jumps}<output id="clock"></output></div>'
        '<input type="range" id="slider" min="0" value="0" aria-label="step">'
        f'<p class="unseen" id="told" role="status"></p><div class="workers" tabindex="0" '
        f'role="group" aria-label="workers">{lanes}</div></div>'
        f'<section id="legend"><h2>Signs and keys</h2><div class="key signs jam">{key}</div>'
        f'<details class="how" open><summary>Keys</summary><dl>{how}</dl></details></section>'
        "<footer>Made by jamboree.</footer>"
    )
