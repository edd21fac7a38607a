"""Strategies: values that say in which order and in which task a node's branches are searched.

A strategy is a partial order on a node's branches (see `algebra.groups`) and the strategy
of each branch.  Applied to a strategy, as in ``par_list(inner)``, it searches each branch by that
one; not applied, it searches each branch by ``seq``.  Strategies are immutable, hashable and
picklable, and print as an expression that makes them again.  No strategy changes the value of a
search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property, lru_cache, wraps
from itertools import islice
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from attrs import Attribute, evolve, field, frozen

from graphs.arguments import shown
from graphs.errors import JamboreeError
from strategies.algebra.groups import Group, GroupsError, Window, normal, sparks, whole

Kind = Literal["max", "min", "chance", "list"]
"""The kind of a node: who moves there; ``list`` for a plain list of values."""


DEEPEST = 60
"""The most strategies in each other, so that they can be compared, printed and pickled."""


class StrategyError(JamboreeError, ValueError):
    """Raised for a strategy that cannot be used; the message says what is wrong, and what to do."""


@frozen
class Layer:
    """One ply of a strategy: its groups, and the strategy of each branch."""

    groups: tuple[Group, ...]
    inner: tuple[Strategy, ...]

    @cached_property
    def sparks(self) -> tuple[bool, ...]:
        """Return which groups are sparks."""
        return sparks(self.groups)


class Strategy:
    """The base class of strategies; a subclass implements `unfold` and `plug`."""

    __slots__ = ()

    @property
    def inlined(self) -> bool:
        """Return whether the node is searched inside one task, so that a plan does not open it."""
        return False

    def unfold(self, kind: Kind, n: int) -> Layer:
        """Return the layer for a node of this kind with n branches.

        Ensures: the groups cover 0…n in order, each with ``after <= start``.  Callers use
        `unfolded`, which checks that.
        """
        raise StrategyError(f"{named(self)} must define unfold(kind, n), which returns its layers")

    def plug(self, inner: Strategy) -> Strategy:
        """Plug `inner` into the holes of this strategy: the branches evaluated by plain ``seq``."""
        raise StrategyError(f"{named(self)} must define plug(inner) to be applied to {inner}")

    def __call__(self, *inner: Strategy) -> Strategy:
        """Apply the strategy: evaluate each branch by `inner`, as in ``par_list(inner)``."""
        if len(inner) != 1:
            raise self.not_called(len(inner))
        return shallow(plugged(self, checked(*inner)))

    def not_called(self, given: int) -> StrategyError:
        """Return the error for a call with the wrong number of arguments."""
        what = "leave out the ()" if not given else "leave out all but one"
        return StrategyError(
            f"{named(self)} is a strategy already: {what}, or pass the strategy of its branches,"
            " as in par_list(seq)"
        )

    @property
    def everywhere(self) -> Strategy:
        """Return this strategy at every interior node."""
        kinds = Sequential, Everywhere, ToSize
        return self if isinstance(self, kinds) else Everywhere(checked(self))

    def to_ply(self, n: int) -> Strategy:
        """Return this strategy at plies 0…n-1, with ``seq`` (or the inner strategy) below."""
        count("to_ply", n, 0)
        return seq if n == 0 or self == seq else ToPly(self.everywhere, n)

    def to_size(self, nodes: int) -> Strategy:
        """Return this strategy at nodes with `nodes` or more expected nodes below, else ``seq``.

        The expected number is the number visited there in the last iteration, times the growth of
        the whole search; so it is for searches that deepen, such as `pvs`.  Without `to_size`, such
        a search opens nodes that take a fraction of a worker's share, but at least some
        milliseconds.
        """
        count("to_size", nodes, 0)
        return seq if self == seq else ToSize(checked(self), nodes)

    @property
    def least(self) -> int | None:
        """Return the number of expected nodes below which a node is not opened; None to let the
        search decide."""
        return None

    def live(self) -> Strategy:
        """Return the same order with live windows: a spark reads its window when its task starts.

        The value and the move never change; node counts may.
        """
        return self if isinstance(self, Live) else Live(checked(self))

    def fixed(self) -> Strategy:
        """Return the same order with fixed windows, so that the nodes visited are reproducible."""
        return self.body if isinstance(self, Live) else self

    def joined(self) -> Strategy:
        """Return the same order, where in addition a worker without a task joins a running task.

        Both search the task's position over the shared table, each defers the branches that the
        other one is searching (ABDADA), and the first to finish ends the task.  The value and the
        move never change; node counts vary from run to run.  It is for searches of games that
        deepen over a table, such as `pvs`, and for `solve`.  On a cluster, the processes of one
        machine join each other's tasks, except those of `solve`.  It has no effect where workers
        cannot share a table: with interpreted rules, and with other schedulers.
        Source: Weill, The ABDADA distributed minimax-search algorithm (1996).
        """
        return Joined(self)


def applied(inner: Strategy) -> str:
    """Return the text of an inner strategy, such as ``(par_list)``; "" for plain ``seq``."""
    return "" if inner == seq else f"({inner!r})"


P = ParamSpec("P")
R = TypeVar("R")


def remembered(
    most: int,
) -> Callable[[Callable[Concatenate[Strategy, P], R]], Callable[Concatenate[Strategy, P], R]]:
    """Cache the results of a function for the last `most` strategies that are values."""

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
                except Exception:  # the strategy cannot be hashed
                    pass
            return function(strategy, *args, **kwargs)

        return called

    return decorated


@remembered(4096)
def unfolded(strategy: Strategy, kind: Kind, n: int) -> Layer:
    """Return the layer of a strategy for a node of this kind with n branches, checked.

    Ensures: the groups are in normal form and cover 0…n; each branch has a strategy; a group has a
    null window only if it waits for some branch.
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
                "unfold returned two different layers for one node; it must always return the same"
            )
    return layer


