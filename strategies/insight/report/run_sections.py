"""The sections of a page about the tasks of a run: timeline, longest sparks, overview.

Another section has the command, or the code, that repeats the run.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

import attrs

from games import Position
from graphs.limits import LONG_SPARKS
from strategies.insight.analysis.move_naming import Naming, place_of, way
from strategies.insight.analysis.timeline_marks import LostMark
from strategies.insight.analysis.utilisation import (
    Utilisation,
    critical_path,
    path_line,
    process_bands,
    shares,
)
from strategies.insight.pictures.picture import element
from strategies.insight.pictures.timeline import drawn_histogram
from strategies.insight.pictures.timeline_key import sample, timeline_key
from strategies.insight.report.document import section, still, table, tools
from strategies.running.records.clocks import Clocks
from strategies.running.records.request import SearchRequest
from strategies.running.records.wording import known, seconds, window

BOX = (
    ("select", "box", "select a box of time and workers"),
    ("all", "view", "select everything in view"),
    ("clear", "clear", "clear the selection"),
)
"""Buttons of the timeline, besides those that zoom: actions, labels and titles."""
FIND = (
    '<span class="find"><label>find <input type="search" size="14" '
    'placeholder="moves, aborted, …"></label><output role="status"></output></span>'
)
"""The field that finds tasks of the timeline."""
SPARK = {
    "moves": "the moves from the root to the branch",
    "became": "converted, aborted, fizzled, or known",
    "window": "the window of the branch when the spark started",
    "found": "the value of the branch, or a bound on it",
    "nodes": "positions visited",
    "from": "start time, from the start of the run",
    "took": "duration, including time without a processor",
    "CPU time": "processor time",
    "worker": "the lane in the timeline",
}
"""The meanings of the columns in the table of sparks."""
PROCESS = {
    "threads": "threads that ran tasks",
    "busy": "the share of the threads' time spent in tasks",
    "clock moved": "the correction of this process's clock",
}
"""The meanings of the columns in the table of processes."""
HOW = (
    ("hover over a task, or tap it", "shows its record"),
    ("click or tap a task", "highlights its inputs, and the tasks that waited for it (dashed)"),
    ("drag; arrow keys", "pans"),
    ("Ctrl and the wheel; + - 0", "zooms; 0 shows all"),
    ("“box”, then drag; Shift and drag", "selects a box: the totals cover what is in it"),
    ("“view”; key s", "selects everything in view, for totals without a mouse"),
    ("find: moves, or a word of the record", "highlights matching tasks; Enter goes to the next"),
    ("n, p; Enter; Esc", "next and previous task; highlights it; clears everything"),
)
"""The controls of the timeline and their effects."""


def longest(found: Utilisation, names: Naming | None, *, calls: bool = False) -> str:
    """Return the sparks that ran longest, as a table; `calls` among values search nothing."""
    sparks = sorted(found.sparks, key=lambda b: (-b.record.seconds, b.start))[:LONG_SPARKS]
    if not sparks:
        return ""
    rows = []
    for bar in sparks:
        r, row = bar.record, [way(bar, names)]
        if not calls:
            result = known(r.found) if r.outcome == "converted" else ""
            row += [bar.kind, window(r.window), result, f"{r.nodes:,}"]
        times = map(seconds, (bar.start, r.seconds, r.cpu))
        rows.append([*row, *times, str(bar.lane + 1)])
    about = ["calls"] if calls else ["moves", "became", "window", "found", "nodes"]
    head = [*about, "from", "took", "CPU time", "worker"]
    few = len(sparks) == len(found.sparks)
    name = "All sparks" if few else f"The {len(sparks)} longest sparks"
    shown = table(head, rows, range(1 if calls else 4, len(head)), SPARK)
    return f"<details><summary>{name}</summary>{shown}</details>"


def processes(found: Utilisation, clocks: Clocks | None) -> str:
    """Return a table of the processes of a run, if there were several, with their clocks."""
    bands = process_bands(found)
    if not bands:
        return ""
    moved = dict(clocks.offsets) if clocks is not None else {}
    rows = []
    for band in bands:
        own = [b.record for b in found.bars if band.first <= b.lane <= band.last]
        spent = sum(r.seconds for r in own)
        tasks = sum(r.role != "join" for r in own)
        lanes = band.last - band.first + 1
        offset = moved.get(band.process, 0.0)
        rows.append(
            (band.host, band.number, str(lanes), str(tasks), f"{sum(r.nodes for r in own):,}",
             f"{100 * spent / (lanes * found.seconds or 1.0):.0f}%",
             f"{'-' if offset < 0 else '+'}{seconds(abs(offset))}" if offset else "not")
        )  # fmt: skip
    head = ("machine", "process", "threads", "tasks", "nodes", "busy", "clock moved")
    error = "" if clocks is None else f" Times are accurate to {seconds(clocks.error)}."
    says = (
        "Threads without tasks are not counted. The clocks are aligned by what must hold: a task "
        "runs between the call and its answer and after its inputs, and each clock was read "
        f"between a request and its reply.{error}"
    )
    name = f"{len(bands)} processes"
    return (
        f"<details open><summary>{name}</summary>{table(head, rows, (2, 3, 4, 5, 6), PROCESS)}"
        f"<p>{escape(says)}</p></details>"
    )


def timeline(
    found: Utilisation, clocks: Clocks | None = None, lost: Sequence[LostMark] = (), *,
    doing: str = "searching",
) -> str:  # fmt: skip
    """Return the timeline, its legend, and its totals; `doing` names what tasks do."""
    path = critical_path(found)
    bar = tools(f'<output id="count"></output>{FIND}', own=BOX)
    how = "".join(f"<dt>{escape(by)}</dt><dd>{escape(does)}</dd>" for by, does in HOW)
    says = [f"{shares(found, doing).capitalize()}."]
    says += [f"{path_line(found, path).capitalize()}."] if path else []
    groups = timeline_key(found, path, lost)
    key = "".join(_key(kind, text) for group in groups for kind, text in group.items())
    sizes = still(drawn_histogram(found)) if found.sparks else ""
    return section(
        "timeline", "Timeline",
        f'<details class="how"><summary>How to use it</summary><dl>{how}</dl></details>'
        f'<div class="figure" id="timeline-figure">{bar}'
        '<canvas class="jam" tabindex="0" role="img" '
        'aria-label="timeline of all workers; the totals below give its numbers"></canvas></div>',
        '<div id="pinned" class="pinned" role="status" hidden></div>',
        f'<div class="key jam">{key}</div>',
        '<details id="totals" open><summary>Totals</summary><output></output>'
        '<div class="tables wide" tabindex="0" role="group" aria-label="totals"></div></details>',
        _losses(lost),
        processes(found, clocks),
        sizes,
        says=" ".join(says),
    )  # fmt: skip


def _key(kind: str, text: str) -> str:
    """Return a line of the legend: what a picture would show, and its meaning."""
    shown = element("svg", *sample(kind, 0, 8), width=18.0, height=16.0, aria_hidden="true")
    return f"<span>{shown}{escape(text)}</span>"


def _losses(lost: Sequence[LostMark]) -> str:
    """Return the lost workers, as a list."""
    if not lost:
        return ""
    rows = "".join(f"<li>{seconds(mark.time)}: {escape(mark.says)}</li>" for mark in lost)
    return f"<details open><summary>Workers lost</summary><ul>{rows}</ul></details>"


def overview(found: Utilisation) -> str:
    """Return the tree of tasks as a section, if there is more than the root."""
    if len(found.bars) < 2 or all(not place_of(b) for b in found.bars):
        return ""
    options = "".join(f"<option>{name}</option>" for name in ("tasks", "sparks", "nodes", "time"))
    bar = (
        f'<div class="tools"><output>the root</output><label>by <select>{options}</select></label>'
        '<button type="button" data-do="up" title="go to the parent position">up</button></div>'
    )
    some = any(b.kind == "join" for b in found.bars)
    joins = " Joins do not count as tasks: choose nodes or time to see them." if some else ""
    return section(
        "overview", "Overview",
        f'<div class="figure" id="overview-figure">{bar}<canvas class="jam" role="img" '
        'aria-label="tree of tasks; the table below lists its branches"></canvas></div>',
        '<div id="branches" class="wide" tabindex="0" role="group" aria-label="branches"></div>',
        says="One row per ply, one box per position; the width is the sum over its subtree, and "
             "the strip in a box shows the outcomes of its tasks. Click a box, or a button in the "
             f"table, to open it.{joins}",
    )  # fmt: skip


def rerun_section(request: SearchRequest, command: str = "") -> str:
    """Return the position, and the command or code that repeats the run."""
    shown = Position(request.game, request.state).board
    again = escape(command) if command else escape(code_of(request), quote=False)
    return section(
        "again", "Position, and how to run it again",
        f'<div class="pair"><div class="wide" tabindex="0">{shown}</div>'
        f'<pre tabindex="0">{again}</pre></div>',
    )  # fmt: skip


STARS = "games", "strategies"
"""The packages of which the code imports all names."""


def code_of(request: SearchRequest) -> str:
    """Return Python code that repeats a search: imports, and its expression.

    >>> from games import Nim
    >>> from strategies import alphabeta, search
    >>> game = Nim()
    >>> late = game.make_move(game.start(), (0, 2))
    >>> print(code_of(search(game, alphabeta(2), state=late).compute(num_workers=1).request))
    from games import *
    from strategies import *
    from games.nim import Heaps
    <BLANKLINE>
    result = search(Nim(heaps=(3, 4, 5), misere=False), alphabeta(depth=2), ...
    """
    expression = request.expression
    named = {node.id for node in ast.walk(_parsed(expression)) if isinstance(node, ast.Name)}
    named.discard("search")  # a module of the game may call something else so
    parts = request.game, request.state, request.algorithm, request.strategy
    modules = dict.fromkeys(kind.__module__ for kind in _classes(parts, set()))
    homes = [sys.modules[name] for name in modules if name not in ("__main__", "builtins")]
    lines = []
    for name in sorted(named):
        home = next((each for each in homes if hasattr(each, name)), None)
        if home is not None and not _starred(name, getattr(home, name)):
            lines.append(f"from {home.__name__} import {name}")
    stars = [f"from {package} import *" for package in STARS]
    return "\n".join([*stars, *lines, "", f"result = {expression}"])


def _parsed(expression: str) -> ast.AST:
    """Return the syntax tree; an empty one for values whose repr is no expression."""
    try:
        return ast.parse(expression)
    except SyntaxError:
        return ast.Module([], [])


def _starred(name: str, value: object) -> bool:
    """Return whether a name means this value after the imports of all names."""
    packages = [sys.modules[package] for package in reversed(STARS)]
    package = next((each for each in packages if name in each.__all__), None)
    return package is not None and getattr(package, name) is value


def _classes(values: Iterable[object], seen: set[int]) -> Iterator[type]:
    """Yield the classes of values and of all values in their fields and collections."""
    for value in values:
        if id(value) in seen:
            continue
        seen.add(id(value))
        yield type(value)
        if isinstance(value, Mapping):
            yield from _classes([*value, *value.values()], seen)
        elif isinstance(value, (tuple, list, set, frozenset)):
            yield from _classes(value, seen)
        elif attrs.has(type(value)):
            fields: Iterable[attrs.Attribute[object]] = attrs.fields(type(value))  # type: ignore[arg-type]
            yield from _classes([getattr(value, field.name, None) for field in fields], seen)
