"""The numbers that stand for texts."""

from __future__ import annotations


class Texts(dict[str, int]):
    """The number of each text.

    Attributes:
        complete: whether code has tables over all texts, so that it cannot work with others.
    """

    complete = False

    def number(self, text: str) -> int:
        """Return the number of a text, which may be a new one."""
        return self.setdefault(text, len(self))

    def copy(self) -> Texts:
        made = Texts(self)
        made.complete = self.complete
        return made
