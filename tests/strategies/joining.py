"""Searches whose tasks are joined although they are small."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from strategies.running.execution import iteration
from strategies.running.plans import grain, iterations


@contextmanager
def joining(whole: float = 0) -> Iterator[None]:
    """In the block, tasks however small are joined; iterations below `whole` nodes are one task."""
    with (
        patch.multiple(iteration, ALONE=2, SMALL=0),
        patch.multiple(grain, LEAST=500, SMALLEST=500),
        patch.object(iterations, "WHOLE", whole),
    ):
        yield
