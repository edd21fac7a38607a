"""The steps of a search as values, with the lines of the handout, and its nodes between them."""

from __future__ import annotations

from math import inf
from typing import Any

from attrs import evolve, field, frozen

from games import Estimate, Game
from games.game import player_name
from strategies.algebra.strategy import Kind
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import Interval
from strategies.algorithms.positions import kind_of
from strategies.native.calls.maxn import SLACK
from strategies.native.engine import plain

Path = tuple[int, ...]
"""Branch numbers from the root."""
WHO = {"max": ("F", "Maxie"), "min": ("G", "Minnie"), "chance": ("H", "Chance")}


@frozen
class Candidate:
    """A candidate value, with the number of the branch that reaches it, if there is one.

    >>> str(Candidate(3)), str(Candidate(3, 0))
    ('Leaf(Guess: 3)', 'Step(0, Guess: 3)')
    """

    value: Any
    move: int | None = None
    at: Path | None = field(default=None, eq=False)
    """The node of that branch; None if the value is a bare bound."""
    shown: str = field(default="", eq=False)
    """The value as text, if that is not the number itself."""
    proved: float | None = field(default=None, eq=False)
    """A bound beyond the window of a search, where that is not `value`, as in a fail-soft search:
    runs compare it with a wider window after a null-window test."""

    def __str__(self) -> str:
        guess = f"Guess: {self.shown}" if self.shown else told(self.value)
        return f"Leaf({guess})" if self.move is None else f"Step({self.move}, {guess})"


def told(value: Any) -> Estimate:
    """Return a value as a result prints it: in full, and whole numbers without a decimal point.

    >>> print(told((2469134.5, 10.0, 1 / 3)), told(4), sep=", ")
    Guess: (2469134.5, 10, 0.3333333333333333), Guess: 4
    """
    if isinstance(value, tuple):
        return Estimate(tuple(plain(float(one)) for one in value))
    return Estimate(value)


Windows = tuple[Candidate, Candidate]
OPEN: Windows = (Candidate(-inf), Candidate(inf))


@frozen
class Place:
    """A node as the lines name it: its path, who moves there, its label in the game."""

    path: Path
    letter: str
    who: str
    label: str

    def __str__(self) -> str:
        return f"({self.who},{self.label})"


@frozen
class Entered:
    """The search enters a node with a window; without one if values are those of many players."""

    kind = "enter"
    place: Place
    ab: Windows | None

    @property
    def line(self) -> str:
        window = "" if self.ab is None else f" with ab=({self.ab[0]},{self.ab[1]})"
        return f"{self.place.letter}: state {self.place}{window}"


@frozen
class Estimated:
    """The search reads the value of a leaf."""

    kind = "leaf"
    place: Place
    game: Game[Any, Any]
    state: Any
    value: Any

    @property
    def line(self) -> str:
        return f"Estimating state {self.game.show(self.state)}"


@frozen
class Returned:
    """The search leaves a node with a result."""

    kind = "return"
    place: Place
    best: Candidate
    pruned: bool
    """Whether the window closed before all branches were searched."""

    @property
    def line(self) -> str:
        return f"Result of {self.place} is {self.best}" + (" (* Pruned *)" if self.pruned else "")


@frozen
class Led:
    """A branch of a node becomes the best so far; at a chance node, the mean so far."""

    kind = "lead"
    place: Place
    best: Candidate
    between: tuple[float, float] | None = None
    """The bounds of a mean, whatever its other outcomes are worth, if values have bounds."""

    @property
    def branches(self) -> tuple[int, ...]:
        return () if self.best.move is None else (self.best.move,)


@frozen
class Cut:
    """Branches of a node are left out, because its window is closed."""

    kind = "cut"
    place: Place
    branches: tuple[int, ...]
    best: Candidate | None
    """What the node is sure of; None where the bounds of a mean closed the window."""
    by: Candidate | None
    """The bound of an ancestor that it meets; None if none is known."""
    bounded: bool = False
    """Whether an upper bound of the branches is no better than `best`, which is known."""


@frozen
class Inlined:
    """Sparks that are searched inside a task: those of one node."""

    kind = "inlined"
    place: Place
    branches: tuple[int, ...]
    count: int


Step = Entered | Estimated | Returned | Led | Cut | Inlined
Told = (Entered, Estimated, Returned)
"""The kinds of steps that have a line in a trace."""


def place_of(game: Game[Any, Any], path: Path, state: Any, many: bool) -> Place:
    """Return a node as lines name it; `many` says that each player has a value of its own.

    >>> from games import HANDOUT_BIG
    >>> [str(place_of(HANDOUT_BIG, (), HANDOUT_BIG.start(), many)) for many in (False, True)]
    ['(Maxie,a)', '(Maxie,a)']
    """
    kind = kind_of(game, state)
    letter, who = WHO[kind]
    if many and kind != "chance":
        letter, who = "F", player_name(game.player(state))
    return Place(path, letter, who, game.label(state))


Branch = tuple[int, Candidate]
"""A branch, and the candidate of its position."""


