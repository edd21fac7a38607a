"""Rounds: a run, a fault at a random moment of it, and how both end."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, TimeoutError
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from benchmarks.faults.planted import ENDS, FAULTS, TOLD, Place
from benchmarks.faults.processes import LIMIT, Processes, until
from benchmarks.faults.runs import RUNS
from strategies.running.runtime.shipping import ClusterError

GOOD = {"right", "told"}
"""How a round should end."""


class Round(NamedTuple):
    """One round."""

    number: int
    run: str
    fault: str
    moment: float
    """The seconds from the start of the run to the fault."""
    ended: str
    """right, told, wrong, unclear, hangs, or left running."""
    seconds: float
    """The seconds from the fault to the end of the run."""
    said: str = ""


def plan(
    seed: int, number: int, kills: float, runs: tuple[str, ...] = tuple(RUNS)
) -> tuple[str, str, Random]:
    """Return the run and the fault of a round; a share of `kills` of the faults are kills."""
    random = Random(f"{seed} {number}")
    others = [name for name in FAULTS if name != "kill"]
    fault = "kill" if random.random() < kills else random.choice(others)
    return random.choice(runs), fault, random


class Harness:
    """A cluster, with the undisturbed result and time of each run."""

    def __init__(self, runs: tuple[str, ...]) -> None:
        import distributed  # noqa: F401  # it sets the levels of its loggers

        for name in ("distributed.client", "distributed.core", "tornado.application", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what is told, is told below
        self.right = {name: RUNS[name]("threads") for name in runs}
        self.begin()

    def begin(self) -> None:
        """Start a cluster, and check that each run works on it."""
        self.processes = Processes()
        self.client = self.processes.client()
        if not until(lambda: self.processes.whole(self.client)):
            raise RuntimeError("the cluster does not start")
        self.lasts: dict[str, float] = {}

    def lasting(self, name: str) -> float:
        """Return the seconds of a run on the cluster."""
        if name not in self.lasts:
            for _ in range(2):  # the first time workers load what the second finds
                start = time.monotonic()
                if RUNS[name](self.client) != self.right[name]:
                    raise RuntimeError(f"{name} on a cluster finds something else")
                self.lasts[name] = time.monotonic() - start
        return self.lasts[name]

    def round(self, number: int, name: str, fault: str, random: Random) -> Round:
        """Start a run, and plant a fault."""
        moment = random.uniform(0, self.lasting(name))
        workers = sorted(self.processes.workers(self.client).items())
        address, victim = random.choice(workers)
        runner = self.processes.client()
        pool = ThreadPoolExecutor(1)
        going = pool.submit(RUNS[name], runner)
        time.sleep(moment)
        at = Place(self.processes, self.client, runner, random, victim, address)
        start = time.monotonic()
        with suppress(ProcessLookupError):  # it was over before
            FAULTS[fault](at)
        ended, said = "right", ""
        try:
            if going.result(LIMIT) != self.right[name]:
                ended = "wrong"
        except TimeoutError:
            ended = "hangs"
        except (ClusterError, UserWarning) as error:
            ended, said = "told" if fault in TOLD else "lost", str(error)
        except Exception as error:
            ended, said = "unclear", f"{type(error).__name__}: {error}"[:300]
        seconds = time.monotonic() - start
        if ended != "hangs":
            with suppress(Exception):
                runner.close()
            if fault not in ENDS and not until(lambda: self.processes.idle(self.client)):
                ended = "left running"
        pool.shutdown(wait=ended != "hangs")
        if not self.mended(fault, ended) and ended in GOOD:
            ended = "left running"
        return Round(number, name, fault, round(moment, 3), ended, round(seconds, 3), said)

    def mended(self, fault: str, ended: str) -> bool:
        """Restore a complete cluster for the next round; return whether nothing was left over."""
        gone = True
        while len(self.processes.nannies) > self.processes.least + 1:
            self.processes.leave()
        if (
            fault in ENDS
            or ended not in GOOD
            or not until(lambda: self.processes.mended(self.client), 20)
        ):
            gone = self.close()
            self.begin()
        return gone

    def close(self) -> bool:
        """End the cluster; return whether it left nothing."""
        with suppress(Exception):
            self.client.close()
        return self.processes.close()


def rounds(
    seed: int, numbers: list[int], kills: float, runs: tuple[str, ...] = tuple(RUNS)
) -> Iterator[Round]:
    """Yield the rounds with these numbers."""
    harness = Harness(runs)
    try:
        for number in numbers:
            yield harness.round(number, *plan(seed, number, kills, runs))
    finally:
        harness.close()


def table(done: list[dict[str, Any]]) -> str:
    """Return a table of how all rounds ended."""
    endings = sorted({r["ended"] for r in done}, key=lambda e: (e not in GOOD, e))
    lines = ["| fault | rounds | " + " | ".join(endings) + " | slowest |"]
    lines.append("|---" * (len(endings) + 3) + "|")
    for fault in FAULTS:
        mine = [r for r in done if r["fault"] == fault]
        if mine:
            counts = [sum(r["ended"] == e for r in mine) for e in endings]
            slowest = max(r["seconds"] for r in mine)
            cells = [fault, len(mine), *counts, f"{slowest:.1f} s"]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)
