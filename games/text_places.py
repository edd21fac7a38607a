"""Lines and columns of words in a text, for messages."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from pathlib import Path

from graphs.arguments import shown
from graphs.errors import MalformedError


def place_of(text: str, index: int) -> str:
    """Return the line and column of a character of a text.

    >>> place_of("ab\\ncd", 3)
    'line 2, column 1'
    """
    return (
        f"line {text.count(chr(10), 0, index) + 1}, column {index - text.rfind(chr(10), 0, index)}"
    )


def places_in(text: str) -> Callable[[int], str]:
    """Return the function that `place_of` is for this text, in time that grows with the text once,
    not with each place.

    >>> places_in("ab\\ncd")(3)
    'line 2, column 1'
    """
    starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def place(index: int) -> str:
        line = bisect_right(starts, index)
        return f"line {line}, column {index - starts[line - 1] + 1}"

    return place


def label_in(text: str, pattern: re.Pattern[str], example: str) -> re.Match[str]:
    """Match a text, without surrounding blanks, against the pattern of a label.

    Raises: ValueError, with line, column and the example, for another text.

    >>> label_in(" 12 ", re.compile(r"\\d+"), "7")[0]
    '12'
    """
    blank = len(text) - len(text.lstrip())
    found = pattern.fullmatch(text.rstrip(), blank)
    if found is None:
        raise MalformedError(
            f"{place_of(text, blank)}: {shown(text.strip())} is not a label such as {example}"
        )
    return found


def end_of(text: str) -> str:
    """Return the line and column just after a text, where something is missing."""
    return place_of(text, len(text.rstrip()))


def text_of(path: str) -> str:
    """Read the text of a user's file, in UTF-8.

    Raises: ValueError, one line, if it cannot be read or, with line and column, is not UTF-8.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise MalformedError(f"cannot be read: {error.strerror}") from None
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        raise MalformedError(f"{place_of(before, len(before))}: this is not UTF-8 text") from None


def placed_words(text: str, blanks: str = "", start: int = 0) -> list[tuple[str, str]]:
    """Split a text, from `start` on, into words, each with its place.

    Blanks separate words, and so do the characters of `blanks`.

    >>> placed_words("3-4\\n X", blanks="-")
    [('3', 'line 1, column 1'), ('4', 'line 1, column 3'), ('X', 'line 2, column 2')]
    """
    return _placed(text, _spans(text, blanks, start))


def placed_turns(text: str, blanks: str = "", start: int = 0) -> list[tuple[str, str]]:
    """Split a text as `placed_words` does, but not inside brackets, as in the move ``(1, 2)``.

    >>> [word for word, _ in placed_turns("(1, (2, 3)) 4,5", blanks=",")]
    ['(1, (2, 3))', '4', '5']
    """
    masked, opened = list(text), list[int]()
    for k, c in enumerate(text):
        if c in "([{":
            opened.append(k)
        elif c in ")]}" and opened:
            first = opened.pop()
            if not opened:
                masked[first:k] = "(" * (k - first)
    return _placed(text, _spans("".join(masked), blanks, start))


def placed_digits(text: str, blanks: str = "", start: int = 0) -> list[tuple[str, str]]:
    """Split a text as `placed_words` does, and a word of digits alone into its digits.

    >>> [word for word, _ in placed_digits("445 3 #12")]
    ['4', '4', '5', '3', '#12']
    """
    split = []
    for first, end in _spans(text, blanks, start):
        step = 1 if text[first:end].isdecimal() else end - first
        split += [(k, k + step) for k in range(first, end, step)]
    return _placed(text, split)


def _spans(text: str, blanks: str, start: int) -> list[tuple[int, int]]:
    word = re.compile(rf"[^\s{re.escape(blanks)}]+")
    return [found.span() for found in word.finditer(text, start)]


def _placed(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[str, str]]:
    place = places_in(text)
    return [(text[first:end], place(first)) for first, end in spans]


def count_at(word: str, place: str, most: int) -> int:
    """Return the number from 0 to `most` that a word of a text is.

    Raises: ValueError, with the place and the range.
    """
    if not (word.isascii() and word.isdigit() and len(word) < 10 and int(word) <= most):
        raise MalformedError(f"{place}: {shown(word)} is not a number from 0 to {most}")
    return int(word)
