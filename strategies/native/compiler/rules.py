"""Rules as machine code: a copy of each function in which every name is bound to its native
form."""

from __future__ import annotations

import enum
import inspect
from _ctypes import CFuncPtr
from collections.abc import Iterable
from functools import cache
from inspect import isgeneratorfunction
from types import CellType, FunctionType, ModuleType
from typing import Any

import attrs
from numba import njit, types
from numba.core import cgutils, errors
from numba.core.datamodel import models
from numba.core.imputils import lower_constant
from numba.core.registry import cpu_target
from numba.experimental.jitclass.base import JitClassType
from numba.extending import intrinsic, register_model, typeof_impl

from games.tuples import floats_of, put, zeros_of
from strategies.native import hooks
from strategies.native.compiler.constants import Unfit, constant
from strategies.native.compiler.disk_cache import cache_for
from strategies.native.compiler.inlining import allow_inlined_generators
from strategies.native.compiler.inner_calls import match_arguments
from strategies.native.compiler.layout import RecordType, native_type, record_type
from strategies.native.compiler.linking import InnerKernelCompiler, KernelCompiler
from strategies.native.compiler.making import MISSING, misnamed, unbuildable
from strategies.native.compiler.module_forms import module_form
from strategies.native.compiler.numba_speed import speed_up_numba
from strategies.native.compiler.parts import OPTIONS, PART, overload
from strategies.native.compiler.row_forms import Linker
from strategies.native.compiler.sources import by_position, collected, forget_forms, rewritten
from strategies.native.digest import uncached
from strategies.native.errors import RuleError
from strategies.native.memory import floats
from strategies.native.memory.cells import add_to, claim, copy_cells, stopped
from strategies.native.packages import is_foreign
from strategies.native.reach import Reach
from strategies.native.references import globals_in, names_in

KNOWN: frozenset[Any] = frozenset(
    {
        put,
        floats_of,
        zeros_of,
        add_to,
        claim,
        copy_cells,
        stopped,
        floats.bits_of,
        floats.finite,
        floats.float_of,
        hooks.alike,
        hooks.bounds_of,
        hooks.candidate_bounds_of,
        hooks.branches_of,
        hooks.child_of,
        hooks.moves_of,
        hooks.candidates_of,
        hooks.count_of,
        hooks.drawn_count_of,
        hooks.drawn_of,
        hooks.has_promise,
        hooks.hash_of,
        hooks.kept,
        hooks.memory_mark,
        hooks.memory_release,
        hooks.nth_of,
        hooks.number_of,
        hooks.payoffs,
        hooks.prefetch,
        hooks.promise_of,
        hooks.rank_of,
        hooks.stack_array,
        hooks.stack_array_size,
        hooks.window_of,
    }
)
"""Functions with a native form of their own."""

OPAQUE = JitClassType, CFuncPtr
"""Objects that Numba compiles without revealing their code: a change of it could not be noticed."""

INNER: dict[str, Any] = {**PART, **OPTIONS}

_dispatchers: dict[Any, Any] = {}
allow_inlined_generators()
match_arguments()
speed_up_numba()


class EnumType(types.IntEnumClass):
    """An IntEnum in a rule: its members are plain ints, so that they unify with other ints."""

    @property
    def member_type(self) -> Any:
        return types.int64


register_model(EnumType)(models.OpaqueModel)


class Numbered:
    """An IntEnum in compiled rules."""

    def __init__(self, cls: Any) -> None:
        self.cls = cls
        self._numba_type_ = EnumType(cls, types.int64)


def native_function(function: FunctionType, **constants: Any) -> Any:
    """Return the dispatcher that compiles a rule or helper; `constants` replace its globals."""
    key = (function, *sorted(constants.items()))
    if key not in _dispatchers:
        written = rewritten(function, LINKER)
        copy = copied(written)
        inlined = not hasattr(written, "stays_whole")
        _dispatchers[key] = njit(copy, **INNER | {"forceinline": inlined})
        copy.compiled_rule = function, _dispatchers[key]  # type: ignore[attr-defined]  # for own_calls
        link(copy, written, constants)
    return _dispatchers[key]


