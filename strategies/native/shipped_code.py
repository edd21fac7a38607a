"""Files of compiled code that go from machine to machine: what one compiled, others need only load.

A file is named by all that its code was made from, the kind of processor included: where it does
not fit, nobody asks for it.  What is here needs no compiler.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from strategies.native.kept_code import Ident

_used: dict[Path, tuple[Ident, ...]] = {}
"""Files that this process wrote or loaded, and of what classes their code is."""
_received: dict[str, bytes] = {}
"""Files that came from another process, by name."""


def note(path: Path, classes: tuple[Ident, ...]) -> None:
    """Note that this process wrote a file of code for some classes, or loaded it."""
    _used[path] = classes


def files_for(values: Any) -> dict[str, bytes]:
    """Return the files that this process has used of code for any of some values' classes, by name;
    tuples are looked into."""
    names = {(c.__module__, c.__qualname__) for c in _classes(values)}
    found = dict[str, bytes]()
    for path, classes in list(_used.items()):
        if any(ident[:2] in names for ident in classes):
            with suppress(OSError):  # another process has forgotten it
                found[path.name] = _received.get(path.name) or path.read_bytes()
    return found


def _classes(value: Any) -> Iterator[type]:
    if isinstance(value, tuple):
        for part in value:
            yield from _classes(part)
    else:
        yield type(value)


def receive(files: Mapping[str, bytes]) -> None:
    """Have files of code that another process has sent."""
    _received.update(files)


def forget(names: Iterable[str]) -> None:
    """Let go of files that were received; code that was loaded from them stays."""
    for name in names:
        _received.pop(name, None)


def received(path: Path) -> bytes:
    """Return what was received as a file.

    Raises: FileNotFoundError if it was not.
    """
    if path.name not in _received:
        raise FileNotFoundError(path)
    return _received[path.name]
