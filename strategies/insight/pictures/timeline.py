"""The timeline of a run, as in ThreadScope: one lane per worker, one bar per task.

Below it is a histogram of the durations of sparks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import floor, log2

from attrs import frozen

from strategies.algebra.wording import plural
from strategies.insight.analysis.move_naming import Naming, naming, way
from strategies.insight.analysis.timeline_marks import (
    IterationSpan,
    LostMark,
    iteration_spans,
    lost_marks,
)
from strategies.insight.analysis.utilisation import (
    Bar,
    Utilisation,
    critical_path,
    path_line,
    process_bands,
    shares,
    short_names,
    utilisation,
)
from strategies.insight.pictures.axes import Box, counts, presence, strip, time_axis
from strategies.insight.pictures.fates import SIGNS
from strategies.insight.pictures.picture import Picture, element, escaped, headed, picture_of, words
from strategies.insight.pictures.timeline_key import (
    JOINING,
    TALL,
    TIMELINE_STYLE,
    again,
    drawn_bands,
    drawn_losses,
    flag,
    sample,
    timeline_key,
)
from strategies.running.records.run import Run
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import (
    SPARKS,
    game_text,
    search_lines,
    seconds,
    shortened,
    took,
)

LEFT, ACROSS, RIGHT = 112.0, 840.0, 112.0
"""The widths of the lane names, of the time axis, and of the labels right of it, in pixels."""
BINS = 240
LANE, GAP, BUSY, STRIP, ROW = 26.0, 5.0, 46.0, 34.0, 22.0


def draw_timeline(result: Run) -> Picture:
    """Draw the timeline of a run: what each worker did when, and how long sparks waited.

    From top to bottom: the iterations of a search that deepens by a row of graphs; the number of
    busy workers; a lane for each worker, with a bar for each task, and a bracket for each process;
    sparks as they became ready (everything that they wait for was known) and as they started; the
    pool of sparks that were ready and not started; and a histogram of durations.  In the middle
    strips, an area is a number of sparks, and its height a rate.

    Ensures: every task is in one bar: tasks too short to be seen share bars, and tooltips count
    them.
    Cost: linear in the tasks.
    Source: ThreadScope (Jones, Marlow, Singh, 2009).

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, par_list, search
    >>> answer = search(HANDOUT_SMALL, alphabeta(depth=2), using=par_list)
    >>> "3 sparks" in draw_timeline(answer.compute(num_workers=2)).svg
    True
    """
    names = naming(result)
    return lanes_of(
        utilisation(result), _title(result), lambda bar: lines(bar, names),
        spans=iteration_spans(result), lost=lost_marks(result),
    )  # fmt: skip


def lanes_of(
    found: Utilisation, title: str, told: Callable[[Bar], list[str]], doing: str = "searching",
    spans: Sequence[IterationSpan] = (), lost: Sequence[LostMark] = (),
) -> Picture:  # fmt: skip
    """Draw a timeline; `doing` names what tasks do, and `told` returns the lines of a tooltip."""
    title = shortened(title, 110)
    counts = f"{seconds(found.seconds)} on {plural(found.workers, 'worker')}; {found.counts}"
    path = critical_path(found)
    longest = [path_line(found, path)] if path else []
    heads, _ = headed(title, counts, shares(found, doing), *longest)
    begin = 110.0 if path else 92.0
    top = begin + (TALL + 6 if spans else 0)
    lanes, y = [], top + BUSY + 14
    bands = process_bands(found)
    names = dict(zip((band.first for band in bands), short_names(bands), strict=True))
    for lane in range(found.workers):
        lanes += _lane(found, lane, y, told, names.get(lane, ""))
        y += LANE + GAP
    for band in bands:
        high = top + BUSY + 14 + band.first * (LANE + GAP)
        low = top + BUSY + 14 + band.last * (LANE + GAP) + LANE
        lanes.append(element("path", class_="bracket", d=f"M19 {high:.0f}H14V{low:.0f}H19"))
    depths = drawn_bands(spans, _across(found), begin, y)
    if spans:
        depths.append(words("iterations", LEFT - 10, begin + TALL / 2 + 4, "key", "end"))
    losses = drawn_losses(lost, _across(found), top + BUSY + 7, y, LEFT + ACROSS)
    chain = _chain(found, path, top + BUSY + 14)
    body, y = _strips(found, top, y + 9)
    parts = [*heads, *body, *lanes, *chain, *depths, *losses]
    for group in timeline_key(found, path, lost):
        keys, y = _keys(group, y)
        parts += keys
    joins = any(bar.kind == "join" for bar in found.bars)
    return _picture(title, parts, y - 2, JOINING if joins else "")


def drawn_histogram(found: Utilisation) -> Picture:
    """Draw the histogram of spark durations by outcome, as a picture of its own."""
    tall = 74.0
    return _picture("Sizes of sparks", drawn_sizes(Box(LEFT, 14.0, ACROSS, tall), found), 34 + tall)


def _picture(title: str, parts: list[str], tall: float, sheet: str = "") -> Picture:
    return picture_of(title, parts, LEFT + ACROSS + RIGHT, tall, TIMELINE_STYLE + sheet)


def _strips(found: Utilisation, top: float, y: float) -> tuple[list[str], float]:
    """Draw the strip at `top`, those from `y` on, the axis and the histogram; return their end."""
    end, sparks = found.seconds, found.sparks
    busy = presence(((b.start, b.end) for b in found.bars), end, BINS)
    layers = [("busy", busy)]
    out = strip(Box(LEFT, top, ACROSS, BUSY), "workers busy", layers, found.workers)
    if sparks:
        few = BINS // 4
        ready = counts((b.ready for b in sparks), end, few)
        begun = [
            (kind, counts((b.start for b in sparks if b.kind == kind), end, few)) for kind in SPARKS
        ]
        together = map(sum, zip(*(rows for _, rows in begun), strict=True))
        pool = presence(((b.ready, b.start) for b in sparks), end, BINS)
        unit = f" in {seconds(end / few)}"
        for name, rows, high, of in (
            ("sparks ready", [("made", ready)], max(ready), unit),
            ("sparks started", begun, max(together), unit),
            ("spark pool", [("pool", pool)], max(1.0, *pool), ""),
        ):
            out += strip(Box(LEFT, y, ACROSS, STRIP), name, rows, high, of)
            y += STRIP + 8
    out = [*time_axis(end, LEFT, ACROSS, top, y), *out]
    y += 34
    if sparks:
        out += drawn_sizes(Box(LEFT, y, ACROSS, 74), found)
        y += 74 + 30
    return out, y


def _title(result: Run) -> str:
    if not isinstance(result, SearchRun) or result.request is None:
        return "Timeline"
    a = result.request
    return f"{a.algorithm!r} of {game_text(a.game, 60)}, using {a.strategy!r}"


def _across(found: Utilisation) -> Callable[[float], float]:
    """Return the function from times to x coordinates."""
    return lambda t: LEFT + (ACROSS * t / found.seconds if found.seconds else 0.0)


def _lane(
    found: Utilisation, lane: int, y: float, told: Callable[[Bar], list[str]], process: str
) -> list[str]:
    """Draw the lane of one worker: its bars, the waits before them, and how busy it was.

    The first lane of a process is labelled with the name of the process.
    """
    at = _across(found)
    own = [b for b in found.bars if b.lane == lane]
    out = [
        words(f"worker {lane + 1}", LEFT - 10, y + LANE / 2 + (-1 if process else 4), "key", "end"),
        *([words(process, LEFT - 10, y + LANE / 2 + 11, "clock", "end")] if process else []),
        element("rect", class_="field", x=LEFT, y=y, width=ACROSS, height=LANE),
    ]
    last = 0.0
    waits: dict[str, list[str]] = {"waiting": [], "waiting sent": []}
    for bar in own:
        left = at(max(last, bar.ready))
        if bar.start > last and at(bar.start) - left > 0.3:
            way = f"M{left:.1f} {y + LANE / 2:.1f}H{at(bar.start):.1f}"
            waits["waiting sent" if bar.sent else "waiting"].append(way)
        last = max(last, bar.end)
    out += [element("path", class_=kind, d="".join(ways)) for kind, ways in waits.items() if ways]
    for drawn in joined(own, at):
        inset = 7.0 if drawn.kind == "fold" else 2.0
        out.append(
            element("rect", element("title", escaped(_tip(drawn, told))),
                    class_=f"bar {drawn.kind}", x=drawn.left, y=y + inset,
                    width=max(drawn.right - drawn.left, 0.3), height=LANE - 2 * inset)
        )  # fmt: skip
        if again(drawn.bars):
            out.append(element("path", class_="flag", d=flag(drawn.left, y + inset)))
        sign = SIGNS.get(drawn.kind, "")
        if sign and drawn.right - drawn.left > 14:
            middle = (drawn.left + drawn.right) / 2
            out.append(words(sign, middle, y + LANE / 2 + 4, f"bar-sign {drawn.kind}"))
    busy = sum(b.record.seconds for b in own) / (found.seconds or 1.0)
    out.append(words(f"{100 * busy:.0f}% busy", LEFT + ACROSS + 6, y + LANE / 2 + 4, "clock"))
    return out


def _chain(found: Utilisation, path: Sequence[int], top: float) -> list[str]:
    """Draw the critical path: a line under each of its tasks, and from one to the next."""
    if not path:
        return []
    at, way = _across(found), ""
    for i in path:
        bar = found.bars[i]
        y = top + bar.lane * (LANE + GAP) + LANE - 1.5
        way += f"{'L' if way else 'M'}{at(bar.start):.1f} {y:.1f}H{at(bar.end):.1f}"
    tip = element("title", escaped(path_line(found, tuple(path))))
    return [element("path", tip, class_="critical", d=way)]


def _tip(bar: Drawn, told: Callable[[Bar], list[str]]) -> str:
    """Return the tooltip of a bar."""
    if len(bar.bars) > 1:
        spent = sum(b.record.seconds for b in bar.bars)
        lost = again(bar.bars)
        of = "joins" if bar.kind == "join" else f"tasks, {bar.kind}"
        return f"{len(bar.bars)} {of}; {seconds(spent)} together" + (f"; {lost}" if lost else "")
    return "\n".join(told(bar.bars[0]))


def lines(bar: Bar, names: Naming | None) -> list[str]:
    """Return the tooltip of one task, line by line."""
    r = bar.record
    lost = again([bar])
    ends = [lost] if lost else []
    return [f"{r.key[0]} {way(bar, names)}", *search_lines(r), times(bar), *ends]


def times(bar: Bar) -> str:
    """Return when a task ran, for how long, and how long it waited after it was ready."""
    waited = (
        f", {seconds(bar.start - bar.ready)} after it was ready" if bar.start > bar.ready else ""
    )
    return f"{took(bar.record)}, from {seconds(bar.start)}{waited}"


def _keys(kinds: dict[str, str], y: float) -> tuple[list[str], float]:
    """Draw a group of the legend, in as many rows as it needs; return where the next one starts."""
    out: list[str] = []
    x = LEFT
    for kind, text in kinds.items():
        if x > LEFT and x + 22 + 6.4 * len(text) > LEFT + ACROSS + RIGHT:
            x, y = LEFT, y + ROW
        out += [*sample(kind, x, y + 1), words(text, x + 22, y + 5, "key")]
        x += 36 + 6.4 * len(text)
    return out, y + ROW * bool(kinds)


LEAST = 0.7
"""Pixels. Narrower bars of one kind that touch are drawn as one bar."""


@frozen
class Drawn:
    """A bar that stands for one or more tasks."""

    kind: str
    left: float
    right: float
    bars: tuple[Bar, ...]


def joined(bars: Iterable[Bar], at: Callable[[float], float]) -> list[Drawn]:
    """Return the bars of one lane, with positions in pixels.

    Ensures: every task is in one bar; there are at most a few bars per pixel.
    """
    done: list[Drawn] = []
    row: dict[str, tuple[float, float, list[Bar]]] = {}

    def close(kind: str) -> None:
        left, right, found = row.pop(kind)
        done.append(Drawn(kind, left, right, tuple(found)))

    for bar in bars:
        left, right = at(bar.start), at(bar.end)
        if bar.kind in row:
            first, last, found = row[bar.kind]
            if right - left < LEAST and left - last < LEAST and last - first < 2 * LEAST:
                found.append(bar)
                row[bar.kind] = first, max(last, right), found
                continue
            close(bar.kind)
        row[bar.kind] = left, right, [bar]
    for kind in list(row):
        close(kind)
    return sorted(done, key=lambda d: (d.left, d.kind))


def histogram(found: Utilisation) -> dict[int, Counter[str]]:
    """Count the sparks by duration, in powers of two of microseconds, and by outcome."""
    sizes: dict[int, Counter[str]] = {}
    for bar in found.sparks:
        power = floor(log2(max(bar.record.seconds * 1e6, 0.5)))
        sizes.setdefault(power, Counter())[bar.kind] += 1
    return sizes


def drawn_sizes(box: Box, found: Utilisation) -> list[str]:
    """Draw the histogram: converted at the bottom, aborted and fizzled on top, counts above."""
    sizes = histogram(found)
    powers = range(min(sizes), max(sizes) + 1)
    each = min(box.across / len(powers), 72.0)
    most = max(c.total() for c in sizes.values())
    out = [words("spark sizes", box.x - 10, box.y + box.tall / 2 + 4, "key", "end")]
    base = box.y + box.tall
    for i, power in enumerate(powers):
        x, y, count = box.x + each * i, base, sizes.get(power, Counter())
        for kind in SPARKS:
            tall = (box.tall - 14) * count[kind] / most
            if count[kind]:
                y -= tall
                tip = f"{count[kind]:,} {kind} between {_edge(power)} and {_edge(power + 1)}"
                out.append(
                    element("rect", element("title", tip), class_=f"bar {kind}", x=x + 1, y=y,
                            width=each - 2, height=max(tall, 0.5))
                )  # fmt: skip
        if count:
            out.append(words(f"{count.total():,}", x + each / 2, y - 3, "clock", "middle"))
        out.append(words(_edge(power), x, base + 12, "clock", "middle"))
    out.append(
        words(_edge(powers[-1] + 1), box.x + each * len(powers), base + 12, "clock", "middle")
    )
    out.append(
        element("path", class_="axis", d=f"M{box.x:.1f} {base:.1f}h{each * len(powers):.1f}")
    )
    return out


def _edge(power: int) -> str:
    """Return the time at an edge, of two digits from milliseconds on.

    >>> _edge(7), _edge(10), _edge(15)
    ('128 µs', '1 ms', '33 ms')
    """
    exact = 2.0**power * 1e-6
    return seconds(exact if power < 10 else float(f"{exact:.2g}"))
