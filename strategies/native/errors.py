"""The errors of rules: those that cannot be compiled, and those that fail while they run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.game import NoEstimate
from graphs.errors import JamboreeError


class RuleError(JamboreeError, TypeError):
    """Rules that cannot be compiled: the message says which, where, and what to write instead.

    It may also say that the compiler itself cannot be used, and why.
    """


class RuleFailed(JamboreeError):
    """A rule raised an error, or returned a wrong result, at some position.

    `rule` is its name (`make_move` with the move), `state` the position, `moves` the moves and
    outcomes that led there, `error` a description of the error; an exception that the rule raised
    is the cause.  `branches` are the numbers of the branches before those moves, where a task knew
    the way by numbers only.
    """

    def __init__(
        self, rule: str, moves: tuple[str, ...], state: Any, error: str,
        branches: tuple[int, ...] = (),
    ) -> None:  # fmt: skip
        super().__init__(rule, moves, state, error, branches)
        self.rule, self.moves, self.state, self.error = rule, moves, state, error
        self.branches = branches

    def below(self, *branches: int) -> RuleFailed:
        """Return the same failure as seen from a position some plies earlier."""
        return self._with(self.moves, (*branches, *self.branches))

    def named(self, texts: Iterable[str]) -> RuleFailed:
        """Return the same failure with the texts of its branches in place of their numbers."""
        return self._with((*texts, *self.moves), ())

    def _with(self, moves: tuple[str, ...], branches: tuple[int, ...]) -> RuleFailed:
        same = RuleFailed(self.rule, moves, self.state, self.error, branches)
        same.__cause__ = self.__cause__
        return same

    @property
    def lacks_estimate(self) -> bool:
        """Return whether the game raised `NoEstimate`: a search to another depth may need no
        estimate."""
        cause = self.__cause__
        if isinstance(cause, RuleFailed):
            return cause.lacks_estimate
        return isinstance(cause, NoEstimate)

    def __str__(self) -> str:
        way = {"branches": self.branches, "moves": self.moves}
        paths = [f"the {kind} {' '.join(map(str, path))}" for kind, path in way.items() if path]
        after = f"after {' and '.join(paths)}, " if paths else ""
        return f"{self.rule} failed {after}in {self.state!r}: {self.error}"
