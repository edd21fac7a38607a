"""The verdict of a study: what its rows say about splitting, with the figures that say so."""

from __future__ import annotations

from collections.abc import Sequence

from strategies.studies.rows import Row


def verdict(rows: Sequence[Row]) -> str:
    """Return one sentence about the greatest number of workers that was measured.

    Where a sweep varied the plies that are split, it says to which ply splitting pays.
    Ensures: it claims a difference only where the intervals of the times do not overlap, and none
    of single runs; empty if there is no row to judge.
    """
    told = [r for r in rows if r.strategy != "seq" and r.speedup is not None and not r.short]
    real = [r for r in told if r.how == "measured"] or told
    if not real:
        return ""
    depth = max(r.depth for r in real)
    workers = max(r.workers for r in real if r.depth == depth)
    judged = [r for r in real if (r.depth, r.workers) == (depth, workers)]
    best = max(judged, key=lambda r: r.speedup or 0.0)
    low, high = best.gain or (0.0, 0.0)
    figures = f"{best.strategy} on {workers}: {best.speedup:.2f} times seq"
    if len(best.runs) < 2:
        return f"single runs show no spread; the best is {figures}"
    figures += f", between {low:.2f} and {high:.2f}"
    if low <= 1:
        return f"no strategy is clearly faster than seq; the best is {figures}"
    plies = {r.plies for r in judged if r.plies is not None}
    if best.plies is None or len(plies) < 2:
        return f"splitting pays: {figures}"
    ply = "ply" if best.plies == 1 else "plies"
    return f"splitting {best.plies} {ply} pays most{_beyond(best, judged)}: {figures}"


def _beyond(best: Row, judged: Sequence[Row]) -> str:
    """Return what is known of more plies than the best row splits."""
    deeper = [r for r in judged if r.plies is not None and r.plies > (best.plies or 0)]
    if not deeper:
        return ", the last that was tried"
    if min(r.low for r in deeper) > best.high:
        return "; beyond it, tasks cost more than they save"
    return "; beyond it, no gain is clear"
