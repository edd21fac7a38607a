"""Fixtures that several tests of clusters share."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.strategies.clusters import cluster


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Yield a client of a cluster of two processes, which is not the default client."""
    with cluster(processes=True, set_as_default=False) as client:
        yield client


@pytest.fixture(scope="module")
def client_here() -> Iterator[Any]:
    """Yield a client of two workers in this process, which get and send bytes as others do."""
    with cluster(protocol="tcp://", set_as_default=False) as client:
        yield client


@pytest.fixture
def aside() -> Iterator[ThreadPoolExecutor]:
    """Yield an executor with one more thread."""
    with ThreadPoolExecutor(1) as pool:
        yield pool
