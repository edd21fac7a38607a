"""The report of a run: the search, its answer, what the sparks did, and what to try."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from attrs import evolve

from graphs.arguments import check_kind
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import seq
from strategies.insight.analysis.calibration import measured_burden
from strategies.insight.analysis.diagnosis.diagnose import diagnosed
from strategies.insight.analysis.diagnosis.facts import SHORTEST, Facts
from strategies.insight.analysis.move_naming import naming
from strategies.insight.analysis.simulation import replay
from strategies.insight.analysis.timeline_marks import iteration_spans, lost_marks
from strategies.insight.analysis.utilisation import Utilisation, utilisation, wall
from strategies.insight.pictures.search_tree import draw_tree
from strategies.insight.pictures.speedup_bounds import draw_bounds
from strategies.insight.pictures.task_graph import plan_and_marks
from strategies.insight.report.columns import columns
from strategies.insight.report.document import (
    counted,
    document,
    facts,
    heading,
    moving,
    section,
    still,
    text,
    write_page,
)
from strategies.insight.report.run_sections import longest, overview, rerun_section, timeline
from strategies.native.kept_engines import engine_for
from strategies.running.plans.search_graph import SearchGraph, graph_of
from strategies.running.records.request import SearchRequest
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import bound, game_text, ratio, seconds

TREE = 150
"""The number of positions of the largest tree that is drawn."""
MEANINGS: Final = {
    "move": "the best move, by its name in the game; the first of equal moves",
    "value": "the value of the position for Maxie under best play",
    "time, first task to last": "from the start of the first task to the end of the last",
    "planning, before and after": "the rest of the time that the call took",
    "depth": "the last depth that was searched completely",
    "rules": "machine code, or interpreted as Python code; the first search of a game is "
             "interpreted if it ends before compiling its rules would be worthwhile",
    "workers": "the number of tasks that could run at once; some workers may have had none",
    "nodes": "positions visited",
    "leaves": "positions evaluated: the game was over there, or the depth was used up",
    "parallelism": "the time of all tasks divided by that of the longest chain of them: the number "
                   "of workers that could be kept busy",
    "sequential search": "the duration of the same search in one task, branch after branch",
    "speed-up against it": "the time of the sequential search divided by the time of this run",
    "nodes against it": "the nodes of this run divided by those of the sequential search",
}  # fmt: skip
"""The meanings of the facts at the head of the page."""
SIMULATED = (4, 8, 16, 32, 64)
"""The numbers of workers for which a run with fixed windows is replayed."""
HOLLOW: Final = " Hollow points are simulated: they place the recorded tasks on virtual workers."
SELDOM, MANY = (64,), 5_000
"""The numbers of workers for a run of more than `MANY` tasks."""


def write_report(
    result: SearchRun, path: str | Path, *, sequential: SearchRun | bool = True
) -> Path:
    """Write the report of a run to a file, atomically; see `report_page`.

    Returns: the path.
    Raises: OSError if the file cannot be written.
    """
    if not isinstance(sequential, bool):
        check_kind(SearchRun, "a result, True or False", sequential=sequential)
    return write_page(path, lambda: report_page(result, sequential=sequential))


def report_page(
    result: SearchRun, *, sequential: SearchRun | bool = True, command: str = ""
) -> str:
    """Return one HTML page about a run: answer, ledger, diagnosis, timeline, pictures, bounds.

    `sequential` is the result of the same search under `seq`; True runs that search now, False
    leaves the comparison out.  `command` is the shell command of the run, to be shown in place of
    its Python expression.

    Ensures: the page is complete in itself and makes no requests; the timeline has one bar for
    each record.
    Raises: ValueError if the result does not know its search.
    Cost: a sequential search if `sequential` is True; about a second to measure what a task costs;
    linear in the tasks.
    """
    rows = bool(result.request) and bool(result.graphs)  # a row of graphs has no single plan
    answer = None if rows else graph_of(result.request)
    request = result.request
    assert request is not None
    other = _sequential(result, sequential)
    found = utilisation(result)
    names, lost = naming(result), lost_marks(result)
    graph, marks = ("", {}) if answer is None else _graph(answer, result)
    parts = [
        heading(repr(request.strategy), f"{request.algorithm!r} of {game_text(request.game, 90)}"),
        facts(_facts(result, found, other), MEANINGS),
        rerun_section(request, command),
        section("diagnosis", "Diagnosis", diagnosed(Facts(result, found, other))._repr_html_()),
        timeline(found, result.clocks, lost),
        section("sparks", "Sparks", counted(result.sparks), longest(found, names)),
        overview(found),
        _iterations(result) or graph,
        "" if answer is None else _tree(answer, result),
        _bounds(result, other),
        _footer(request),
    ]  # fmt: skip
    return document(f"{request.algorithm!r} using {request.strategy!r}", "".join(parts),
                    columns(found, names, iteration_spans(result), marks, lost))  # fmt: skip


def _footer(request: SearchRequest) -> str:
    """Return the footer: what varies from run to run."""
    vary = "times vary from run to run, and with the load of the machine"
    if request.limits is None or request.limits.time is None:
        says = f"{vary.capitalize()}; values and moves do not."
    else:
        says = f"Within a time, the depth, the value and the move may vary, as {vary}."
    return f"<footer>Made by jamboree. {says}</footer>"


def _sequential(result: SearchRun, given: SearchRun | bool) -> SearchRun | None:
    if isinstance(given, SearchRun):
        return given
    if not given or len(result.records) < 2 or result.depth is not None:
        return None  # the limit decides how long such a search takes
    assert result.request is not None
    alike = evolve(result.request, engine=result.request.ran_on)
    return graph_of(alike, seq).compute(scheduler=None, num_workers=1)


def _facts(result: SearchRun, found: Utilisation, other: SearchRun | None) -> list[tuple[str, str]]:
    request = result.request
    assert request is not None
    outside = seconds(max(0.0, result.seconds - found.seconds))
    rows = [
        ("move", result.move_text),
        ("value", _value(result)),
        ("time, first task to last", seconds(found.seconds)),
        *([] if result.call is None else [("planning, before and after", outside)]),
        *([] if result.depth is None else [("depth", f"{_plies(result.depth)} within the limit")]),
        *_rules(request),
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


def _value(result: SearchRun) -> str:
    text = result.value_text
    return f"Guess: {bound(result.value)}" if text.startswith("Guess: ") else text


def _rules(request: SearchRequest) -> list[tuple[str, str]]:
    """Return how the rules ran, if this process knows it."""
    engine = engine_for(request.game, request.ran_on)
    if engine.undecided:
        return []  # another process made the run
    return [("rules", "interpreted" if engine.so_far else "machine code")]


def _graph(answer: SearchGraph, result: SearchRun) -> tuple[str, dict[int, int]]:
    """Return the section, and the number of each record's mark in it."""
    using, depth = result.using, result.depth
    if isinstance(using, Driver):
        says = f"There is none: the threads of {using!r} search one position together."
    elif depth is not None and using == seq:
        says = f"There is none: within a limit, {using!r} deepens ply by ply in one thread."
    else:
        last = "" if depth is None else f"The last complete iteration ({_plies(depth)}). "
        picture, marks = plan_and_marks(answer, result)
        return section(
            "graph", "Task graph", moving(picture, "graph-figure"),
            says=f"{last}Time runs down, parallelism across: the tasks of a row can run at the "
                 "same time. Drag to pan; zoom with the buttons or Ctrl and the mouse wheel.",
        ), marks  # fmt: skip
    return section("graph", "Task graph", says=says), {}


