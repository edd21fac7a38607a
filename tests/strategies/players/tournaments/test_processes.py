"""Processes of a tournament end with their parent, and report clearly why they failed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="not on Linux")

SCRIPT = """
import sys
from multiprocessing import active_children
from games import TicTacToe
from strategies import SearchAgent, alphabeta, tournament

def told(so_far):
    print(*[child.pid for child in active_children()], flush=True)

if {guard}:
    agent = SearchAgent(alphabeta(3), engine="interpreted")
    tournament(TicTacToe(), [agent, "random"], rounds=500, workers=2, scheduler="processes",
               record=sys.argv[1], progress=told)
"""


def run(folder: Path, guard: str) -> "subprocess.Popen[str]":
    script = folder / "script.py"
    script.write_text(SCRIPT.format(guard=guard))
    return subprocess.Popen(
        [sys.executable, script, folder / "games.jsonl"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def runs(number: int) -> bool:
    """Say whether a process runs and is not a zombie."""
    try:
        return ") Z " not in Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False


@pytest.mark.parametrize(
    "how", [pytest.param(signal.SIGTERM, marks=pytest.mark.long), signal.SIGKILL]
)
def test_workers_end_with_their_parent_and_the_record_is_complete(tmp_path, how):
    parent = run(tmp_path, '__name__ == "__main__"')
    workers = [int(word) for word in parent.stdout.readline().split()]
    try:
        assert len(workers) == 2
        assert all(map(runs, workers))
        parent.send_signal(how)
        assert parent.wait(60) == -how
        end = monotonic() + 60
        while any(map(runs, workers)) and monotonic() < end:
            sleep(0.02)
        assert not any(map(runs, workers))
    finally:
        for number in filter(runs, (parent.pid, *workers)):
            os.kill(number, signal.SIGKILL)
        parent.communicate()
    entries = (tmp_path / "games.jsonl").read_text().splitlines(keepends=True)
    assert len(entries) > 1
    assert all(line.endswith("\n") and json.loads(line) for line in entries)


def test_the_error_for_a_script_without_a_main_guard_says_so(tmp_path):
    _, said = run(tmp_path, "True").communicate(timeout=120)
    assert said.count("Traceback") == 1
    assert said.strip().splitlines()[-1].endswith('below the line: if __name__ == "__main__":')


OWN = """
from attrs import frozen
from games import TicTacToe
from strategies.native.fingerprint import fingerprint
from strategies.native.kept_engines import engine_for
from strategies.running.runtime.batch import run_batch

@frozen
class Mine(TicTacToe):
    size: int = 9

def read(game):
    return fingerprint(game), engine_for(game).reason

if __name__ == "__main__":
    found = {}
    run_batch(read, {"there": (Mine(),)}, found.__setitem__, workers=1, scheduler="processes")
    assert found["there"] == read(Mine()) == (fingerprint(Mine()), ""), found
"""


def test_the_rules_of_a_script_are_the_same_and_can_be_compiled_in_processes(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(OWN)
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])}
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, env=env)
    assert (ran.stdout, ran.stderr) == ("", "")