def is_value(strategy: Strategy) -> bool:
    """Return whether `==` compares everything in a strategy, so that its results can be cached.

    An attribute that is not a field may change, or differ between two equal strategies.
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
    """Return the names of the fields of a class, and whether it allows other attributes."""
    fields: tuple[Attribute[Any], ...] = getattr(cls, "__attrs_attrs__", ())
    return tuple(f.name for f in fields), cls.__dictoffset__ != 0


def _checked(layer: object, kind: Kind, n: int) -> Layer:
    """Check a layer, and return it in normal form.

    Raises: GroupsError.
    """
    if not isinstance(layer, Layer):
        raise GroupsError(f"unfold must return Layer(groups, inner), not {shown(layer)}")
    groups = whole(layer.groups, n)
    if kind not in ("max", "min"):
        tested = (g._replace(window=Window.FIXED) if g.window is Window.ZERO else g for g in groups)
        groups = normal(tuple(tested))
    inner = tuple(islice(layer.inner, n + 1))
    if len(inner) != n:
        what = "has no strategy" if len(inner) < n else "does not exist, but has a strategy"
        raise GroupsError(f"branch {min(len(inner), n)} {what}")
    for i, s in enumerate(inner):
        if not isinstance(s, Strategy):
            raise GroupsError(f"branch {i} has {shown(s)} instead of a strategy, such as seq")
        if isinstance(s, Joined):
            checked(s)
    return Layer(groups, inner)


@contextmanager
def blamed(strategy: Strategy, n: int) -> Iterator[None]:
    """Turn an error raised in the block into a StrategyError that names the strategy."""
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
    """Return the name of a strategy for messages, even if its repr fails."""
    try:
        return repr(strategy)
    except Exception:
        return f"{type(strategy).__name__}(…)"


def among(strategy: Strategy, others: Iterable[Strategy]) -> bool:
    """Return whether a strategy is one of others; if `==` raises, they count as different."""
    for other in others:
        with suppress(Exception):
            if strategy is other or strategy == other:
                return True
    return False


def plugged(strategy: Strategy, inner: Strategy) -> Strategy:
    """Plug `inner` into the holes of a strategy, and check that the result is a strategy.

    Raises: StrategyError.
    """
    made = strategy.plug(inner)
    if not isinstance(made, Strategy):
        raise StrategyError(f"{named(strategy)}: plug must return a strategy, not {shown(made)}")
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
            f"{named(self)} must define groups(n), which returns the groups of n branches, as in "
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
    """One branch after the other, each in its own step task if it sparks."""

    def groups(self, n: int) -> tuple[Group, ...]:
        return (Group(0, n, 0),) if n else ()

    def __repr__(self) -> str:
        return "eval_list" + applied(self.inner)


@frozen(repr=False)
class Live(Strategy):
    """The same order with live windows: a task reads its window when it starts."""

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
    """A strategy plugged into itself at every ply; with `plies`, sparks only above that ply."""

    body: Strategy
    plies: int | None = None

    @property
    def inlined(self) -> bool:
        return self.plies == 0

    def grain(self, plies: int) -> Strategy:
        """Return the same policy at every node, with sparks only above ply `plies`.

        Below, the policy runs inside the task: the same windows and nodes, fewer tasks.
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
    """A strategy plugged into itself while nodes are large, in an iteration of a search."""

    body: Strategy
    nodes: int

    @property
    def least(self) -> int | None:
        return self.nodes

    def plug(self, inner: Strategy) -> Strategy:
        return self

    def unfold(self, kind: Kind, n: int) -> Layer:
        if kind == "list":
            raise StrategyError(f"{self} is only for searches of games, not for lists of values")
        layer = unfolded(self.body, kind, n)
        return Layer(layer.groups, tuple(filled(s, self) for s in layer.inner))

    def __repr__(self) -> str:
        return f"{self.body!r}.to_size({self.nodes})"