def kernel_dispatcher(kernel: FunctionType, **constants: Any) -> Any:
    """Return the dispatcher of a kernel: cached, and callable from Python.

    Ensures: inside its own code, its name refers to the dispatcher; a kernel that it calls gets the
    same `constants`.
    """
    key = (kernel, *sorted(constants.items()))
    if key not in _dispatchers:
        copy = copied(kernel)
        how = {"nogil": True, "error_model": "python", "no_cfunc_wrapper": True}
        made = njit(copy, pipeline_class=KernelCompiler, **how)
        made._cache = cache_for(kernel, constants)
        _dispatchers[key] = made
        link(copy, kernel, constants)
    return _dispatchers[key]


def part_dispatcher(kernel: FunctionType, **constants: Any) -> Any:
    """Return the dispatcher of a kernel as a part of another one, into whose code it is linked."""
    key = (kernel, "part", *sorted(constants.items()))
    if key not in _dispatchers:
        copy = copied(kernel)
        inlined = constants.get("HAS_CHANCE", False) and hasattr(kernel, "is_last")
        how = {"nogil": True, "error_model": "python", "forceinline": inlined}
        _dispatchers[key] = njit(copy, **{**PART, **how, "pipeline_class": InnerKernelCompiler})
        link(copy, kernel, constants)
        copy.__globals__[kernel.__name__] = _dispatchers[key]
    return _dispatchers[key]


def forget(outdated: Iterable[Reach]) -> None:
    """Drop the native forms of rules that have changed, and of all that refers to them."""
    gone = {x for was in outdated for x in (*was.functions, *was.classes)}
    if gone:
        forget_forms()
    for key in [k for k in _dispatchers if (k[0] if isinstance(k, tuple) else k) in gone]:
        del _dispatchers[key]


def copied(function: FunctionType) -> FunctionType:
    """Return a function with its own globals, to be linked once its dispatcher exists."""
    cells = tuple(CellType(None) for _ in function.__code__.co_freevars)
    scope = {"__name__": function.__module__, "__builtins__": function.__globals__["__builtins__"]}
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    if getattr(function, "gives_list", False):
        copy.gives_list = True  # type: ignore[attr-defined]
    if getattr(function, "is_kernel", False):
        copy.returned = _declared(str(function.__annotations__.get("return")))  # type: ignore[attr-defined]
    return copy


def _declared(returned: str) -> Any:
    """Return the type of a row of numbers that a kernel declares to return; None for all else.

    A single number may be an int where the annotation is float, if the game's values are ints.
    """
    kinds = {"float": types.float64, "int": types.int64}
    names = returned.removeprefix("tuple[").removesuffix("]").split(", ")
    if len(names) < 2 or not all(name in kinds for name in names):
        return None
    return types.Tuple([kinds[name] for name in names])


def link(copy: FunctionType, function: FunctionType, constants: dict[str, Any]) -> None:
    """Fill the copy's globals with the native forms of what the function refers to."""
    names = frozenset(names_in(function.__code__))

    def form(value: Any) -> Any:
        if isinstance(value, ModuleType):
            return module_form(value, names, native_form)
        return native_form(value)

    for name in set(globals_in(function.__code__)) & function.__globals__.keys():
        value = function.__globals__[name]
        if value is function:
            copy.__globals__[name] = _dispatchers.get((function, *sorted(constants.items())))
        elif getattr(value, "is_kernel", False):
            copy.__globals__[name] = part_dispatcher(value, **constants)
        else:
            copy.__globals__[name] = form(value)
    copy.__globals__.update(constants)
    for mine, original in zip(copy.__closure__ or (), function.__closure__ or (), strict=True):
        try:
            value = original.cell_contents
        except ValueError:  # not bound yet
            continue
        mine.cell_contents = form(value)


LINKER = Linker(copied, link)


def native_form(value: Any) -> Any:
    """Return what replaces the value of a name when a rule is compiled."""
    value = uncached(value)
    if isinstance(value, FunctionType) and value not in KNOWN and not is_foreign(value):
        if hasattr(value, "has_native_form"):
            return value
        if isgeneratorfunction(value) and rewritten(value, LINKER) is not by_position(value):
            return chosen(value)
        return native_function(value)
    if isinstance(value, (list, dict, set, frozenset)):
        return constant(value)
    if isinstance(value, enum.IntEnum):
        return int(value)
    if isinstance(value, type) and issubclass(value, enum.IntEnum):
        return Numbered(value)
    if isinstance(value, type) and attrs.has(value):
        return constructor(value)
    if attrs.has(type(value)):
        cls: Any = type(value)
        register_constants(cls)
    if isinstance(value, OPAQUE):
        return Unfit()
    return value


