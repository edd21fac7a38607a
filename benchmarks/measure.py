"""Measure two or more programs side by side in one run, and the machine's capacity meanwhile."""

from __future__ import annotations

import ctypes
import gc
import os
import platform
import subprocess
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

Work = Callable[[], Any]


def timed(work: Work, repeat: int = 1, clock: Callable[[], float] = perf_counter) -> float:
    """Return the seconds of one call of `work`, as the mean of `repeat` calls."""
    start = clock()
    for _ in range(repeat):
        work()
    return (clock() - start) / repeat


def interleaved(
    *works: Work, rounds: int, least: float = 0.05, clock: Callable[[], float] = perf_counter
) -> list[list[float]]:
    """Return the seconds of each work in each round: A B A B …, so that slow minutes hit all.

    With `process_time` as the `clock`, other programs on the machine count less.
    Ensures: a work shorter than `least` seconds is repeated to fill them; each ran once before it
    is timed.
    """
    repeats = []
    for work in works:
        work()
        repeats.append(max(1, round(least / max(timed(work), 1e-7))) if least else 1)
    rows: list[list[float]] = [[] for _ in works]
    gc.collect()
    for _ in range(rounds):
        for row, work, repeat in zip(rows, works, repeats, strict=True):
            row.append(timed(work, repeat, clock))
    return rows


def ratio(ours: list[float], theirs: list[float]) -> float:
    """Return how many times as fast as the anchor we are: the median of the rounds' ratios."""
    return median(t / o for o, t in zip(ours, theirs, strict=True))


def at_once(*works: Work) -> float:
    """Return the seconds until all works are done, each in a separate thread."""
    threads = [threading.Thread(target=work) for work in works]
    start = perf_counter()
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return perf_counter() - start


def kernel(quick: bool) -> Work:
    """Return a search that holds no lock: what two threads can do at best, two of these do.

    Cost: about a third of a second, or none to speak of.
    """
    from games import ConnectFour
    from strategies.native.kept_engines import engine_for

    game = ConnectFour()
    engine = engine_for(game)
    return lambda: engine.search(game.start(), 6 if quick else 14, nearer=False)


def scaling(work: Work) -> float:
    """Return how two independent kernels scale now: 2 on two idle cores, 1 on one core."""
    return 2 * at_once(work) / at_once(work, work)


def peak_memory() -> int:
    """Return the most bytes that this process held at a time.

    On Linux `getrusage` would count what the process that started this one held, too.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if platform.system() == "Darwin" else peak * 1024


_stacks = count(1)


def resident() -> int:
    """Return the bytes of memory that this process holds now; Linux's other counts lag behind."""
    text = Path("/proc/self/smaps_rollup").read_text()
    line = next(x for x in text.splitlines() if x.startswith("Rss:"))
    return int(line.split()[1]) * 1024


def grown(work: Work) -> int:
    """Return by how many bytes this process grew while `work` ran in a new thread, with its stack.

    Requires: Linux.  What the process holds already is trimmed first, and is not counted.
    Ensures: whole pages; what `work` freed before its end may lack some 64 of them.
    """

    def measured() -> None:
        work()
        after.append(max(resident(), peak_memory()))

    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before, after = resident(), list[int]()
    usual = threading.stack_size((8 << 20) + (next(_stacks) << 16))  # no stack is used again
    try:
        at_once(measured)
    finally:
        threading.stack_size(usual)
    return after[0] - before


def machine() -> str:
    """Return the processor, its cores, Python and the libraries that matter."""
    import dask
    import numba

    info = Path("/proc/cpuinfo")
    text = info.read_text() if info.exists() else ""
    names = [s.split(":")[1].strip() for s in text.splitlines() if s.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    versions = f"Python {platform.python_version()}, numba {numba.__version__}"
    return f"{name}, {os.cpu_count()} cores, {versions}, dask {dask.__version__}"


def commit() -> str:
    """Return the commit of this checkout, marked with + if files differ from it."""
    here = Path(__file__).parent

    def git(*words: str) -> str:
        try:
            done = subprocess.run(["git", *words], cwd=here, capture_output=True, text=True)
        except OSError:
            return ""
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if changed else "")
