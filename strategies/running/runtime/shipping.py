"""Ship a game to other machines once, and small pieces of work that refer to it.

A class is pickled by reference if others can import it, and by value if not: definitions of a
program, of a notebook, or of a file beside it.  The source text goes with it, because rules are
compiled from it.

Definitions of the main program are pickled by value.  Their classes come back with a result, or
with a graph if the cluster's scheduler runs in the program's own process.  Reading them would
replace their methods by copies, so the classes are restored afterwards.
"""

from __future__ import annotations

import io
import linecache
import pickle
import socket
import sys
import sysconfig
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import parent_process
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import attrs
import cloudpickle

from graphs.errors import JamboreeError
from strategies.algebra.strategy import forget_own
from strategies.native.fingerprint import known_classes
from strategies.support import by_value
from strategies.support.fork_locks import fork_lock

DIFFER: Final = "its rules differ there"
"""What a worker says whose fingerprint of a value is another one."""
AGREE: Final = (
    "start it again with the same versions of all packages, and import your own modules at the top "
    "of a file, not inside a rule"
)
"""What to do then."""
_loading, _packing = threading.local(), threading.local()
_registering = fork_lock(threading.RLock)


class ClusterError(JamboreeError, RuntimeError):
    """The cluster cannot run a search, or has lost it; the message says why and what to do."""


def advice_on(error: BaseException) -> str:
    """Return what to do about an error of loading, in another process, what works in this one.

    >>> advice_on(FileNotFoundError("endgames.npz"))
    'copy the files that it reads there, to the same path'
    """
    if isinstance(error, JamboreeError | OSError):  # ours are about files, too
        return "copy the files that it reads there, to the same path"
    return "install the package that defines it there, in the same version"


def parcel_name(client: str, number: str = "") -> str:
    """Return the name of a client's parcel at workers, or the common prefix without a number."""
    return f"jamboree-{client}-{number}"


def packing() -> bool:
    """Tell whether this thread pickles for a parcel, which classes may go into by value."""
    return getattr(_packing, "parcel", False)


@attrs.frozen(eq=False)
class Warming:
    """A piece of work that compiles, or loads, the code that tasks call."""

    kinds: tuple[Any, ...]
    """What determines this code; neither the position nor the depth does."""
    work: Callable[..., Any]
    arguments: tuple[Any, ...]

    def __call__(self) -> None:
        self.work(*self.arguments)


class Parcel:
    """Values that many pieces of work share, pickled once."""

    name = ""
    """The name of the parcel at workers, once it is delivered."""
    withdraw: Callable[[], Any]
    """What removes it from workers, once it is delivered."""

    def __init__(self, values: tuple[Any, ...], modules: Iterable[ModuleType] = ()) -> None:
        """Pickle the values, with the definitions of `modules` by value.

        Raises: ClusterError for a value that cannot be pickled.
        """
        self.modules = tuple(modules)
        with _by_value(self.modules):
            first = _Pickler()
            first.write(values)
            shared = (*values, *first.dynamic)
            texts = {name: linecache.getlines(name) for name in _files(first.dynamic)}
            whole = _Pickler()
            # A process unpickles equal bytes once.  Its copies of modules may have changed since.
            whole.write((texts, shared, uuid.uuid4().hex if self.modules else ""))
        self.content = Content(whole.written)
        self._places = {id(value): i for i, value in enumerate(shared)}
        self._kept = shared  # keeps the values alive, so that no other value gets the same id

    def add(self, work: Any) -> bytes:
        """Pickle a piece of work, without the values that are in the parcel.

        Raises: ClusterError if it cannot be pickled.
        """
        with _by_value(self.modules):
            pickler = _Pickler(self._places)
            pickler.write(work)
        return pickler.written


class _Pickler(by_value.Pickler):
    def __init__(self, places: dict[int, int] | None = None) -> None:
        self._file = io.BytesIO()
        super().__init__(self._file)
        self.places = places
        self.dynamic: list[type] = []
        """The classes that were pickled by value."""

    @property
    def written(self) -> bytes:
        return self._file.getvalue()

    def write(self, value: Any) -> None:
        """Pickle a value.

        Raises: ClusterError, which names the field of an object that cannot be pickled.
        """
        try:
            _packing.parcel = True
            self.dump(value)
        except Exception as error:  # whatever an object raises as it is pickled
            raise ClusterError(
                f"workers cannot get {_culprit(value)}: {error}; leave that out of the game and of "
                "its states, or make it when a rule needs it"
            ) from error
        finally:
            _packing.parcel = False

    def reducer_override(self, obj: Any) -> Any:
        if self.places is not None and id(obj) in self.places:
            return _taken, (self.places[id(obj)],)
        reduced = super().reducer_override(obj)
        if reduced is not NotImplemented and isinstance(obj, type):
            self.dynamic.append(obj)
            named = getattr(reduced[0], "__name__", "")
            if self.places is None and named.startswith("_make_skeleton"):
                return _own_class, (HERE, *reduced[:2]), *reduced[2:]
        return reduced


