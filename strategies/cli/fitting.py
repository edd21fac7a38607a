"""Fits what is printed to the width of the terminal: tables by columns, sentences by words."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Sequence
from textwrap import wrap

import click

RULE = re.compile(r"-+(?:  -+)+")
"""The line below the head of a table: as many dashes as its columns are wide."""
NAMED = re.compile(r"\S+(?: \S+)*(  +)(?=\S)")
"""The name in front of a fact, and the space up to it."""
NARROWEST = 12
"""No column is cut to less."""


def echo(text: object = "") -> None:
    """Print a text, fitted to the terminal; as it is where it is piped or goes to a file."""
    told = str(text)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    click.echo(told if width is None else fitted(told, width))


def fitted(text: str, width: int) -> str:
    """Fit a text to lines of `width` characters.

    Requires: tables that are aligned in columns, two spaces between them, with a rule of dashes
    below the head; an empty line, or the end, after each.
    Ensures: a table that is too wide has the cells of its first column cut, with an ellipsis; if
    that is not enough it is printed in parts, each of some columns after those that tell its rows
    apart, or after the first where there is no room. No other cell loses a character. Other long
    lines are wrapped between words, under the value that they tell.

    >>> print(fitted("name         a   b\\n-----------  --  --\\nall of them  10  20", 12))
    name       a
    --------  --
    all of …  10
    <BLANKLINE>
    name       b
    --------  --
    all of …  20
    """
    lines, out = text.split("\n"), []
    while lines:
        if len(lines) > 1 and RULE.fullmatch(lines[1]):
            end = next((i for i, line in enumerate(lines) if not line), len(lines))
            out += _table(lines[:end], width)
            lines = lines[end:]
        else:
            out += _wrapped(lines.pop(0), width)
    return "\n".join(out)


def _table(lines: Sequence[str], width: int) -> list[str]:
    """The lines of a table, in as many parts as it takes."""
    spans = [found.span() for found in re.finditer("-+", lines[1])]
    rows = [[line[a:b] for a, b in spans] for line in lines]
    widths = [b - a for a, b in spans]
    if sum(widths) + 2 * (len(widths) - 1) <= width:
        return list(lines)
    keys = _keys(rows[2:], widths, width)
    rest = sum(widths[1:]) + 2 * (len(widths) - 1)
    kept = sum(widths[1:keys]) + 2 * (keys - 1)
    most = width - kept - max(widths[keys:]) - 2
    # Cut the first column if that is enough; else as little as lets the widest other stand by it.
    room = width - rest if width - rest >= NARROWEST else most
    first = min(widths[0], max(room, min(NARROWEST, max(1, most))))
    parts: list[list[int]] = [[]]
    left = width - first - kept
    for column in range(keys, len(widths)):
        if parts[-1] and left < widths[column] + 2:
            parts.append([])
            left = width - first - kept
        parts[-1].append(column)
        left -= widths[column] + 2
    out: list[str] = []
    for part in parts:
        out += [""] * bool(out)
        for number, row in enumerate(rows):
            name = "-" * first if number == 1 else _cut(row[0].rstrip(), first).ljust(first)
            told = (row[column] for column in (*range(1, keys), *part))
            out.append("  ".join([name, *told]).rstrip())
    return out


def _keys(rows: Sequence[Sequence[str]], widths: Sequence[int], width: int) -> int:
    """How many columns, from the first, tell the rows apart; 1 if there is no room for more."""
    for keys in range(1, len(widths)):
        if len({tuple(row[:keys]) for row in rows}) == len(rows):
            need = min(NARROWEST, widths[0]) + sum(widths[1:keys]) + max(widths[keys:]) + 2 * keys
            return keys if need <= width else 1
    return 1


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _wrapped(line: str, width: int) -> list[str]:
    plain = click.unstyle(line)
    if len(plain) <= width:
        return [line]
    named = NAMED.match(plain)
    margin = named.end() if named else len(plain) - len(plain.lstrip())
    margin = margin if margin < width // 2 else 0
    kept = wrap(plain, width, subsequent_indent=" " * margin, break_on_hyphens=False)
    # What stands in front, and is printed bold, stays so.
    head, styled = plain[:margin], line[: len(line) - len(plain) + margin]
    bold = click.unstyle(styled) == head
    return [styled + kept[0][margin:], *kept[1:]] if bold and kept[0].startswith(head) else kept