@cache
def register_constants(cls: Any) -> None:
    """Let rules refer to an existing record: a constant, or the default of a field."""
    typeof_impl.register(cls)(lambda value, context: native_type(value))


@lower_constant(RecordType)
def _record_constant(context: Any, builder: Any, native: Any, value: Any) -> Any:
    record = cgutils.create_struct_proxy(native)(context, builder)
    for i, (name, field) in enumerate(native.fields):
        record[i] = context.get_constant_generic(builder, field, getattr(value, name))
    return record._getvalue()


def constructor(cls: type) -> Any:
    """Return the dispatcher that creates a record: the class as a native function.

    Raises: `RuleError`, when it is compiled, if creating one runs code that is not a rule.
    """
    if cls in _dispatchers:
        return _dispatchers[cls]
    fields = attrs.fields(cls)
    problem = unbuildable(cls)

    @intrinsic
    def make(context: Any, values: Any, more: Any) -> Any:
        if wrong := problem or misnamed(cls, values.types, more):
            raise errors.TypingError(wrong)
        given = [t.type if isinstance(t, types.Omitted) else t for t in values.types]
        native = typed_record(cls, given)

        def build(target: Any, builder: Any, signature: Any, args: Any) -> Any:
            record = cgutils.create_struct_proxy(native)(target, builder)
            for i, ((_, wanted), kind) in enumerate(zip(native.fields, values.types, strict=True)):
                record[i] = target.cast(builder, builder.extract_value(args[0], i), kind, wanted)
            return record._getvalue()

        return native(values, more), build

    scope: dict[str, Any] = {"make": make, "missing": MISSING}
    parameters: dict[bool, list[str]] = {False: [], True: ["more_=missing"]}
    for field in fields:
        default = None if problem else field.default  # then `make` refuses any arguments
        scope[f"default_{field.name}"] = native_form(default)
        known = default is not attrs.NOTHING
        default = f"=default_{field.name}" if known else "=missing" if field.kw_only else ""
        parameters[field.kw_only].append(f"{field.alias}{default}")
    row = "".join(f"{field.alias}, " for field in fields)
    given = ", ".join(parameters[False] + parameters[True])
    # A function with this class's parameters can be made only from text, as attrs does, too.
    exec(f"def make_record({given}):\n    return make(({row}), more_)", scope)
    made = _dispatchers[cls] = njit(scope["make_record"], **INNER)
    made.builds = cls
    return made


def class_of(dispatcher: Any) -> Any:
    """Return the class whose name in a rule refers to this dispatcher; None for a function's
    dispatcher."""
    return getattr(dispatcher, "builds", None)


def typed_record(cls: type, natives: list[Any]) -> Any:
    """Call `record_type`; Numba reports its error with the line."""
    try:
        return record_type(cls, natives)
    except RuleError as error:
        raise errors.TypingError(f"⟦{error}⟧") from error


def keeps_heap(native: Any) -> bool:
    """Return whether values of a type are generators that hold something on the heap while
    suspended."""
    manager = cpu_target.target_context.data_model_manager
    return isinstance(native, types.Generator) and any(
        manager[kind].contains_nrt_meminfo() for kind in native.state_types
    )


def chosen(function: FunctionType) -> Any:
    """Return a generator that is not a method: its types decide which of its two forms is used."""

    def stub(*_: Any) -> Any:
        raise NotImplementedError("for compiled code only")

    plain = native_function(function)

    @overload(stub, inline="never", **OPTIONS)
    def choose(*given: Any) -> Any:
        found = cpu_target.typing_context.resolve_function_type(types.Dispatcher(plain), given, {})
        heap = found is not None and keeps_heap(found.return_type)
        made = collected(function, LINKER) if heap else rewritten(function, LINKER)
        native = copied(made)
        link(native, made, {})
        return native

    return stub


def rule_of(cls: type, name: str) -> Any:
    """Return a class's attribute as its rules see it: a function, a property, a constant, or
    None."""
    return uncached(inspect.getattr_static(cls, name, None))


def plain_function(found: Any) -> FunctionType:
    """Return the function of a static method."""
    function: FunctionType = found.__func__
    return function


def getter(found: property) -> Any:
    """Return the function of a property."""
    return found.fget
