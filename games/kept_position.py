"""A position as it was before a rule, to see whether the rule has changed it in place."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from enum import Enum
from typing import Any, Final

from attrs import frozen

from games.attributes import attributes
from games.digests import digest_of
from games.failed import RuleFailed
from games.fields import record_fields
from games.mutable import is_container
from games.snapshots import is_frozen

VALUES: Final = (int, float, str, bytes, Enum)
HEAP_TYPE: Final = 1 << 9
"""The flag of classes that are not built in."""


@frozen(eq=False)
class Kept:
    """A position as it is, to see later whether a rule has changed it in place."""

    before: Any
    parts: list[Any]
    held: list[Any]

    @staticmethod
    def of(state: Any) -> Kept | None:
        """Return what a position holds; None if nothing in it can change, or be compared.

        Cost: for a frozen position, a look at its fields.
        """
        parts = list(_changeable(state))
        held = [_held(part) for part in parts]
        if not parts or not _equal(held, [_held(part) for part in parts]):
            return None
        return Kept(_copied(state), parts, held)

    def check(self, rule: str) -> None:
        """Check that a rule has left the position as it was.

        Raises: RuleFailed, with the position as it was.
        """
        if not _equal(self.held, [_held(part) for part in self.parts]):
            why = "it changed the position; return a new one, for example by attrs.evolve(state, …)"
            raise RuleFailed(rule, (), self.before, why)


def _changeable(state: Any, in_record: bool = False) -> Iterator[Any]:
    """Yield the outermost parts of a position whose classes let them change.

    Objects of other classes inside records belong to libraries, and count as values.
    """
    cls: Any = type(state)
    if isinstance(state, VALUES):
        return
    if isinstance(state, tuple):
        for part in state:
            if type(part) is not int:
                yield from _changeable(part, in_record)
    elif fields := record_fields(state):
        if not is_frozen(cls) or not _has_hash(cls):
            yield state
        else:
            for name, _ in fields:
                yield from _changeable(getattr(state, name, None), in_record=True)
    elif is_container(state) or (
        not in_record and cls.__flags__ & HEAP_TYPE and not is_frozen(cls)
    ):
        yield state


def _has_hash(cls: Any) -> bool:
    """Return whether a class says by which parts its objects are equal."""
    return cls.__hash__ not in (None, object.__hash__)


def _held(part: Any) -> Any:
    """Return what a part holds: by its own equality, or else all of it."""
    return _copied(part) if _has_hash(type(part)) else digest_of(attributes(part) or part)


def _copied(part: Any) -> Any:
    try:
        return deepcopy(part)
    except Exception:  # a class of the user's may raise anything
        return part


def _equal(held: list[Any], other: list[Any]) -> bool:
    try:
        return held == other
    except Exception:
        return False
