"""Strategies: values that say in which order, and in which task, a node's branches are searched.

A strategy is a partial order on a node's branches (see `algebra.groups`) and the strategy
of each branch.  Applied to a strategy, it evaluates each branch by it: ``par_list(inner)``; not
applied, each branch is evaluated by ``seq``.  Strategies are immutable, hash, pickle, and print as
an expression that makes them again.  No strategy changes the value of a search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property, lru_cache, wraps
from itertools import islice
from reprlib import repr as short
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from attrs import Attribute, evolve, field, frozen

from graphs.arguments import shown
from graphs.errors import JamboreeError
from strategies.algebra.groups import Group, GroupsError, Window, normal, sparks, whole

Kind = Literal["max", "min", "chance", "list"]
"""What moves at a node; ``list`` for a plain list of values."""


class StrategyError(JamboreeError, ValueError):
    """A strategy that cannot be used: the message says what was wrong and what would be right."""


@frozen
class Layer:
    """One ply of a strategy: its groups, and the strategy of each branch."""

    groups: tuple[Group, ...]
    inner: tuple[Strategy, ...]

    @cached_property
    def sparks(self) -> tuple[bool, ...]:
        """Which groups are sparks."""
        return sparks(self.groups)


class Strategy:
    """Base class of all strategies; a new one implements `unfold` and `plug`."""

    __slots__ = ()

    @property
    def inlined(self) -> bool:
        """Tell whether the node is searched inside one task, so that a plan does not open it."""
        return False

    def unfold(self, kind: Kind, n: int) -> Layer:
        """Return the layer for a node of this kind with n branches.

        Ensures: the groups cover 0…n in order, each with ``after <= start``.  Whoever needs a layer
        asks `unfolded`, which checks that.
        """
        raise StrategyError(f"{named(self)} has no unfold(kind, n), which gives its layers")

    def plug(self, inner: Strategy) -> Strategy:
        """Plug `inner` into the holes of this strategy: the branches evaluated by plain ``seq``."""
        raise StrategyError(f"{named(self)} has no plug(inner), so it cannot be applied to {inner}")

    def __call__(self, *inner: Strategy) -> Strategy:
        """Apply the strategy: evaluate each branch by `inner`, as in ``par_list(inner)``."""
        if len(inner) != 1:
            raise self.not_called(len(inner))
        return plugged(self, checked(*inner))

    def not_called(self, given: int) -> StrategyError:
        """Say why a strategy cannot be called with so many arguments."""
        what = "leave out the ()" if not given else "leave out all but one"
        return StrategyError(
            f"{named(self)} is a strategy already: {what}, or give it the strategy of its branches,"
            " as in par_list(seq)"
        )

    @property
    def everywhere(self) -> Strategy:
        """Return this strategy at every interior node."""
        return self if isinstance(self, (Sequential, Everywhere, ToSize)) else Everywhere(self)

    def to_ply(self, n: int) -> Strategy:
        """Return this strategy at plies 0…n-1, and ``seq`` (or what it is applied to) below."""
        count("to_ply", n, 0)
        return seq if n == 0 or self == seq else ToPly(self.everywhere, n)

    def to_size(self, nodes: int) -> Strategy:
        """This strategy at every node below which so many nodes are expected, and ``seq`` below.

        What is expected is what the last iteration visited there, times what the whole search grew
        by: so it is for searches that deepen, as `pvs` does.  Without it such a search opens what
        is a fraction of a worker's share, and no less than some milliseconds.
        """
        return seq if self == seq else ToSize(self, count("to_size", nodes, 0))

    @property
    def least(self) -> int | None:
        """Expected nodes below which a node is not opened; None where the search says."""
        return None

    def live(self) -> Strategy:
        """Return the same order with live windows: a spark reads its window when its task starts.

        Value and move never change; node counts may.
        """
        return self if isinstance(self, Live) else Live(self)

    def fixed(self) -> Strategy:
        """Return the same order with windows fixed by what happens before: reproducible nodes."""
        return self.body if isinstance(self, Live) else self


def applied(inner: Strategy) -> str:
    """Write what a strategy is applied to, as ``(par_list)``; nothing for plain ``seq``."""
    return "" if inner == seq else f"({inner!r})"


P = ParamSpec("P")
R = TypeVar("R")


def remembered(
    most: int,
) -> Callable[[Callable[Concatenate[Strategy, P], R]], Callable[Concatenate[Strategy, P], R]]:
    """Let a function remember what it gives for the last strategies that are values."""

    def decorated(
        function: Callable[Concatenate[Strategy, P], R],
    ) -> Callable[Concatenate[Strategy, P], R]:
        known: Any = lru_cache(most)(function)

        @wraps(function)
        def called(strategy: Strategy, /, *args: P.args, **kwargs: P.kwargs) -> R:
            if is_value(strategy):
                try:
                    found: R = known(strategy, *args, **kwargs)
                    return found
                except StrategyError:
                    raise
                except Exception:  # it cannot be hashed
                    pass
            return function(strategy, *args, **kwargs)

        return called

    return decorated


@remembered(4096)
def unfolded(strategy: Strategy, kind: Kind, n: int) -> Layer:
    """Return the layer of a strategy for a node of this kind with n branches, checked.

    Ensures: the groups are in normal form and cover 0…n; each branch has a strategy; a null window
    is only where there is a lead to test.
    Raises: StrategyError, which names the strategy, n and the branch.

    >>> unfolded(seq, "max", 2).groups
    (Group(start=0, stop=2, after=0, window=<Window.FIXED: 'fixed'>),)
    """
    if n == 0:
        return Layer((), ())
    with blamed(strategy, n):
        layer = _checked(strategy.unfold(kind, n), kind, n)
        if is_value(strategy) and _checked(strategy.unfold(kind, n), kind, n) != layer:
            raise GroupsError(
                "unfold gave two different layers for one node; it must always give the same"
            )
    return layer


def is_value(strategy: Strategy) -> bool:
    """Tell whether `==` sees all that a strategy holds, so that what it does can be remembered.

    An attribute that is no field may change, or differ between two strategies that are equal.
    """
    cls: type = type(strategy)
    fields, has_more = _fields(cls)
    if has_more and strategy.__dict__:
        return False
    for name in fields:
        held = getattr(strategy, name)
        if held.__class__ is not Sequential:
            for part in held if isinstance(held, tuple) else (held,):
                if isinstance(part, Strategy) and not is_value(part):
                    return False
    return True


@cache
def _fields(cls: type) -> tuple[tuple[str, ...], bool]:
    """Return the names of the fields of a class, and whether there may be other attributes."""
    fields: tuple[Attribute[Any], ...] = getattr(cls, "__attrs_attrs__", ())
    return tuple(f.name for f in fields), cls.__dictoffset__ != 0


def _checked(layer: object, kind: Kind, n: int) -> Layer:
    """Check a layer, and return it in its normal form.

    Raises: GroupsError.
    """
    if not isinstance(layer, Layer):
        raise GroupsError(f"unfold gives Layer(groups, inner), not {short(layer)}")
    groups = whole(layer.groups, n)
    if kind not in ("max", "min"):
        tested = (g._replace(window=Window.FIXED) if g.window is Window.ZERO else g for g in groups)
        groups = normal(tuple(tested))
    inner = tuple(islice(layer.inner, n + 1))
    if len(inner) != n:
        what = "has no strategy" if len(inner) < n else "is not there, but has a strategy"
        raise GroupsError(f"branch {min(len(inner), n)} {what}")
    for i, s in enumerate(inner):
        if not isinstance(s, Strategy):
            raise GroupsError(f"branch {i} has {short(s)} for a strategy; a plain one is seq")
    return Layer(groups, inner)


@contextmanager
def blamed(strategy: Strategy, n: int) -> Iterator[None]:
    """Turn what goes wrong in a strategy into a StrategyError that names it."""
    try:
        yield
    except StrategyError:
        raise  # a part of it is to blame
    except GroupsError as error:
        raise StrategyError(f"{named(strategy)} on {n} branches: {error}") from None
    except Exception as error:
        what = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise StrategyError(f"{named(strategy)} on {n} branches: {what}") from error


def named(strategy: Strategy) -> str:
    """Name a strategy in a message, also one that cannot print itself."""
    try:
        return repr(strategy)
    except Exception:
        return f"{type(strategy).__name__}(…)"


def among(strategy: Strategy, others: Iterable[Strategy]) -> bool:
    """Tell whether a strategy is one of others; two that `==` fails on are different ones."""
    for other in others:
        with suppress(Exception):
            if strategy is other or strategy == other:
                return True
    return False


def plugged(strategy: Strategy, inner: Strategy) -> Strategy:
    """Plug `inner` into the holes of a strategy, and check that a strategy comes of it.

    Raises: StrategyError.
    """
    made = strategy.plug(inner)
    if not isinstance(made, Strategy):
        raise StrategyError(f"{named(strategy)}: plug gives a strategy, not {short(made)}")
    return made


def filled(strategy: Strategy, inner: Strategy) -> Strategy:
    """Plug `inner` into the holes of a branch's strategy; plain ``seq`` is a hole itself."""
    return inner if strategy == seq else plugged(strategy, inner)


