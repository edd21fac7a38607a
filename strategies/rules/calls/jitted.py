"""Calls of the user's own functions of Numba, which Numba compiles with its own meaning.

A wrapper in C's convention takes words and floats, and returns whether the function failed. What it
raised is then asked of Python, which calls the function once more.
"""

from __future__ import annotations

import ast
import ctypes
from types import SimpleNamespace
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from attrs import field, frozen
from llvmlite import ir

from strategies.rules.boundary.conversion import Boundary
from strategies.rules.calls import arguments
from strategies.rules.calls.arguments import known_defaults
from strategies.rules.code.coercion import each_kind, fail, tuple_of
from strategies.rules.code.val import NOTHING, ZERO, Arguments, Val, c32, c64
from strategies.rules.code.walk import Walk
from strategies.rules.containers import arrays
from strategies.rules.kinds.kind import (
    BOOL,
    F64,
    FLOAT,
    I32,
    I64,
    INT,
    NONE,
    PTR,
    WORD,
    Array,
    Kind,
    Member,
    Scalar,
    reachable,
)
from strategies.rules.kinds.parts import key
from strategies.rules.language.messages import Refusal
from strategies.rules.language.sources import source_of
from strategies.rules.language.text_numbers import Texts
from strategies.rules.machine import questions
from strategies.rules.machine.memory import arena
from strategies.rules.values import numbers

RAISED = (
    *(ArithmeticError, AssertionError, AttributeError, BufferError, Exception, IndexError),
    *(KeyError, LookupError, NotImplementedError, OverflowError, RuntimeError, TypeError),
    *(ValueError, ZeroDivisionError),
)
PLAIN = "numbers, bools and arrays"


@frozen(eq=False)
class Wrapper:
    """A compiled function for certain kinds of arguments.

    Attributes:
        symbol: the name of the wrapper in the code.
        results: the kinds of the results, one unless it is a tuple.
        is_tuple: whether the results are a tuple.
        raised: the classes of exceptions that it may raise.
        keep: what must live as long as the wrapper.
    """

    function: Any
    kinds: tuple[Kind, ...]
    symbol: str
    results: tuple[Any, ...]
    is_tuple: bool
    raised: tuple[type[Exception], ...]
    keep: Any = field(repr=False)


_wrappers: dict[Any, Wrapper] = {}
_by_address: dict[int, Wrapper] = {}


def is_jitted(value: Any) -> bool:
    """Whether a value is a function of Numba."""
    if not type(value).__module__.startswith("numba."):
        return False
    from numba.extending import is_jitted as known

    return bool(known(value))


def call(w: Walk, value: Any, given: Arguments, node: ast.AST) -> Val:
    """Call a function of Numba."""
    source = source_of(value.py_func)
    assert not isinstance(source.node, ast.GeneratorExp)
    if source.node.args.vararg or source.node.args.kwarg or source.node.args.kwonlyargs:
        raise Refusal("a function of Numba with stars is not compiled; name its parameters")
    args = arguments.bind(w, source.node, given, known_defaults(w, source.defaults))
    if args is None:
        return fail(w, TypeError, f"wrong arguments for {source.name}")
    return each_kind(w, lambda *one: _call(w, value, one), *args)


def _call(w: Walk, value: Any, args: tuple[Val, ...]) -> Val:
    kinds = tuple(a.kind for a in args)
    where = value, tuple(map(key, kinds))
    if where not in _wrappers:
        _wrappers[where] = _compiled(value, kinds)
    wrapper = _wrappers[where]
    ints, floats = (
        w.temp(_room(len(wrapper.results), I64)),
        w.temp(_room(len(wrapper.results), F64)),
    )
    if w.emitting:
        words = [word for a in args for word in _words(w, a)]
        made = w.program.external(wrapper.symbol, I32, [PTR, PTR, *(x.type for x in words)])
        status = w.b.call(made, [ints, floats, *words])
        w.note_write()
        w.checked(_status(w, wrapper, status, made, words))
    else:
        w.fail(NOTHING)
    found = [
        w.item(k.plain, floats, c64(i))
        if k.plain is FLOAT
        else _of_word(w, k, w.load(w.element(ints, I64, c64(i)), I64))
        for i, k in enumerate(wrapper.results)
    ]
    if wrapper.is_tuple:
        return tuple_of(w, found)
    return found[0] if found else w.constant(None)


def _room(n: int, t: Any) -> Any:
    return ir.ArrayType(t, max(n, 1))


def _of_word(w: Walk, k: Scalar, v: Any) -> Val:
    if k.plain is BOOL:
        return Val(BOOL, w.b.icmp_signed("!=", v, ZERO))
    return numbers.to_int(w, Val(k.plain, v))


def _words(w: Walk, a: Val) -> list[Any]:
    """Return an argument as words and floats."""
    if isinstance(a.kind, Array):
        address = w.b.ptrtoint(w.part(a.v, 0), I64)
        return [address, *(w.part(a.v, i) for i in range(1, 1 + 2 * a.kind.ndim))]
    kind = a.kind.plain if isinstance(a.kind, Scalar) else a.kind
    return [w.b.zext(a.v, I64) if kind is BOOL else a.v]


def _status(w: Walk, wrapper: Wrapper, status: Any, made: Any, words: list[Any]) -> Any:
    """Return the status of a call; that of an exception is asked of Python."""
    message, many = f"raised by {wrapper.function.__name__}", len(wrapper.raised)
    numbers_of = [w.program.error(error, message, w.where()) for error in wrapper.raised]
    row = w.temp(_room(len(words) + many, I64))
    out = w.temp(I32)
    w.store(status, out)
    with w.when(w.b.icmp_signed("!=", status, c32(0)), rare=True):
        for i, n in enumerate(numbers_of):
            w.store(c64(n), w.element(row, I64, c64(i)))
        for i, x in enumerate(words):
            word = w.b.bitcast(x, I64) if x.type == F64 else x
            w.store(word, w.element(row, I64, c64(many + i)))
        address = w.b.ptrtoint(w.b.bitcast(made, PTR), I64)
        question = questions.NUMBERS["raised", "ii"]
        asked, found = w.ask(question, address, w.b.ptrtoint(row, I64))
        failed = w.b.icmp_signed("!=", asked, c32(0))
        w.store(w.b.select(failed, asked, w.b.trunc(found, I32)), out)
    return w.load(out, I32)


def raised(address: int, row: int) -> int:
    """Return the status of the exception that a function of Numba raises."""
    wrapper = _by_address[address]
    many = len(wrapper.raised)
    words = list((ctypes.c_int64 * many).from_address(row))
    at = row + 8 * many
    given = []
    for k in wrapper.kinds:
        given.append(_read(k, at))
        at += 8 * (1 + 2 * k.ndim if isinstance(k, Array) else 0 if k is NONE else 1)
    try:
        wrapper.function(*given)
    except Exception as error:
        fits = [
            (len(c.__mro__), n)
            for c, n in zip(wrapper.raised, words, strict=True)
            if isinstance(error, c)
        ]
        return int(max(fits)[1])
    raise RuntimeError("a function of Numba failed once, but not when it was called again")


def _read(k: Kind, at: int) -> Any:
    if isinstance(k, Array):
        address, *words = (ctypes.c_int64 * (1 + 2 * k.ndim)).from_address(at)
        return _view(address, tuple(words[: k.ndim]), tuple(words[k.ndim :]), k.item.type)
    return Boundary(arena(), Texts()).read(k, at)


def _view(address: int, shape: Any, strides: Any, type_: Any) -> Any:
    about = {"version": 3, "data": (address, True), "typestr": np.dtype(type_).str}
    about |= {"shape": shape, "strides": strides}
    return np.asarray(SimpleNamespace(__array_interface__=about))


# Compiling


def _type(k: Kind) -> Any:
    """Return Numba's type of the values of a kind."""
    from numba import from_dtype, types

    plain = {INT: types.int64, FLOAT: types.float64, BOOL: types.boolean}
    if k in plain:
        return plain[k]
    if isinstance(k, Scalar):
        return from_dtype(np.dtype(k.type))
    if isinstance(k, Array):
        return types.Array(from_dtype(np.dtype(k.item.type)), k.ndim, "A", readonly=True)
    if k is WORD or isinstance(k, Member):
        number = "its value" if isinstance(k, Member) and not issubclass(k.of, int) else "int(…)"
        raise Refusal(f"a {k} is no argument of a function of Numba here; write {number}")
    raise Refusal(
        f"a function of Numba takes {PLAIN} here, and no {k}: leave out @numba.njit, as rules are "
        "compiled anyway, or pass its numbers"
    )


