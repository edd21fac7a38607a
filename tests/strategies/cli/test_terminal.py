"""The command at a terminal and in a pipe: width, colours, progress, Ctrl-C."""

import os
import pty
import re
import signal
import struct
import subprocess
import sys
from fcntl import ioctl
from termios import TIOCSWINSZ
from threading import Timer

import click

CLEAN = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE"}
STYLE = re.compile(r"\x1b\[[\d;]*m")


def jamboree(*arguments, width=80, until=None, piped=False, **environment):
    """Return the exit status, the standard output in a pipe, and the text on the terminal.

    With `until`, send Ctrl-C when the terminal shows this text.
    """
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    env = {k: v for k, v in os.environ.items() if k not in CLEAN} | {"TERM": "xterm"} | environment
    process = subprocess.Popen(
        [sys.executable, "-m", "jamboree", *arguments], env=env, stdin=theirs, stderr=theirs,
        stdout=subprocess.PIPE if piped else theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    patience = Timer(120, process.kill)
    patience.start()
    told = b""
    try:
        while part := os.read(ours, 4096):
            told += part
            if until and until in told:
                process.send_signal(signal.SIGINT)
                until = None
    except OSError:  # the other end is closed
        pass
    finally:
        out = process.communicate()[0] or b""
        patience.cancel()
        os.close(ours)
    return process.returncode, out.decode(), told.decode().replace("\r\n", "\n")


def letters(text):
    return re.sub(r"\s+", "", click.unstyle(text))


def test_output_is_fitted_to_a_terminal_but_not_in_a_pipe():
    _, _, narrow = jamboree("games", width=50)
    _, _, plain = jamboree("games", width=50, NO_COLOR="1")
    assert plain == STYLE.sub("", narrow)
    _, piped, _ = jamboree("games", width=50, piped=True)
    assert max(map(len, click.unstyle(narrow).split("\n"))) <= 50 < max(map(len, piped.split("\n")))
    assert letters(narrow) == letters(piped)
    assert STYLE.search(narrow)
    assert "\x1b" not in piped


def test_a_terminal_gets_unicode_even_if_python_assumes_ascii():
    status, _, told = jamboree(*PLAYERS, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert status == 0
    assert "±" in told


PLAYERS = ["tournament", "nim", "random(seed=1)", "random(seed=2)", "--rounds", "2"]


def test_progress_is_shown_at_terminals_only_and_erased_at_the_end():
    status, out, told = jamboree(*PLAYERS, piped=True, NO_COLOR="1")
    assert status == 0
    assert out.startswith("player ")
    assert "4 of 4 games" in told
    assert "\x1b[?25l" not in told
    assert not STYLE.search(told)
    assert told.rstrip("\r").endswith("\x1b[2K")
    dumb = jamboree(*PLAYERS, TERM="dumb")[2]
    assert "\x1b" not in dumb


ENDLESS = ["search", "connect_four", "--algorithm", "alphabeta(40)", "--engine", "interpreted"]
INTERPRETED = "from games import ConnectFour\nclass Slow(ConnectFour):\n    native = False\n"


def test_the_terminal_shows_which_agent_is_thinking(tmp_path):
    (tmp_path / "slow.py").write_text(INTERPRETED)
    thinking = ["play", f"{tmp_path}/slow.py:Slow", "--maxie", "alphabeta(40)"]
    status, out, told = jamboree(*thinking, until=b"Maxie thinks", piped=True)
    assert (status, out) == (130, "")
    _, _, after = told.rpartition("\x1b[2K")
    assert "thinks" not in after


def test_the_terminal_shows_which_depth_is_reached():
    status, out, told = jamboree(*ENDLESS, "--time", "3600", until=b"searching, depth", piped=True)
    assert status == 0
    shown = int(re.findall(r"searching, depth (\d+) ", told)[-1])
    assert int(re.findall(r"\ndepth +(\d+) plies", out)[0]) >= shown


def test_ctrl_c_leaves_a_clean_terminal():
    status, out, told = jamboree(*ENDLESS, until=b"searching", piped=True)
    assert (status, out) == (130, "")
    _, _, after = told.rpartition("\x1b[2K")
    assert click.unstyle(after).endswith("jamboree: interrupted\n")
    assert "searching" not in after
    assert "\x1b[2Kwith --time SECONDS" in told  # a message is not in the line of the progress bar
    assert "\x1b[?25l" not in told