@frozen(repr=False)
class Sequential(Strategy):
    """All branches one after the other, in the caller's task; each sees all earlier results."""

    @property
    def inlined(self) -> bool:
        return True

    def unfold(self, kind: Kind, n: int) -> Layer:
        return Layer((Group(0, n, 0),) if n else (), (self,) * n)

    def plug(self, inner: Strategy) -> Strategy:
        return self if inner == self else EvalList(inner=inner)

    def __repr__(self) -> str:
        return "seq"


seq = Sequential()


@frozen(repr=False)
class ListStrategy(Strategy):
    """A strategy that evaluates all branches alike: a row of groups, and one inner strategy."""

    inner: Strategy = field(default=seq, kw_only=True)

    def groups(self, n: int) -> tuple[Group, ...]:
        """Return the groups of n branches."""
        raise StrategyError(
            f"{named(self)} has no groups(n), which gives the groups of n branches, as in "
            "tuple(Group(i, i + 1, 0) for i in range(n))"
        )

    def plug(self, inner: Strategy) -> Strategy:
        return evolve(self, inner=filled(self.inner, inner))

    def unfold(self, kind: Kind, n: int) -> Layer:
        with blamed(self, n):
            groups = whole(self.groups(n), n)
        return Layer(groups, (self.inner,) * n)


