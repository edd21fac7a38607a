"""Attacks on processes: killed and resumed, interrupted, forked, and given odd arguments."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import sleep

from tests.breaker.counted import ENDED, clear, right

LIMIT = 60
"""The seconds after which a process hangs."""
COMMAND = [sys.executable, "-W", "ignore::DeprecationWarning", "-m", "strategies.cli"]


def started(*arguments: str, folder: str) -> subprocess.Popen[str]:
    """Start a command of Jamboree in a folder."""
    return subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
        start_new_session=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Return the status and the texts of a process.

    Raises: AssertionError if it hangs, or if it is not stopped by a sentence.
    """
    try:
        out, err = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise AssertionError(f"{process.args} does not end") from None
    assert "Traceback" not in err, err[-2000:]
    assert "Exception ignored" not in err, err[-2000:]
    assert process.returncode in (0, 1, 2, 130, -signal.SIGKILL, -signal.SIGINT), process.args
    return process.returncode, out, err


RECORDED = {
    "tournament": ["tournament", "tictactoe", "alphabeta(depth=2)", "random", "mcts(30)",
                   "--rounds", "30", "--workers", "2", "--json", "--record", "FILE.jsonl"],
    "tune": ["tune", "connect_four(width=4,height=4)", "--weight", "pairs", "--agent",
             "alphabeta(depth=1)", "--generations", "2", "--trials", "2", "--match", "2",
             "--json", "--record", "FILE.jsonl"],
    "learn": ["learn", "connect_four(width=4,height=4)", "--hidden", "4", "--games", "300",
              "--json", "--file", "FILE.npz"],
}  # fmt: skip
"""Commands that keep what they have done."""
VARIES = ("seconds", "moves", "learned", "rate", "games_a_second", "time", "moves_a_second")
"""Entries of their answers that depend on the machine."""


def killed_and_resumed(random: Random) -> None:
    """Kill a command once or more, and resume it: the answer is that of an undisturbed run."""
    name = random.choice(sorted(RECORDED))
    with tempfile.TemporaryDirectory() as folder:
        whole = [a.replace("FILE", "whole") for a in RECORDED[name]]
        status, wanted, said = ended(started(*whole, folder=folder))
        assert status == 0, said
        again = [a.replace("FILE", "again") for a in RECORDED[name]]
        for turn in range(random.randint(1, 3)):
            resumed = ["--resume"] if turn or name == "learn" else []
            process = started(*again, *resumed, folder=folder)
            sleep(random.uniform(0.3, 3))
            os.killpg(process.pid, random.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM]))
            process.communicate(timeout=LIMIT)
            if not any(Path(folder).glob("again*")):
                break
        file = any(Path(folder).glob("again*"))
        status, found, said = ended(started(*again, *["--resume"] * file, folder=folder))
        assert status == 0, said
        a, b = (json.loads(text) for text in (wanted, found))
        same = {k for k in a if k not in VARIES and not isinstance(a[k], float)}
        right(name == "learn" or {k: a[k] for k in same} == {k: b[k] for k in same})


