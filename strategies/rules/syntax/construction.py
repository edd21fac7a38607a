"""Construction of records: what the generated `__init__` does, step by step, and changed copies."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any, Final, cast

import attrs
from attrs import frozen

from games.fields import by_attrs
from strategies.rules.builtins import method_of
from strategies.rules.builtins.declared import function
from strategies.rules.calls.arguments import bind
from strategies.rules.code.coercion import as_tuple, coerce, fail, spread
from strategies.rules.code.val import ZERO, Arguments, Val
from strategies.rules.code.walk import Walk
from strategies.rules.containers import tables
from strategies.rules.kinds import record_classes
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.joining import join
from strategies.rules.kinds.kind import I1, NEVER, STR, UNSET, Kind, Member, Record, Static
from strategies.rules.kinds.parts import alternatives
from strategies.rules.kinds.record_classes import (
    defined,
    field_names,
    is_generated,
    lookup,
)
from strategies.rules.language.messages import Refusal
from strategies.rules.syntax.postinit import WITH_FIELD, completes, run_validator
from strategies.rules.values import equality, records

MISSING = attrs.NOTHING
ABSENT = object()  # stands for an argument in whose place a factory is called


@frozen(eq=False)
class Field:
    """A parameter of `__init__`, a field, or both.

    Attributes:
        given: the parameter's name; empty if there is none.
        factory: makes the default; given the record so far if `takes_self`.
        stored: whether it is a field, not a dataclass's `InitVar`.
    """

    name: str
    given: str
    kw_only: bool
    default: Any = MISSING
    factory: Any = None
    takes_self: bool = False
    attribute: Any = None
    stored: bool = True


def fields_of(cls: Any) -> list[Field]:
    """Return the fields of a class in the order in which they are set."""
    if issubclass(cls, tuple):
        defaults = cls._field_defaults
        names = field_names(cls)
        return [Field(n, n, False, defaults.get(n, MISSING)) for n in names]
    if by_attrs(cls):
        return [_of_attrs(f) for f in attrs.fields(cls)]
    found = []
    for f in cls.__dataclass_fields__.values():
        kind = f._field_type.name
        if kind != "_FIELD_CLASSVAR":
            factory = None if f.default_factory is dataclasses.MISSING else f.default_factory
            default = MISSING if f.default is dataclasses.MISSING else f.default
            given = f.name if f.init else ""
            found.append(
                Field(f.name, given, bool(f.kw_only), default, factory, stored=kind == "_FIELD")
            )
    return found


def _of_attrs(f: Any) -> Field:
    made = f.default if hasattr(f.default, "takes_self") and hasattr(f.default, "factory") else None
    return Field(
        f.name,
        f.alias if f.init else "",
        f.kw_only,
        MISSING if made else f.default,
        made.factory if made else None,
        bool(made and made.takes_self),
        f,
    )


def _signature(fields: list[Field]) -> ast.FunctionDef:
    plain = [ast.arg(f.given) for f in fields if f.given and not f.kw_only]
    named = [ast.arg(f.given) for f in fields if f.given and f.kw_only]
    args = ast.arguments([], plain, None, named, [None] * len(named), None, [])
    return ast.FunctionDef("__init__", args, [], [])


def construct(w: Walk, cls: type, given: Arguments, node: ast.AST) -> Val:
    """Return a new instance of a class of records."""
    record_classes.checked(cls)
    fields = fields_of(cls)
    if not issubclass(cls, tuple):
        found = defined(cls, "__init__")
        if found is None or not is_generated(*found):
            raise Refusal(f"{cls.__name__}.__init__ is not compiled; write __attrs_post_init__")
        if lookup(cls, "__attrs_pre_init__") is not None:
            raise Refusal("__attrs_pre_init__ is not compiled; write __attrs_post_init__")
        if found[1] is not cls and field_names(cls) != field_names(found[1]):
            raise Refusal(f"{cls.__name__} inherits its __init__ but not its fields")
    if inspect.isabstract(cls):
        return fail(w, TypeError, f"{cls.__name__} is abstract")

    def default(name: str) -> Val | None:
        f = next(f for f in fields if f.given == name)
        if f.factory is not None:
            return w.constant(ABSENT)
        return None if f.default is MISSING else w.constant(f.default)

    args = bind(w, _signature(fields), given, default)
    if args is None:
        return fail(w, TypeError, f"wrong arguments for {cls.__name__}")
    order = [f for f in fields if f.given and not f.kw_only]
    order += [f for f in fields if f.given and f.kw_only]
    named = dict(zip((f.name for f in order), args, strict=True))
    with w.apart("new", cls):
        return _set_up(w, cls, fields, named, node)


def _set_up(w: Walk, cls: type, fields: list[Field], given: dict[str, Val], node: ast.AST) -> Val:
    values: dict[str, Val] = {}
    never = w.never
    stored = [f for f in fields if f.stored]
    for f in stored:
        with w.apart(f.name):
            v = given.get(f.name)
            if v is None and f.factory is None and f.default is not MISSING:
                v = w.constant(f.default)
            if (v is None or _is_missing(v)) and f.factory is not None:
                so_far = [_partial(w, cls, values)] if f.takes_self else []
                factory = w.constant(f.factory)
                v = w.call_value(factory, Arguments(so_far, {}), node)
            converter = getattr(f.attribute, "converter", None)
            if v is not None and converter is not None and v.kind is not NEVER:
                v = _converted(w, cls, f, values, converter, v, node)
        if v is None:
            continue
        if v.kind is NEVER:
            return never
        record_classes.checked_field(cls, f.name, v.kind)
        values[f.name] = v
    made = _partial(w, cls, values)
    if not _validated(w, stored, made, values, node):
        return never
    after = lookup(cls, "__attrs_post_init__" if by_attrs(cls) else "__post_init__")
    if after is not None and not issubclass(cls, tuple):
        if not isinstance(after, types.FunctionType):
            raise Refusal(f"{after} is not a plain function, which is not compiled")
        extra = [given[f.name] for f in fields if not f.stored]
        made = completes(w, after, made, extra)
    return spread(w, made, lambda a: _complete(w, a)) if made.kind is not NEVER else never


def _is_missing(v: Val) -> bool:
    if any(isinstance(k, Member) and k.of is type(MISSING) for k in alternatives(v.kind)):
        raise Refusal("attrs.NOTHING as an argument is not compiled; leave the argument out")
    return isinstance(v.kind, Static) and v.kind.value is ABSENT


def _converted(
    w: Walk, cls: type, f: Field, values: dict[str, Val], how: Any, v: Val, node: ast.AST
) -> Val:
    """Return what a converter makes of a value."""
    converter: Any = how
    extra = []
    if isinstance(how, attrs.Converter):
        if converter.takes_self:
            extra.append(_partial(w, cls, values))
        if converter.takes_field:
            extra.append(w.constant(f.attribute))
        converter = converter.converter
    use = w.constant(converter)
    return w.call_value(use, Arguments([v, *extra], {}), node)


def _partial(w: Walk, cls: type, values: dict[str, Val]) -> Val:
    """Return a record of which only some fields are set."""
    names = field_names(cls)
    there = [n for n in names if n in values]
    k = w.program.record(cls, there, len(there) == len(names) or tuple(there))
    return _record(w, k, [values[n] for n in there])


def _record(w: Walk, k: Record, values: list[Val]) -> Val:
    kinds: list[Kind] = [v.kind for v in values]
    if w.infer:
        record_classes.filled(w, k, kinds)
    parts = [coerce(w, v, kind).v for v, kind in zip(values, k.kinds, strict=True)]
    return Val(k, w.pack(form(k), parts))


def _complete(w: Walk, a: Val) -> Val:
    """Return a record whose construction is done; a field may have been left unset."""
    k = cast(Record, a.kind)
    names = field_names(k.of)
    if len(k.names) == len(names):
        return a
    there = equality.fields(w, a)
    unset = Val(UNSET, w.undef(UNSET))
    values = [there.get(n, unset) for n in names]
    return _record(w, w.program.record(k.of, names), values)


@function(WITH_FIELD, "record, name, value, /")
def with_field(w: Walk, node: ast.AST, a: Val, name: Val, v: Val) -> Val:
    def one(x: Val) -> Val:
        k = x.kind
        if not isinstance(k, Record) or name.py not in field_names(k.of):
            raise Refusal(f"{name.py} is no field of the record")
        record_classes.checked_field(k.of, name.py, v.kind)
        return _partial(w, k.of, equality.fields(w, x) | {name.py: v})

    return spread(w, a, one)


# Validators


def _validated(
    w: Walk, fields: list[Field], made: Val, values: dict[str, Val], node: ast.AST
) -> bool:
    """Run the validators; False if one always fails."""
    for f in fields:
        validator = getattr(f.attribute, "validator", None)
        if validator is None:
            continue
        if attrs.validators.get_disabled():
            raise Refusal("validators are disabled, which is not compiled")
        if f.name not in values:
            fail(w, AttributeError, f"{f.name} is not set")
            return False
        with w.apart("validator", f.name):
            v = equality.fields(w, made)[f.name]
            if not run_validator(w, validator, made, f.attribute, v, node):
                return False
    return True


# Changed copies


WRONG_FIELD: Final = TypeError if sys.version_info >= (3, 13) else ValueError
"""What Python raises for a field that cannot be replaced."""


def _evolved(w: Walk, a: Val, given: Arguments, node: ast.AST) -> Val:
    """Return `attrs.evolve(record, field=value, ...)`."""
    if not isinstance(a.kind, Record) or not by_attrs(a.kind.of):
        raise Refusal(f"evolve() of {a.kind} is not compiled")
    return _changed_copy(w, a, a.kind.of, given, node, TypeError)


def _replaced(w: Walk, a: Val, given: Arguments, node: ast.AST) -> Val:
    """Return `dataclasses.replace(record, field=value, ...)`."""
    if isinstance(a.kind, Static):
        raise Refusal(f"replace() of {a.kind} is not compiled")
    cls: Any = a.kind.of if isinstance(a.kind, Record) else None
    is_made: bool = dataclasses.is_dataclass(cls)
    if not is_made:
        return fail(w, TypeError, "replace() should be called on dataclass instances")
    return _changed_copy(w, a, cls, given, node, WRONG_FIELD)


def _changed_copy(
    w: Walk, a: Val, cls: Any, given: Arguments, node: ast.AST, wrong: type[Exception]
) -> Val:  # fmt: skip
    """Return a new record with the fields of another, but for those that are given."""
    named = dict(given.named)
    for f in fields_of(cls):
        if not f.given:
            if f.name in named:
                return fail(w, wrong, f"{f.name} is declared with init=False")
        elif f.given not in named:
            if not f.stored and f.default is MISSING:
                return fail(w, wrong, f"{f.name} must be specified with replace()")
            if f.stored:
                named[f.given] = records.field(w, a, f.name)
    return construct(w, cls, Arguments([], named), node)


CHANGES: dict[Any, Callable[[Walk, Val, Arguments, ast.AST], Val]] = {
    attrs.evolve: _evolved,
    dataclasses.replace: _replaced,
}


def change(w: Walk, value: Any, given: Arguments, node: ast.AST) -> Val:
    """Return a changed copy of a record, by a function of attrs or dataclasses."""
    if len(given.values) != 1:
        return fail(w, TypeError, f"{value.__name__}() takes one record")
    return spread(w, given.values[0], lambda a: CHANGES[value](w, a, given, node))


# Methods of NamedTuples


def library_method(w: Walk, a: Val, name: str, given: Arguments, node: ast.AST) -> Val:
    """Call a method that a NamedTuple has of Python's."""
    k = cast(Record, a.kind)
    if name in ("count", "index"):
        return method_of(w, as_tuple(a), name, given, node)
    if name == "_replace":
        if given.values:
            return fail(w, TypeError, "_replace() takes names")
        if not given.named.keys() <= set(k.names):
            return fail(w, WRONG_FIELD, "_replace() got an unexpected field name")
        own = {n: records.field(w, a, n) for n in k.names}
        return construct(w, k.of, Arguments([], own | given.named), node)
    if given.values or given.named:
        return fail(w, TypeError, "_asdict() takes no arguments")
    made = tables.new(w, node, "dict")
    for n in k.names:
        tables.put(w, made, w.constant(n), records.field(w, a, n))
    return made


