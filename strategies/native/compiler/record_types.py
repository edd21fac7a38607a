"""Records and games inside compiled code: fields, constants, methods, properties, equality."""

from __future__ import annotations

import enum
import inspect
import operator
from pathlib import Path
from types import FunctionType
from typing import Any

import attrs
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    signature,
)
from numba.core.typing.typeof import typeof
from numba.extending import (
    NativeValue,
    box,
    lower_builtin,
    lower_getattr_generic,
    register_model,
    unbox,
)

from strategies.native.compiler.constants import constant_type, unfit
from strategies.native.compiler.layout import SCALARS, GameType, RecordType
from strategies.native.compiler.making import unbuildable
from strategies.native.compiler.parts import OPTIONS, overload
from strategies.native.compiler.row_forms import refusal
from strategies.native.compiler.rules import (
    LINKER,
    getter,
    keeps_heap,
    native_function,
    plain_function,
    rule_of,
    typed_record,
)
from strategies.native.compiler.sources import collected
from strategies.native.compiler.table_types import DictType, TableType, load_word

POINTER = ir.IntType(64)
_methods: set[tuple[Any, str]] = set()


@register_model(RecordType)
class RecordModel(models.StructModel):
    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, list(native.fields))


@register_model(GameType)
class GameModel(models.PrimitiveModel):
    def __init__(self, manager: Any, native: Any) -> None:
        super().__init__(manager, native, POINTER)


@unbox(GameType)
def _unbox_game(native: Any, value: Any, c: Any) -> Any:
    return NativeValue(c.pyapi.long_as_ulonglong(value), is_error=c.pyapi.c_api_error())


@unbox(RecordType)
def _unbox_record(native: Any, value: Any, c: Any) -> Any:
    """Read the fields; an int field accepts only an int."""
    record = cgutils.create_struct_proxy(native)(c.context, c.builder)
    failed = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    for i, (name, field) in enumerate(native.fields):
        part = c.pyapi.object_getattr(value, _interned(c, name))
        if field == types.int64:
            found = NativeValue(c.pyapi.long_as_longlong(part), is_error=c.pyapi.c_api_error())
        else:
            found = c.unbox(field, part)
        record[i] = found.value  # by position, because Numba reserves names that start with _
        c.builder.store(c.builder.or_(c.builder.load(failed), found.is_error), failed)
        c.pyapi.decref(part)
    return NativeValue(record._getvalue(), is_error=c.builder.load(failed))


def _interned(c: Any, name: str) -> Any:
    """The interned name of a field, which the first call of the code creates.

    Python caches where it found an attribute by an interned name; a new string misses that cache.
    """
    builder, pyapi = c.builder, c.pyapi
    cell = cgutils.add_global_variable(builder.module, pyapi.pyobj, f"field.{name}")
    cell.initializer, cell.linkage = ir.Constant(pyapi.pyobj, None), "internal"
    with builder.if_then(cgutils.is_null(builder, builder.load(cell)), likely=False):
        intern = ir.FunctionType(pyapi.pyobj, [pyapi.cstring])
        make = cgutils.get_or_insert_function(builder.module, intern, "PyUnicode_InternFromString")
        text = c.context.insert_const_string(builder.module, name)
        builder.store(builder.call(make, [text]), cell)
    return builder.load(cell)


@box(RecordType)
def _box_record(native: Any, value: Any, c: Any) -> Any:
    """Return a plain tuple of the fields, which the engine turns into a state."""
    parts = [
        c.box(field, c.builder.extract_value(value, i))
        for i, (_, field) in enumerate(native.fields)
    ]
    row = c.pyapi.tuple_pack(parts)
    for part in parts:
        c.pyapi.decref(part)
    return row


class _Attributes(AttributeTemplate):
    """The attributes of records and games: fields first, then what the class defines."""

    def own(self, native: Any, name: str) -> Any:
        raise NotImplementedError

    def generic_resolve(self, native: Any, name: str) -> Any:
        field = self.own(native, name)
        if field is not None:
            return field
        found = rule_of(native.cls, name)
        if isinstance(found, property):
            rule = types.Dispatcher(native_function(getter(found)))
            return self.context.resolve_function_type(rule, (native,), {}).return_type
        if isinstance(found, FunctionType):
            return _method(native, name)
        if isinstance(found, staticmethod):
            return types.Dispatcher(native_function(plain_function(found)))
        kind = constant_type_of(found)
        if kind is None and isinstance(found, (list, set, frozenset, dict)):
            raise refusal(unfit(f"{native.cls.__qualname__}.{name}", found))
        return kind


