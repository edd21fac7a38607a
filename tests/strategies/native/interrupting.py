"""Processes that Ctrl-C interrupts while their rules are compiled for the first time.

``python -m tests.strategies.native.interrupting 200`` tries 200 processes, two at a time. After the
interrupt each searches again, or with a second argument, ``fork`` or ``leave``, does that. A third
argument is the number of interrupts of each process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from threading import Timer
from time import perf_counter, sleep
from typing import NamedTuple

FIRST = """
import os, signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
from games import Nim
from strategies import alphabeta, engine_for, search
game = Nim()
answer = search(game, alphabeta(4), engine="native")  # no trial: it compiles at once
for _ in range(MANY):
    try:
        print("ready", flush=True)
        answer.compute(num_workers=1)
        time.sleep(600)  # the interrupt is still to come
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""
"""The program: it receives interrupts during or after its first compilation."""

AGAIN = """
found = answer.compute(num_workers=1)
engine = engine_for(game)  # one write, as another process may write at the same time
told = f"{engine.native} {engine.reason} {found.value} {found.move}\\n"
print(told, end="", flush=True)
"""
FORK = (
    """
child = os.fork()
"""
    + AGAIN
    + """
if child:
    assert os.waitpid(child, 0)[1] == 0
else:
    os._exit(0)
"""
)
LEAVE = ""
DEAF = 120.0
"""The seconds after which a process that did not react is made to show where it is."""
EXPECTED = "True  0 (0, 1)\n"


class Seen(NamedTuple):
    """The times of a process: until the interrupt, until it reacted, and until it ended."""

    after: tuple[float, ...]
    heard: float
    ended: float
    out: str
    err: str
    status: int


def interrupted(after: tuple[float, ...], then: str = AGAIN) -> Seen:
    """Return what a process reports after interrupts at these times.

    Times are in seconds from the start of the search that it compiles for.
    """
    with tempfile.TemporaryDirectory() as cache:
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore::DeprecationWarning", "-X", "faulthandler", "-c",
             FIRST.replace("MANY", str(len(after))) + then],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=dict(os.environ, NUMBA_CACHE_DIR=cache),
        )  # fmt: skip
        between = 0.0
        watch = Timer(DEAF, process.send_signal, [signal.SIGABRT])  # faulthandler shows where it is
        watch.start()
        try:
            assert process.stdout is not None
            for seconds in after:
                assert process.stdout.readline() == "ready\n"
                sleep(seconds)
                start = perf_counter()
                process.send_signal(signal.SIGINT)
                said = process.stdout.readline()
                assert said == "interrupted\n", process.communicate()
                between = max(between, perf_counter() - start)
            watch.cancel()
            out, err = process.communicate(timeout=300)
            ended = perf_counter() - start
        finally:
            watch.cancel()
            process.kill()
            process.wait()
        drafts = [name for _, _, names in os.walk(cache) for name in names if "tmp" in name]
    return Seen(after, between, ended, out, err + "".join(drafts), process.returncode)


def whole(seen: Seen, then: str = AGAIN) -> bool:
    """Say whether the process ended without a fault."""
    expected = {AGAIN: EXPECTED, FORK: EXPECTED * 2, LEAVE: ""}[then]
    return (seen.out, seen.err, seen.status) == (expected, "", 0)


def main(many: int, what: str = "again", each: int = 1) -> int:
    """Run many processes, each with some interrupts; return how many ended with a fault."""
    then = {"again": AGAIN, "fork": FORK, "leave": LEAVE}[what]
    draw = Random(0).uniform
    moments = [tuple(draw(0.05, 5 / each) for _ in range(each)) for _ in range(many)]
    broken = 0
    latest = slowest = 0.0
    with ThreadPoolExecutor(2) as pool:
        for number, seen in enumerate(pool.map(partial(interrupted, then=then), moments), 1):
            latest, slowest = max(latest, seen.heard), max(slowest, seen.ended)
            if not whole(seen, then):
                broken += 1
                print(seen)
            print(
                f"{broken} of {number} broken; heard after at most {latest:.2f} s, "
                f"ended after {slowest:.2f} s",
                flush=True,
            )
    return broken


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), *sys.argv[2:3], *map(int, sys.argv[3:])))
