"""The page: what was asked, the answer, what the sparks did, and what to try."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path

from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import seq
from strategies.insight.analysis.calibration import measured_burden
from strategies.insight.analysis.diagnosis.diagnose import Diagnosis, diagnosed
from strategies.insight.analysis.diagnosis.facts import Facts
from strategies.insight.analysis.diagnosis.thresholds import SHORTEST
from strategies.insight.analysis.replay import replay
from strategies.insight.analysis.utilisation import Utilisation, shares, utilisation, wall, way
from strategies.insight.pictures.search_tree import draw_tree
from strategies.insight.pictures.speedup_bounds import draw_bounds
from strategies.insight.pictures.style import STYLE, THEMES
from strategies.insight.pictures.task_graph import draw_plan
from strategies.insight.pictures.timeline import drawn_strips
from strategies.insight.report.columns import columns
from strategies.insight.report.html import facts, moving, section, still, table, tools
from strategies.running.plans.move_names import Names
from strategies.running.plans.search_graph import SearchGraph, graph_of
from strategies.running.records.request import SearchRequest
from strategies.running.records.run import Run
from strategies.running.records.wording import SPARKS, known, ratio, seconds, window
from strategies.support.files import write_whole

TREE = 150
"""Positions: a larger tree is not drawn."""
LONGEST = 25
"""Sparks in the table: the longest."""
SIMULATED = (4, 8, 16, 32, 64)
"""Numbers of workers for which a run with fixed windows is replayed."""
SELDOM, MANY = (64,), 5_000
"""Those for a run of more than so many tasks."""
KEYS = {
    "spark": SPARKS["converted"], "aborted": SPARKS["aborted"], "bad": SPARKS["fizzled"],
    "known": SPARKS["known"], "step": "step", "fold": "fold",
    "wait": "scheduling: ready, not yet started",
}  # fmt: skip


def write_report(
    result: Run, path: str | Path, *, sequential: Run | bool = True, command: str = ""
) -> Path:
    """Write the report of a run to a file: the whole of it, or nothing; see `report_page`.

    Returns: the path.
    Raises: OSError if it cannot be written.
    """
    target = Path(path)
    write_whole(target, report_page(result, sequential=sequential, command=command))
    return target


def report_page(result: Run, *, sequential: Run | bool = True, command: str = "") -> str:
    """One HTML page about a run: answer, ledger, diagnosis, timeline, pictures, bounds.

    `sequential` is the result of the same search under `seq`; True makes that search once more,
    False leaves the comparison out.  `command` is the shell command that made the run, if one did;
    else the page has the Python expression.

    Ensures: the page needs nothing from elsewhere, and asks for nothing; the timeline has one bar
    for each record.
    Raises: ValueError if the result came without its search.
    Cost: a sequential search if `sequential` is True; about a second to measure what a task costs;
    linear in the tasks.
    """
    answer = graph_of(result.request)
    request = result.request
    assert request is not None
    other = _sequential(result, sequential)
    found = utilisation(result)
    names = Names(answer.plan)
    diagnosis = diagnosed(Facts(result, found, other))
    parts = [
        _head(request),
        facts(_facts(result, found, other)),
        _asked(request, command),
        section("diagnosis", "Diagnosis", _findings(diagnosis)),
        _timeline(found),
        section("sparks", "Sparks", f"<pre>{escape(str(result.sparks))}</pre>",
                _longest(found, names)),
        _iterations(result) or _graph(answer, result),
        _tree(result),
        _bounds(result, other),
        "<footer>Made by jamboree. Times vary from run to run, and with what else the machine "
        "does; values and moves never do.</footer>",
    ]  # fmt: skip
    return _document(f"{request.algorithm!r} using {request.strategy!r}", "".join(parts),
                     columns(found, names))  # fmt: skip


def _sequential(result: Run, given: Run | bool) -> Run | None:
    if isinstance(given, Run):
        return given
    if not given or len(result.records) < 2 or result.depth is not None:
        return None  # how long a search within a limit takes is the limit's doing
    return graph_of(result.request, seq).compute(scheduler=None, num_workers=1)


def _head(request: SearchRequest) -> str:
    game = repr(request.game)
    game = game if len(game) <= 90 else f"{type(request.game).__name__}(…)"
    what = escape(f"{request.algorithm!r} of {game}")
    button = '<button type="button" id="theme">theme</button>'
    return f'{button}<h1>{escape(repr(request.strategy))}</h1><p class="under">{what}</p>'


def _facts(result: Run, found: Utilisation, other: Run | None) -> list[tuple[str, str]]:
    request = result.request
    assert request is not None
    none = result.move is None
    move = "none" if none else request.game.move_text(request.state, result.move)
    rows = [
        ("move", move),
        ("value", str(result.estimate)),
        ("time, first task to last", seconds(found.seconds)),
        *_planning(result, found),
        *([] if result.depth is None else [("depth", f"{_plies(result.depth)} within the limit")]),
        ("workers", str(found.workers)),
        ("nodes", f"{result.nodes:,}"),
        ("leaves", f"{result.leaves:,}"),
        ("parallelism", f"{result.parallelism:.2f}"),
    ]
    if other is not None:
        short = found.seconds < SHORTEST
        rows += [
            ("sequential search", seconds(wall(other))),
            ("speed-up against it", "too short to say" if short else
             ratio(wall(other) / found.seconds)),
            ("nodes against it", ratio(result.nodes / max(1, other.nodes))),
        ]  # fmt: skip
    return rows


def _planning(result: Run, found: Utilisation) -> list[tuple[str, str]]:
    """What the call took beside its tasks, if there was a call."""
    if result.call is None:
        return []
    return [("planning, before and after", seconds(max(0.0, result.seconds - found.seconds)))]


def _findings(diagnosis: Diagnosis) -> str:
    if not diagnosis:
        return f'<p class="sound">{escape(str(diagnosis).capitalize())}.</p>'
    rows = "".join(
        f"<li><b>{escape(f.name)}</b>: {escape(f.says)} <i>{escape(f.advice)}</i></li>"
        for f in diagnosis
    )
    return f'<ul class="findings">{rows}</ul>'


def _longest(found: Utilisation, names: Names) -> str:
    """The sparks that ran longest, as a table."""
    sparks = sorted(found.sparks, key=lambda b: (-b.record.seconds, b.start))[:LONGEST]
    if not sparks:
        return ""
    rows = [
        (way(b, names), b.kind, window(b.record.window),
         known(b.record.found) if b.record.outcome == "converted" else "",
         f"{b.record.nodes:,}", seconds(b.start), seconds(b.record.seconds),
         seconds(b.record.cpu), str(b.lane + 1))
        for b in sparks
    ]  # fmt: skip
    head = ("moves", "became", "window", "found", "nodes", "from", "took", "CPU time", "worker")
    most = min(LONGEST, len(found.sparks))
    name = "All sparks" if most == len(found.sparks) else f"The {most} longest sparks"
    return f"<details><summary>{name}</summary>{table(head, rows, (4, 5, 6, 7, 8))}</details>"


def _timeline(found: Utilisation) -> str:
    key = "".join(f'<span data-key="{name}">{text}</span>' for name, text in KEYS.items())
    bar = tools('<output id="count"></output>')
    return section(
        "timeline", "Timeline",
        f'<div class="figure" id="timeline-figure">{bar}'
        '<canvas class="jam" tabindex="0" aria-label="timeline of all workers"></canvas></div>',
        f'<div class="key jam">{key}</div>',
        still(drawn_strips(found)),
        says=f"{shares(found).capitalize()}. Hover over a task or tap on it; keys n and p go to "
             "the next and the previous. Drag to pan; buttons, or Ctrl and the wheel, to zoom.",
    )  # fmt: skip


def _graph(answer: SearchGraph, result: Run) -> str:
    using, depth = result.using, result.depth
    if isinstance(using, Driver):
        says = f"There is none: the threads of {using!r} search one position together."
    elif depth is not None and using == seq:
        says = f"There is none: within a limit, {using!r} deepens ply by ply in one thread."
    else:
        last = "" if depth is None else f"The last depth that was finished, {_plies(depth)}. "
        return section(
            "graph", "Task graph", moving(draw_plan(answer, result), "graph-figure"),
            says=f"{last}Down is time, across is parallelism: the tasks of a row can run at once. "
                 "Drag to pan; buttons, or Ctrl and the wheel, to zoom.",
        )  # fmt: skip
    return section("graph", "Task graph", says=says)


def _plies(depth: int) -> str:
    return f"{depth} {'ply' if depth == 1 else 'plies'}"


def _iterations(result: Run) -> str:
    if not result.graphs:
        return ""
    return section(
        "iterations", "Iterations", f"<pre>{escape(result.iterations)}</pre>",
        says="A row of graphs over one table; each is planned by what the last one learned.",
    )  # fmt: skip


def _tree(result: Run) -> str:
    try:
        picture = draw_tree(graph_of(result.request), most=TREE)
    except ValueError:
        return ""
    return section("tree", "SearchGraph tree", moving(picture, "tree-figure"),
                   says="As the strategy looks at it, with fixed windows.")  # fmt: skip


def _bounds(result: Run, other: Run | None) -> str:
    request = result.request
    assert request is not None
    if len(result.records) < 2 or (result.graphs and result.depth is not None):
        return ""
    if not result.graphs and len(result.records) != len(graph_of(result.request).tasks()):
        return ""  # one task, or the threads of a driver: nothing to put on other workers
    burden = measured_burden(request.game, engine=request.engine)
    live = any(r.key[0] == "start" for r in result.records)
    workers = () if live else SIMULATED if len(result.records) <= MANY else SELDOM
    simulated = tuple(replay(result, p, burden) for p in workers)
    picture = draw_bounds(result, burden=burden, sequential=other, simulated=simulated)
    return section(
        "bounds", "Bounds", still(picture),
        says="What work, span and dispatcher allow on more workers. Hollow points put the recorded "
             "tasks in order on virtual workers; they were not run.",
    )  # fmt: skip


def _asked(request: SearchRequest, command: str) -> str:
    """The position, and what makes the run again."""
    shown = escape(request.game.show(request.state))
    again = escape(command) if command else escape(_python(request), quote=False)
    return section(
        "again", "Position, and how to run it again",
        f'<div class="pair"><pre>{shown}</pre><pre>{again}</pre></div>',
    )  # fmt: skip


def _python(request: SearchRequest) -> str:
    """Python that makes the run, from its imports on."""
    kind = type(request.game)
    own = kind.__module__.partition(".")[0] == "games"
    game = "from games import *" if own else f"from {kind.__module__} import {kind.__name__}"
    return f"{game}\nfrom strategies import *\n\nresult = {request.expression}"


def _document(title: str, body: str, data: object) -> str:
    folder = files("strategies.insight.report")
    style = folder.joinpath("page.css").read_text(encoding="utf-8")
    script = folder.joinpath("page.js").read_text(encoding="utf-8")
    keys = "".join(f"[data-key={name}]{{--sign:var(--{name})}}" for name in KEYS)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{THEMES}{style}{keys}</style>\n</head>\n<body>\n"
        f'<main>\n{body}</main>\n<div id="tip" role="status" hidden></div>\n'
        f'<script type="application/json" id="data">{text}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )
