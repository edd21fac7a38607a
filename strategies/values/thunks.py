"""Distinguish thunks, which Dask computes, from values."""

from __future__ import annotations

from typing import Any

from dask.base import is_dask_collection
from dask.delayed import Delayed
from dask.task_spec import TaskRef


def is_thunk(x: Any) -> bool:
    """Return whether Dask computes `x`, or has computed it, as it has a cluster's future."""
    return isinstance(x, (Delayed, TaskRef)) or is_dask_collection(x)
