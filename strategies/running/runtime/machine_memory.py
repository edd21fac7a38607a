"""Memory that worker processes of one machine share: the table of a row of graphs.

A process makes memory without a name, and the others open it as one of that process's files.  So
nothing is left behind, however they end.  Where this cannot be, each has a table of its own.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary, finalize

from strategies.native.memory.cells import Stop


class Offer(NamedTuple):
    """A file without a name, of a process."""

    machine: str
    """Its machine, where others see the same processes, and the kind of entries."""
    process: int
    file: int


class Memory(NamedTuple):
    """Memory for a table, and what the entries of that mean."""

    cells: Any
    meaning: Any


_of_runs: WeakKeyDictionary[Stop, Memory] = WeakKeyDictionary()


def memory_for(scope: Stop, meaning: Any) -> Any:
    """Return the memory that a run shares with other processes, for a table of such entries; None
    if it has none."""
    found = _of_runs.get(scope)
    return found.cells if found is not None and found.meaning == meaning else None


def offer(scope: Stop, size: int, kind: str) -> Offer | None:
    """Make memory of so many bytes, for as long as a run goes on, and for others of a `kind`; None
    where none can be shared."""
    with suppress(OSError, AttributeError):  # another system has other means, or none
        root = Path("/proc")
        boot = (root / "sys/kernel/random/boot_id").read_text().strip()
        machine = f"{boot} {(root / 'self/ns/pid').readlink()} {kind}"
        file = os.memfd_create("jamboree")
        finalize(scope, os.close, file)
        os.ftruncate(file, size)
        return Offer(machine, os.getpid(), file)
    return None


def take(scope: Stop, given: Offer, size: int, meaning: Any) -> bool:
    """Have the tables of a run whose entries mean this in an offered memory; tell whether it can
    be."""
    with suppress(OSError, ValueError):
        file = os.open(f"/proc/{given.process}/fd/{given.file}", os.O_RDWR)
        try:
            _of_runs[scope] = Memory(mmap.mmap(file, size), meaning)
        finally:
            os.close(file)
        return True
    return False


def shared_by(offers: Mapping[str, Offer | None]) -> dict[str, Offer]:
    """Choose the memory of each worker, by address, that shares its machine with other processes.

    >>> one, two = Offer("here", 1, 5), Offer("here", 2, 5)
    >>> shared_by({"a": one, "b": two, "c": Offer("there", 1, 5), "d": None})["b"]
    Offer(machine='here', process=1, file=5)
    """
    first: dict[str, Offer] = {}
    many: dict[str, set[int]] = {}
    known = {at: o for at, o in sorted(offers.items()) if o is not None}
    for made in known.values():
        first.setdefault(made.machine, made)
        many.setdefault(made.machine, set()).add(made.process)
    return {at: first[o.machine] for at, o in known.items() if len(many[o.machine]) > 1}


def one_each(memories: Mapping[str, Offer], addresses: Iterable[str]) -> list[str]:
    """Choose one worker for each memory; who shares none has its own."""
    found = {memories.get(at, at): at for at in sorted(addresses, reverse=True)}
    return sorted(found.values())
