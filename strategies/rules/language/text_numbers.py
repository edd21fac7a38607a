"""The numbers that stand for texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

FACTOR: Final = 0x9FB21C651E98DF25
SEED: Final = 0xC6A4A7935BD1E995
"""The word of the empty text."""
MASK: Final = (1 << 64) - 1


class Texts(dict[str, int]):
    """The number of each text.

    Attributes:
        complete: whether code has tables over all texts, so that it cannot work with others.
        made: whether code makes texts, so that a text is a key by its letters, not by its number.
    """

    complete = made = False

    def __init__(self, *given: Mapping[str, int]) -> None:
        super().__init__(*given)
        self._in_order: list[str] = []  # those of the first numbers

    def number(self, text: str) -> int:
        """Return the number of a text, which may be a new one."""
        return self.setdefault(text, len(self))

    def text(self, number: int) -> str:
        """Return the text that has a number."""
        if number >= len(self._in_order):
            self._in_order = list(self)
        return self._in_order[number]

    def key(self, text: str) -> int:
        """Return the word by which a text is a key."""
        return letters_word(map(ord, text)) if self.made else self.number(text)

    def copy(self) -> Texts:
        made = Texts(self)
        made.complete, made.made = self.complete, self.made
        return made


def letters_word(codes: Iterable[int]) -> int:
    """Return a word that stands for a text, of the numbers of its letters."""
    word = SEED
    for code in codes:
        word = (word ^ code) * FACTOR & MASK
    return word
