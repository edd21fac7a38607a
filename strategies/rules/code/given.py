"""The arguments of a call."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from strategies.rules.code.val import Val
from strategies.rules.kinds.kind import NEVER
from strategies.rules.language.messages import Refusal


@frozen(eq=False)
class Arguments:
    """The arguments of a call.

    Attributes:
        first: by place, as many as are known.
        rest: a tuple of any length with the further ones.
    """

    first: list[Val]
    named: dict[str, Val]
    rest: Val | None = None

    @property
    def values(self) -> list[Val]:
        """All arguments by place, if their number is known."""
        if self.rest is not None:
            raise Refusal("a star before a tuple of unknown length is not compiled in this call")
        return self.first

    @property
    def known(self) -> bool:
        found = (*self.first, *self.named.values(), *([self.rest] if self.rest else []))
        return all(a.kind is not NEVER for a in found)

    def after(self, before: Sequence[Val], named: dict[str, Val] | None = None) -> Arguments:
        """Return these arguments after others."""
        return Arguments([*before, *self.first], (named or {}) | self.named, self.rest)
