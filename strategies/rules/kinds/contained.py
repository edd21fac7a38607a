"""What values of a kind contain: memory of the arena, or something that can change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from strategies.rules.kinds.atoms import TEXT, Kind
from strategies.rules.kinds.functions import Generator
from strategies.rules.kinds.kind import Boxed, Row, Shared
from strategies.rules.kinds.parts import parts


def within(*kinds: Kind) -> Iterator[Kind]:
    """Yield kinds and all their parts, also those that contain themselves."""
    seen: set[Any] = set()
    found = list(kinds)  # grows while it is read
    for k in found:
        if isinstance(k, Shared | Boxed):
            mark = k if isinstance(k, Shared) else (k.name, k.roots())
            if mark in seen:
                continue
            seen.add(mark)
        yield k
        found += parts(k)


def somewhere(k: Kind, test: Callable[[Kind], bool]) -> bool:
    """Whether a kind or one of its parts passes a test."""
    return any(map(test, within(k)))


def in_memory(k: Kind) -> bool:
    """Whether values of a kind point into the arena."""
    return somewhere(k, lambda i: i is TEXT or isinstance(i, Row | Boxed | Generator))


def can_change(k: Kind) -> bool:
    """Whether something can be stored in a value of a kind, or in what it points to."""
    return somewhere(k, lambda i: isinstance(i, Generator) or (isinstance(i, Boxed) and i.changes))