def _compiled(function: Any, kinds: tuple[Kind, ...]) -> Wrapper:
    """Compile a function and its wrapper."""
    name = getattr(function, "__name__", "function")
    try:
        returned = _returned(function, tuple(_type(k) for k in kinds))
    except Exception as error:  # Numba also lets errors of other kinds through
        lines = [line for line in str(error).splitlines() if line and not line.startswith("Failed")]
        reason = lines[0] if lines else type(error).__name__
        raise Refusal(f"Numba does not compile {name} for these arguments: {reason}") from None
    results, is_tuple = _results(name, returned)
    made = _wrapper(function, kinds, results, is_tuple)
    symbol = f"jam.numba.{function.__module__}.{function.__qualname__}.{len(_wrappers)}"
    llvm.add_symbol(symbol, made.address)
    wrapper = Wrapper(function, kinds, symbol, results, is_tuple, _raised_by(function), made)
    _by_address[made.address] = wrapper
    return wrapper


def _returned(function: Any, types: tuple[Any, ...]) -> Any:
    if all(s.args != types for s in function.nopython_signatures):
        function.compile(types)
    return next(s.return_type for s in function.nopython_signatures if s.args == types)


def _raised_by(function: Any) -> tuple[type[Exception], ...]:
    """Return the classes of exceptions that a function, or one that it calls, may raise."""

    def named(jitted: Any) -> list[Any]:
        plain = jitted.py_func
        cells = zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True)
        scope = plain.__globals__ | {n: cell.cell_contents for n, cell in cells}
        return [scope.get(n) for n in (*plain.__code__.co_names, *plain.__code__.co_freevars)]

    called = reachable([function], lambda f: filter(is_jitted, named(f)))
    values = [value for one in called for value in named(one)]
    classes = {v for v in values if isinstance(v, type) and issubclass(v, Exception)}
    return tuple(sorted(classes.union(RAISED), key=lambda c: (c.__module__, c.__qualname__)))


def _results(name: str, returned: Any) -> tuple[tuple[Any, ...], bool]:
    from numba import types
    from numba.np.numpy_support import as_dtype

    if returned == types.none:
        return (), False
    is_tuple = isinstance(returned, types.BaseTuple) and not isinstance(
        returned, types.BaseNamedTuple
    )
    found = []
    for t in returned if is_tuple else [returned]:
        if not isinstance(t, types.Integer | types.Float | types.Boolean):
            raise Refusal(f"{name} of Numba returns {returned}; let it return numbers or bools")
        found.append(arrays.scalar(as_dtype(t)))
    return tuple(found), is_tuple


def _wrapper(function: Any, kinds: tuple[Kind, ...], results: Any, is_tuple: bool) -> Any:
    """Return the function in C's convention: its text takes each argument apart."""
    import numba
    from numba import types

    c_types: list[Any] = [types.CPointer(types.int64), types.CPointer(types.float64)]
    names, given = ["ints", "floats"], []
    scope: dict[str, Any] = {"f": function, "np": np, "carray": numba.carray}
    scope["as_strided"] = np.lib.stride_tricks.as_strided
    for i, k in enumerate(kinds):
        if isinstance(k, Array):
            shape = [f"n{i}_{j}" for j in range(k.ndim)]
            strides = [f"s{i}_{j}" for j in range(k.ndim)]
            c_types += [types.CPointer(_type(k.item)), *[types.int64] * (2 * k.ndim)]
            names += [f"a{i}", *shape, *strides]
            sizes, steps = (f"({', '.join(x)},)" for x in (shape, strides))
            given.append(f"as_strided(carray(a{i}, (1,)), {sizes}, {steps})")
            continue
        plain = k.plain if isinstance(k, Scalar) else k
        c_types.append(types.float64 if plain is FLOAT else types.int64)
        names.append(f"a{i}")
        scope[f"t{i}"] = k.type if isinstance(k, Scalar) else None
        given.append(f"a{i} != 0" if k is BOOL else f"t{i}(a{i})" if scope[f"t{i}"] else f"a{i}")
    lines = [f"def wrapper({', '.join(names)}):", "    try:", f"        r = f({', '.join(given)})"]
    lines += ["    except Exception:", "        return np.int32(1)"]
    for i, k in enumerate(results):
        value = f"r[{i}]" if is_tuple else "r"
        where = "floats" if k.plain is FLOAT else "ints"
        cast = "np.float64" if k.plain is FLOAT else "np.int64"
        lines.append(f"    {where}[{i}] = {cast}({value})")
    lines.append("    return np.int32(0)")
    exec("\n".join(lines), scope)
    return numba.cfunc(types.int32(*c_types))(scope["wrapper"])


questions.RAISED.append(raised)