@frozen(repr=False)
class EvalList(ListStrategy):
    """One branch after the other, in step tasks of their own where a branch sparks."""

    def groups(self, n: int) -> tuple[Group, ...]:
        return (Group(0, n, 0),) if n else ()

    def __repr__(self) -> str:
        return "eval_list" + applied(self.inner)


@frozen(repr=False)
class Live(Strategy):
    """The same order, but a task reads its window when it starts, not from what happens before."""

    body: Strategy

    @property
    def inlined(self) -> bool:
        return self.body.inlined

    @property
    def least(self) -> int | None:
        return self.body.least

    def plug(self, inner: Strategy) -> Strategy:
        return Live(plugged(self.body, inner))

    def unfold(self, kind: Kind, n: int) -> Layer:
        layer = unfolded(self.body, kind, n)
        groups = tuple(
            g._replace(window=Window.LIVE) if g.window is Window.FIXED else g for g in layer.groups
        )
        return Layer(normal(groups), tuple(s if s.inlined else s.live() for s in layer.inner))

    def __repr__(self) -> str:
        return f"{self.body!r}.live()"


@frozen(repr=False)
class Everywhere(Strategy):
    """A strategy plugged into itself without end; with `plies`, sparks only above that ply."""

    body: Strategy
    plies: int | None = None

    @property
    def inlined(self) -> bool:
        return self.plies == 0

    def grain(self, plies: int) -> Strategy:
        """Return the same policy at every node, with sparks only above ply `plies`.

        Below, the policy runs inside the task: same windows, same nodes, fewer tasks.
        """
        return Everywhere(self.body, count("grain", plies, 0))

    def plug(self, inner: Strategy) -> Strategy:
        return self

    def unfold(self, kind: Kind, n: int) -> Layer:
        layer = unfolded(self.body, kind, n)
        below = self if not self.plies else Everywhere(self.body, self.plies - 1)
        return Layer(layer.groups, tuple(filled(s, below) for s in layer.inner))

    def __repr__(self) -> str:
        grain = "" if self.plies is None else f".grain(plies={self.plies})"
        return f"{self.body!r}.everywhere{grain}"


@frozen(repr=False)
class ToPly(ListStrategy):
    """One strategy at the first plies, another below them."""

    body: Strategy
    plies: int

    @property
    def least(self) -> int | None:
        return self.body.least

    def unfold(self, kind: Kind, n: int) -> Layer:
        layer = unfolded(self.body, kind, n)
        last = self.plies == 1
        below = (
            self.inner if last else evolve(self, body=s, plies=self.plies - 1) for s in layer.inner
        )
        return Layer(layer.groups, tuple(below))

    def __repr__(self) -> str:
        body = self.body
        if isinstance(body, Everywhere) and body.plies is None:
            body = body.body
        return f"{body!r}.to_ply({self.plies})" + applied(self.inner)


@frozen(repr=False)
class ToSize(Strategy):
    """A strategy plugged into itself as far as nodes are large; in an iteration of a search."""

    body: Strategy
    nodes: int

    @property
    def least(self) -> int | None:
        return self.nodes

    def plug(self, inner: Strategy) -> Strategy:
        return self

    def unfold(self, kind: Kind, n: int) -> Layer:
        if kind == "list":
            raise StrategyError(f"{self} needs the nodes of a search; a list has none")
        layer = unfolded(self.body, kind, n)
        return Layer(layer.groups, tuple(filled(s, self) for s in layer.inner))

    def __repr__(self) -> str:
        return f"{self.body!r}.to_size({self.nodes})"


def count(name: str, n: object, least: int) -> int:
    """Return a whole number, `least` or more; else raise StrategyError."""
    if isinstance(n, bool) or not isinstance(n, int) or n < least:
        raise StrategyError(f"{name} needs a whole number, {least} or more, not {shown(n)}")
    return n


def checked(s: object) -> Strategy:
    """Return `s` if it is a strategy; else raise StrategyError."""
    if not isinstance(s, Strategy):
        raise StrategyError(f"a strategy is needed here, not {s!r}")
    return s
