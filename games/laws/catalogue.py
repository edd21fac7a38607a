"""The catalogue of all laws, as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Final

from games.laws import (
    of_hooks,
    of_networks,
    of_play,
    of_purity,
    of_states,
    of_texts,
    of_values,
)
from games.laws.law import AnyGame, Law
from graphs.arguments import shown
from graphs.errors import ArgumentError

LAWS: tuple[Law, ...] = tuple(
    value
    for module in (*(of_play, of_states, of_values, of_texts, of_hooks, of_networks, of_purity),)
    for value in vars(module).values()
    if isinstance(value, Law)
)
"""Every law of the kit, in the order of reports."""

GROUP: Final = "jamboree.laws"
"""The group of entry points by which installed packages add laws; each names a tuple of laws."""


@cache
def installed_laws() -> tuple[Law, ...]:
    """Return the laws that installed packages add, such as those of the engines in `strategies`.

    A package names them in its ``pyproject.toml``: ours has, in
    ``[project.entry-points."jamboree.laws"]``, the line
    ``engines = "strategies.native.verification.engine_laws:LAWS"``.  They are loaded when a game is
    checked.
    """
    named = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return tuple(law for entry in named for law in entry.load())


def laws(game: AnyGame) -> tuple[Law, ...]:
    """Return the laws that apply to a game.

    >>> from games import HANDOUT_SMALL
    >>> len(laws(HANDOUT_SMALL)) < len(LAWS)    # the game has no chance and defines no hooks
    True
    >>> laws(HANDOUT_SMALL)[0].sentence
    'Every rule returns in every position where it may be called, and none raises an error.'
    """
    return tuple(law for law in LAWS if not law.unless(game))


def all_laws(extra: Iterable[Law], skip: Mapping[str, str]) -> tuple[Law, ...]:
    """Return the laws of the kit, those of installed packages, and the caller's.

    Raises: ValueError if two laws share a name, or if `skip` names a law that does not exist or
    gives no reason.
    """
    extra = tuple(extra)
    every = (*LAWS, *(law for law in installed_laws() if law not in extra), *extra)
    names = [law.name for law in every]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ArgumentError(f"two laws are called {twice[0]}")
    unknown = sorted(set(skip) - set(names))
    if unknown:
        raise ArgumentError(f"skip: no law is called {shown(unknown[0])}; laws: {', '.join(names)}")
    for name, reason in skip.items():
        if not isinstance(reason, str) or not reason.strip():
            raise ArgumentError(f"skip: give a reason for skipping {name}")
    return every
