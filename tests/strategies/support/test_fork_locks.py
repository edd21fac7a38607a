"""A forked process can take every lock, whichever threads held it in the parent."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
import threading
import warnings
from typing import Any

import pytest

import strategies
from strategies.native import shield
from strategies.support.fork_locks import _locks, fork_lock

LOCKS = (type(threading.Lock()), type(threading.RLock()))
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")


def module_locks() -> dict[str, Any]:
    """Return the locks of all modules, by name."""
    found = {}
    for module in pkgutil.walk_packages(strategies.__path__, "strategies."):
        if "figure" not in module.name and "__main__" not in module.name:
            for name, value in vars(importlib.import_module(module.name)).items():
                if isinstance(value, LOCKS):
                    found[f"{module.name}.{name}"] = value
    return found


def test_each_lock_of_a_module_is_freed_by_a_fork() -> None:
    others = {name for name, lock in module_locks().items() if lock not in _locks}
    assert others <= {"strategies.native.shield._turn"}  # which waits before a fork
    assert shield._turn


@pytest.mark.parametrize("kind", [threading.Lock, threading.RLock])
def test_a_lock_that_another_thread_holds_is_free_in_a_forked_process(kind: Any) -> None:
    lock, held, over = fork_lock(kind), threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            held.set()
            over.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about forks beside threads
        child = os.fork()
    if child == 0:
        os._exit(0 if lock.acquire(timeout=5) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert not lock.acquire(blocking=False)
    over.set()
    thread.join()


SEARCHES = """
import os, threading, time
from games import TicTacToe
from strategies import pvs, search

def go():
    return search(TicTacToe(), pvs(3), engine="interpreted", time=60).compute(num_workers=1)

def forever():
    while True:
        go()

threading.Thread(target=forever, daemon=True).start()
for _ in range(10):
    child = os.fork()
    if child == 0:
        go()
        os._exit(0)
    end = time.monotonic() + 20
    while not os.waitpid(child, os.WNOHANG)[0]:
        if time.monotonic() > end:
            os.kill(child, 9)
            os._exit(1)
        time.sleep(0.01)
os._exit(0)
"""


@pytest.mark.timeout(240)
def test_a_forked_process_searches_while_threads_of_its_parent_do() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SEARCHES], timeout=230, check=False
    )
    assert done.returncode == 0


ENDS = """
import threading, time
threading._register_atexit(lambda: print("ending", flush=True))  # the last that is called
import strategies.native.shield
threading.Thread(target=time.sleep, args=(60,)).start()
"""


def test_ctrl_c_while_the_process_ends_prints_nothing() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", ENDS], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.readline() == "ending\n"
    process.send_signal(2)
    _, errors = process.communicate(timeout=60)
    assert errors == ""
    assert process.returncode == -2
