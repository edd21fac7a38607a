"""Maps Python values to native types: states become records, a game becomes a block of tables."""

from __future__ import annotations

import ctypes
import dataclasses
import enum
import typing
from functools import cache
from typing import Any, ClassVar

import attrs
import numpy as np
from attrs import frozen
from numba import types

from games.features import WEIGHT
from games.networks.weights import WRITTEN
from games.u64 import U64
from strategies.native import kept_code
from strategies.native.compiler.stored_rows import as_pair, as_rows, store, table_type
from strategies.native.compiler.table_types import DictType
from strategies.native.compiler.u64_type import word
from strategies.native.errors import RuleError
from strategies.native.kept_code import Ident

SCALARS = {int: types.int64, float: types.float64, bool: types.boolean, U64: word}
LEFT_OUT = frozenset({"value_range", "value_sum"})
"""Fields of a game that no rule needs: they would only make types differ."""

_CLASSES: dict[Ident, type] = {}


def identity(cls: Any) -> Ident:
    """Return the module, name and digest of a class, which its type keeps so that it can be
    cached."""
    ident = kept_code.identity(cls)
    _CLASSES[ident] = cls
    return ident


def class_of(ident: Ident) -> type:
    """Return the class with an identity; the one passed last, if there are several."""
    return _CLASSES[ident]


@cache
def hints(cls: Any) -> dict[str, Any]:
    """Return the annotations of a class or function, evaluated if possible."""
    try:
        return typing.get_type_hints(cls)
    except Exception:  # a name that exists only while type checking, or inside a function
        found: dict[str, Any] = {}
        for base in reversed(getattr(cls, "__mro__", (cls,))):
            names = {k.__name__: k for k in SCALARS}
            for name, text in getattr(base, "__annotations__", {}).items():
                found[name] = names.get(text, text) if isinstance(text, str) else text
        return found


class RecordType(types.Type):
    """A state: an attrs class whose fields have known types, passed by value."""

    def __init__(self, ident: Ident, fields: tuple[tuple[str, Any], ...]) -> None:
        self.ident, self.fields = ident, fields
        inner = ", ".join(f"{name}: {native}" for name, native in fields)
        super().__init__(f"{ident[0]}.{ident[1]}#{ident[2]}({inner})")

    @property
    def key(self) -> Any:
        return self.ident, self.fields

    @property
    def cls(self) -> type:
        return class_of(self.ident)


class RowType(types.UniTuple):
    """A list of known length inside a rule: a value, like a tuple, but of another type."""

    def unify(self, context: Any, other: Any) -> Any:
        """Unify two lists as two tuples would be."""
        met = super().unify(context, other) if isinstance(other, RowType) else None
        return met if met is None else RowType(met.dtype, met.count)


@frozen
class Part:
    """A field of a game that is in its block: a table or a weight at a word offset, or a game."""

    name: str
    native: Any
    offset: int


class GameType(types.Type):
    """A game: its scalars are constants of the type, the contents of its block are not."""

    def __init__(
        self, ident: Ident, constants: tuple[tuple[str, Any], ...], parts: tuple[Part, ...]
    ) -> None:
        self.ident, self.constants, self.parts = ident, constants, parts
        inner = ", ".join(
            [f"{n}={type(v).__name__} {v!r}" for n, v in constants]
            + [f"{p.name}: {p.native} at {p.offset}" for p in parts]
        )
        super().__init__(f"{ident[0]}.{ident[1]}#{ident[2]}({inner})")

    @property
    def key(self) -> Any:
        return self.name

    @property
    def cls(self) -> type:
        return class_of(self.ident)


def players_of(game: GameType) -> int:
    """Return the number of players of a game: a constant of its class, or of itself."""
    found: int = dict(game.constants).get("players", getattr(game.cls, "players", 2))
    return found


