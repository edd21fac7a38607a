"""Refusals: what is not compiled, where, and what to write instead.

What to write is in tables, by the names of functions, modules, methods and syntax.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
from typing import Any, Final

import attrs

from graphs.errors import JamboreeError

SAME = "a rule must give the same each time it is called"
CHANCE = f"{SAME}; chance is a rule of its own, outcomes(state)"
FIELD = "write the name, as in x.name; for one of several, a tuple or dict of their values"
ELSEWHERE = "call it outside of the rules, and keep its result in a table of the module"
RUNNING = "leave it out, or look at the rules while they run in Python"
CHANGED = "records do not change: return a changed copy, evolve(record, name=…)"

KEY = "write a key that sorts so, such as a tuple, key=lambda x: (-x.a, x.b)"
DISPATCH = "write `match`, or `if isinstance(x, …)`"
DESCRIPTOR_ADVICE = {
    "partialmethod": "write a method that hands the arguments on, def f(self): return self.g(2)",
    "singledispatchmethod": DISPATCH,
    "member_descriptor": "write @property in the place of @cached_property, or a field",
}
METHOD_FORM = "write it under `def`, without a decorator other than functools.cache"

# By name: Python's own, and functions of modules.
FUNCTION_ADVICE = {
    "print": RUNNING,
    "breakpoint": RUNNING,
    "input": "rules may read nothing but their arguments",
    "open": "read the file before, into a table of the module",
    "hash": "make a number of the parts yourself",
    "id": "objects have no numbers; compare them with `is` or `==`",
    "slice": "write the slice where it is used, as in x[a:b]",
    "getattr": FIELD,
    "hasattr": FIELD,
    "setattr": CHANGED,
    "delattr": CHANGED,
    "vars": FIELD,
    "dir": FIELD,
    "globals": "write the name of the table that is meant",
    "locals": "write the name of the variable that is meant",
    "eval": "write the expression itself",
    "exec": "write the statements themselves",
    "compile": "write the expression itself",
    "__import__": "write `import` at the beginning of the module",
    "callable": "what can be called is known before; leave the test out",
    "issubclass": "write isinstance(x, …) of a value",
    "object": "write None, or a member of an Enum, for a value that stands for nothing else",
    "super": "call it without arguments, in a method, as super().method(…)",
    "ascii": "write an f-string of the parts",
    "complex": "write a tuple of two floats",
    "bytes": "write a tuple of ints",
    "bytearray": "write a list of ints",
    "memoryview": "write a slice, as in x[a:b]",
    "OrderedDict": "write a dict, which keeps its keys in order",
    "ChainMap": "write a dict of all entries, {**a, **b}",
    "UserDict": "write a dict",
    "UserList": "write a list",
    "namedtuple": "write a class in the module, class Pair(NamedTuple)",
    "make_dataclass": "write a class in the module, under @dataclass(frozen=True)",
    "make_class": "write a class in the module, under @frozen",
    "nlargest": "write sorted(…, reverse=True)[:n]",
    "nsmallest": "write sorted(…)[:n]",
    "merge": "write sorted(chain(…))",
    "tee": "write a list, and loop over it twice",
    "methodcaller": "write a lambda, as in lambda x: x.method()",
    "cmp_to_key": KEY,
    "KeyWrapper": KEY,
    "frexp": "keep the mantissa and the exponent as two numbers",
    "array": "write a tuple, or a list",
}
MODULE_ADVICE = {
    "random": CHANCE,
    "secrets": CHANCE,
    "time": SAME,
    "datetime": SAME,
    "uuid": SAME,
    "numpy": "arrays may be read, not made: table.sum() is, numpy.sum(table) is not; or call a "
    "function under @numba.njit",
    "copy": "what cannot change needs no copy; of the rest, write list(…), set(…) or dict(…), "
    "as in [list(row) for row in rows]",
    "re": "use the methods of str, such as find, split and startswith",
    "json": "states and moves are tuples and records; texts of them are for show and move_text",
    "pickle": "states and moves are tuples and records; texts of them are for show and move_text",
    "statistics": "write it out, as in sum(values) / len(values)",
    "fractions": "write a tuple of two ints",
    "decimal": "write an int of the smallest unit, or a float",
    "logging": RUNNING,
    "warnings": RUNNING,
    "pprint": RUNNING,
    "os": ELSEWHERE,
    "sys": ELSEWHERE,
    "pathlib": ELSEWHERE,
    "io": ELSEWHERE,
    "subprocess": ELSEWHERE,
    "threading": "a rule runs by itself; the search runs rules in parallel",
    "contextlib": "write `try` with `finally` or `except`",
}
METHOD_ADVICE = {
    "encode": "write tuple(map(ord, text))",
    "expandtabs": "write replace",
    "format_map": "write an f-string",
    "to_bytes": "shift and mask, as in n >> 8 & 255",
    "from_bytes": "shift and add, as in high << 8 | low",
    "as_integer_ratio": "keep the two ints yourself",
    "hex": "write a format, as in f'{x:.6f}'",
    "index": "write tuple(…).index(x)",
    "count": "write tuple(…).count(x)",
    "is_integer": "write x == int(x)",
    "send": "write an argument, or a list that both change",
    "throw": "let the generator return",
    "close": "leave the loop by `break`",
    "__next__": "write next(…)",
    "__iter__": "write iter(…)",
}

# Of these packages, what `FUNCTION_ADVICE` names is not compiled; of `MODULE_ADVICE`, nothing is.
OWN_PACKAGES = (
    "collections",
    "heapq",
    "itertools",
    "functools",
    "operator",
    "math",
    "array",
    "attr",
    "dataclasses",
)

# By the name of a node of a syntax tree: what it is called, and what to write instead.
SYNTAX_ADVICE = {
    "With": ("`with`", "write `try` with `finally`"),
    "TryStar": ("`except*`", "write `except`"),
    "ClassDef": ("a class inside a function", "write it in the module"),
    "AsyncFunctionDef": ("`async`", "write a plain function"),
    "AsyncFor": ("`async`", "write `for`"),
    "AsyncWith": ("`async`", "write `try` with `finally`"),
    "Await": ("`await`", "call a plain function"),
    "Global": ("`global`", "hand the value on as an argument, and return it"),
    "Starred": ("a star here", "write the elements one by one"),
    "Slice": (
        "a slice beside another index",
        "write the elements one by one, as in [int(table[i, j]) for i in range(n)]",
    ),
    "Delete": ("this `del`", "give the variable another value, or no value at all"),
    "Yield": ("`yield` inside an expression", "write it on a line of its own; its value is None"),
    "YieldFrom": (
        "`yield from` inside an expression",
        "write it on a line of its own, x = yield from …",
    ),
}


def place_of(value: Any) -> tuple[str, str]:
    """Return the package and the name of a function or class."""
    kind = type(value)
    module = str(getattr(value, "__module__", "") or kind.__module__)
    module = module.lstrip("_").partition(".")[0]
    if type(getattr(value, "__self__", None)).__module__ == "random":
        module = "random"
    package = "os" if module in ("posix", "nt") else module
    return package, str(getattr(value, "__name__", kind.__name__))


def instead_of_function(value: Any) -> str:
    """Return what to write instead of a function or class that is not compiled."""
    package, name = place_of(value)
    if getattr(builtins, name, None) is value or package in OWN_PACKAGES:
        return FUNCTION_ADVICE.get(name, ELSEWHERE)
    if package in MODULE_ADVICE:
        return MODULE_ADVICE[package]
    return instead_of_class(value) if isinstance(value, type) else ELSEWHERE


def instead_of_class(cls: type) -> str:
    """Return what to write instead of a class whose objects are no records."""
    if issubclass(cls, list | dict | set | frozenset):
        base = next(b for b in (list, dict, frozenset, set) if issubclass(cls, b))
        return f"write a {base.__name__}, and functions of it in place of methods"
    if cls.__module__ == "builtins" or ("__init__" not in vars(cls) and not cls.__annotations__):
        return ELSEWHERE
    return f"its objects change; {instead_of_changing(cls)}, or keep what changes in a list"


def instead_of_changing(cls: type) -> str:
    """Return how to write a class as one of records."""
    if dataclasses.is_dataclass(cls):
        return "write @dataclass(frozen=True) above it, and replace(x, name=…) for a changed copy"
    way = (
        "write attrs' @frozen above it"
        if attrs.has(cls)
        else "write its fields under attrs' @frozen"
    )
    return f"{way}, and evolve(x, name=…) for a changed copy"


def instead_of_method(name: str) -> str:
    """Return what to write instead of a method of Python's that is not compiled."""
    if name in METHOD_ADVICE:
        return METHOD_ADVICE[name]
    return "write the operator or function that it stands for" if name.startswith("__") else ""


