"""The error of rules that cannot be compiled; that of rules that fail is in `games.failed`."""

from __future__ import annotations

from strategies.rules.language.messages import RuleError

__all__ = ["RuleError"]
