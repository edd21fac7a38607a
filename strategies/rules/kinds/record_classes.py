"""Classes of the user's records and enumerations: their fields, and what they define themselves."""

from __future__ import annotations

import dataclasses
import enum
import reprlib
import types
from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import attrgetter
from typing import Any

import attr
import attrs

from games.attributes import HASH
from games.fields import by_attrs, is_frozen_record
from strategies.rules.kinds.kind import (
    UNSET,
    Boxed,
    Generator,
    Kind,
    Member,
    Record,
    reachable,
)
from strategies.rules.kinds.parts import alternatives, parts, somewhere
from strategies.rules.language.messages import OwnEquality, Refusal, instead_of_changing

LIBRARY = {"builtins", "enum", "typing", "abc", "_collections_abc", "collections.abc"}
GENERATED = f"{attr.__path__[0]}/_make.py"
# Of the methods of dataclasses, and of what Python puts around their __repr__.
DATACLASS_CODE = ("<string>", dataclasses.__file__, reprlib.__file__)

# Special methods that are not compiled: of all classes, then of those of tuples.
NUMERIC = [
    *("index", "int", "float", "complex", "trunc", "floor", "ceil", "round", "divmod", "rdivmod"),
]
REFLECTIVE = [
    *("getattr", "getattribute", "get", "set", "del", "next", "reversed", "length_hint"),
    *("setitem", "delitem", "missing"),
]
TUPLE = ["iter", "getitem", "len", "contains", "eq", "ne", "lt", "le", "gt", "ge", "hash", "init"]


def defined(cls: type, name: str) -> tuple[Any, type] | None:
    """Return what a class or one of its bases defines, and which; None if only `object` does."""
    for owner in cls.__mro__[:-1]:
        if name in vars(owner):
            return vars(owner)[name], owner
    return None


def lookup(cls: type, name: str, after: type | None = None) -> Any:
    """Return what a name is in a class, or in those that come after one of its bases."""
    classes = cls.__mro__
    if after is not None:
        classes = classes[classes.index(after) + 1 :]
    return next((vars(c)[name] for c in classes if name in vars(c)), None)


def is_generated(found: Any, owner: type) -> bool:
    """Whether a special method was generated from the fields of a class, or is Python's own."""
    if owner.__module__ in LIBRARY or owner is tuple:
        return True
    if getattr(found, "__module__", "") == "enum":  # Python copies operators to a class of flags
        return True
    if found is None or not isinstance(found, types.FunctionType):
        return False
    file = found.__code__.co_filename
    if "__attrs_attrs__" in vars(owner) and (
        file.startswith("<attrs generated") or file == GENERATED
    ):
        return True
    return file in DATACLASS_CODE and "__dataclass_params__" in vars(owner)


def own(k: Kind, name: str) -> types.FunctionType | None:
    """Return a special method that a user wrote."""
    if not isinstance(k, Record | Member):
        return None
    found = defined(k.of, name)
    if found is None or is_generated(*found) or found[0] is None:
        return None
    if not isinstance(found[0], types.FunctionType):
        if issubclass(k.of, tuple) and not hasattr(found[0], "__get__"):
            return None
        raise Refusal(f"{k.of.__name__}.{name} is not a plain function, which is not compiled")
    return found[0]


def refuse_own(cls: type, more: list[str]) -> None:
    """Refuse a class with special methods that are not compiled: these, and some of all classes."""
    for name in (*NUMERIC, *REFLECTIVE, *more):
        found = defined(cls, f"__{name}__")
        if (
            found is not None
            and isinstance(found[0], types.FunctionType)
            and not is_generated(*found)
        ):
            raise Refusal(f"{cls.__name__}.__{name}__ is not compiled; {_instead(cls, name)}")


def _instead(cls: type, name: str) -> str:
    if name not in ("eq", "ne", "hash"):
        return f"give it a plain name, and call it by that, as x.{name}(…)"
    fields = "x.value" if issubclass(cls, enum.Enum) else "tuples of the fields"
    return f"leave it out, and compare {fields}"


def is_record(cls: Any) -> bool:
    """Whether a class is one of records: frozen attrs, a frozen dataclass, or a NamedTuple."""
    return isinstance(cls, type) and (
        attrs.has(cls)
        or dataclasses.is_dataclass(cls)
        or (issubclass(cls, tuple) and hasattr(cls, "_fields"))
    )


@lru_cache
def members_of(cls: Any) -> tuple[Any, ...]:
    """Return the members of an enumeration in their order."""
    return tuple(cls)


def _words_of(cls: Any) -> Callable[[Any], int]:
    """Return what gives the word that a member is: its index, or the value of flags."""
    if issubclass(cls, enum.Flag):
        return attrgetter("_value_")
    return members_of(cls).index


# With its type, for mypy holds a `type[Any]` to be no key of a cache.
words_of: Callable[[Any], Callable[[Any], int]] = lru_cache(_words_of)


def member_of(cls: Any, word: int) -> Any:
    """Return the member that a word is."""
    return cls(word) if issubclass(cls, enum.Flag) else members_of(cls)[word]


def field_names(cls: Any) -> list[str]:
    """Return the names of the fields of a class of records."""
    if by_attrs(cls):
        return [f.name for f in attrs.fields(cls)]
    if dataclasses.is_dataclass(cls):
        return [f.name for f in dataclasses.fields(cls)]
    return list(cls._fields)