def replace_by_name(w: Walk, a: Val, name: Val, new: Val, node: ast.AST) -> Val:
    """Return `a._replace(**{name: new})`, for a name that only running tells."""
    k = cast(Record, a.kind)
    if NEVER in (name.kind, new.kind):
        return w.never
    if name.kind is not STR:
        raise Refusal("a field is replaced by a name that is a text")
    named, found = {}, w.b.trunc(ZERO, I1)
    for n in k.names:
        own = records.field(w, a, n)
        met = join(own.kind, new.kind)
        is_this = equality.equal(w, name, w.constant(n)).v
        found = w.b.or_(found, is_this)
        out = w.temp(form(met))
        w.store(coerce(w, own, met).v, out)
        with w.when(is_this):
            w.store(coerce(w, new, met).v, out)
        named[n] = Val(met, w.load(out, form(met)))
    w.check(w.b.not_(found), WRONG_FIELD, "_replace() got an unexpected field name")
    return construct(w, k.of, Arguments([], named), node)


def has_library_method(k: Kind, name: str) -> bool:
    """Whether a name is a method that a NamedTuple has of Python's."""
    if not isinstance(k, Record) or not issubclass(k.of, tuple):
        return False
    found = defined(k.of, name)
    if name in ("count", "index"):
        return found is not None and found[1] is tuple
    return name in ("_replace", "_asdict") and found is not None and "_fields" in vars(found[1])
