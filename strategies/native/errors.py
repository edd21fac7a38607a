"""What goes wrong with rules: those that cannot be compiled, those that fail while they run."""

from __future__ import annotations

from typing import Any


class RuleError(TypeError):
    """A rule that cannot be compiled: which, where, and what to write instead."""


class RuleFailed(Exception):
    """A rule raised an error, or returned what a rule may not return, in some position.

    `rule` is its name, `moves` the moves and outcomes that led there, `state` the position;
    the error itself is the cause.
    """

    def __init__(self, rule: str, moves: tuple[str, ...], state: Any, error: str) -> None:
        super().__init__(rule, moves, state, error)
        self.rule, self.moves, self.state, self.error = rule, moves, state, error

    def __str__(self) -> str:
        path = " ".join(self.moves) if self.moves else "no moves"
        return f"{self.rule} failed after {path}, in {self.state!r}: {self.error}"