def _plies(depth: int) -> str:
    return f"{depth} {'ply' if depth == 1 else 'plies'}"


def _iterations(result: SearchRun) -> str:
    if not result.graphs:
        return ""
    return section(
        "iterations", "Iterations", text(result.iterations),
        says="A row of graphs over one table; each is planned from the results of the last.",
    )  # fmt: skip


def _tree(answer: SearchGraph, result: SearchRun) -> str:
    try:
        picture = draw_tree(answer, result, most=TREE)
    except ValueError:
        return ""
    return section("tree", "Search tree", moving(picture, "tree-figure"),
                   says="The positions, and what became of each spark.")  # fmt: skip


def _bounds(result: SearchRun, other: SearchRun | None) -> str:
    request = result.request
    assert request is not None
    if len(result.records) < 2 or (result.graphs and result.depth is not None):
        return ""
    if not result.graphs and len(result.records) != len(graph_of(result.request).tasks()):
        return ""  # one task, or the threads of a driver: nothing to schedule on other workers
    burden = measured_burden(request.game, engine=request.ran_on)
    live = any(r.key[0] == "start" for r in result.records)
    workers = () if live else SIMULATED if len(result.records) <= MANY else SELDOM
    simulated = tuple(replay(result, p, burden) for p in workers)
    picture = draw_bounds(result, burden=burden, sequential=other, simulated=simulated)
    return section(
        "bounds", "Bounds", still(picture),
        says="Bounds on the time with more workers, from work, span and dispatcher."
             + (HOLLOW if simulated else ""),
    )  # fmt: skip
