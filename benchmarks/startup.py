"""How long from the start of the process to the first answer?"""

from __future__ import annotations

import subprocess
import sys
from statistics import median

from benchmarks.finding import Finding, seconds
from benchmarks.measure import interleaved

JAMBOREE = (sys.executable, "-m", "strategies.cli")
SEARCH = ("search", "connect_four", "--algorithm", "alphabeta(depth=6)")


def run(quick: bool) -> list[Finding]:
    def process(*command: str) -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    rows = interleaved(
        lambda: process(*JAMBOREE, *SEARCH),
        lambda: process(*JAMBOREE, "--help"),
        lambda: process(sys.executable, "-c", "import numba"),
        lambda: process(sys.executable, "-c", "import click"),
        rounds=1 if quick else 7,
        least=0,
    )
    first, usage, numba, click = map(median, rows)
    what = "process start to end"

    def finding(name: str, took: float, bar: float, package: str, anchor: float) -> Finding:
        times = seconds(took), seconds(anchor)
        anchored = f"`import {package}` alone"
        return Finding(name, took, bar, anchored, what, *times, at_most=True, unit=" s")

    return [
        finding("start-up: `jamboree search …`, depth 6, cached", first, 1.0, "numba", numba),
        finding("start-up: `jamboree --help`", usage, 0.2, "click", click),
    ]
