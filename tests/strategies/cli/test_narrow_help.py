"""--help at every width: nothing is cut, nothing is too long, and commands may still be copied."""

import re
import shlex

import pytest

from strategies.cli.group import COMMANDS, Context, jamboree
from strategies.cli.narrow_help import WORD, narrowed


def helps(columns, monkeypatch):
    """What --help prints, of the group and each command, at a terminal so wide."""
    monkeypatch.setenv("COLUMNS", str(columns))
    top = Context(jamboree, info_name="jamboree")
    yield jamboree.get_help(top)
    for name in COMMANDS:
        command = jamboree.get_command(top, name)
        yield command.get_help(Context(command, parent=top, info_name=name))


def letters(text):
    return re.sub(r"[\s\\]+", "", text)


@pytest.mark.parametrize("columns", [24, 40, 59])
def test_a_narrow_terminal_gets_every_word_in_lines_that_fit(columns, monkeypatch):
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
def test_a_command_in_several_lines_is_the_same_to_a_shell(columns):
    lines = narrowed(f"\b\nExample:\n  {COMMAND}", columns).split("\n")[2:]
    assert shlex.split(" ".join(line.removesuffix("\\") for line in lines)) == shlex.split(COMMAND)
    assert all(line.endswith("\\") for line in lines[:-1])
