"""Tokens of values that a user defined, computed without pickling anything.

To make a token of a class of `__main__`, Dask pickles it by value and reads the copy back, which
replaces the class's own methods by copies.  A fingerprint only reads.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import inspect
import os
import re
from collections.abc import Iterable
from functools import partial
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

import attrs
from attrs import frozen

from games.attributes import HASH, beyond_fields
from strategies.native.references import (
    globals_in,
    is_above,
    is_fixed,
    is_foreign,
    is_installed,
    is_standard,
    module_of,
    references,
    written,
)
from strategies.native.table_contents import contents, holds_numbers, is_array, one_kind, same
from strategies.rules.language.reads import Reads, is_same_space, space_of

BUILT_IN = (
    BuiltinFunctionType, ClassMethodDescriptorType, MethodDescriptorType, MethodWrapperType,
    WrapperDescriptorType,
)  # fmt: skip
DATA = int, float, str, bytes, tuple, list, dict, set, frozenset
"""Types of values whose methods may be called under a name of their own."""
NOTHING = GetSetDescriptorType, MemberDescriptorType, ModuleType
"""Types of objects that contain nothing of the value itself."""
MADE = "<attrs generated"
"""The prefix of the file names that attrs gives to the methods that it generates."""
RECORDED: tuple[str, ...] = vars(attrs.Attribute)["__slots__"]
"""What attrs records of a field."""
UNREAD = frozenset({
    "__abstractmethods__", "__annotate__", "__annotate_func__", "__annotations__",
    "__annotations_cache__", "__attrs_attrs__", "__attrs_base_of_slotted__", "__attrs_props__",
    "__dict__", "__doc__", "__firstlineno__", "__module__", "__orig_bases__", "__parameters__",
    "__qualname__", "__slotnames__", "__static_attributes__", "__weakref__", "_abc_impl",
})  # fmt: skip
"""What Python keeps with a class that no rule reads, or that is written elsewhere."""


def fingerprint(value: Any) -> str:
    """Return a hash of a value and of the rules of its classes, for a token of Dask's.

    Ensures: it differs where fields, rules or what they reach differ, and is the same in every
    process; an object that cannot be taken apart, such as a lock, has a hash of its own.  It does
    not depend on comments or line numbers.  The value, its classes and modules stay unchanged.

    >>> from games import Nim
    >>> fingerprint(Nim((3, 4))) == fingerprint(Nim((3, 4))) != fingerprint(Nim((3, 5)))
    True
    """
    walk = Walk(inside=False)
    walk.visit(value)
    return walk.text.hexdigest()[:32]


def copied_fingerprint(value: Any, absent: Iterable[str] = ()) -> tuple[str, set[str]]:
    """Return a fingerprint that a copy of the value and of its classes by value has, too, in any
    process; and the imports inside functions that fail in this process.

    Modules in `absent` are treated as if they could not be imported there.  What cannot be taken
    apart counts by its type only.
    """
    walk = Walk(inside=True, copied=True, absent=frozenset(absent))
    walk.visit(value)
    return walk.text.hexdigest()[:32], walk.failed


def reached_modules(value: Any) -> set[str]:
    """Return the names of the modules that a value, its classes and rules reach, except fixed ones.

    >>> from games import Nim
    >>> reached_modules(Nim((3, 4)))
    set()
    """
    walk = Walk(inside=True, named=True)
    walk.visit(value)
    return walk.modules - {""}


def own_fingerprints(*values: Any) -> list[str]:
    """Return a fingerprint of each value that reaches code of a user's own: see `own_fingerprint`.

    >>> from strategies import alphabeta
    >>> own_fingerprints(alphabeta(4))
    []
    """
    return [found for value in values if (found := own_fingerprint(value)[0])]


def own_fingerprint(value: Any, absent: Iterable[str] = ()) -> tuple[str, set[str]]:
    """Return a fingerprint of the code of a user's own that a value reaches, and of the names of
    all other code, empty if it reaches no such code; and imports that fail, as
    `copied_fingerprint`.

    Ensures: it is the same in every process; what cannot be taken apart, such as an open file,
    counts by its type only.
    """
    walk = Walk(inside=True, copied=True, named=True, absent=frozenset(absent))
    walk.visit(value)
    return walk.text.hexdigest()[:32] if walk.modules else "", walk.failed


@frozen(eq=False)
class Reach:
    """A digest of a class or function, and what it depends on."""

    digest: str
    reads: Reads
    classes: tuple[type, ...]
    """The classes on the way, except those of fixed modules."""
    settled: bool
    """Whether nothing else was followed that can change."""

    def holds(self) -> bool:
        """Return whether nothing has changed since, so that the digest is still valid.

        Cost: a few microseconds for each class, and about a millisecond for each 100,000 numbers in
        tables.
        """
        return self.settled and self.reads.hold()


_KEPT = 1024
_reaches: dict[Any, Reach] = {}


def reach(value: type | FunctionType) -> Reach:
    """Return all that a class or function reaches now.

    Ensures: it is the same object as before, if no name on the way has changed its meaning.
    """
    found = _reaches.get(value)
    if found is None or not found.holds():
        walk = Walk(inside=True)
        walk.visit(value)
        found = Reach(walk.text.hexdigest()[:16], walk.reads, tuple(walk.classes), walk.settled)
        while len(_reaches) >= _KEPT:
            _reaches.pop(next(iter(_reaches)), None)
        _reaches[value] = found
    return found


def known_classes() -> set[type]:
    """Return the classes that were reached so far and are still remembered, except those of fixed
    modules."""
    return {cls for known in list(_reaches.values()) for cls in known.classes}


class Walk:
    """A walk over all that a value reaches: it writes a hash, and records the meaning of names.

    Attributes:
        inside: whether the rules of classes and functions are walked over, and not only named.
        ours: whether it is in a module of this project, whose state does not count.
        copied: whether what a copy by value lacks is left out: the name of the function that made a
            class, and the identity of what cannot be taken apart.
        named: whether the name of a function or class of this project suffices.
        absent: the modules that are treated as if a function's own import of them failed.
        failed: the functions' own imports that failed.
        reads: what it read of names, functions, classes and tables.
        modules: the names of the modules of these, except fixed ones.
    """

    def __init__(
        self, inside: bool, *, copied: bool = False, named: bool = False,
        absent: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self.inside, self.ours = inside, False
        self.named, self.copied, self.absent, self.failed = named, copied, absent, set[str]()
        self.above: dict[int, int] = {}
        self.text = hashlib.sha256()
        self.seen: dict[int, int] = {}
        self.reads, self.modules = Reads(), set[str]()
        self.classes: list[type] = []
        self.settled = True

    def write(self, text: str) -> None:
        """Add a text to the hash."""
        self.add(text.encode("utf-8", "surrogatepass"))

    def add(self, data: bytes) -> None:
        """Add bytes to the hash, and their number: 1 and 23 are not 12 and 3."""
        self.text.update(b"%d:" % len(data) + data)

    def note(self, space: dict[str, Any], name: str) -> None:
        """Record the present meaning of a name of a module's globals."""
        module = space.get("__name__") or ""
        if not is_fixed(module):
            self.modules.add(module)
            self.reads.name(space, name)

    def attributes(self, owner: Any, names: Iterable[str]) -> None:
        """Record the present meaning of attributes of an object, which may be set in place."""
        for name in names:
            self.reads.attribute(owner, name)

    def table(self, v: Any) -> None:
        """Record what a table holds now."""
        was = contents(v)
        self.reads.note((id(v), "table"), lambda: same(contents(v), was), True)

    def known(self, v: Any) -> bool:
        """Return whether the name of a function or class suffices: it was met before, or is not of
        the rules."""
        named = (self.named and is_fixed(module_of(v))) or is_above(module_of(v))
        if named or is_foreign(v) or is_standard(module_of(v).split(".")[0]):
            # On Python 3.13 attrs renames its `evolve` whenever it makes a class; a copy stays so.
            self.write("evolve" if v.__name__ == "evolve" else v.__qualname__)
        elif self.copied and isinstance(v, FunctionType) and "<locals>" in v.__qualname__:
            return False  # a copy may have two for one, such as a validator of a base's field
        elif id(v) in self.seen:
            self.write(f"seen {self.seen[id(v)]}")
        else:
            self.seen[id(v)] = len(self.seen)
            return False
        return True

    def name_of(self, cls: type) -> str:
        """Return the name of a class, without the function that made it if copies lack that."""
        return f"{cls.__module__}.{cls.__name__ if self.copied else cls.__qualname__}"

    def code(self, c: CodeType) -> None:
        """Write bytecode, without line numbers."""
        self.add(c.co_code)
        self.add(c.co_exceptiontable)  # which of them a `try` guards
        takes = c.co_argcount, c.co_posonlyargcount, c.co_kwonlyargcount, c.co_flags
        self.write(repr((takes, c.co_names, c.co_varnames, c.co_freevars, c.co_cellvars)))
        self.write(f"{len(c.co_consts)} constants")
        for constant in c.co_consts:
            if isinstance(constant, CodeType):
                self.code(constant)
            elif isinstance(constant, frozenset):
                self.write(repr(sorted(constant, key=repr)))
            else:
                self.write(repr(constant))

    def function(self, v: FunctionType) -> None:
        """Write a function, and all that it refers to."""
        before, self.ours = self.ours, is_fixed(module_of(v))
        if not self.ours:
            self.modules.add(module_of(v))
            self.reads.function(v)
        self.write(v.__qualname__)
        self.code(v.__code__)
        self.visit(v.__defaults__)
        self.visit(tuple((v.__kwdefaults__ or {}).items()))
        own = {name: part for name, part in vars(v).items() if name != "__wrapped__"}
        if own and not self.ours:  # such as the registry of `singledispatch`
            self.visit(tuple(own.items()))
        for name in globals_in(v.__code__):
            self.note(v.__globals__, name)
        for name, part, space, key in references(v, self.absent, self.failed):
            if space is not None and space is not v.__globals__:
                self.note(space, key)
            self.write(name)
            self.visit(part)
        self.ours = before

    def fields(self, v: type) -> None:
        """Write all that attrs recorded of the fields of a class."""
        for a in attrs.fields(v):
            self.write(f"{a.name}:{a.type!r}")
            for name in RECORDED:
                part = getattr(a, name)
                if isinstance(part, attrs.Factory):  # type: ignore[arg-type]
                    part = part.factory, part.takes_self
                elif name == "metadata":
                    part = tuple(part.items())
                if name not in ("name", "type"):
                    self.visit(part)

    def members(self, v: type) -> None:
        """Write the rules and constants of a class, including those of its bases."""
        for name in sorted(dir(v)):
            part = None if name.startswith("__") else inspect.getattr_static(v, name, None)
            if name.startswith("__") or name in UNREAD or isinstance(part, MemberDescriptorType):
                continue  # copies lack the descriptors of slots, which say no more than the fields
            self.write(name)
            self.visit(part)

    def special(self, v: type) -> None:
        """Write the special methods of a class, its bases and its metaclass.

        Of those that attrs generated the name suffices: the fields say the rest.
        """
        for base in v.__mro__[:-1]:
            self.write(self.name_of(base))
            if is_fixed(module_of(base)):
                continue
            again = partial(is_same_space, base, space_of(base))
            self.reads.note((id(base), "space"), again, True)
            inherited: dict[str, Any] = {}
            for up in reversed(base.__bases__):
                inherited |= vars(up)
            for name, part in sorted(vars(base).items()):
                if name in inherited and inherited[name] is part:
                    continue
                function = getattr(part, "__func__", part)
                code = getattr(function, "__code__", None)
                special = name.startswith("__") and name not in UNREAD
                if special or (issubclass(v, enum.Enum) and not _is_of_enum(v, name)):
                    self.write(name)
                    if code is None or not code.co_filename.startswith(MADE):
                        self.visit(function)
        self.visit(type(v))

    def kind(self, v: type) -> None:
        """Write a class, and its rules if it has any."""
        before, self.ours = self.ours, is_fixed(module_of(v))
        if not self.ours:
            self.modules.add(module_of(v))
            self.classes.append(v)
        self.write(self.name_of(v))
        if issubclass(v, enum.Enum):
            for name, member in v.__members__.items():
                own = {k: x for k, x in vars(member).items() if k[0] + k[-1] != "__"}
                self.attributes(member, own)
                self.visit((name, member.value, tuple(own.items())))
            self.write(f"{getattr(v, '_boundary_', '')}")  # of flags
        else:
            if attrs.has(v):
                self.fields(v)
            self.members(v)
        self.special(v)
        self.ours = before

    def visit(self, v: Any) -> None:
        """Write a value."""
        if not self.inside and isinstance(v, type) and is_installed(v):
            self.write(f"{v.__module__}.{v.__qualname__} {written(module_of(v))}")
        elif not self.inside and isinstance(v, (type, FunctionType)):
            self.write(v.__qualname__ if is_foreign(v) else reach(v).digest)
        elif id(v) in self.above:
            self.write(f"above {self.above[id(v)]}")
        elif type(v) in (int, float, str, bytes, bool, type(None)):
            self.part(v)
        else:
            self.above[id(v)] = len(self.above)
            if isinstance(v, (tuple, int, float, str, bytes)) and type(v) is not tuple:
                self.visit(type(v))
            self.part(v)
            del self.above[id(v)]

    def part(self, v: Any) -> None:
        """Write a value by its type."""
        if isinstance(v, property):
            v = v.fget
        elif isinstance(v, (staticmethod, classmethod)):
            v = v.__func__
        elif isinstance(v, functools._lru_cache_wrapper):
            v = v.__wrapped__
        if isinstance(v, FunctionType):
            if not self.known(v):
                self.function(v)
        elif isinstance(v, type):
            if not self.known(v):
                self.kind(v)
        elif isinstance(v, (dict, list, set, frozenset)):
            self.container(v)
        elif isinstance(v, tuple):
            self.write(f"{getattr(v, '_fields', '')}(")
            for part in self.beyond_numbers(v):  # here, because a frame less allows deeper values
                self.visit(part)
            self.write(")")
        elif isinstance(v, enum.Enum):
            self.visit(type(v))
            self.visit((v.name, v.value))
        elif isinstance(v, (int, float, complex, str, bytes, slice, range)) or v is None:
            self.write(f"{type(v).__name__}:{v!r}")
        elif isinstance(v, BUILT_IN):
            self.write(f"{getattr(v, '__module__', None)}.{v.__qualname__}")
            bound = getattr(v, "__self__", None)  # as of `row.index`; of `len` it is its module
            if isinstance(bound, DATA) or is_array(bound):
                self.visit(bound)
        elif isinstance(v, ModuleType):
            self.write(v.__name__)
        elif hasattr(type(v), "__dask_tokenize__"):  # it has a shorter text of its own
            self.visit(type(v))
            self.visit(v.__dask_tokenize__())
        elif attrs.has(type(v)):
            self.record(v)
        elif type(v).__module__ == "numpy" and _is_plain_of_numpy(v):
            self.array(v)
        else:
            self.other(v)

    def record(self, v: Any) -> None:
        """Write an object of an attrs class, whose fields may be set in place."""
        more = beyond_fields(v)
        more.pop(HASH, None)  # attrs forgets it when it pickles
        found = {f.name: getattr(v, f.name) for f in attrs.fields(type(v))} | more
        if not is_fixed(module_of(type(v))):
            self.attributes(v, found)
        self.visit(type(v))
        self.visit(tuple(found.values()))
        if more:
            self.visit(tuple(more))

    def beyond_numbers(self, v: tuple[Any, ...]) -> tuple[Any, ...]:
        """Write the values of a row at once if they are numbers of one type; return the others."""
        kind = one_kind(v)
        if kind is None or issubclass(kind, enum.Enum):
            return v
        plain = int if issubclass(kind, int) else float
        self.write(f"{kind.__module__}.{kind.__qualname__}:{list(map(plain, v))}")
        return ()

    def container(self, v: Any) -> None:
        """Write a container, which may be changed in place."""
        if type(v) not in (list, dict) or not holds_numbers(v) or self.ours:
            self.other(v)
            return
        self.table(v)
        self.write(type(v).__name__)
        self.visit(tuple(v.items()) if isinstance(v, dict) else tuple(v))

    def array(self, v: Any) -> None:
        """Write a NumPy array, whose elements may be set in place, or another NumPy object."""
        if self.ours:
            return
        self.write(f"{getattr(v, 'dtype', None)}{getattr(v, 'shape', None)}")
        if is_array(v):
            self.add(v.tobytes())
            if v.shape:  # even if it is read-only: its memory may belong to an array that is not
                self.table(v)
        elif _is_ufunc_of_python(v):
            self.opaque(v)
        else:
            self.write(getattr(v, "__name__", ""))

    def other(self, v: Any) -> None:
        """Write an object of another type as its parts."""
        if isinstance(v, NOTHING) or self.ours:
            return
        self.settled = False
        self.visit(type(v))
        if isinstance(v, (list, MappingProxyType, dict)):
            held = list(v.items()) if hasattr(v, "items") else list(v)
            self.visit(tuple(held))
            self.visit(getattr(v, "default_factory", None))
            if type(v) not in (list, dict, MappingProxyType):
                self.visit(tuple(sorted(getattr(v, "__dict__", {}).items())))
        elif isinstance(v, (set, frozenset)):
            self.visit(tuple(sorted(fingerprint(x) for x in v)))
        elif isinstance(v, MethodType):
            self.visit((v.__self__, v.__func__))
        elif isinstance(v, partial):
            self.visit((v.func, v.args, v.keywords))
        elif isinstance(v, functools.cached_property):
            self.visit(v.func)
        elif isinstance(v, re.Pattern):
            self.visit((v.pattern, v.flags))
        elif hasattr(v, "__wrapped__"):  # such as the result of `lru_cache`
            self.visit(v.__wrapped__)
            if isinstance(options := getattr(v, "targetoptions", None), dict):  # of Numba
                self.write(repr(sorted(options.items())))
        else:
            self.reduced(v)

    def opaque(self, v: Any) -> None:
        """Write an object that cannot be taken apart."""
        self.write("opaque" if self.copied else f"{os.getpid()}-{id(v)}")

    def reduced(self, v: Any) -> None:
        """Write an object as the parts from which it would be unpickled."""
        try:
            parts = v.__reduce_ex__(4)
        except Exception:  # a lock or an open file may raise anything here
            self.opaque(v)
            return
        if isinstance(parts, str):
            self.write(parts)
            return
        for i, part in enumerate(parts):
            self.visit(tuple(part) if i in (3, 4) and part is not None else part)


def _is_of_enum(cls: type[enum.Enum], name: str) -> bool:
    """Return whether an attribute of an enumeration is a member, or Python's own."""
    return name in cls.__members__ or (name[0] == name[-1] == "_")


def _is_plain_of_numpy(v: Any) -> bool:
    """Return whether the type, the shape and the bytes of a NumPy object say all of it."""
    import numpy as np

    if not isinstance(v, np.ndarray | np.generic | np.dtype | np.ufunc):
        return False
    return not getattr(getattr(v, "dtype", None), "hasobject", False)  # its bytes are addresses


def _is_ufunc_of_python(v: Any) -> bool:
    """Return whether a function of NumPy calls one of the user's, as those of `frompyfunc` do."""
    import numpy as np

    return isinstance(v, np.ufunc) and getattr(np, v.__name__, None) is not v