class RuleError(JamboreeError, TypeError):
    """Rules that cannot be compiled: the message says which, where, and what to write instead.

    It may also say that the compiler itself cannot be used, and why.
    """


class Refusal(RuleError):
    """A construct that is not compiled. The walk adds the function, the line and the column."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.function = self.source = self.inside = ""
        self.line = self.column = 0
        self.in_library = ""
        self.reads: Any = None
        """What the compiler had read of Python's objects, where it compiled for an object."""

    def at(self, function: str, line: int, column: int, source: str, library: str = "") -> Refusal:
        """Add the place, unless an inner place is known that is not of a library.

        `library` is the file of a function that others wrote, which the user only calls.
        """
        if self.line and self.in_library and not library:
            inner = f"{self.function}, line {self.line} of {self.in_library}"
            self.inside = f"in {inner}: {self.reason}\n    {self.source}"
            self.reason, self.line = CALLED, 0
        if not self.line:
            self.function, self.line, self.column, self.source = function, line, column, source
            self.in_library = library
        return self

    def __str__(self) -> str:
        if not self.line:
            return self.reason
        caret = " " * self.column + "^"
        told = f"{self.function}, line {self.line}: {self.reason}\n    {self.source}\n    {caret}"
        return f"{told}\n{self.inside}" if self.inside else told


