"""A cluster of separate processes: a scheduler, and workers under nannies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.faults.wires import Network, Wire, port_of

MEMORY = 400
"""The megabytes of memory of a worker."""
LIMIT = 60.0
"""The seconds after which something counts as hanging."""


def until(holds: Callable[[], bool], seconds: float = LIMIT) -> bool:
    """Wait until a condition holds; return whether it does in time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class Processes:
    """A scheduler and two workers, each with a nanny that restarts it."""

    def __init__(self, workers: int = 2) -> None:
        self.folder = TemporaryDirectory()
        self.file = Path(self.folder.name) / "scheduler.json"
        self.log = (Path(self.folder.name) / "log").open("w")
        self.least = workers
        self.scheduler = self.start("scheduler", "--port", "0", "--scheduler-file", str(self.file))
        until(self.file.exists)
        self.networks: dict[str, Network] = {}
        """The wires of each worker, by its address."""
        self.wires: dict[str, Wire] = {}
        """The wire of each client, by the address to which it connects."""
        self.nannies = [self.worker() for _ in range(workers)]

    def start(self, what: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *options]
        root = str(Path(__file__).parents[2])
        return subprocess.Popen(
            [*command, "--dashboard-address", ":0"], stdout=self.log, stderr=self.log, cwd=root,
            env={**os.environ, "PYTHONPATH": root}, start_new_session=True,
        )  # fmt: skip

    def worker(self) -> subprocess.Popen[bytes]:
        """Start a nanny and its worker of one thread, whose network can be cut."""
        wires = Network(json.loads(self.file.read_text())["address"])
        self.networks[wires.address] = wires
        return self.start(
            "worker", *wires.options, "--nthreads", "1",
            "--memory-limit", f"{MEMORY}MB", "--local-directory", self.folder.name,
        )  # fmt: skip

    def client(self) -> Any:
        from distributed import Client

        wire = Wire(port_of(json.loads(self.file.read_text())["address"]))
        address = f"tcp://127.0.0.1:{wire.port}"
        self.wires[address] = wire
        return Client(address, set_as_default=False, timeout=30)

    def wires_of(self, client: Any) -> Wire:
        """Return the network of a client."""
        return self.wires[client.scheduler.address]

    def workers(self, client: Any) -> dict[str, int]:
        """Return the address and the process of each worker that answers."""
        from distributed.utils import TimeoutError

        try:
            told: dict[str, Any] = client.run(os.getpid, on_error="ignore")
        except (OSError, TimeoutError, ValueError):
            return {}
        return {worker: pid for worker, pid in told.items() if isinstance(pid, int)}

    def whole(self, client: Any) -> bool:
        """Return whether all nannies have their workers."""
        return len(self.workers(client)) == len(self.nannies)

    def mended(self, client: Any) -> bool:
        """Start a nanny for each that has ended; return whether all have their workers."""
        for i, nanny in enumerate(self.nannies):
            if nanny.poll() is not None:
                self.nannies[i] = self.worker()
        return self.whole(client)

    def idle(self, client: Any) -> bool:
        """Return whether no worker does anything."""
        return not any(client.run(busy, on_error="ignore").values())

    def leave(self) -> None:
        """End the worker started last, as a job scheduler does; the first two stay."""
        if len(self.nannies) > self.least:
            nanny = self.nannies.pop()
            nanny.send_signal(signal.SIGTERM)
            nanny.wait(LIMIT)

    def close(self) -> bool:
        """End all processes; return whether nothing is left."""
        import psutil

        mine = [self.scheduler, *self.nannies]
        seen = [
            child for p in mine if p.poll() is None
            for child in psutil.Process(p.pid).children(recursive=True)
        ]  # fmt: skip
        for p in reversed(mine):
            if p.poll() is None:
                p.send_signal(signal.SIGTERM)
        for p in mine:
            try:
                p.wait(15)
            except subprocess.TimeoutExpired:
                p.kill()
                p.wait()
        _, left = psutil.wait_procs(seen, timeout=15)
        for child in left:
            child.kill()
        for wires in self.networks.values():
            wires.close()
        for wire in self.wires.values():
            wire.close()
        self.log.close()
        self.folder.cleanup()
        return not left


def busy(dask_worker: Any) -> int:
    """Return the number of tasks that a worker runs, including those no longer needed."""
    running: int = len(dask_worker.state.executing)
    left: int = sum(t.state == "cancelled" for t in dask_worker.state.tasks.values())
    return running + left
