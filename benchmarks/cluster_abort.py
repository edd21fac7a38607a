"""How soon do the processes of a cluster end their kernels after Ctrl-C?

Each search runs on a `LocalCluster` of two processes of one thread, and is interrupted at another
moment each time.  The figure is the time from the interrupt to the moment when the kernel of each
running task has stopped.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any

from benchmarks.cluster import cluster
from benchmarks.finding import Finding, seconds

SEARCHES = {
    "bundles": ("minimax(depth=12)", "par_list.to_ply(1)"),
    "iterations of tasks": ("pvs(depth=40)", "young_brothers_wait.everywhere"),
    "joint iterations": ("pvs(depth=40)", "young_brothers_wait.everywhere.joined()"),
}


def run(quick: bool) -> list[Finding]:
    """Measure each kind of search."""
    from games import ConnectFour
    from strategies import parse_algorithm, parse_strategy, search

    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a process started with "&"
        signal.signal(signal.SIGINT, signal.default_int_handler)
    found = []
    with TemporaryDirectory() as folder, cluster() as client:
        ends = Path(folder) / "ends"
        for name, (algorithm, using) in SEARCHES.items():
            rule = parse_algorithm(algorithm)
            limits: dict[str, Any] = {"time": 600} if name != "bundles" else {}
            lazy: Any = search(ConnectFour(pairs=1), rule, using=parse_strategy(using), **limits)
            search(ConnectFour(pairs=1), rule.at_depth(3), using=parse_strategy(using)).compute(
                scheduler=client
            )
            client.run(note_ends, str(ends))
            took = list(given_up(lazy, client, ends, 2 if quick else 40))
            work = f"{len(took)} tasks, nine of ten within {seconds(quantiles(took, n=10)[-1])}"
            what = f"{name}, two processes: Ctrl-C to the end of kernels"
            middle = median(took)
            figures = what, 1e3 * middle, 50, "none", work, seconds(middle), ""
            found.append(Finding(*figures, at_most=True, unit=" ms"))
    return found


def given_up(lazy: Any, client: Any, ends: Path, times: int) -> Iterator[float]:
    """Interrupt a search again and again; yield the seconds until each kernel stopped."""
    for number in range(times):
        ends.write_text("")
        struck: list[float] = []

        def strike(struck: list[float] = struck) -> None:
            struck.append(time.time())
            os.kill(os.getpid(), signal.SIGINT)

        Timer(0.8 + 0.013 * number, strike).start()
        with suppress(KeyboardInterrupt):
            lazy.compute(scheduler=client)
        time.sleep(0.5)
        yield from (
            late for text in ends.read_text().split() if (late := float(text) - struck[0]) > 0
        )


def note_ends(file: str) -> None:
    """Make this worker append to a file the time at which the kernel of each stopped task ends."""
    from strategies.running.runtime import worker_side

    original: Any = worker_side.await_cancellation
    if hasattr(original, "noted"):
        return

    def noted() -> None:
        with open(file, "a") as ends:
            ends.write(f"{time.time()}\n")
        original()

    noted.noted = True  # type: ignore[attr-defined]
    worker_side.await_cancellation = noted
