"""The classes of Python whose values kinds have."""

from __future__ import annotations

import types
from collections import Counter, defaultdict, deque
from typing import Any

import numpy as np

from games.u64 import U64
from strategies.rules.kinds.arrays import Array, Scalar
from strategies.rules.kinds.atoms import BOOL, FLOAT, INT, NONE, RANGE, STR, TEXT, WORD, Atom, Kind
from strategies.rules.kinds.functions import Closure, Generator
from strategies.rules.kinds.kind import Boxed, Member, Record, Row, Static, Tup
from strategies.rules.language.messages import Refusal

# By the names of kinds with an identity; those that Python code can hold in a variable of a module.
CONTAINERS: dict[str, type] = {
    "list": list,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
    "counter": Counter,
    "defaultdict": defaultdict,
    "deque": deque,
}
# By the names under which methods are declared.
FAMILIES: dict[str, type] = {
    **CONTAINERS,
    "tuple": tuple,
    "keys": type({}.keys()),
    "values": type({}.values()),
    "items": type({}.items()),
    "int": int,
    "float": float,
    "str": str,
    "text": str,
    "range": range,
    "generator": type(x for x in [0]),
    "array": np.ndarray,
}
MISSING = object()
_PLAIN: dict[Kind, type] = {
    INT: int,
    FLOAT: float,
    BOOL: bool,
    WORD: U64,
    STR: str,
    TEXT: str,
    NONE: type(None),
    RANGE: range,
}


def family(k: Kind) -> str:
    """Return the name under which the methods of a kind are declared."""
    match k:
        case Atom():
            return "int" if k is BOOL else k.name
        case Tup() | Row():
            return "tuple"
        case Boxed():
            return k.name
        case Member():
            return "int" if issubclass(k.of, int) else "str" if issubclass(k.of, str) else "member"
        case Generator():
            return "generator"
        case Array():
            return "array"
    return ""


def inherits(k: Member, name: str) -> bool:
    """Whether members have an attribute as numbers or texts, which they are."""
    return getattr(k.of, name, None) is getattr(FAMILIES.get(family(k)), name, MISSING)


def class_of(k: Kind) -> type:
    """Return the class of the values of a kind."""
    found: type | None = _PLAIN.get(k)
    match k:
        case Tup() | Row():
            found = tuple
        case Record() | Member():
            found = k.of
        case Boxed():
            found = FAMILIES[k.name]
        case Static():
            found = type(k.value)
        case Scalar():
            found = k.type
        case Array():
            found = np.ndarray
        case Closure():
            found = types.FunctionType
        case Generator() if not k.instance.source.is_builtin:
            found = types.GeneratorType
    if found is None:
        raise Refusal(f"the class of a {k} is not compiled")
    return found


def is_hashable(value: Any) -> bool:
    """Whether a Python object can be a key."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
