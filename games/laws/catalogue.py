"""All laws, as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games.laws import of_hooks, of_play, of_states, of_texts, of_values
from games.laws.law import AnyGame, Law

LAWS: tuple[Law, ...] = tuple(
    value
    for module in (of_play, of_states, of_values, of_texts, of_hooks)
    for value in vars(module).values()
    if isinstance(value, Law)
)
"""Every law of the kit, in the order in which reports list them."""


def laws(game: AnyGame) -> tuple[Law, ...]:
    """The laws that apply to a game.

    >>> from games import HANDOUT_SMALL
    >>> len(laws(HANDOUT_SMALL)) < len(LAWS)    # the game has no chance and defines no hooks
    True
    >>> laws(HANDOUT_SMALL)[0].sentence
    'Every rule answers in every position where it may be asked, and none raises an error.'
    """
    return tuple(law for law in LAWS if not law.unless(game))


def all_laws(extra: Iterable[Law], skip: Mapping[str, str]) -> tuple[Law, ...]:
    """The laws of the kit and the caller's.

    Raises: ValueError if two laws share a name, or if `skip` names a law that does not exist or
    gives no reason.
    """
    every = (*LAWS, *extra)
    names = [law.name for law in every]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"two laws are called {twice[0]}")
    unknown = sorted(set(skip) - set(names))
    if unknown:
        raise ValueError(f"skip: no law is called {unknown[0]!r}; laws: {', '.join(names)}")
    for name, reason in skip.items():
        if not isinstance(reason, str) or not reason.strip():
            raise ValueError(f"skip: say why {name} is skipped")
    return every
