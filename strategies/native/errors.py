"""Names what goes wrong with rules: some cannot be compiled, others fail while they run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.game import NoEstimate
from graphs.errors import JamboreeError


class RuleError(JamboreeError, TypeError):
    """Rules that cannot be compiled: which, where, and what to write instead; or why none can."""


class RuleFailed(JamboreeError):
    """A rule raised an error, or returned what a rule may not return, in some position.

    `rule` is its name (`make_move` with the move), `moves` the moves and outcomes that led to the
    position `state`, `error` what was wrong; the error that was raised is the cause.  `branches`
    lead to where the moves begin, by their numbers: tasks know no more of the way.
    """

    def __init__(
        self, rule: str, moves: tuple[str, ...], state: Any, error: str,
        branches: tuple[int, ...] = (),
    ) -> None:  # fmt: skip
        super().__init__(rule, moves, state, error, branches)
        self.rule, self.moves, self.state, self.error = rule, moves, state, error
        self.branches = branches

    def below(self, *branches: int) -> RuleFailed:
        """Tells the same failure from a position some plies earlier."""
        return self._with(self.moves, (*branches, *self.branches))

    def named(self, texts: Iterable[str]) -> RuleFailed:
        """Tells the same failure with the texts of its branches."""
        return self._with((*texts, *self.moves), ())

    def _with(self, moves: tuple[str, ...], branches: tuple[int, ...]) -> RuleFailed:
        same = RuleFailed(self.rule, moves, self.state, self.error, branches)
        same.__cause__ = self.__cause__
        return same

    @property
    def lacks_estimate(self) -> bool:
        """Whether the game has no estimate there, and said so: another depth may need none."""
        cause = self.__cause__
        if isinstance(cause, RuleFailed):
            return cause.lacks_estimate
        return isinstance(cause, NoEstimate)

    def __str__(self) -> str:
        way = {"branches": self.branches, "moves": self.moves}
        paths = [f"the {kind} {' '.join(map(str, path))}" for kind, path in way.items() if path]
        after = f"after {' and '.join(paths)}, " if paths else ""
        return f"{self.rule} failed {after}in {self.state!r}: {self.error}"