@frozen(eq=False)
class Block:
    """The tables of a game, two words each, address and length, and its weights, a word each;
    `kept` owns the memory of the tables."""

    native: GameType
    words: Any
    address: int
    kept: tuple[Any, ...]

    file: ClassVar[None] = None
    """The code of these rules is in the files of kernels."""

    def holds(self) -> bool:
        """Return whether what was read is as it was, which `digest` finds out."""
        return True


def lay_out(game: Any) -> Block:
    """Return the type and the tables of a game.

    Requires: an attrs instance.
    Ensures: fields that cannot be compiled are left out; a rule that reads one is refused by name.
    """
    words: list[int] = []
    kept: list[Any] = []
    native = _game_type(game, words, kept)
    memory = (ctypes.c_uint64 * max(1, len(words)))(*words)
    return Block(native, memory, ctypes.addressof(memory), tuple(kept))


def _game_type(game: Any, words: list[int], kept: list[Any]) -> GameType:
    constants: list[tuple[str, Any]] = []
    parts: list[Part] = []
    cls: Any = type(game)
    check_readable(cls)
    declared = hints(cls)
    for field in attrs.fields(cls):
        value = getattr(game, field.name)
        if field.name in LEFT_OUT or _no_texts(value, declared.get(field.name)):
            continue
        if type(value) is int and not -(2**63) <= value < 2**63:
            name = f"{cls.__qualname__}.{field.name}"
            raise RuleError(
                f"{name} is {value}, which needs more than 64 bits: use a smaller number or U64"
            )
        if field.metadata.get(WEIGHT) and type(value) in (int, float):
            parts.append(Part(field.name, SCALARS[type(value)], len(words)))
            words.append(bits(value))
        elif isinstance(value, U64) or type(value) in (bool, int, float):
            constants.append((field.name, value))
        elif isinstance(value, enum.IntEnum):
            constants.append((field.name, int(value)))
        elif isinstance(value, dict) and (pair := as_pair(value)) is not None:
            parts.append(Part(field.name, DictType(*map(table_type, pair)), len(words)))
            words += (*store(pair[0], kept), *store(pair[1], kept))
        elif attrs.has(type(value)):
            parts.append(Part(field.name, _game_type(value, words, kept), 0))
        else:
            rows = as_rows(value)
            if rows is not None:
                offset = len(words)
                words += (0, 0)
                words[offset : offset + 2] = store(rows, kept)
                written = bool(field.metadata.get(WRITTEN))
                parts.append(Part(field.name, table_type(rows, written), offset))
    return GameType(identity(cls), tuple(constants), tuple(parts))


def check_readable(cls: Any) -> None:
    """Raise `RuleError` if Python runs code of a class to read a field."""
    if cls.__getattribute__ is not object.__getattribute__:
        raise RuleError(
            f"{cls.__qualname__} has its own __getattribute__, which compiled rules cannot run: "
            "use a method"
        )


def _no_texts(value: Any, annotation: Any) -> bool:
    """Return whether a value is an empty tuple of texts: it is left out, as one with texts is."""
    of_texts = typing.get_origin(annotation) is tuple and str in typing.get_args(annotation)[:1]
    return of_texts and isinstance(value, tuple) and not value


def bits(value: float) -> int:
    """Return the word that holds a number in memory.

    >>> hex(bits(-1)), hex(bits(1.0))
    ('0xffffffffffffffff', '0x3ff0000000000000')
    """
    return int(np.array(value).view(np.uint64))


def record_type(cls: type, natives: typing.Sequence[Any]) -> RecordType:
    """Return the type of a record whose fields get values of these types.

    Raises: `RuleError` if a value does not fit the declared type of its field.
    """
    check_readable(cls)
    declared = hints(cls)
    fields = []
    for field, native in zip(attrs.fields(cls), natives, strict=True):
        fields.append((field.name, _fit(cls, field.name, declared.get(field.name), native)))
    return RecordType(identity(cls), tuple(fields))


