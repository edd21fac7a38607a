"""What has no end ends: recursion, memory, loops; signals are handled while machine code runs."""

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from strategies import compile_function
from strategies.rules.machine import memory


def deeper(n):
    return deeper(n + 1) + 1


def deeper_in_turns(n):
    return other(n) + 1


def other(n):
    return deeper_in_turns(n + 1)


def deeper_in_generators(n):
    yield n
    yield from deeper_in_generators(n + 1)


def all_of_them(n):
    return list(deeper_in_generators(n))


def doubled(row):
    return doubled(row + row)


def growing(n):
    found = []
    while True:
        found.append((n, n, n))


def growing_dict(n):
    found = {}
    while True:
        n += 1
        found[n] = n


def long_list(n):
    return [0] * n


def long_tuple(n):
    return ((1,) * n) * n


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


@pytest.mark.parametrize(
    "f", [deeper, deeper_in_turns, pytest.param(all_of_them, marks=pytest.mark.long)]
)
def test_recursion_without_end_is_a_recursion_error(f):
    compiled = compile_function(f)
    for _ in range(2):
        with pytest.raises(RecursionError):
            compiled(1)


def test_recursion_without_end_ends_in_a_thread_with_a_small_stack():
    found = []

    def run():
        with pytest.raises(RecursionError):
            compile_function(deeper)(1)
        found.append(compile_function(depth)(100))

    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert found == [100]


def test_recursion_without_end_ends_where_the_end_of_the_stack_is_not_known(monkeypatch):
    monkeypatch.setattr(memory.arena(), "end_of_stack", 0)
    with pytest.raises(RecursionError):
        compile_function(deeper)(1)
    assert compile_function(depth)(900) == 900


def test_recursion_as_deep_as_pythons_own_limit_has_a_value():
    assert compile_function(depth)(1000) == 1000


@pytest.mark.parametrize(
    ("f", "a"),
    [(growing, 1), pytest.param(growing_dict, 1, marks=pytest.mark.long), (doubled, (1,)),
     (long_list, 10**12), (long_list, 2**62), (long_tuple, 10**6)],
)  # fmt: skip
def test_memory_without_end_is_a_memory_error(f, a, monkeypatch):
    arena = memory.arena()  # its end comes earlier, so that less is filled
    monkeypatch.setattr(arena.context, "end", arena.start + (1 << 26))
    compiled = compile_function(f)
    for _ in range(2):
        with pytest.raises(MemoryError):
            compiled(a)
    assert compile_function(long_list)(3) == [0, 0, 0]


LOOP = """
import os, signal, threading
from loops import endless, endless_calls
from strategies import compile_function
class Rang(Exception):
    pass
def ring(*_):
    raise Rang
signal.signal(signal.SIGALRM, ring)
for compiled in map(compile_function, (endless, endless_calls)):
    compiled(0)
    for number, error in ((signal.SIGINT, KeyboardInterrupt), (signal.SIGALRM, Rang)):
        threading.Timer(0.2, os.kill, (os.getpid(), number)).start()
        try:
            compiled(1)
        except error:
            print("ended by", error.__name__)
"""


def endless(n):
    while n:
        n += 2
        if n > 1000:
            n = 1
    return n


def endless_calls(n):
    for _ in range(n * 10**15):
        if endless_depth(20) == 0:
            return n
    return n


def endless_depth(n):
    return 1 if n == 0 else endless_depth(n - 1) + endless_depth(n - 2 if n > 1 else 0)


def test_what_a_handler_of_signals_raises_ends_a_call(tmp_path):
    (tmp_path / "loops.py").write_text(Path(__file__).read_text(encoding="utf-8"), encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "-c", LOOP], capture_output=True, text=True, timeout=60, check=False,
        env={"PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[3]}"},
    )  # fmt: skip
    assert found.stdout == 2 * "ended by KeyboardInterrupt\nended by Rang\n", found.stderr
    assert signal.SIGALRM
