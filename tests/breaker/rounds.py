"""Rounds: one kind of attack for some seconds, in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from hypothesis import seed

from tests.breaker.counted import ENDED
from tests.breaker.processes import CASES
from tests.breaker.properties import PROPERTIES

KINDS = (*PROPERTIES, *CASES)
SECONDS = 20.0
"""How long a round attacks."""
GRACE = 180.0
"""The seconds after which a round hangs."""


def attack(kind: str, number: int, seconds: float) -> dict[str, Any]:
    """Attack in one way until the time is up or a fault is found; return the counts."""
    end = time.monotonic() + seconds
    ENDED.clear()
    random, fault = Random(f"{kind} {number}"), ""
    while time.monotonic() < end and not fault:
        try:
            if kind in CASES:
                CASES[kind](random)
            else:
                seed(random.getrandbits(32))(PROPERTIES[kind])()
        except Exception as error:
            fault = "".join(traceback.format_exception(error))[-3000:]
    return {"ended": dict(ENDED), "fault": fault}


def round_of(kind: str, number: int, seconds: float = SECONDS) -> dict[str, Any]:
    """Run a round in a process; a crash or a hang is a fault, too."""
    start = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-m", "tests.breaker", "--one", kind, str(number),
         "--seconds", str(seconds)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    found: dict[str, Any] = {"ended": {}, "fault": "it hangs"}
    try:
        out, err = process.communicate(timeout=seconds + GRACE)
        found["fault"] = f"status {process.returncode}: {err[-2000:]}"
        if process.returncode == 0:
            found = json.loads(out.splitlines()[-1])
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)  # faulthandler then shows where
        _, err = process.communicate()
        found["fault"] += f": {err[-2000:]}"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    seconds = round(time.monotonic() - start, 1)
    return {"kind": kind, "number": number, "seconds": seconds, **found}


def rounds(kinds: tuple[str, ...], first: int, seconds: float) -> Iterator[dict[str, Any]]:
    """Yield rounds of all kinds in turn until the time is up."""
    end = time.monotonic() + seconds
    number = first
    while time.monotonic() < end:
        yield round_of(kinds[number % len(kinds)], number)
        number += 1


def table(done: Iterable[dict[str, Any]]) -> str:
    """Return a table of how all cases ended, by kind.

    >>> print(table([{"kind": "forks", "ended": {"right": 3}, "fault": "", "seconds": 5.0}]))
    | attack | rounds | right | told | stopped | faults | slowest round |
    |---|---|---|---|---|---|---|
    | forks | 1 | 3 | 0 | 0 | 0 | 5.0 s |
    """
    columns = ("right", "told", "stopped")
    lines = [f"| attack | rounds | {' | '.join(columns)} | faults | slowest round |", "|---" * 7]
    lines[1] += "|"
    done = list(done)
    for kind in dict.fromkeys(one["kind"] for one in done):
        mine = [one for one in done if one["kind"] == kind]
        ended = sum((Counter(one["ended"]) for one in mine), Counter())
        faults = sum(bool(one["fault"]) for one in mine)
        cells = [kind, len(mine), *(ended[c] for c in columns), faults]
        lines.append(f"| {' | '.join(map(str, cells))} | {max(o['seconds'] for o in mine)} s |")
    return "\n".join(lines)