def checked(cls: type) -> None:
    """Refuse a class whose instances are more than their fields."""
    name = cls.__name__
    if not is_frozen_record(cls):
        raise Refusal(f"{name} is not frozen; {instead_of_changing(cls)}")
    if issubclass(cls, BaseException):
        raise Refusal(f"{name} is an exception, which is not compiled as a record")
    made = cls.__new__
    if issubclass(cls, tuple):
        plain = getattr(made, "__globals__", {}).get("__name__", "").startswith("namedtuple_")
    else:
        plain = made is object.__new__
    if not plain:
        raise Refusal(f"{name}.__new__ is not compiled; write a function that makes a {name}")
    if type(cls).__call__ is not type.__call__:
        raise Refusal(
            f"the metaclass {type(cls).__name__} has its own __call__, which is not compiled; "
            f"write a function that makes the {name}"
        )
    refuse_own(cls, TUPLE if issubclass(cls, tuple) else ["init"])


def checked_field(cls: type, name: str, kind: Kind) -> None:
    """Refuse a field that holds an iterator."""
    if somewhere(kind, lambda k: isinstance(k, Generator)):
        raise Refusal(f"{cls.__name__}.{name} holds an iterator; hold a list or tuple")


def fields_in(owner: Any, what: str) -> list[tuple[str, Any]]:
    """Return the fields that a generated method compares or hashes, with the keys of them."""
    chosen: list[tuple[str, Any]] = []
    if "__attrs_attrs__" in vars(owner):
        for f in owner.__attrs_attrs__:
            use = f.eq if what == "eq" or (what == "hash" and f.hash is None) else getattr(f, what)
            if use:
                chosen.append((f.name, f.order_key if what == "order" else f.eq_key))
        return chosen
    for f in dataclasses.fields(owner):
        if f.hash if what == "hash" and f.hash is not None else f.compare:
            chosen.append((f.name, None))
    return chosen


def by_a_key(k: Kind) -> str:
    """Return what to write where values whose class compares them in its own way are in others."""
    names = [f"x.{name}" for name in (k.names if isinstance(k, Record) else ["value"])]
    found = names[0] if len(names) == 1 else f"({', '.join(names)})"
    return f"write a key in its place, such as {found}"


def compared(k: Record) -> list[int]:
    """Return the fields by which records are looked up."""
    cls = k.of
    if issubclass(cls, tuple):
        return list(range(len(k.names)))
    name = cls.__name__
    found = []
    for what in ("eq", "hash"):
        method = defined(cls, f"__{what}__")
        if method is None or not is_generated(*method):
            raise OwnEquality(
                cls,
                f"{name} as a key is not compiled, because its == or hash is not of its fields: "
                + by_a_key(k),
            )
        found.append(fields_in(method[1], what))
    equals, hashes = found
    as_they_are = {n for n, key in equals if key is None}
    for one in (n for n, _ in (*equals, *hashes) if n not in as_they_are):
        raise OwnEquality(
            cls,
            f"{name} as a key is not compiled, because it does not compare {one} as it is: "
            + by_a_key(k),
        )
    check_complete(k)
    return [k.names.index(n) for n, _ in hashes]


def check_complete(k: Record) -> None:
    if len(k.names) != len(field_names(k.of)) or any(UNSET in alternatives(i) for i in k.kinds):
        raise Refusal(f"a {k.of.__name__} is compared of which not all fields are set")


def rebuilt(cls: type, names: tuple[str, ...], values: list[Any]) -> Any:
    """Return the instance with these fields, of which some may be `UNSET`."""
    if issubclass(cls, tuple):
        return tuple.__new__(cls, values)
    made = object.__new__(cls)
    for name, v in zip(names, values, strict=True):
        if v is not UNSET:
            object.__setattr__(made, name, v)
    if hasattr(cls, HASH):
        object.__setattr__(made, HASH, None)
    return made


def check_enumeration(cls: Any) -> None:
    """Refuse an enumeration whose members are more than members, ints, texts or flags."""
    name = cls.__name__
    if issubclass(cls, enum.Flag):
        bits = [m.value for m in cls]
        if sum(bits) != cls._flag_mask_ or not 0 < cls._flag_mask_ < 1 << 62:
            raise Refusal(f"each bit of {name} needs a member of its own, and 62 bits are the most")
        if cls._boundary_ not in (enum.STRICT, enum.KEEP):
            raise Refusal(f"the boundary of {name} is not compiled; write STRICT or KEEP")
        refuse_own(cls, ["bool"])
    if cls._member_type_ not in (object, int, str):
        raise Refusal(
            f"the members of {name} are more than members: write class {name}(Enum), and x.value "
            "for what is in a member"
        )
    if cls._member_type_ is str and any(str.__str__(m) != m.value for m in cls):
        raise Refusal(
            f"the members of {name} are other texts than their values, which is not compiled; let "
            "each be its value"
        )
    refuse_own(cls, ["eq", "ne", "hash", "len", "iter", "getitem", "contains"])


def _held(k: Kind) -> Iterable[Kind]:
    """Return the kinds of what a value holds itself, and not by its address."""
    return () if isinstance(k, Boxed) else parts(k)


def filled(w: Any, k: Record, kinds: list[Kind]) -> None:
    """Let a record have fields of these kinds, too; refuse what a record cannot hold."""
    w.program.fill(k, kinds)
    for name, kind in zip(k.names, k.kinds, strict=True):
        if k in reachable([kind], _held):
            raise Refusal(
                f"{k.of.__name__}.{name} holds a record of its own class, which is not compiled: "
                "hold the values of all of them in a tuple, such as path + (value,)"
            )
