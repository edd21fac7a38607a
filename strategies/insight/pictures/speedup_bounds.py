"""The time of a run against the number of workers, with its bounds, on logarithmic axes."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.limits import BOUNDED_WORKERS
from strategies.algebra.wording import plural
from strategies.insight.analysis.simulation import Burden, Simulation
from strategies.insight.analysis.work_span import NAMES, Point, time_bounds
from strategies.insight.pictures.axes import Box, Field, decades, logarithmic, sample
from strategies.insight.pictures.picture import Picture, element, headed, picture_of
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import seconds

BOX = Box(76.0, 92.0, 520.0, 330.0)


def draw_bounds(
    *runs: SearchRun, burden: Burden | None = None, sequential: SearchRun | None = None,
    simulated: Sequence[Simulation] = (),
) -> Picture:  # fmt: skip
    """Draw the time of a search against the number of workers: measured times and their bounds.

    The lower bounds come from the first of `runs`: its work and span, with the overhead that this
    machine adds to a task (`burden`), and the time in which one dispatcher can start all tasks.
    The upper bound is that of a greedy schedule, with the dispatcher and with workers that slow
    each other down.  A replay of the run under that burden lies between them.  Full points are
    real runs, hollow points are simulated.  The dashed line is the best sequential search, if
    given: speed-ups are measured against it, not against the work.

    Requires: at least one run that knows its search; if `burden` is None, it is measured here.
    Raises: ValueError if there is no run, or it does not know its search.
    Cost: the first run's plan is made again; about a second if the burden is measured.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, par_list, search
    >>> from strategies.insight.analysis.simulation import FREE
    >>> answer = search(HANDOUT_SMALL, alphabeta(depth=2), using=par_list)
    >>> "work / P" in draw_bounds(answer.compute(num_workers=2), burden=FREE).svg
    True
    """
    bounds = time_bounds(runs, burden, sequential, simulated)
    found, burden, lines = bounds.measures, bounds.burden, bounds.lines
    counts = [2.0 ** (i / 4) for i in range(4 * BOUNDED_WORKERS.bit_length() - 3)]
    times = [line(p) for line in lines.values() for p in counts]
    times += [point.seconds for point in bounds.points]
    times += [] if bounds.sequential is None else [bounds.sequential]
    scale = decades(min(t for t in times if t > 0), max(times))
    workers = [2**i for i in range(BOUNDED_WORKERS.bit_length())]
    across = logarithmic(1, BOUNDED_WORKERS, workers, str)
    field = Field(BOX, across, logarithmic(scale[0], scale[-1], scale, seconds))
    body = field.drawn("workers P")
    for name, line in lines.items():
        path = "L".join(f"{field.x(p):.1f} {field.y(line(p)):.1f}" for p in counts)
        body.append(element("path", class_=f"bound {name}", d=f"M{path}"))
    if bounds.sequential is not None:
        y = field.y(bounds.sequential)
        body.append(element("path", class_="bound best", d=f"M{BOX.x:.1f} {y:.1f}h{BOX.across}"))
    body += [_point(field, point) for point in bounds.points]
    rate = burden.rate(BOUNDED_WORKERS)
    slowed = f"; {BOUNDED_WORKERS} busy workers keep {rate:.0%} of their speed" if rate < 1 else ""
    title = "Time and its bounds"
    heads, _ = headed(
        title,
        f"work {seconds(found.work)}, span {seconds(found.span)}, parallelism "
        f"{found.parallelism:.3g}, burdened {found.burdened_parallelism:.3g}",
        f"{found.tasks:,} tasks; the lines include the overhead of each: worker "
        f"{seconds(burden.task)}, dispatcher {seconds(burden.dispatch)}{slowed}",
    )
    best = {} if sequential is None else {"best": "the best sequential search"}
    samples = [(sample(f"bound {name}"), text) for name, text in {**NAMES, **best}.items()]
    for how in ["observed"] + ["simulated"] * bool(simulated):
        samples.append((element("circle", class_=f"point {how}", r=5.0, cx=14.0, cy=-4.0), how))
    parts = [*heads, *body, *field.key(samples)]
    wide, tall = BOX.x + BOX.across + 380, BOX.y + BOX.tall + 46
    return picture_of(title, parts, wide, tall)


def _point(field: Field, point: Point) -> str:
    how = "simulated" if point.simulated else "observed"
    tip = f"{how}: {seconds(point.seconds)} on {plural(point.workers, 'worker')}"
    return element(
        "circle", element("title", tip), class_=f"point {how}", r=5.0,
        cx=field.x(min(point.workers, BOUNDED_WORKERS)), cy=field.y(point.seconds),
    )  # fmt: skip
