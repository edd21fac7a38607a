"""What is printed fits the terminal, and says no less than what is piped."""

import io
import os
import pty
import re
import struct
import subprocess
import sys
from fcntl import ioctl
from termios import TIOCSWINSZ

import click
from hypothesis import given
from hypothesis import strategies as st

from strategies.cli.fitting import fitted
from strategies.support.tables import ruled


def aligned(cells):
    return "\n".join(ruled(cells))


CELL = st.text("abc123.()", min_size=1, max_size=12)
TABLES = st.integers(2, 9).flatmap(
    lambda columns: st.lists(
        st.tuples(
            st.text("abcdef.()", min_size=1, max_size=60),
            *[st.text("0123456789", min_size=1, max_size=12)] * (columns - 1),
        ),
        min_size=2,
        max_size=5,
    )
)


@given(TABLES, st.integers(24, 120))
def test_no_line_of_a_table_is_too_long_and_no_number_is_lost(cells, width):
    text = aligned(cells)
    out = fitted(text, width)
    assert max(map(len, out.split("\n"))) <= width
    parts = [part.split("\n") for part in out.split("\n\n")]
    assert all(set(part[1]) <= {"-", " "} for part in parts)
    head, _, *rows = [[line.split()[1:] for line in part] for part in zip(*parts, strict=True)]
    # The columns that tell rows apart, after the first, stand in each part.
    seen = sum(map(len, head)) - len(cells[0][1:])
    kept = seen // (len(parts) - 1) if len(parts) > 1 else 0
    assert seen == kept * (len(parts) - 1)
    assert not kept or len({row[: kept + 1] for row in cells[1:]}) == len(cells) - 1
    for row, (first, *others) in zip(cells, [head, *rows], strict=True):
        assert all(part[:kept] == first[:kept] for part in others)
        assert [*first, *(cell for part in others for cell in part[kept:])] == list(row[1:])
    for row, line in zip(cells, [parts[0][0], *parts[0][2:]], strict=True):
        name = line.split()[0]
        assert name == row[0] or (name[-1] == "…" and row[0].startswith(name[:-1]))


def test_each_part_says_which_row_is_which():
    cells = [("strategy", "workers", "nodes", "leaves"), ("par_list", "1", "10", "20"),
             ("par_list", "2", "30", "40")]  # fmt: skip
    *_, last = fitted(aligned(cells), 27).split("\n\n")
    assert [line.split() for line in last.split("\n")][2:] == [
        ["par_list", "1", "20"], ["par_list", "2", "40"]
    ]  # fmt: skip


@given(TABLES)
def test_what_fits_is_left_alone(cells):
    text = f"a title\n\n{aligned(cells)}\n\na foot"
    assert fitted(text, 500) == text


@given(st.lists(CELL, min_size=1, max_size=40), st.integers(24, 80), st.booleans())
def test_sentences_are_wrapped_between_words_under_their_value(words, width, named):
    line = ("name       " if named else "") + " ".join(words)
    out = fitted(line, width).split("\n")
    assert all(len(text) <= width for text in out)
    assert " ".join(out).split() == line.split()
    indents = {len(text) - len(text.lstrip()) for text in out[1:]}
    # A name of several words is told from its value by the two spaces after it.
    assert indents <= ({11} if named and width > 22 else {0})


def test_a_bold_name_stays_bold():
    line = click.style("time       ", bold=True) + "from the first call to the last answer of all"
    out = fitted(line, 30)
    assert out.startswith(click.style("time       ", bold=True))
    assert max(len(text) for text in click.unstyle(out).split("\n")) <= 30


def printed(width: int | None, **environment: str) -> str:
    """What `jamboree games` prints at a terminal so wide, or into a pipe."""
    command = [sys.executable, "-m", "jamboree", "games"]
    cleaned = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES")}
    if width is None:
        return subprocess.run(command, env=cleaned | environment, capture_output=True, text=True,
                              check=True).stdout  # fmt: skip
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    with subprocess.Popen(command, env=cleaned | environment, stdout=theirs, stdin=theirs) as run:
        os.close(theirs)
        out = io.BytesIO()
        try:
            while part := os.read(ours, 4096):
                out.write(part)
        except OSError:  # the other end is closed
            pass
        os.close(ours)
    assert run.returncode == 0
    return out.getvalue().decode().replace("\r\n", "\n")


def test_a_terminal_is_fitted_and_a_pipe_is_not():
    narrow, piped = printed(50), printed(None, COLUMNS="50")
    assert max(map(len, click.unstyle(narrow).split("\n"))) <= 50 < max(map(len, piped.split("\n")))
    assert re.sub(r"\s+", " ", click.unstyle(narrow)) == re.sub(r"\s+", " ", piped)
    assert "\x1b[" in narrow
    assert "\x1b[" not in piped
    assert "\x1b[" not in printed(50, NO_COLOR="1")
