"""Processes that Ctrl-C interrupts while their rules are compiled for the first time.

``python -m tests.strategies.interrupting 200`` tries so many moments, two at once; then they search
again, or with another argument, ``fork`` or ``leave``.
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
from time import perf_counter, sleep
from typing import NamedTuple

FIRST = """
import os, signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
from games import Nim
from strategies import alphabeta, engine_for, search
game = Nim()
answer = search(game, alphabeta(4))
try:
    print("ready", flush=True)
    answer.compute(num_workers=1)
    time.sleep(600)  # the interrupt is still to come
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
"""Hears one interrupt, during its first search or after it."""

AGAIN = """
found = answer.compute(num_workers=1)
print(engine_for(game).native, engine_for(game).reason, found.value, found.move, flush=True)
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
EXPECTED = "True  0 (0, 1)\n"


class Seen(NamedTuple):
    """What a process did: when it was interrupted, how soon it heard, how soon it ended."""

    after: float
    heard: float
    ended: float
    out: str
    err: str
    status: int


def interrupted(after: float, then: str = AGAIN) -> Seen:
    """What a process says that is interrupted so many seconds after its first search has begun."""
    with tempfile.TemporaryDirectory() as cache:
        process = subprocess.Popen(
            [sys.executable, "-W", "error", "-X", "faulthandler", "-c", FIRST + then],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=dict(os.environ, NUMBA_CACHE_DIR=cache),
        )  # fmt: skip
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            sleep(after)
            start = perf_counter()
            process.send_signal(signal.SIGINT)
            heard = process.stdout.readline()
            between = perf_counter() - start
            out, err = process.communicate(timeout=150)
            ended = perf_counter() - start
        finally:
            process.kill()
            process.wait()
        drafts = [name for _, _, names in os.walk(cache) for name in names if "tmp" in name]
    return Seen(after, between, ended, heard + out, err + "".join(drafts), process.returncode)


def whole(seen: Seen, then: str = AGAIN) -> bool:
    """Whether nothing was broken."""
    expected = {AGAIN: EXPECTED, FORK: EXPECTED * 2, LEAVE: ""}[then]
    return (seen.out, seen.err, seen.status) == ("interrupted\n" + expected, "", 0)


def main(many: int, what: str = "again") -> int:
    """How many processes were broken, of so many."""
    then = {"again": AGAIN, "fork": FORK, "leave": LEAVE}[what]
    moments = [0.05 + 4.95 * i / many for i in range(many)]
    Random(0).shuffle(moments)
    broken = 0
    latest = slowest = 0.0
    with ThreadPoolExecutor(2) as pool:
        for seen in pool.map(partial(interrupted, then=then), moments):
            latest, slowest = max(latest, seen.heard), max(slowest, seen.ended)
            if not whole(seen, then):
                broken += 1
                print(seen, flush=True)
    print(f"{broken} of {many} broken; heard after {latest:.2f} s, ended after {slowest:.2f} s")
    return broken


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), *sys.argv[2:]))