def interrupted(random: Random) -> None:
    """Interrupt a search once, twice or three times at random moments: it ends without a trace."""
    commands = [
        ["search", "connect_four", "--algorithm", "alphabeta(30)", "--using",
         random.choice(["seq", "jamboree(0.5).to_ply(2)", "abdada", "par_list.to_ply(2)"])],
        ["search", "connect_four", "--algorithm", "mcts(100000000)"],
        ["solve", "connect_four", "--using", random.choice(["seq", "abdada", "auto"])],
        ["study", "connect_four", "--depth", "30"],
        ["tournament", "connect_four", "pvs(30)", "mcts(10000000)"],
        ["learn", "connect_four", "--hidden", "4", "--time", "300"],
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        process = started(*random.choice(commands), folder=folder)
        sleep(random.uniform(0.8, 4))
        for _ in range(random.randint(1, 3)):
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            sleep(random.uniform(0, 0.3))
        ended(process)
        ENDED["told"] += 1


WORDS = [
    "search", "solve", "play", "study", "explain", "check", "games", "climb", "simulate", "--depth",
    "--algorithm", "--using", "--state", "--json", "--time", "--workers", "--seed", "--memory",
    "tictactoe", "nim", "pig", "twenty48", "connect_four", "nim((1,2))", "alphabeta(3)", "pvs(4)",
    "expectimax(2)", "maxn(3)", "mcts(50)", "jamboree(0.5)", "par_list.to_ply(1)", "seq", "abdada",
    "-1", "0", "1", "2", "3", "1e999", "nan", "inf", "",
    "é\u202e", "\x1b[31m", "(" * 300, "9" * 400, "x" * 100_000,
    "1,2,3", "--", "-h", "None", "__import__('os')", "random", "human", "444",
]  # fmt: skip


def odd_commands(random: Random) -> None:
    """Run the command line on random words: an answer, or a sentence and status 2."""
    words = [random.choice(WORDS[:9]), *random.sample(WORDS[9:], random.randint(0, 5))]
    with tempfile.TemporaryDirectory() as folder:
        process = started(*words, folder=folder)
        try:
            out, err = process.communicate(timeout=8)
        except subprocess.TimeoutExpired:  # a long search is no fault, but it must stop
            process.send_signal(signal.SIGINT)
            ended(process)
            ENDED["stopped"] += 1
            return
    assert "Traceback" not in err, err[-2000:]
    assert process.returncode in (0, 1, 2, 130), (words, process.returncode)
    if process.returncode == 2:
        assert clear(err), err[:2000]
        ENDED["told"] += 1
    else:
        right(out or err)


FORKED = """
import os, threading
from games import ConnectFour
from strategies import alphabeta, jamboree, search, seq
lazy = search(ConnectFour(5, 4), alphabeta(DEPTH), using=USING)
wanted = lazy.compute(num_workers=2).value
stop = threading.Event()
def on():
    while not stop.is_set():
        assert lazy.compute(num_workers=2, time=LIMIT).value is not None
threads = [threading.Thread(target=on) for _ in range(2)]
for thread in threads: thread.start()
children = []
for _ in range(4):
    child = os.fork()
    if child == 0:
        os._exit(0 if lazy.compute(num_workers=2).value == wanted else 9)
    children.append(child)
print([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children])
stop.set()
for thread in threads: thread.join()
"""


def forked(random: Random) -> None:
    """Fork a process while its other threads search; the children search, too."""
    program = FORKED.replace("DEPTH", str(random.randint(2, 7)))
    program = program.replace(", time=LIMIT", "")
    program = program.replace(
        "USING", random.choice(["seq", "jamboree(0.5).to_ply(2)", "jamboree(0)"])
    )
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    status, out, err = ended(process)
    assert status == 0, err
    right(out.strip() == "[0, 0, 0, 0]")


def edited(random: Random) -> None:
    """Edit the rules of a game between two processes: each gives the values that Python gives."""
    from tests.strategies.native import edited, test_edits

    kind = random.choice(sorted(edited.EDITS))
    with tempfile.TemporaryDirectory() as folder:
        test_edits.test_a_new_process_after_an_edit(kind, Path(folder))
    right(kind)


def damaged(random: Random) -> None:
    """Damage a file of any kind: it gives the same answer, or one sentence."""
    from tests import test_damaged_files

    how = random.choice(["flip", "flip", "cut", "grow", "insert", "swap"])
    test_damaged_files.check(random.choice(test_damaged_files.KINDS), random.getrandbits(32), how)
    right(how)


def lost_workers(random: Random) -> None:
    """Plant faults in runs on a cluster of processes: the right answer, or one sentence."""
    from benchmarks.faults.rounds import GOOD, rounds

    for one in rounds(random.getrandbits(32), [0, 1, 2], 0.4):
        assert one.ended in GOOD, one
        ENDED["right" if one.ended == "right" else "told"] += 1


CASES: dict[str, Callable[[Random], None]] = {
    "kills": killed_and_resumed,
    "interrupts": interrupted,
    "commands": odd_commands,
    "forks": forked,
    "edits": edited,
    "files": damaged,
    "cluster": lost_workers,
}