@infer_getattr
class RecordAttributes(_Attributes):
    key = RecordType

    def own(self, native: Any, name: str) -> Any:
        return dict(native.fields).get(name)


@infer_getattr
class GameAttributes(_Attributes):
    key = GameType

    def own(self, native: Any, name: str) -> Any:
        constants = dict(native.constants)
        if name in constants:
            return SCALARS[type(constants[name])]
        for part in native.parts:
            if part.name == name:
                return part.native
        if name in attrs.fields_dict(native.cls):
            raise refusal(
                f"compiled rules cannot read {native.cls.__qualname__}.{name}: make it a number, a "
                "NumPy array, or a tuple of numbers or of such tuples"
            )
        return None


def constant_type_of(value: Any) -> Any:
    if isinstance(value, enum.IntEnum):
        return types.int64
    if type(value) in SCALARS:
        return SCALARS[type(value)]
    if isinstance(value, tuple):
        return typeof(value)
    return constant_type(value)


@lower_getattr_generic(RecordType)
def _record_getattr(context: Any, builder: Any, native: Any, value: Any, name: str) -> Any:
    for i, (field, _) in enumerate(native.fields):
        if field == name:
            return builder.extract_value(value, i)
    return _class_getattr(context, builder, native, value, name)


@lower_getattr_generic(GameType)
def _game_getattr(context: Any, builder: Any, native: Any, value: Any, name: str) -> Any:
    constants = dict(native.constants)
    if name in constants:
        kind = SCALARS[type(constants[name])]
        return context.get_constant_generic(builder, kind, constants[name])
    for part in native.parts:
        if part.name == name and isinstance(part.native, TableType):
            table = cgutils.create_struct_proxy(part.native)(context, builder)
            table.data = load_word(builder, value, 8 * part.offset)
            table.length = load_word(builder, value, 8 * part.offset + 8)
            return table._getvalue()
        if part.name == name and isinstance(part.native, DictType):
            pair = cgutils.create_struct_proxy(part.native)(context, builder)
            for at, half in ((0, "keys"), (2, "values")):
                native_half = getattr(part.native, half)
                table = cgutils.create_struct_proxy(native_half)(context, builder)
                table.data = load_word(builder, value, 8 * (part.offset + at))
                table.length = load_word(builder, value, 8 * (part.offset + at + 1))
                setattr(pair, half, table._getvalue())
            return pair._getvalue()
        if part.name == name and not isinstance(part.native, GameType):
            of = context.get_value_type(part.native)
            return load_word(builder, value, 8 * part.offset, of)
        if part.name == name:
            return value  # the parts of an inner game lie in the same block
    return _class_getattr(context, builder, native, value, name)


def _class_getattr(context: Any, builder: Any, native: Any, value: Any, name: str) -> Any:
    found = rule_of(native.cls, name)
    if isinstance(found, property):
        rule = types.Dispatcher(native_function(getter(found)))
        full = context.typing_context.resolve_function_type(rule, (native,), {})
        return context.get_function(rule, full)(builder, (value,))
    if isinstance(found, staticmethod):
        return context.get_dummy_value()
    return class_constant(context, builder, found)


def class_constant(context: Any, builder: Any, value: Any) -> Any:
    """Return the native value of a constant of a class."""
    plain = int(value) if isinstance(value, enum.IntEnum) else value
    return context.get_constant_generic(builder, constant_type_of(value), plain)


def resolved(context: Any, function: FunctionType, args: Any, kws: Any) -> tuple[Any, Any]:
    """Return the dispatcher of a rule, and its signature for these types."""
    rule = types.Dispatcher(native_function(function))
    full = context.resolve_function_type(rule, args, kws)
    if full is not None and keeps_heap(full.return_type):
        rule = types.Dispatcher(native_function(collected(function, LINKER)))
        full = context.resolve_function_type(rule, args, kws)
    return rule, full


