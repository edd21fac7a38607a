"""Commands in the documentation: every terminal session is run, and must print what the page shows.

A line that begins with ``$ jamboree`` is a command, and the lines after it are its output, in which
``...`` matches any text. Text after the prompt of a human player, ``human> ``, is the input.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from strategies.cli.group import jamboree

ROOT = Path(__file__).parents[1]
EXTRAS = ("pyspiel", "chess")
"""The optional dependencies of the page on foreign games."""
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.DOTALL | re.MULTILINE
BLOCK = re.compile(r"^```console\n(.*?)^```$", FENCED)
FIRST_TIME = re.compile(r"^compiling the rules of .*\n", re.MULTILINE)
"""Printed if no earlier run has compiled the rules."""
PROMPT = re.compile(r"^(human> )(.+)$", re.MULTILINE)
EXAMPLES = "breakthrough", "coins", "kalah", "quiet", "rook", "salesman", "semigroups"
"""The files that terminal sessions use."""


def blocks() -> Iterator[object]:
    """Yield the terminal sessions of all pages as parameters of a test."""
    for page in PAGES:
        for number, text in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")), 1):
            missing = page.stem == "foreign-games" and not all(map(find_spec, EXTRAS))
            why = pytest.mark.skipif(missing, reason="OpenSpiel or python-chess is not installed")
            yield pytest.param(text, id=f"{page.stem}-{number}", marks=why)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.stem)
def test_each_table_has_a_head_without_which_it_is_no_table(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=FENCED)
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert re.match(r"\|.*\n\|[-:| ]+\|\n\|", table), table


@pytest.mark.parametrize("text", list(blocks()))
def test_a_terminal_session_prints_what_the_page_shows(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in EXAMPLES:
        shutil.copy(ROOT / "docs" / f"{file}.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    status = 0
    for part in text.split("$ ")[1:]:
        command, _, printed = part.partition("\n")
        if command == "echo $?":
            assert printed.strip() == str(status)
            continue
        name, *arguments = shlex.split(command)
        assert name == "jamboree"
        typed = "".join(f"{line}\n" for _, line in PROMPT.findall(printed))
        done = CliRunner().invoke(jamboree, arguments, input=typed)
        status = done.exit_code
        wanted = PROMPT.sub(r"\1", printed)
        got = FIRST_TIME.sub("", done.stderr) if status == 2 else done.stdout
        same = OutputChecker().check_output(wanted, got, ELLIPSIS | NORMALIZE_WHITESPACE)
        assert same, f"$ {command}\n{got}\n(status {status}; the page differs)"
