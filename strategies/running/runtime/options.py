"""The options of `compute`: one that no scheduler knows is refused, not passed over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from inspect import Parameter, signature
from typing import Any, Final

from dask.base import named_schedulers
from dask.local import get_async

from graphs.arguments import check_integers
from graphs.errors import ArgumentError
from strategies.running.runtime import ordered_scheduler as runner
from strategies.running.runtime.connected import chosen_scheduler

DASKS: Final = ("scheduler", "num_workers", "optimize_graph", "traverse")
"""Options of Dask's own `compute`, and the one that all schedulers of one machine have."""
MEANT: Final = {"workers": "num_workers", "threads": "num_workers", "processes": "scheduler"}
"""Names that are taken for others."""


def check_options(scheduler: Any, options: Mapping[str, Any], more: Iterable[str] = ()) -> None:
    """Check the options of a `compute`, so far as the scheduler is one of this machine.

    `more` are options of the collection itself.
    Raises: TypeError, which names the nearest that there is; ValueError for `num_workers` that are
    no number of tasks, on a cluster too.

    >>> check_options(None, {"num_workers": 2})
    >>> check_options("threads", {"numworkers": 2})
    Traceback (most recent call last):
        ...
    graphs.errors.ArgumentError: compute has no option numworkers: did you mean num_workers?
    """
    if options.get("num_workers") is not None:
        check_integers(1, num_workers=options["num_workers"])
    chosen = chosen_scheduler(scheduler)
    get = named_schedulers.get(chosen.lower()) if isinstance(chosen, str) else chosen or runner.get
    known = {*DASKS, *more}
    if get is not runner.get:
        if get not in named_schedulers.values():
            return  # a client, or another's scheduler
        known |= _local()
    for name in options:
        if name not in known:
            near = [MEANT[name]] if name in MEANT else get_close_matches(name, sorted(known), n=1)
            there = f"there are {', '.join((*DASKS, *more))}"
            hint = f"did you mean {near[0]}?" if near else there
            raise ArgumentError(f"compute has no option {name}: {hint}")


@cache
def _local() -> frozenset[str]:
    """Return the options of Dask's schedulers of one machine."""
    parameters = (
        signature(get).parameters.values() for get in {*named_schedulers.values(), get_async}
    )
    return frozenset(
        p.name for taken in parameters for p in taken if p.kind is not Parameter.VAR_KEYWORD
    )


def not_computed(name: str, result: type) -> AttributeError:
    """Return the error of a name that a search lacks, with a hint where its result has it."""
    if not name.startswith("_") and name in dir(result) + list(result.__annotations__):
        return AttributeError(
            f"a search has no {name} before it is computed: write search(...).compute().{name}"
        )
    return AttributeError(f"a search has no attribute {name!r}")