def _culprit(value: Any, name: str = "the search") -> str:
    """Name the innermost field of a value that cannot be pickled."""
    parts: list[tuple[str, Any]] = []
    if isinstance(value, tuple | list):
        parts = [(name, part) for part in value]
    elif attrs.has(type(value)):
        fields = (f.name for f in attrs.fields(type(value)) if hasattr(value, f.name))
        parts = [(f"{type(value).__name__}.{f}", getattr(value, f)) for f in fields]
    for place, part in parts:
        try:
            by_value.dumps(part)
        except Exception:
            return _culprit(part, place)
    return name


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
    """Return the source files of the methods of classes."""
    found: dict[str, None] = {}
    for cls in classes:
        for part in vars(cls).values():
            code = getattr(getattr(part, "__func__", part), "__code__", None)
            if code is not None and not _is_installed(code.co_filename):
                found[code.co_filename] = None
    return [name for name in found if linecache.getlines(name)]


class Content:
    """The content of a parcel in transit; a process unpickles it once."""

    def __init__(self, pickled: bytes) -> None:
        self.pickled = pickled

    def __reduce__(self) -> tuple[Any, ...]:
        return Content, (self.pickled,)

    @property
    def values(self) -> tuple[Any, ...]:
        """Return the values of the parcel.

        Raises: any error of unpickling, such as ModuleNotFoundError.
        """
        with _opening:  # two threads do not get two copies
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
                f"a worker on {socket.gethostname()} cannot load the search ({error}): "
                + advice_on(error)
            ) from error
        finally:
            _loading.shared = ()


def _own_class(home: str, make: Callable[..., type], args: tuple[Any, ...]) -> type:
    """Make the class of a parcel, as cloudpickle's `make` begins it: one of the parcel's own, which
    goes back as the class that it came from.

    cloudpickle gives all versions of a class to one object, which then has the code of the one that
    was loaded last: searches that began with another would end with that.
    """
    if home == HERE:
        return make(*args)
    *given, number, extra = args
    made = make(*given, None, extra)
    known = cloudpickle.cloudpickle
    with known._DYNAMIC_CLASS_TRACKER_LOCK:
        known._DYNAMIC_CLASS_TRACKER_BY_CLASS[made] = number
        known._DYNAMIC_CLASS_TRACKER_BY_ID[number] = made
    return made


@lru_cache(maxsize=8)
def _opened(pickled: bytes) -> tuple[Any, ...]:
    with _classes_kept():
        texts, shared, _ = pickle.loads(pickled)
    forget_own()  # their objects may equal those of earlier versions
    for name, lines in texts.items():
        if not linecache.getlines(name):
            linecache.cache[name] = sum(map(len, lines)), None, lines, name
    values: tuple[Any, ...] = shared
    return values


def _taken(place: int) -> Any:
    return _loading.shared[place]


def own_module(name: str) -> ModuleType | None:
    """Return a loaded module if it is the user's own, neither Python's nor an installed one.

    Such a module has a file, or a program made it.

    >>> own_module("json"), own_module("attrs"), own_module("sys"), own_module("no.such")
    (None, None, None, None)
    """
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    if file is None:
        return None if getattr(module, "__spec__", None) else module
    return None if _is_installed(file) else module


def own_modules(*names: Iterable[str]) -> list[ModuleType]:
    """Return the loaded modules with some names, and the packages they are in, if they are the
    user's own."""
    wanted = {name for some in names for name in some}
    parents = {name.rsplit(".", up)[0] for name in wanted for up in range(1, name.count(".") + 1)}
    return [m for m in map(own_module, sorted(wanted | parents)) if m is not None]


def _is_installed(file: str) -> bool:
    """Return whether a file belongs to Python, to an installed package, or to this package."""
    folders = [Path(path) for path in sysconfig.get_paths().values()]
    return any(Path(file).is_relative_to(f) for f in (*folders, Path(__file__).parents[2]))


HERE = uuid.uuid4().hex
"""The identity of this process and of processes forked from it, which have the same classes."""
_opening = fork_lock(threading.RLock)


def seal(make: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Callable[..., Any], Any]:
    """Pickle the construction of an object that a process may send to itself."""
    return _unsealed, (HERE, by_value.dumps((make, args)))


def _unsealed(home: str, content: bytes) -> Any:
    if home != HERE:
        make, args = pickle.loads(content)
    else:
        with _classes_kept():
            make, args = pickle.loads(content)
    return make(*args)


@contextmanager
def _classes_kept() -> Iterator[None]:
    """Restore the classes of rules after the block."""
    with _opening:
        before = [(known, dict(vars(known))) for known in known_classes()]
        try:
            yield
        finally:
            for known, names in before:
                for name, value in names.items():
                    if vars(known).get(name) is not value:
                        setattr(known, name, value)


def reduce_sealed(value: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Pickle an attrs object that a process may send to the one that started it."""
    fields = [getattr(value, f.name) for f in attrs.fields(type(value))]
    if parent_process() is None:
        return _made, (type(value), fields)
    try:
        content = pickle.dumps(fields)
    except Exception:  # it contains objects that cannot be pickled by name
        content = by_value.dumps(fields)
    return _made_of, (type(value), content)


def _made(cls: type, fields: list[Any]) -> Any:
    instance: Any = object.__new__(cls)
    for f, value in zip(attrs.fields(cls), fields, strict=True):
        object.__setattr__(instance, f.name, value)
    return instance


def _made_of(cls: type, content: bytes) -> Any:
    with _classes_kept():
        fields = pickle.loads(content)
    return _made(cls, fields)
