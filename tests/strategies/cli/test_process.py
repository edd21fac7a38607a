"""The command as a process: starting, interrupts, pipes."""

import errno
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from io import BytesIO, TextIOWrapper
from pathlib import Path
from threading import Timer, main_thread
from time import sleep

import pytest

from strategies import KeptTable
from strategies.cli import search_command
from strategies.cli.console import compiling
from strategies.cli.group import jamboree
from strategies.support.stacks import gc_paused
from tests.strategies.patience import patiently

INTERRUPTED = "with --time SECONDS, Ctrl-C keeps the best answer so far\n\njamboree: interrupted"
COMMAND = [sys.executable, "-m", "strategies.cli"]


def test_help_loads_no_large_dependency():
    script = (
        "import sys\nfrom strategies.cli.group import jamboree\n"
        "try: jamboree(['--help'])\nexcept SystemExit: pass\n"
        "print({'numba', 'dask', 'numpy'} & set(sys.modules), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "Usage: jamboree" in ran.stdout
    assert ran.stderr == "set()\n"


def interrupted(*args, after=0.3, by=signal.SIGINT, preexec_fn=None):
    """Return the status and last output of a search that is interrupted after some seconds."""
    script = (
        "import sys, strategies.cli.search_command as c\n"
        "real = c.run\n"
        "def run(*a, **k): print('begun', flush=True); return real(*a, **k)\n"
        "c.run = run\n"
        "from strategies.cli import main\n"
        "sys.argv[0] = 'jamboree'; main()"
    )
    search = ["search", "connect_four", "--algorithm", "alphabeta(40)", *args]
    process = subprocess.Popen(
        [sys.executable, "-c", script, *search, "--engine", "interpreted"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=preexec_fn,
    )  # fmt: skip
    try:
        assert process.stdout.readline() == "begun\n"
        sleep(after)
        process.send_signal(by)
        told, said = process.communicate(timeout=120)
    finally:
        process.kill()
    return process.returncode, said.strip() or told


def test_ctrl_c_ends_a_search():
    assert interrupted("--scheduler", "threads") == (130, INTERRUPTED)


def in_the_background():
    """Ignore Ctrl-C, as the commands do that a script starts with &."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def test_sigterm_ends_a_search_as_ctrl_c_does(tmp_path):
    table = ["--table", str(tmp_path / "kept.table")]
    given = {"by": signal.SIGTERM, "preexec_fn": in_the_background}
    assert interrupted(*table, **given) == (130, INTERRUPTED)
    with KeptTable(tmp_path / "kept.table"):
        pass
    answered, told = interrupted("--time", "600", "--json", **given)
    assert (answered, json.loads(told)["depth"] > 0) == (0, True)


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_after_the_last_line_changes_no_status(by):
    script = (
        "import atexit, time\n"
        "@atexit.register\n"
        "def last():\n"
        "    for _ in range(600): time.sleep(0.1)\n"  # signals are heard between statements
        "atexit.register(print, 'ends', flush=True)\n"
        "from strategies.cli import main\n"
        "main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, "games"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert "ends\n" in iter(process.stdout.readline, "")
        process.send_signal(by)
        process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0


@pytest.mark.parametrize("scheduler", ["ordered", "threads", "sync"])
def test_ctrl_c_ends_monte_carlo_search_with_its_result_so_far(scheduler, monkeypatch, capsys):
    many = ["search", "connect_four", "--algorithm", "mcts(10000000000, trees=2)"]
    real = search_command.run

    def found_in(seconds):
        def run(*args, **more):
            Timer(2 * seconds, signal.pthread_kill, (main_thread().ident, signal.SIGINT)).start()
            with gc_paused():  # Python drops an interrupt that arrives in its collector's callbacks
                return real(*args, **more)

        monkeypatch.setattr(search_command, "run", run)
        with pytest.raises(SystemExit) as ended:
            jamboree([*many, "--scheduler", scheduler, "--engine", "interpreted"])
        return ended.value.code, capsys.readouterr().out

    status, told = patiently(found_in, lambda found: "simulations 0 " not in found[1])
    assert status == 0
    assert "move " in told


def children(pid):
    """Count the running child processes of a process."""
    parents = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            parents.append(int(stat.read_text().rpartition(")")[2].split()[1]))
    return parents.count(pid)


@pytest.mark.parametrize("heard_by", [os.killpg, os.kill])
def test_ctrl_c_ends_a_tournament_in_processes(heard_by):
    endless = "alphabeta(depth=42)"
    process = subprocess.Popen(
        [*COMMAND, "tournament", "connect_four", endless, endless, "--processes"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        while children(process.pid) < 2:
            sleep(0.1)
        sleep(0.3)  # by now the processes play or are starting; both must end
        heard_by(process.pid, signal.SIGINT)
        told, said = process.communicate(timeout=120)
    finally:
        process.kill()
    words = [line for line in said.splitlines() if line and not line.startswith("compiling")]
    assert (process.returncode, told, words) == (130, "", ["jamboree: interrupted"])


FULL = "cannot write: No space left on device"


def test_a_full_disk_is_reported_in_one_line():
    for command in ("jamboree", "jamboree search"):
        arguments = [*COMMAND, *command.split()[1:], "--help"]
        with open("/dev/full", "w") as full:
            ran = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, text=True)
        assert (ran.returncode, ran.stderr) == (2, f"{command}: {FULL}\n")


SLOW = ["--engine", "interpreted"]
PRINTING = [
    ["games"],
    ["games", "--json"],
    ["explain", "jamboree(0.5)"],
    ["search", "handout_small", "--algorithm", "alphabeta(2)", *SLOW],
    ["search", "handout_small", "--algorithm", "alphabeta(2)", *SLOW, "--trace"],
    ["search", "handout_small", "--algorithm", "mcts(5)", *SLOW],
    ["solve", "handout_small", *SLOW],
    ["study", "handout_small", "--algorithm", "alphabeta(2)", "--using", "par_list", *SLOW,
     "--workers", "1", "--repeat", "1"],
    ["play", "nim", "--maxie", "random", "--minnie", "random", "--seed", "1"],
    ["tournament", "nim", "random(seed=1)", "random(seed=2)", "--rounds", "1"],
    ["check", "handout_small"],
]  # fmt: skip


@pytest.fixture
def full():
    file = open("/dev/full", "w")  # noqa: SIM115 - closing it fails, too
    yield file
    with suppress(OSError):
        file.close()


@pytest.mark.parametrize("command", PRINTING, ids=" ".join)
def test_a_full_disk_ends_every_command_in_one_line(command, full, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", full)
    with pytest.raises(SystemExit) as ended:
        jamboree(command)
    assert (ended.value.code, capsys.readouterr().err) == (2, f"jamboree {command[0]}: {FULL}\n")


NAMED = [
    ["tournament", "nim", "random(seed=1)", "\udcff: random(seed=2)", "--rounds", "1"],
    ["replay", "handout_small", "-o", "\udcff.html"],
    ["search", "handout_small", "--algorithm", "alphabeta(2)", *SLOW, "--report", "\udcff.html"],
]
"""Commands with a name that is not UTF-8, as Python reads it."""


@pytest.mark.parametrize(
    ("command", "encoding"),
    [
        *((command, encoding) for command in NAMED for encoding in ("latin-1", "koi8-r", "utf-8")),
        *((command, "latin-1") for command in PRINTING),
        *(pytest.param(command, "koi8-r", marks=pytest.mark.long) for command in PRINTING),
    ],
    ids=lambda given: ascii(given[:2]),
)
def test_what_an_encoding_lacks_is_escaped(command, encoding, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    out = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(out, encoding))
    with pytest.raises(SystemExit) as ended:
        jamboree(command)
    monkeypatch.undo()
    assert (ended.value.code, "Error" in capsys.readouterr().err) == (0, False)
    assert out.getvalue().decode(encoding)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.EIO, errno.EMFILE])
@pytest.mark.parametrize(
    "command", ["tournament nim random random --record", "learn tictactoe --file"]
)
def test_a_file_that_the_system_refuses_is_named_in_one_line(
    command, number, monkeypatch, capsys, tmp_path
):
    """Even where the system said before that it could be written, as to an administrator."""
    path = f"{tmp_path}/{'a.jsonl' if 'record' in command else 'a.npz'}"
    real = os.open

    def refused(name, *more):
        if str(tmp_path) in str(name):
            raise OSError(number, os.strerror(number), str(name))
        return real(name, *more)

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(SystemExit) as ended:
        jamboree([*command.split(), path])
    told = capsys.readouterr().err.splitlines()[-1]
    assert (ended.value.code, told.endswith(f": {os.strerror(number)}")) == (2, True)
    assert "Error" not in told


def test_messages_that_cannot_be_written_are_ignored(full, monkeypatch):
    monkeypatch.setattr(sys, "stderr", full)
    compiling("Nim")


def test_a_closed_pipe_ends_a_command_silently():
    process = subprocess.Popen(
        [*COMMAND, "games"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=120) == 141


def test_a_closed_output_is_reported_in_one_line():
    ran = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m strategies.cli games >&-"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (2, "jamboree: the standard output is closed\n")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ("play tictactoe --minnie random", (0, "Left after 0 turns.")),
        ("search tictactoe --state -", (2, "--state -: the standard input is closed")),
    ],
)
def test_a_closed_input_is_treated_as_empty(args, told):
    ran = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m strategies.cli {args} <&-"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, told[1] in ran.stdout + ran.stderr) == (told[0], True)