@frozen(repr=False)
class Joined(Strategy):
    """The same order, where a worker without a task joins a running task.

    This is for the whole search, so it is never a part of another strategy: methods and
    applications change the order that it consists of.
    """

    body: Strategy

    @property
    def inlined(self) -> bool:
        return self.body.inlined

    @property
    def least(self) -> int | None:
        return self.body.least

    @property
    def everywhere(self) -> Strategy:
        return Joined(self.body.everywhere)

    def to_ply(self, n: int) -> Strategy:
        return Joined(self.body.to_ply(n))

    def to_size(self, nodes: int) -> Strategy:
        return Joined(self.body.to_size(nodes))

    def live(self) -> Strategy:
        return Joined(self.body.live())

    def fixed(self) -> Strategy:
        return Joined(self.body.fixed())

    def joined(self) -> Strategy:
        return self

    def plug(self, inner: Strategy) -> Strategy:
        return Joined(plugged(self.body, inner))

    def unfold(self, kind: Kind, n: int) -> Layer:
        return unfolded(self.body, kind, n)

    def __repr__(self) -> str:
        return f"{self.body!r}.joined()"


def count(name: str, n: object, least: int) -> int:
    """Return `n` if it is a whole number of `least` or more; else raise StrategyError."""
    if isinstance(n, bool) or not isinstance(n, int) or n < least:
        raise StrategyError(f"{name} needs a whole number, {least} or more, not {shown(n)}")
    return n


def checked(s: object) -> Strategy:
    """Return `s` if it is a strategy, and may be a part of another one; else raise StrategyError.

    >>> checked(seq.joined())
    Traceback (most recent call last):
        ...
    strategies.algebra.strategy.StrategyError: seq.joined() is only for a whole search that
    deepens, because workers join its tasks: write .joined() last, or leave it out
    """
    if not isinstance(s, Strategy):
        raise StrategyError(f"a strategy is needed here, not {shown(s)}")
    if isinstance(s, Joined):
        raise StrategyError(
            f"{named(s)} is only for a whole search that deepens, because workers join its tasks: "
            "write .joined() last, or leave it out"
        )
    return shallow(s)


def shallow(strategy: Strategy) -> Strategy:
    """Return a strategy if it has at most `DEEPEST` strategies in each other; else raise
    StrategyError."""
    level = [strategy]
    for _ in range(DEEPEST):
        inside = [part for s in level for part in _held(s) if isinstance(part, Strategy)]
        level = list({id(part): part for part in inside}.values())
        if not level:
            return strategy
    raise StrategyError(
        f"strategies are nested more than {DEEPEST} deep: a strategy for every ply is written "
        "with .everywhere, or .to_ply(n)"
    )


def _held(strategy: Strategy) -> Iterator[Any]:
    cls: type = type(strategy)
    for name in _fields(cls)[0]:
        held = getattr(strategy, name, None)
        yield from held if isinstance(held, tuple) else (held,)
