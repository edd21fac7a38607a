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
from itertools import groupby, islice
from math import inf
from operator import itemgetter
from typing import Any, Concatenate, Final, Literal, ParamSpec, TypeVar

from attrs import Attribute, evolve, field, frozen

from graphs.arguments import shown
from graphs.errors import JamboreeError
from graphs.lazy_names import late
from graphs.limits import NESTED_STRATEGIES
from strategies.algebra.groups import Group, GroupsError, Window, normal, sparks, whole

Kind = Literal["max", "min", "chance", "list"]
"""The kind of a node: who moves there; ``list`` for a plain list of values."""


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
    """The base class of strategies; a subclass implements `unfold` and `plug`.

    Its modifiers are `everywhere`, `to_ply`, `to_size`, `grain`, `live`, `fixed` and `joined`.
    Their order does not matter, and of two of a kind the tighter one counts: fewer plies, larger
    nodes, fixed windows.  A modifier of a whole strategy counts for all its parts.
    """

    __slots__ = ()

    is_fixed: bool | None = None
    """Whether all windows are fixed, or all are live; None for those of the order itself."""
    is_joined: bool = False
    """Whether workers without a task join a running task."""
    least: int | None = None
    """The number of expected nodes below which a node is not opened; None to let the search
    decide."""

    _repr_html_ = late("strategies.insight.pictures.cards", "strategy_card")

    @property
    def is_plain(self) -> bool:
        """Return whether there is no order of tasks to modify, so that only `joined` has effect."""
        return False

    @property
    def inlined(self) -> bool:
        """Return whether the node is searched inside one task, so that a plan does not open it."""
        return False

    @property
    def repeated(self) -> tuple[Strategy, Strategy]:
        """Return what this strategy is at the first branch and at the others, where it repeats."""
        return self, self

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
        return modified(self, plies=inf)

    def to_ply(self, n: int) -> Strategy:
        """Return this strategy at plies 0…n-1, with ``seq`` (or the inner strategy) below.

        Of no plies it is ``seq`` itself, also with an inner strategy: ``s.to_ply(0)(inner)`` is
        ``seq(inner)``, which has a ply of its own.
        """
        return modified(self, plies=count("to_ply", n, 0))

    def to_size(self, nodes: int) -> Strategy:
        """Return this strategy at nodes with `nodes` or more expected nodes below, else ``seq``.

        The expected number is the number visited there in the last iteration, times the growth of
        the whole search; so it is for searches that deepen, such as `pvs`.  Without `to_size`, such
        a search opens nodes that take a fraction of a worker's share, but at least some
        milliseconds.

        A search of a tree, such as `optimisation`, knows no sizes before it runs.  There, a task
        that has visited so many nodes gives open branches away, by this strategy, at the highest
        nodes of its way, and goes on below.
        """
        return modified(self, plies=inf, least=count("to_size", nodes, 0))

    def grain(self, plies: int) -> Strategy:
        """Return the same order, with sparks only above ply `plies`.

        Below, the order holds inside the task: the same windows and nodes, fewer tasks.
        """
        return modified(self, spark_plies=count("grain", plies, 0))

    def live(self) -> Strategy:
        """Return the same order with live windows: a spark reads its window when its task starts.

        The value and the move never change; node counts may.
        Ensures: the same strategy, if it is `fixed`.
        """
        return self if self.is_fixed else modified(self, is_fixed=False)

    def fixed(self) -> Strategy:
        """Return the same order with fixed windows, so that the nodes visited are reproducible.

        Ensures: no live windows, neither those of its parts nor those of a later `live`.
        """
        return modified(self, is_fixed=True)

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
        return modified(self, is_joined=True)


def applied(inner: Strategy) -> str:
    """Return the text of an inner strategy, such as ``(par_list)``; "" for plain ``seq``."""
    return "" if inner == seq else f"({inner!r})"


P = ParamSpec("P")
R = TypeVar("R")


def remembered(
    most: int,
) -> Callable[[Callable[Concatenate[Strategy, P], R]], Callable[Concatenate[Strategy, P], R]]:
    """Cache the results of a function for the last `most` strategies that are values; those of a
    user's own until `forget_own`."""

    def decorated(
        function: Callable[Concatenate[Strategy, P], R],
    ) -> Callable[Concatenate[Strategy, P], R]:
        ours, own = (lru_cache(most)(function) for _ in range(2))
        _caches_of_own.append(own)

        @wraps(function)
        def called(strategy: Strategy, /, *args: P.args, **kwargs: P.kwargs) -> R:
            known: Any = ours
            if not is_value(strategy, own=False):
                if not is_value(strategy):
                    return function(strategy, *args, **kwargs)
                known = own
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


