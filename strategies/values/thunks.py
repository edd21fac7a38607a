"""Distinguish thunks, which Dask computes, from values."""

from __future__ import annotations

from typing import Any

from dask.base import is_dask_collection
from dask.delayed import Delayed


def is_thunk(x: Any) -> bool:
    """Return whether Dask computes `x`."""
    return isinstance(x, Delayed) or is_dask_collection(x)
