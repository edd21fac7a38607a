"""The command at a terminal and in a pipe: widths, colours, progress, Ctrl-C."""

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
import pytest

CLEAN = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE"}
STYLE = re.compile(r"\x1b\[[\d;]*m")


def jamboree(*arguments, width=80, until=None, piped=False, **environment):
    """The status, what the standard output had in a pipe, and what a terminal showed.

    With `until`, Ctrl-C comes when the terminal shows it.
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


def test_a_terminal_is_fitted_and_a_pipe_is_not():
    _, _, narrow = jamboree("games", width=50)
    _, piped, _ = jamboree("games", width=50, piped=True)
    assert max(map(len, click.unstyle(narrow).split("\n"))) <= 50 < max(map(len, piped.split("\n")))
    assert letters(narrow) == letters(piped)
    assert STYLE.search(narrow)
    assert "\x1b" not in piped


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_are_turned_off(environment):
    told = jamboree("games", width=50, **environment)[2]
    assert "\x1b" not in told
    assert 40 < max(map(len, told.split("\n"))) <= 50


def test_a_terminal_that_is_taken_for_ascii_gets_what_it_is_told():
    status, _, told = jamboree(*PLAYERS, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert status == 0
    assert "±" in told


PLAYERS = ["tournament", "nim", "random(seed=1)", "random(seed=2)", "--rounds", "2"]


def test_progress_is_at_the_terminal_alone_and_gone_at_the_end():
    status, out, told = jamboree(*PLAYERS, piped=True, NO_COLOR="1")
    assert status == 0
    assert out.startswith("player ")
    assert "4 of 4 games" in told
    assert "\x1b[?25l" not in told
    assert not STYLE.search(told)
    assert told.rstrip("\r").endswith("\x1b[2K")
    assert jamboree(*PLAYERS, piped=True, TERM="dumb")[1:] == (out, "")


ENDLESS = ["search", "connect_four", "--algorithm", "alphabeta(40)", "--engine", "interpreted"]


THINKING = ["play", "connect_four", "--maxie", "alphabeta(40)", "--minnie", "random"]


def test_who_thinks_for_long_is_told_at_the_terminal():
    status, out, told = jamboree(*THINKING, until=b"Maxie thinks", piped=True)
    assert (status, out) == (130, "")
    _, _, after = told.rpartition("\x1b[2K")
    assert "thinks" not in after


def test_ctrl_c_leaves_a_clean_terminal():
    status, out, told = jamboree(*ENDLESS, until=b"searching", piped=True)
    assert (status, out) == (130, "")
    _, _, after = told.rpartition("\x1b[2K")
    assert click.unstyle(after).endswith("jamboree: interrupted\n")
    assert "searching" not in after
    assert "\x1b[2Kwith --time SECONDS" in told  # a note is not in the line of the bar
    assert "\x1b[?25l" not in told