_caches_of_own: list[Any] = []


def forget_own() -> None:
    """Forget the layers of strategies of a user's own, whose code may have changed since, as in a
    notebook.  Each search and evaluation begins so."""
    for known in _caches_of_own:
        known.cache_clear()


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


def is_value(strategy: Strategy, *, own: bool = True) -> bool:
    """Return whether `==` compares everything in a strategy.

    An attribute that is not a field may change, or differ between two equal strategies.  `own` says
    whether strategies of a user's own can be values, whose code may read what changes.
    """
    cls: type = type(strategy)
    fields, has_more, ours = _fields(cls)
    if (has_more and strategy.__dict__) or not (own or ours):
        return False
    for name in fields:
        held = getattr(strategy, name)
        if held is None or held is seq:
            continue
        for part in held if isinstance(held, tuple) else (held,):
            if isinstance(part, Strategy) and not is_value(part, own=own):
                return False
    return True


@cache
def _fields(cls: type) -> tuple[tuple[str, ...], bool, bool]:
    """Return the names of the fields of a class, whether it allows other attributes, and whether it
    is of this package."""
    fields: tuple[Attribute[Any], ...] = getattr(cls, "__attrs_attrs__", ())
    ours = cls.__module__.partition(".")[0] == __name__.partition(".")[0]
    return tuple(f.name for f in fields), cls.__dictoffset__ != 0, ours


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
        if s.is_joined:
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

    is_plain = True

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
class Modified(Strategy):
    """A strategy with modifiers, in normal form; made by `modified`.

    Ensures: `body` has no modifiers, except plies above an inner strategy, as in
    ``par_list.to_ply(2)(inner).to_ply(5)``.
    """

    body: Strategy
    plies: float | None = None
    """The number of plies at which `body` is repeated, `inf` for all; None if it is not."""
    least: int | None = None
    spark_plies: int | None = None
    """The number of plies that have sparks; below, the order holds inside tasks."""
    is_fixed: bool | None = None
    is_joined: bool = False
    inner: Strategy = seq
    """The strategy below the plies."""

    @property
    def is_plain(self) -> bool:
        return self.body.is_plain

    @property
    def inlined(self) -> bool:
        return self.body.inlined or self.spark_plies == 0

    def plug(self, inner: Strategy) -> Strategy:
        if self.plies is None:
            return self.on(plugged(self.body, inner))
        if self.plies == inf or self.least is not None:
            return self
        return evolve(self, inner=filled(self.inner, inner))

    def on(self, body: Strategy) -> Strategy:
        """Return another strategy with these modifiers."""
        if body == seq and self.inner != seq:  # in order at all plies, then the inner strategy
            body = EvalList()
        made = modified(body, **{name: getattr(self, name) for name in TIGHTER})
        return made if self.inner == seq else plugged(made, self.inner)

    def unfold(self, kind: Kind, n: int) -> Layer:
        if kind == "list" and self.least is not None:
            raise StrategyError(f"{self} is only for searches of games, not for lists of values")
        layer, (first, other) = unfolded(self.body, kind, n), self.body.repeated
        inner = [self._branch(s, first) for s in layer.inner[:1]]
        for _, same in groupby(layer.inner[1:], id):
            s, *more = same
            inner += [self._branch(s, other)] * (1 + len(more))
        return Layer(normal(tuple(map(self._windowed, layer.groups))), tuple(inner))

    def _windowed(self, group: Group) -> Group:
        if self.is_fixed is None or group.window is Window.ZERO:
            return group
        return group._replace(window=Window.FIXED if self.is_fixed else Window.LIVE)

    @property
    def below(self) -> Strategy:
        """Return the strategy below all plies."""
        grain = self.spark_plies and max(0, self.spark_plies - (self.plies or 0))
        return modified(self.inner, spark_plies=grain, is_fixed=self.is_fixed)

    def _branch(self, s: Strategy, again: Strategy) -> Strategy:
        """Return the strategy of a branch, for which the body has `s`, repeated as `again`."""
        if self.plies == 1:
            return self.below
        left, grain = self.plies and self.plies - 1, self.spark_plies and self.spark_plies - 1
        if self.plies is not None:
            s = filled(s, modified(again, plies=inf))
        if left == inf and self.least is None:  # `s` repeats itself
            left = None
        return evolve(self, plies=left, spark_plies=grain, is_joined=False).on(s)

    def __repr__(self) -> str:
        windows = {None: "", False: ".live()", True: ".fixed()"}[self.is_fixed]
        plies = f".to_ply({self.plies})"
        if self.plies is None or self.plies == inf:
            plies = ".everywhere" if self.plies and self.least is None else ""
        size = "" if self.least is None else f".to_size({self.least})"
        grain = "" if self.spark_plies is None else f".grain(plies={self.spark_plies})"
        joined = ".joined()" if self.is_joined else ""
        return f"{self.body!r}{windows}{plies}{size}{grain}{applied(self.inner)}{joined}"