class Tested(tuple[int, Candidate]):
    """A branch that was searched in a null window, and the interval in which its value lies."""

    interval: Interval

    @classmethod
    def of(cls, found: Branch, window: Windows) -> Tested:
        """Return what a search of this window says of a branch."""
        i, candidate = found
        value = proved(candidate)
        tested = cls((i, evolve(candidate, value=value)))
        low, high = (end.value for end in window)
        tested.interval = value if value > low else -inf, value if value < high else inf
        return tested


def proved(found: Candidate) -> Any:
    """Return what a search proved of a value: a bound, if it lies beyond the search's window."""
    return found.value if found.proved is None else found.proved


def worst(maximises: bool) -> Candidate:
    """Return the candidate that any other beats."""
    return Candidate(-inf if maximises else inf)


@frozen
class TraceNode:
    """A node after some of its branches, with the best candidate so far; at first, its bound."""

    path: Path
    ab: Windows
    maximises: bool
    narrows: bool
    best: Candidate
    beyond: float
    """The best of what its branches proved, also outside the window."""

    def with_child(self, found: Branch) -> TraceNode:
        i, candidate = found
        if candidate == worst(self.maximises):
            return self
        better = max if self.maximises else min
        return evolve(self._with(i, candidate), beyond=better(self.beyond, proved(candidate)))

    def _with(self, i: int, candidate: Candidate) -> TraceNode:
        gain = candidate.value - self.best.value
        gain = gain if self.maximises else -gain
        leads = gain > 0 or (self.best.move is None and gain >= 0)
        return evolve(self, best=Candidate(candidate.value, i, self.path)) if leads else self

    def settled(self, test: Branch) -> bool:
        if self.closed:
            return True
        assert isinstance(test, Tested)
        a, b = self.window()
        return bool(test.interval[1] <= a.value or test.interval[0] >= b.value)

    def window(self) -> Windows:
        """Return the window of the next branch."""
        if not self.narrows:
            return OPEN
        a, b = self.ab
        if self.maximises:
            return (self.best if self.best.value >= a.value else a, b)
        return (a, self.best if self.best.value <= b.value else b)

    def null(self) -> Windows:
        """Return the window that tests whether the next branch is better."""
        zero = Candidate(self.best.value + (1 if self.maximises else -1))
        return (self.best, zero) if self.maximises else (zero, self.best)

    @property
    def closed(self) -> bool:
        """Return whether no further branch can matter."""
        a, b = self.window()
        return self.narrows and bool(a.value >= b.value)

    @property
    def result(self) -> Candidate:
        """Return the result of the search, with what it proved."""
        return evolve(self.best, proved=self.beyond) if self.narrows else self.best

    @property
    def met(self) -> Candidate:
        """Return the bound of an ancestor that closes the window."""
        return self.ab[1 if self.maximises else 0]


@frozen
class Bar:
    """The bounds of a node of several players, by which max^n leaves it (see its kernel)."""

    above: int
    """Who moved before."""
    enough: float
    """With so much for its mover, whoever moved before avoids the node."""
    top: float
    """No value is greater."""
    total: float
    """The values of two players sum to no more."""

    @classmethod
    def of(cls, game: Game[Any, Any]) -> Bar:
        """Return the bar at the root of a search.

        >>> from games import ConnectFour
        >>> Bar.of(ConnectFour()).total
        inf
        """
        low, top = game.value_range or (-inf, inf)
        total = inf
        if game.value_sum is not None and low > -inf:
            most = max(abs(game.value_sum), abs(low), abs(top))
            total = game.value_sum - (game.players - 2) * low + SLACK * most
        return cls(-1, inf, top, total)


@frozen
class OwnNode:
    """A node of a game of several players: the mover compares its own number."""

    path: Path
    player: int
    bar: Bar | None = None
    best: Candidate | None = None

    def with_child(self, found: Branch) -> OwnNode:
        i, candidate = found
        old: Any = self.best
        if old is not None and candidate.value[self.player] <= old.value[self.player]:
            return self
        return evolve(self, best=Candidate(candidate.value, i, self.path))

    def settled(self, test: Branch) -> bool:
        return False

    def window(self) -> Any:
        """Return the bar of the next branch; an open window where nothing is pruned."""
        if self.bar is None:
            return OPEN
        own: Any = self.best
        left = inf if own is None else self.bar.total - own.value[self.player]
        return evolve(self.bar, above=self.player, enough=left)

    null = window
    met = None

    @property
    def result(self) -> Candidate | None:
        """Return the result of the search."""
        return self.best

    @property
    def closed(self) -> bool:
        """Return whether no further branch can matter."""
        if self.bar is None or self.best is None:
            return False
        own = self.best.value[self.player]
        avoided = self.player != self.bar.above and own >= self.bar.enough
        return bool(own >= self.bar.top or avoided)


def entered(
    algorithm: Algorithm, path: Path, kind: Kind, player: int, ab: Windows, bar: Bar | None = None
) -> TraceNode | OwnNode | None:
    """Return a node before its first branch; None at a chance node.

    It starts from its own bound, but not if windows pass through chance nodes.
    """
    if kind == "chance":
        return None
    if algorithm.tuples:
        return OwnNode(path, player, bar)
    maximises, narrows = kind == "max", algorithm.narrows
    bound = narrows and algorithm.pruning is None
    own = ab[0 if maximises else 1] if bound else worst(maximises)
    return TraceNode(path, ab, maximises, narrows, own, worst(maximises).value)
