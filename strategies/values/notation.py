"""Read strategies, and all else that ``using=`` takes, from text: the inverse of ``repr``.

Reading never runs code. It accepts names of strategies, numbers, calls of strategies and a few
attributes; it refuses anything else and reports the column.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from inspect import signature
from types import MethodType
from typing import Any, Final, TypeVar, dataclass_transform, get_args

from attrs import field, frozen

from graphs.arguments import choice, excerpt, shown
from graphs.errors import ArgumentError
from graphs.limits import NESTED_TEXTS
from strategies.algebra import combinators
from strategies.algebra.by_node import Deal, Type
from strategies.algebra.calls import CallError, lost, name_called, parse_call, segment, usage
from strategies.algebra.drivers import Auto, Driver, DriverError, abdada, auto, lazy_smp
from strategies.algebra.orders import Share
from strategies.algebra.strategy import Strategy, StrategyError
from strategies.algorithms.names import ALGORITHMS
from strategies.values import basic, parallel, sequential

_DEFINED = vars(basic) | vars(parallel) | vars(sequential)
NAMES: dict[str, Strategy | Callable[..., object]] = combinators.NAMES | {
    name: _DEFINED[name] for name in combinators.FOR_VALUES
}
"""The names that the text of a strategy may use."""
S = TypeVar("S", bound=Strategy)
ATTRIBUTES = ("everywhere", "to_ply", "to_size", "grain", "live", "fixed", "joined", "at_type")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def register_strategy(cls: type[S]) -> type[S]:
    """Register a class of strategies of your own, so that texts may use its name.

    Requires: a subclass of `Strategy`.
    Ensures: an immutable class, whose fields are its arguments; `repr` writes them and
    `parse_strategy` reads them.  A class of the same name that was registered before is replaced.
    Raises: ArgumentError if its name belongs to the package.

    >>> from strategies import parse_strategy, register_strategy
    >>> from strategies.algebra.groups import Group
    >>> from strategies.algebra.strategy import ListStrategy
    >>> @register_strategy
    ... class Pairs(ListStrategy):
    ...     def groups(self, n):
    ...         return tuple(Group(i, min(i + 2, n), 0) for i in range(0, n, 2))
    >>> parse_strategy("Pairs().to_ply(2)")
    Pairs(inner=seq).to_ply(2)
    """
    if not (isinstance(cls, type) and issubclass(cls, Strategy)):
        raise ArgumentError(f"a subclass of Strategy is needed, not {shown(cls)}")
    if cls.__name__ in _PACKAGE:
        raise ArgumentError(
            f"{cls.__name__!r} is a name of this package: give your strategy another"
        )
    made = cls if "__attrs_attrs__" in vars(cls) else frozen(cls)
    NAMES[cls.__name__] = made
    return made


def parse_strategy(text: str) -> Strategy:
    """Read a strategy from text; no code is run.

    Ensures: ``parse_strategy(repr(s)) == s``.
    Raises: StrategyError, one line that says what is wrong and where.

    >>> parse_strategy("jamboree(0.5).to_ply(2)")
    jamboree(0.5).to_ply(2)
    >>> parse_strategy("jamboree(2)")
    Traceback (most recent call last):
        ...
    strategies.algebra.strategy.StrategyError: jamboree(2): a share must be a number from 0 to 1,
    not 2
    (at column 1 of 'jamboree(2)')
    """
    if not isinstance(text, str):
        raise ArgumentError(
            f"a strategy is read from a text, such as 'par_list', not {shown(text)}"
        )
    if not text.strip():
        raise StrategyError("the text is empty; write a strategy, such as jamboree(0.5).to_ply(2)")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        if _depth(tree) > NESTED_TEXTS:
            raise StrategyError("too deeply nested")
        value = _Reader(text.strip()).value(tree)
    except SyntaxError as error:
        why = "a number of too many digits" if "digits" in error.msg else error.msg
        raise StrategyError(f"{why} (at column {error.offset or 1} of {shown(text)})") from None
    except (RecursionError, MemoryError):
        raise StrategyError(f"{shown(text)} is too deeply nested") from None
    except StrategyError:
        raise
    except ValueError as error:
        raise StrategyError(f"not a strategy: {shown(text)}: {error}") from None
    if not isinstance(value, Strategy):
        raise StrategyError(_not_yet(text.strip(), value))
    return value


def _not_yet(text: str, value: object) -> str:
    """Return the message for a value that is not a strategy, with an example of one."""
    if isinstance(value, Share):
        how = f"split_at({excerpt(text)}, eval_list, par_list)"
        return f"{shown(text)} is a share, not a strategy; write {how}"
    if not callable(value):
        return f"{shown(text)} is not a strategy; write one such as jamboree(0.5).to_ply(2)"
    example = EXAMPLES.get(text) or usage(excerpt(text), value)
    return f"{shown(text)} is not a strategy yet: it needs arguments, as in {example}"


EXAMPLES: Final = {
    "jamboree": "jamboree(0.5)", "budget": "budget(threads=4)", "by_kind": "by_kind(max=par_list)",
    "by_type": "by_type(pv=par_list)", "split_at": "split_at(1, eval_list, par_list)",
    "share": "split_at(share(0.5), eval_list, par_list)",
}  # fmt: skip
"""How strategies are written whose parameters do not show it."""
WORDS: Final = (*get_args(Type), *get_args(Deal))
"""The arguments that are texts."""


def _depth(tree: ast.AST) -> int:
    level, depth = [tree], 0
    while level and depth <= NESTED_TEXTS:
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        depth += 1
    return depth


class _Reader:
    """A reader of the syntax that the text of a strategy may have."""

    def __init__(self, text: str) -> None:
        self.text = text

    def refuse(self, node: ast.expr, why: str) -> StrategyError:
        return StrategyError(f"{why} (at column {node.col_offset + 1} of {shown(self.text)})")

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                written = segment(self.text, node)
                if isinstance(number, float) and lost(written):
                    raise self.refuse(node, f"{excerpt(written)} is too small for a float")
                return number
            case ast.Constant(value=str() as word):
                return word
            case ast.BinOp(
                ast.Constant(value=int() as p), ast.Div(), ast.Constant(value=int() as q)
            ) if q:
                return Fraction(p, q)
            case ast.UnaryOp(ast.USub(), ast.Constant(value=int() | float() as number)):
                return -number
            case ast.Attribute(value=body, attr=name):
                return self.attribute(node, body, name)
            case ast.Call(keywords=keywords) if all(k.arg for k in keywords):
                return self.call(node)
        raise self.refuse(node, f"{shown(ast.unparse(node))} is not allowed in a strategy")

    def name(self, node: ast.expr, name: str) -> Any:
        """Return what a name stands for."""
        if name in ("auto", "abdada", "lazy_smp"):
            raise self.refuse(
                node,
                f"{shown(name)} is not part of a strategy; read it by itself with parse_using",
            )
        if name in ALGORITHMS:
            raise self.refuse(node, f"{name} is an algorithm, not a strategy")
        if name in WORDS:
            raise self.refuse(node, f"{name} is a text, not a strategy; write '{name}' in quotes")
        if name not in NAMES:
            raise self.refuse(node, f"no strategy is called {shown(name)}; {choice(name, NAMES)}")
        return NAMES[name]

    def attribute(self, node: ast.expr, body: ast.expr, name: str) -> Any:
        """Return an attribute of what `body` stands for."""
        owner = self.value(body)
        if isinstance(owner, MethodType):
            whole = excerpt(ast.unparse(body))
            raise self.refuse(node, f"call {whole} first: {whole}(…).{excerpt(name)}")
        if name not in ATTRIBUTES or not hasattr(owner, name):
            known = [a for a in ATTRIBUTES if hasattr(owner, a)]
            hint = f"it has .{', .'.join(known)}" if known else "it has no attributes"
            raise self.refuse(node, f"{excerpt(ast.unparse(body))} has no .{excerpt(name)}; {hint}")
        return getattr(owner, name)

    def call(self, node: ast.Call) -> Any:
        """Return the result of a call."""
        called = self.value(node.func)
        arguments = [self.argument(a) for a in node.args]
        named = {str(k.arg): self.argument(k.value) for k in node.keywords}
        whole, name = (excerpt(segment(self.text, part)) for part in (node, node.func))
        if not callable(called):
            raise self.refuse(node, f"{name} takes no arguments")
        try:
            signature(called).bind(*arguments, **named)
        except TypeError as error:
            how = f"{excerpt(str(error))}; write {usage(name, called)}"
            raise self.refuse(node, f"{whole}: {how}") from None
        try:
            result = called(*arguments, **named)
        except (StrategyError, TypeError) as error:
            raise self.refuse(node, f"{whole}: {error}") from None
        if not isinstance(result, (Strategy, Share)):
            raise self.refuse(node, f"{name} takes a strategy here")
        return result

    def argument(self, node: ast.expr) -> Any:
        """Return the value of an argument, which is no function that waits for its own."""
        value = self.value(node)
        if callable(value) and not isinstance(value, Strategy):
            raise self.refuse(node, _not_yet(segment(self.text, node), value))
        return value


MADE: Final[dict[str, Callable[..., Driver | Auto]]] = {
    "auto": auto, "abdada": abdada, "lazy_smp": lazy_smp,
}  # fmt: skip
"""What `using=` takes besides strategies, by the names of its functions."""
_PACKAGE: Final = frozenset([*NAMES, *MADE, *ALGORITHMS, *WORDS, *ATTRIBUTES])


def parse_using(text: str) -> Strategy | Driver | Auto:
    """Read a strategy, a driver or an `auto()` from text; no code is run.

    Raises: DriverError, StrategyError, one line.

    >>> parse_using("abdada(2)"), parse_using("jamboree(0.5)"), parse_using("auto(drivers=True)")
    (abdada(workers=2), jamboree(0.5), auto(drivers=True))
    """
    name = name_called(text) if isinstance(text, str) else ""
    if name not in MADE:
        return parse_strategy(text)
    try:
        return parse_call(text).to(MADE[name])
    except CallError:
        kind = StrategyError if name == "auto" else DriverError
        only = "auto takes only a number of workers and drivers=True"
        only = only if name == "auto" else "a driver takes only its number of threads"
        raise kind(f"{excerpt(text)}: {only}, as in {name}(workers=2)") from None