def _method(native: Any, name: str) -> Any:
    """Return a rule bound to its game or record, as a callable type."""
    kind = type(native)
    if (kind, name) not in _methods:
        _methods.add((kind, name))

        @lower_builtin((kind, name), kind, types.VarArg(types.Any))
        def _call(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            function = rule_of(sig.args[0].cls, name)
            rule, full = resolved(context.typing_context, function, sig.args, {})
            function = context.get_function(rule, full)
            context.add_linking_libs(getattr(function, "libs", ()))
            return function(builder, args)

    class Method(AbstractTemplate):
        key = (kind, name)

        def generic(self, args: Any, kws: Any) -> Any:
            function = rule_of(native.cls, name)
            _, full = resolved(self.context, function, (native, *args), kws)
            return full.as_method() if full is not None else None

    return types.BoundFunction(Method, native)


class Evolve(AbstractTemplate):
    """`attrs.evolve(state, field=value)`."""

    key = attrs.evolve

    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) != 1 or not isinstance(args[0], RecordType):
            return None
        cls = args[0].cls
        aliases = _aliases(cls)
        unknown = sorted(kws.keys() - set(aliases))
        if unknown:
            raise refusal(f"evolve cannot set {unknown[0]}: {cls.__qualname__} has no such field")
        if problem := unbuildable(cls):
            raise refusal(problem)
        kinds = zip(aliases, args[0].fields, strict=True)
        native = typed_record(cls, [kws.get(alias, kind) for alias, (_, kind) in kinds])
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        names = [inspect.Parameter(n, kind) for n in ("inst", *kws)]
        full = signature(native, *args, *kws.values())
        return full.replace(pysig=inspect.Signature(names))


def _aliases(cls: type) -> list[str]:
    """Return the names of the arguments for the fields of a class: `turn` for `_turn`."""
    return [field.alias or field.name for field in attrs.fields(cls)]


# The decorator of this name would look the function up by its module, which attrs may rewrite.
infer_global(attrs.evolve, types.Function(Evolve))


@lower_builtin(attrs.evolve, RecordType, types.VarArg(types.Any))
def _evolve(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    old, new = sig.args[0], sig.return_type
    names = list(sig.pysig.parameters)[1:]
    given = dict(zip(names, zip(args[1:], sig.args[1:], strict=True), strict=True))
    record = cgutils.create_struct_proxy(new)(context, builder)
    for i, (alias, (_, wanted)) in enumerate(zip(_aliases(new.cls), new.fields, strict=True)):
        value, kind = given.get(alias, (builder.extract_value(args[0], i), old.fields[i][1]))
        record[i] = context.cast(builder, value, kind, wanted)
    return record._getvalue()


def _equality(native: Any, sign: str, word_between: str) -> Any:
    if not _compared_by_fields(native.cls):
        raise refusal(
            f"{native.cls.__qualname__} has its own ==, which cannot be compiled: compare the "
            "fields that matter"
        )
    names = [f.name for f in attrs.fields(native.cls) if f.eq]
    body = f" {word_between} ".join(f"a.{n} {sign} b.{n}" for n in names)
    scope: dict[str, Any] = {}
    exec(f"def compare(a, b): return {body or repr(sign == '==')}", scope)
    return scope["compare"]


def _compared_by_fields(cls: type) -> bool:
    """Return whether attrs made the `==` of a class, without functions of its fields."""
    attr = str(Path(attrs.__file__).parent.parent / "attr")
    made = [getattr(getattr(cls, n), "__code__", None) for n in ("__eq__", "__ne__")]
    by_attrs = all(c and c.co_filename.startswith(("<attrs generated", attr)) for c in made)
    return by_attrs and not any(field.eq_key for field in attrs.fields(cls))


@overload(operator.eq, **OPTIONS)
def _eq(a: Any, b: Any) -> Any:
    return _equality(a, "==", "and") if isinstance(a, RecordType) and a == b else None


@overload(operator.ne, **OPTIONS)
def _ne(a: Any, b: Any) -> Any:
    return _equality(a, "!=", "or") if isinstance(a, RecordType) and a == b else None
