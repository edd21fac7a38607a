"""The verdict of a study: what its rows say about splitting, with the figures that say so."""

from __future__ import annotations

from collections.abc import Sequence

from strategies.studies.rows import Row


def verdict(rows: Sequence[Row]) -> str:
    """Return one sentence about the greatest number of workers that was measured.

    Where a sweep varied the plies that are split, it says to which ply splitting pays.
    Ensures: a gain is claimed only where the intervals of both times do not overlap; empty if there
    is no row to judge.
    """
    told = [r for r in rows if r.strategy != "seq" and r.speedup is not None and not r.short]
    real = [r for r in told if r.how == "measured"] or told
    if not real:
        return ""
    depth, workers = max(r.depth for r in real), max(r.workers for r in real)
    judged = [r for r in real if (r.depth, r.workers) == (depth, workers)]
    if not judged:
        return ""
    best = max(judged, key=lambda r: r.speedup or 0.0)
    figures = f"{best.strategy} on {workers}: {best.speedup:.2f} times seq"
    if best.gain is not None and len(best.runs) > 1:
        figures += f", between {best.gain[0]:.2f} and {best.gain[1]:.2f}"
    clear = (best.speedup_low or 0.0) > 1.0 if len(best.runs) > 1 else (best.speedup or 0.0) > 1.0
    if not clear:
        return f"no strategy is clearly faster than seq; the best is {figures}"
    swept = [r for r in judged if r.template == best.template or r.plies is not None]
    plies = sorted({r.plies for r in swept if r.plies is not None})
    if best.plies is None or len(plies) < 2:
        return f"splitting pays: {figures}"
    beyond = best.plies < plies[-1]
    more = "; beyond it, tasks cost more than they save" if beyond else ", the last that was tried"
    ply = "ply" if best.plies == 1 else "plies"
    return f"splitting {best.plies} {ply} pays most{more}: {figures}"
