"""--help at every width: no text is cut or too long, and commands can be copied."""

import re
import shlex

import pytest

from strategies.cli.group import COMMANDS, Context, jamboree
from strategies.cli.narrow_help import WORD, narrowed


def helps(columns, monkeypatch):
    """Return the --help of the group and of each command on a terminal of this width."""
    monkeypatch.setenv("COLUMNS", str(columns))
    top = Context(jamboree, info_name="jamboree")
    yield jamboree.get_help(top)
    for name in COMMANDS:
        command = jamboree.get_command(top, name)
        yield command.get_help(Context(command, parent=top, info_name=name))


def letters(text):
    return re.sub(r"[\s\\]+", "", text)


@pytest.mark.parametrize("columns", [24, 40, 59])
def test_every_word_is_printed_in_lines_that_fit_a_narrow_terminal(columns, monkeypatch):
    wide = [letters(text) for text in helps(100, monkeypatch)]
    for text, known in zip(helps(columns, monkeypatch), wide, strict=True):
        assert letters(text) == known
        for line in text.split("\n"):
            told = WORD.findall(line.rstrip("\\").removeprefix("Usage: jamboree"))
            assert len(line) <= columns or len(told) == 1


COMMAND = (
    "jamboree tournament nim 'a: alphabeta(depth=4) with pairs=1' --rounds 50 --record g.jsonl"
)


@pytest.mark.parametrize("columns", [20, 40, 60, 200])
def test_a_shell_reads_a_wrapped_command_as_one(columns):
    lines = narrowed(f"\b\nExample:\n  {COMMAND}", columns).split("\n")[2:]
    assert shlex.split(" ".join(line.removesuffix("\\") for line in lines)) == shlex.split(COMMAND)
    assert all(line.endswith("\\") for line in lines[:-1])