def _fit(cls: type, name: str, annotation: Any, native: Any) -> Any:
    """Return the declared type of a field, if the value can be converted to it without loss."""
    native = types.unliteral(native)
    if isinstance(native, (RowType, types.List)):
        raise RuleError(f"{cls.__qualname__}.{name} is given a list: write tuple(…) instead")
    wanted = SCALARS.get(annotation)
    if isinstance(annotation, type) and issubclass(annotation, enum.IntEnum):
        wanted = types.int64
    if wanted is None:
        if isinstance(native, types.BaseTuple):
            args = typing.get_args(annotation)
            parts = [
                _fit(
                    cls,
                    name,
                    args[0] if args[-1:] == (...,) else (args[i : i + 1] or (None,))[0],
                    t,
                )
                for i, t in enumerate(native.types)
            ]
            return types.Tuple(parts)
        return types.int64 if isinstance(native, types.Integer) else native
    whole = (types.Integer, types.Boolean)
    if native == wanted or (wanted == types.int64 and isinstance(native, whole)):
        return wanted
    if wanted == types.float64 and isinstance(native, (types.Float, *whole)):
        return wanted
    advice = {
        types.int64: "use // or int(…)" if isinstance(native, types.Float) else "use int(…)",
        word: "use U64(…)",
    }.get(wanted, f"use {annotation.__name__}(…)")
    raise RuleError(
        f"{cls.__qualname__}.{name} is declared {annotation.__name__} "
        f"but is given {plain_name(native)}: {advice}"
    )


def plain_name(native: Any) -> str:
    """Return Python's name of a native type."""
    native = types.unliteral(native)
    if isinstance(native, (types.Boolean, types.Integer, types.Float)):
        kinds = {types.Boolean: "bool", types.Integer: "int", types.Float: "float"}
        return next(text for kind, text in kinds.items() if isinstance(native, kind))
    if isinstance(native, types.UnicodeType):
        return "str"
    if isinstance(native, (types.List, RowType)):
        return "list"
    if isinstance(native, (RecordType, GameType)):
        return native.ident[1].rsplit(".", 1)[-1]
    if isinstance(native, types.BaseTuple):
        parts = [plain_name(t) for t in native.types]
        if len(parts) > 1 and len(set(parts)) == 1:
            return f"tuple of {len(parts)} {parts[0]}"
        return f"tuple of {', '.join(parts)}" if parts else "empty tuple"
    return "None" if native == types.none else str(native)


def native_type(value: Any) -> Any:
    """Return the type of a state, or of a part of one.

    Raises: `RuleError` if it has none.
    """
    for kind in (U64, bool, int, float):
        if isinstance(value, kind):
            return SCALARS[kind]
    if hasattr(value, "_fields") or dataclasses.is_dataclass(value):
        raise RuleError(
            f"{type(value).__qualname__} is not an attrs class: use @attrs.frozen instead of "
            f"{'NamedTuple' if isinstance(value, tuple) else '@dataclass'}"
        )
    if isinstance(value, tuple):
        return types.Tuple([native_type(v) for v in value])
    if isinstance(value, list):
        raise RuleError("a list cannot be part of a state: use a tuple")
    if attrs.has(type(value)):
        parts = []
        for field in attrs.fields(type(value)):
            found = getattr(value, field.name)
            while isinstance(found, tuple) and found and isinstance(found[0], (tuple, list)):
                found = found[0]
            if isinstance(found, list):
                name = f"{type(value).__qualname__}.{field.name}"
                raise RuleError(f"{name} holds a list: use a tuple")
            try:
                parts.append(native_type(getattr(value, field.name)))
            except RuleError as error:
                raise RuleError(f"{type(value).__qualname__}.{field.name}: {error}") from None
        return record_type(type(value), parts)
    if value is None:
        raise RuleError("None cannot be part of a state: use a number, such as -1")
    raise RuleError(
        f"a {type(value).__name__} cannot be part of a state: use int, float, bool, U64, and "
        "tuples of these"
    )
