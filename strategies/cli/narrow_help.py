"""Fits --help to a narrow terminal: options above their texts, commands on several lines."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from textwrap import fill
from typing import Any

import click

NARROW = 60
"""The least width of a terminal, in columns, for options and their texts side by side."""
LEAST = 20
WORD = re.compile(r"""(?:'[^']*'|"[^"]*"|\S)+""")
"""A word of a shell command; quoted spaces do not end it."""


class Help(click.HelpFormatter):
    """A formatter of help like click's; in a terminal below `NARROW` columns it breaks lines.

    Ensures: there, no line is longer than the terminal is wide, unless one word is.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        columns = shutil.get_terminal_size().columns
        self.narrow = columns < NARROW
        if self.narrow:
            self.width = max(columns - 2, LEAST)

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        if self.narrow:
            for first, second in rows:
                choices = first.replace("|", "| ") if len(first) > self.width - 2 else first
                self.write(_filled(choices, self.width, "  ", "      ").replace("| ", "|") + "\n")
                if second:
                    self.write(_filled(second, self.width, "      ", "      ") + "\n")
        else:
            super().write_dl(rows, col_max, col_spacing)

    def write_text(self, text: str) -> None:
        super().write_text(narrowed(text, self.width - 2) if self.narrow else text)


def narrowed(text: str, width: int) -> str:
    r"""Break long lines in the paragraphs of a help text that click does not rewrap (``\b``).

    Ensures: a command is continued by a backslash, never inside quotes, so that it can still be
    copied; other lines are broken between words.

    >>> print(narrowed("\b\nTry:\n  jamboree explain 'par_list' --branches 4", 32)[2:])
    Try:
      jamboree explain 'par_list' \
          --branches 4
    """
    paragraphs = (re.sub(r" \\\n *", " ", part).split("\n") for part in text.split("\n\n"))
    return "\n\n".join(
        "\n".join(_fit(line, width) for line in part)
        if part[0].strip() == "\b"
        else "\n".join(part)
        for part in paragraphs
    )


def _fit(line: str, width: int) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    if len(line) <= width:
        return line
    if not line.lstrip().startswith(("jamboree ", "eval ")):
        return _filled(line.strip(), width, indent, indent)
    lines = [indent]
    for word in WORD.findall(line):
        if lines[-1].strip() and len(lines[-1]) + len(word) + 2 > width:
            lines[-1] += "\\"
            lines.append(indent + "    ")
        lines[-1] += word + " "
    return "\n".join(each.rstrip() for each in lines)


def _filled(text: str, width: int, first: str, then: str) -> str:
    return fill(
        text, width, initial_indent=first, subsequent_indent=then, break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