class OwnEquality(Refusal):
    """A class whose values are not compared or hashed as their fields are."""

    def __init__(self, of: type, reason: str) -> None:
        super().__init__(reason)
        self.of = of


class TooWide(OverflowError):
    """An int needs more than 64 bits. No `except` of a rule catches it."""


class Late(TypeError):
    """Only running shows that something is not compiled. No `except` of a rule catches it."""


LIMITS: Final = (MemoryError, RecursionError, KeyboardInterrupt, TooWide, Late)
"""Errors of the compiler's own limits, which no `except` of a rule catches."""


def unlike(node: ast.AST) -> Refusal:
    """Return the refusal of a syntax that is not compiled."""
    name = type(node).__name__
    if isinstance(node, ast.With) and any(map(_is_suppress, node.items)):
        return advised("`with suppress(…)`", "write `try` with `except`")
    return advised(*SYNTAX_ADVICE.get(name, (name, "")))


def _is_suppress(item: ast.withitem) -> bool:
    match item.context_expr:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name == "suppress"
    return False


def in_library(value: object) -> bool:
    """Return whether a function is of a library of which nothing written in Python is compiled."""
    package, name = place_of(value)
    return package in MODULE_ADVICE or (package in OWN_PACKAGES and name in FUNCTION_ADVICE)


def advised(what: str, instead: str) -> Refusal:
    """Return the refusal of something that is not compiled, with what to do instead."""
    return Refusal(f"{what} is not compiled" + (f": {instead}" if instead else ""))


def unbound(what: str, found: object) -> Refusal:
    """Return the refusal of an attribute of a class that is bound in a way of its own."""
    return advised(what, DESCRIPTOR_ADVICE.get(type(found).__name__, METHOD_FORM))


def is_generic(function: object) -> bool:
    """Return whether a function chooses another one by the class of its argument."""
    return hasattr(function, "dispatch") and hasattr(function, "registry")


def uncompiled(value: object) -> Refusal:
    """Return the refusal of a function that is not compiled."""
    name = getattr(value, "__name__", f"a {type(value).__name__}")
    return advised(name, instead_of_function(value))


def unmade_method(name: str, family: str) -> Refusal:
    """Return the refusal of a method of a builtin type that is not compiled."""
    owner = "str" if family == "text" else family
    return advised(f"the method {name} of {owner}", instead_of_method(name))


CALLED = (
    "the library function called here is not compiled: write out what is needed of it, or call it "
    "outside of the rules"
)
TOO_DEEP = (
    "what is nested here is too deep to be compiled: write several statements, or a loop over a "
    "list of functions, `for f in functions: x = f(x)`"
)
OTHER_INTS = "use U64, several ints, or engine='interpreted'"
FIXED_FIELD = "a field cannot be assigned: make a changed copy, x = evolve(x, name=…)"
GENERATED_EQUALITY = (
    "leave out `__eq__`, `__hash__`, `eq=` and `hash=`, so that @frozen or @dataclass compares and "
    "hashes the fields"
)
OWN_FACTORY = "a defaultdict with an own function is no result; write dict(…)"
UNREAD = "a result of the kind {} is not compiled: return numbers, texts, tuples or lists"
PLAIN = "write a function of its parts, which are in a tuple, a list or a frozen record"
SPELLED = "the text of a {} is not compiled; make it of its parts, numbers and texts"
