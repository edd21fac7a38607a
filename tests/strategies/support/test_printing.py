"""Output at a terminal fits its width, and contains everything that is in a pipe."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from strategies.support.printing import (
    Note,
    Printed,
    Table,
    columns,
    console,
    drawn,
    folded,
    width_of,
)

Cells = list[tuple[str, ...]]


def rendered(*parts: object, width: int) -> str:
    """Return the output at a terminal of this width, without colours and trailing blanks."""
    screen = Console(file=io.StringIO(), width=width, color_system=None)
    for part in drawn(parts, width):
        screen.print(part)
    assert isinstance(screen.file, io.StringIO)
    lines = screen.file.getvalue().removesuffix("\n").split("\n")
    assert max(map(len, lines)) <= width
    return "\n".join(line.rstrip() for line in lines)


TABLES = st.integers(2, 9).flatmap(
    lambda columns: st.lists(
        st.tuples(
            st.text("abcdef.()", min_size=1, max_size=60),
            *[st.text("0123456789", min_size=1, max_size=12)] * (columns - 1),
        ),
        min_size=3,  # the headers, and rows that must be distinguishable
        max_size=5,
    )
)


def shown(text: str) -> list[list[tuple[str, list[str]]]]:
    """Return the rows of each part of a table: their words and their numbers."""
    parts = []
    for part in text.split("\n\n"):
        _, body = re.split(r"\n─+\n", part)
        rows: list[tuple[str, list[str]]] = []
        for line in body.split("\n"):
            words, *numbers = re.split(r"\s+(?=\d)", line)
            if numbers:
                rows.append((words, numbers))
            else:  # the words of the previous row continue
                rows[-1] = (rows[-1][0] + words, rows[-1][1])
        parts.append(rows)
    return parts


@given(TABLES, st.integers(24, 120))
def test_a_split_table_is_complete_and_each_part_identifies_its_rows(
    cells: Cells, width: int
) -> None:
    head, *rows = cells
    parts = shown(rendered(Table(cells), width=width))
    assert all(len(part) == len(rows) for part in parts)
    kept = 0  # columns of numbers that are repeated in each part
    if len(parts) > 1:
        kept, rest = divmod(sum(len(part[0][1]) for part in parts) - len(head) + 1, len(parts) - 1)
        assert rest == 0
        assert not kept or len({row[: kept + 1] for row in rows}) == len(rows)
    for number, row in enumerate(rows):
        assert [part[number][0] for part in parts] == [row[0]] * len(parts)
        numbers = [part[number][1] for part in parts]
        assert all(other[:kept] == numbers[0][:kept] for other in numbers)
        assert [*numbers[0], *(n for other in numbers[1:] for n in other[kept:])] == list(row[1:])


def test_each_part_identifies_its_rows() -> None:
    cells = [("strategy", "workers", "nodes", "leaves"), ("par_list", "1", "10", "20"),
             ("par_list", "2", "30", "40")]  # fmt: skip
    *_, last = rendered(Table(cells), width=27).split("\n\n")
    assert [line.split() for line in last.split("\n")][2:] == [
        ["par_list", "1", "20"], ["par_list", "2", "40"]
    ]  # fmt: skip


def test_a_table_of_one_row_repeats_no_column() -> None:
    out = rendered(Table([("attempts", "created", "fizzled"), ("2", "30", "4")], ()), width=17)
    assert out.split() == ["attempts", "created", "─" * 17, "2", "30", "fizzled", "─" * 7, "4"]


def test_headers_are_wrapped_before_anything_else() -> None:
    rows = [("strategy", "measured (s)"), ("par_list", "0.5")]
    assert rendered(Table(rows), width=22) == "strategy  measured (s)\n" + "─" * 22 + (
        "\npar_list           0.5"
    )
    assert rendered(Table(rows), width=18).split("\n") == [
        "          measured", "strategy       (s)", "─" * 18, "par_list       0.5"
    ]  # fmt: skip


def test_a_table_without_rows_shows_its_headers() -> None:
    assert rendered(Table([("a", "b")]), width=24).split() == ["a", "b", "─" * 4]
    assert str(Table([("a", "b")])) == "a  b"


CELL = st.text("abc123.()", min_size=1, max_size=12)


@given(st.lists(CELL, min_size=1, max_size=40), st.integers(24, 80), st.booleans())
def test_sentences_are_wrapped_between_words_under_their_value(
    words: Sequence[str], width: int, named: bool
) -> None:
    line = ("name       " if named else "") + " ".join(words)
    out = rendered(line, width=width).split("\n")
    assert " ".join(out).split() == line.split()
    assert {len(text) - len(text.lstrip()) for text in out[1:]} <= {11 if named else 0}


def test_indented_lines_stay_indented() -> None:
    assert rendered("  one two three four five", width=20) == "  one two three four\n  five"


def test_brackets_are_not_read_as_markup() -> None:
    assert rendered("[bold]a[/bold] :smile: 12", Table([("[red]", "b")]), width=60).split() == [
        "[bold]a[/bold]", ":smile:", "12", "[red]", "b", "─" * 8
    ]  # fmt: skip


def test_a_bold_name_stays_bold() -> None:
    line = click.style("time       ", bold=True) + "from the first call to the last answer of all"
    screen = Console(file=io.StringIO(), width=30, force_terminal=True, color_system="standard")
    for part in drawn([line], 30):
        screen.print(part)
    assert isinstance(screen.file, io.StringIO)
    out = screen.file.getvalue()
    assert out.startswith("\x1b[1mtime")
    assert max(len(text) for text in click.unstyle(out).split("\n")) <= 30


class Both(Printed):
    """Output with a text and a table."""

    def parts(self) -> list[object]:
        return ["a title", "", Table([("a", "n"), ("bc", "10")], ruled=True), self.more]

    more = "the end"


def test_columns_are_shared_out_evenly_among_the_parts() -> None:
    """A last column alone below a full part looks like a mistake."""
    rows = [("name", *(f"c{n}" for n in range(5))), *((name, *["12345678"] * 5) for name in "ab")]
    parts = rendered(Table(rows), width=48).split("\n\n")
    assert [len(part.split("\n")[0].split()) - 1 for part in parts] == [3, 2]


def test_a_note_is_filled_to_the_width_and_piped_as_it_is() -> None:
    note = Note(["a note in a", "few words."])
    assert str(note) == "a note in a\nfew words."
    assert rendered(note, width=40) == "a note in a few words."


def test_output_in_a_pipe_is_not_changed() -> None:
    assert str(Both()) == "a title\n\na    n\n--  --\nbc  10\nthe end"
    assert rendered(Both(), width=80) == "a title\n\na    n\n──────\nbc  10\nthe end"


@pytest.mark.parametrize("colour", [True, False])
def test_no_color_turns_styles_off(colour: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    if not colour:
        monkeypatch.setenv("NO_COLOR", "1")
    screen = io.StringIO()
    screen.isatty = lambda: True  # type: ignore[method-assign]
    console(screen).print(Table([("a", "n"), ("bc", "10")]))
    assert ("\x1b[" in screen.getvalue()) == colour


@given(st.lists(st.text("ab王手e\u0301", max_size=6), min_size=1, max_size=5))
def test_columns_begin_at_the_same_place_whatever_the_width_of_letters(words: list[str]) -> None:
    width = max(map(width_of, words))
    for word, line in zip(words, columns([[word, "|"] for word in words]), strict=True):
        assert line.startswith(word)
        assert width_of(line.partition("|")[0]) == width + 2


@given(st.text("ab .王手e\u0301", max_size=40), st.integers(2, 9))
def test_a_folded_text_fits_and_is_whole(text: str, width: int) -> None:
    lines = folded(text, width).split("\n")
    assert "".join(lines) == text
    assert max(map(width_of, lines)) <= width
