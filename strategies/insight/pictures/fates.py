"""What becomes of branches: the words and the signs, the same in every picture and page."""

from __future__ import annotations

from collections.abc import Collection
from types import MappingProxyType
from typing import Final

from strategies.running.records.wording import SPARKS

FATES: Final = MappingProxyType(
    {
        "asked": "asked for as a spark",
        "created": "created: any worker can start it now",
        "started": "running",
        **{fate: text.removeprefix("spark, ") for fate, text in SPARKS.items()},
        "dud": "dud: its value is known without a search",
        "opened": "opened: its own branches become tasks",
        "inlined": "inlined: searched inside a task",
        "cut": "pruned: never searched",
    }
)
"""What becomes of branches, and what it means."""
SIGNS: Final = MappingProxyType(
    {
        "asked": "◇", "created": "◇", "started": "▸", "converted": "✓", "fizzled": "✕",
        "known": "=", "aborted": "⊘", "dud": "·", "opened": "⊞", "inlined": "↓", "cut": "✂",
    }
)  # fmt: skip
"""The signs of what becomes of branches: colour is never the only one."""
ALONE: Final = frozenset(("", "inlined", "cut"))
"""What becomes of branches that are no task of their own: no picture shows them as parallel."""


def signed(fates: Collection[str]) -> dict[str, str]:
    """Return the words of these fates with their signs, in the order of a legend.

    >>> signed({"fizzled", "step"})
    {'fizzled': '✕ fizzled: its window was closed when it started'}
    """
    return {fate: f"{SIGNS[fate]} {text}" for fate, text in FATES.items() if fate in fates}
