"""Ship a game to other machines once, and small pieces of work that refer to it.

A class is pickled by reference where others can import it, by value where they cannot: what a
program, a notebook or a file beside it defines.  With it goes the text of its source, from which
rules are compiled.
"""

from __future__ import annotations

import io
import linecache
import pickle
import socket
import sys
import sysconfig
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import cloudpickle

from graphs.errors import JamboreeError

_loading = threading.local()
_registering = threading.RLock()


class ClusterError(JamboreeError, RuntimeError):
    """A cluster that cannot do a search, or that lost it: what is the matter, and what helps."""


def parcel_name(client: str, number: str = "") -> str:
    """Return the name of a client's parcel at workers, or how all of that client's begin."""
    return f"jamboree-{client}-{number}"


class Parcel:
    """Values that many pieces of work share, pickled once."""

    name = ""
    """Under which workers have it, once it is delivered."""

    def __init__(self, values: tuple[Any, ...], modules: Iterable[ModuleType] = ()) -> None:
        """Pickle the values; what the `modules` define goes by value."""
        self.modules = tuple(modules)
        with _by_value(self.modules):
            first = _Pickler()
            first.dump(values)
            shared = (*values, *first.dynamic)
            texts = {name: linecache.getlines(name) for name in _files(first.dynamic)}
            whole = _Pickler()
            whole.dump((texts, shared))
        self.content = Content(whole.written)
        self._places = {id(value): i for i, value in enumerate(shared)}
        self._kept = shared  # else another value might get the number of one of them

    def add(self, work: Any) -> bytes:
        """Pickle a piece of work, without what the parcel has."""
        with _by_value(self.modules):
            pickler = _Pickler(self._places)
            pickler.dump(work)
        return pickler.written


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc]  # it has no types
    def __init__(self, places: dict[int, int] | None = None) -> None:
        self._file = io.BytesIO()
        super().__init__(self._file)
        self.places = places or {}
        self.dynamic: list[type] = []
        """The classes that were pickled by value."""

    @property
    def written(self) -> bytes:
        return self._file.getvalue()

    def reducer_override(self, obj: Any) -> Any:
        place = self.places.get(id(obj))
        if place is not None:
            return _taken, (place,)
        reduced = super().reducer_override(obj)
        if reduced is not NotImplemented and isinstance(obj, type):
            self.dynamic.append(obj)
        return reduced


@contextmanager
def _by_value(modules: Iterable[ModuleType]) -> Iterator[None]:
    with _registering:
        known = cloudpickle.list_registry_pickle_by_value()
        mine = [m for m in modules if m.__name__ not in known]
        for module in mine:
            cloudpickle.register_pickle_by_value(module)
        try:
            yield
        finally:
            for module in mine:
                cloudpickle.unregister_pickle_by_value(module)


def _files(classes: Iterable[type]) -> list[str]:
    """The files in which methods of these classes stand."""
    found: dict[str, None] = {}
    for cls in classes:
        for part in vars(cls).values():
            code = getattr(getattr(part, "__func__", part), "__code__", None)
            if code is not None and not _is_installed(code.co_filename):
                found[code.co_filename] = None
    return [name for name in found if linecache.getlines(name)]


class Content:
    """A parcel as it travels; a process opens it once."""

    def __init__(self, pickled: bytes) -> None:
        self.pickled = pickled

    def __reduce__(self) -> tuple[Any, ...]:
        return Content, (self.pickled,)

    @property
    def values(self) -> tuple[Any, ...]:
        """The values of the parcel.

        Raises: whatever the reading of a pickle raises, as ModuleNotFoundError.
        """
        return _opened(self.pickled)

    def read(self, work: bytes) -> Any:
        """Read a piece of work that refers to the parcel.

        Raises: ClusterError if this process cannot load what it needs.

        >>> parcel = Parcel(("a long text",))
        >>> parcel.content.read(parcel.add(["a piece", "a long text"]))
        ['a piece', 'a long text']
        """
        try:
            _loading.shared = self.values
            return pickle.loads(work)
        except Exception as error:
            raise ClusterError(
                f"a worker on {socket.gethostname()} cannot load the search: {error}; install "
                "there what defines the game"
            ) from error
        finally:
            _loading.shared = ()


@lru_cache(maxsize=8)
def _opened(pickled: bytes) -> tuple[Any, ...]:
    texts, shared = pickle.loads(pickled)
    for name, lines in texts.items():
        if not linecache.getlines(name):
            linecache.cache[name] = sum(map(len, lines)), None, lines, name
    values: tuple[Any, ...] = shared
    return values


def _taken(place: int) -> Any:
    return _loading.shared[place]


def own_module(name: str) -> ModuleType | None:
    """Find a loaded module that is a user's own file: not one of Python's, nor one installed.

    >>> own_module("json"), own_module("attrs"), own_module("no.such")
    (None, None, None)
    """
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    return None if file is None or _is_installed(file) else module


def _is_installed(file: str) -> bool:
    """Tell whether a file is one of Python's, of a package that was installed, or of this one."""
    folders = [Path(path) for path in sysconfig.get_paths().values()]
    return any(Path(file).is_relative_to(f) for f in (*folders, Path(__file__).parents[2]))
