"""A worker that joins a cluster loads the machine code that another worker compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from games import ConnectFour
from strategies import minimax, par_list, search
from tests.strategies.clusters import LIMIT, cluster

pytest.importorskip("distributed")
PLAN = search(ConnectFour(), minimax(4), using=par_list, engine="native")


def test_the_parcel_contains_compiled_code() -> None:
    with cluster(workers=1, set_as_default=False) as client:
        PLAN.compute(scheduler=client)
        (codes,) = client.run(coming).values()
    assert "fixed_depth" in {name.split(".")[0] for code in codes for name in code}


def coming(dask_worker: Any) -> list[list[str]]:
    return [list(p.code) for p in dask_worker.plugins.values() if hasattr(p, "code")]


@pytest.mark.long
def test_a_worker_on_another_machine_compiles_nothing(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    with (
        cluster(workers=0, processes=True, set_as_default=False) as client,
        worker(client, first),
    ):
        client.wait_for_workers(1, LIMIT)
        before, known = PLAN.compute(scheduler=client), set(client.nthreads())
        with worker(client, second):
            client.wait_for_workers(2, LIMIT)
            (newest,) = {*client.nthreads()} - known
            after = PLAN.compute(scheduler=client, workers=[newest])
    assert (after.value, after.move, after.nodes) == (before.value, before.move, before.nodes)
    assert list(first.rglob("*.nbc"))
    assert not list(second.rglob("*.nbc"))


@contextmanager
def worker(client: Any, folder: Path) -> Iterator[None]:
    """Start a worker that stores compiled code in its own folder."""
    address = client.scheduler.address
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address]
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder)]
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "code")}
    process = subprocess.Popen([*command, *options], env=env, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()