TIGHTER: Final[dict[str, Callable[[list[Any]], Any]]] = {
    "plies": min, "least": max, "spark_plies": min, "is_joined": max, "is_fixed": itemgetter(-1),
}  # fmt: skip
"""How the old and the new modifier of a kind combine."""


def modified(strategy: Strategy, **parts: Any) -> Strategy:
    """Return a strategy with more modifiers, in normal form.

    Ensures: the same strategy for every order of modifiers; of two of a kind, the tighter counts.
    A strategy without branches, and one of no plies, can only be joined.

    >>> from strategies import par_list
    >>> par_list.joined().to_ply(3).live().to_ply(2)
    par_list.live().to_ply(2).joined()
    """
    old = strategy if isinstance(strategy, Modified) else Modified(strategy)
    if parts.get("plies") is not None and old.inner != seq:  # its order has several plies
        order = Modified(old.body, old.plies, inner=old.inner)
        old = evolve(old, body=order, plies=None, inner=seq)
    for name, part in parts.items():
        both = [x for x in (getattr(old, name), part) if x is not None]
        parts[name] = TIGHTER[name](both) if both else None
    body = seq if parts.get("plies") == 0 else old.body
    made = evolve(old, **parts)
    if body.is_plain:
        made = Modified(body, is_joined=made.is_joined)
    return body if made == Modified(body) else made


def alone(strategy: R) -> R | Strategy:
    """Return a strategy without `joined`; anything else, such as a driver, as it is.

    >>> from strategies import par_list
    >>> alone(par_list.live().joined()), alone(seq.joined()), alone(par_list)
    (par_list.live(), seq, par_list)
    """
    if not isinstance(strategy, Modified):
        return strategy
    return modified(evolve(strategy, is_joined=False))


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
    deepens, because workers join its tasks: leave out .joined(), or write it after all others
    """
    if not isinstance(s, Strategy):
        hint = f"; write parse_strategy({shown(s)})" if isinstance(s, str) and s else ""
        raise StrategyError(f"a strategy is needed here, not {shown(s)}{hint}")
    if s.is_joined:
        raise StrategyError(
            f"{named(s)} is only for a whole search that deepens, because workers join its tasks: "
            "leave out .joined(), or write it after all others"
        )
    return shallow(s)


def shallow(strategy: Strategy) -> Strategy:
    """Return a strategy if it has at most `NESTED_STRATEGIES` strategies in each other; else raise
    StrategyError."""
    level = [strategy]
    for _ in range(NESTED_STRATEGIES):
        level = _inside(level)
        if not level:
            return strategy
    raise StrategyError(
        f"strategies are nested more than {NESTED_STRATEGIES} deep: a strategy for every ply is "
        "written with .everywhere, or .to_ply(n)"
    )


def uses_sizes(strategy: Strategy) -> bool:
    """Return whether a strategy, or a strategy in it, is one of `to_size`.

    >>> from strategies import eval_list, par_list
    >>> uses_sizes(eval_list(par_list.to_size(5)).grain(plies=1)), uses_sizes(par_list)
    (True, False)
    """
    level = [strategy]
    while level:
        if any(s.least is not None for s in level):
            return True
        level = _inside(level)
    return False


def _inside(level: Iterable[Strategy]) -> list[Strategy]:
    """Return the strategies that these have as fields, each once."""
    inside = [part for s in level for part in _held(s) if isinstance(part, Strategy)]
    return list({id(part): part for part in inside}.values())


def _held(strategy: Strategy) -> Iterator[Any]:
    cls: type = type(strategy)
    for name in _fields(cls)[0]:
        held = getattr(strategy, name, None)
        yield from held if isinstance(held, tuple) else (held,)
