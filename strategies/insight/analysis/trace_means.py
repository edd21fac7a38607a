"""Chance nodes of a traced search: the mean of the outcomes, with windows or without."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from attrs import frozen

from games import CHANCE, Game, Status
from strategies.algebra.strategy import Strategy
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.positions import expand, kind_of
from strategies.insight.analysis.trace_steps import (
    OPEN,
    Candidate,
    Cut,
    Entered,
    Led,
    Path,
    Place,
    Returned,
    Step,
    Windows,
)
from strategies.native.kernels.star_bounds import narrowed, outcome_window, slack
from strategies.running.records.wording import bound


class Walk(Protocol):
    """What a chance node needs of the walk."""

    @property
    def game(self) -> Game[Any, Any]: ...
    @property
    def algorithm(self) -> Algorithm: ...
    @property
    def tell(self) -> Callable[[Step], object]: ...
    def place(self, path: Path, state: Any) -> Place: ...
    def node(
        self, path: Path, state: Any, strategy: Strategy, depth: int, ab: Windows, reach: float
    ) -> Candidate: ...


@frozen
class Outcome:
    """An outcome of a chance node, with all that its search needs."""

    path: Path
    chance: float
    state: Any
    strategy: Strategy
    depth: int
    reach: float


def mean(walk: Walk, place: Place, outcomes: Sequence[Outcome]) -> Candidate:
    """Search all outcomes, each with an open window; return their mean."""
    total: Any = 0
    for n, o in enumerate(outcomes):
        value = walk.node(o.path, o.state, o.strategy, o.depth, OPEN, o.reach).value
        if walk.algorithm.tuples:
            before = total if n else (0.0,) * len(value)
            total = tuple(m + o.chance * v for m, v in zip(before, value, strict=True))
        else:
            share = o.chance * value
            total += round(share) if walk.algorithm.rounded else share
        walk.tell(Led(place, Candidate(total)))
    return Candidate(total)


def pruned_mean(
    walk: Walk, place: Place, outcomes: Sequence[Outcome], ab: Windows
) -> tuple[Candidate, bool]:
    """Search outcomes in the windows of Star1, after the probes of Star2; return the mean or the
    bound that closes the window, and whether it is a bound."""
    star = _Star(walk, ab, len(outcomes))
    if walk.algorithm.pruning == "star2" and outcomes[0].depth > 0:
        star.probe(outcomes)
    lower = upper = 0.0
    for n, o in enumerate(outcomes):
        known = star.lows[n], star.highs[n]
        a, b = star.window(o.chance, *known)
        if a >= b and known[0] < known[1]:
            rest = tuple(range(n, len(outcomes)))
            below = star.most + star.slack <= star.alpha
            bound = star.most + star.slack if below else star.least - star.slack
            walk.tell(Cut(place, rest, None, ab[0 if below else 1]))
            return Candidate(bound), True
        if known[0] < known[1]:
            found = walk.node(o.path, o.state, o.strategy, o.depth, ends(a, b), o.reach).value
            lo = max(known[0], found) if found > a else known[0]
            hi = min(known[1], found) if found < b else known[1]
            star.narrow(n, o.chance, lo, hi)
        lower += o.chance * star.lows[n]
        upper += o.chance * star.highs[n]
        walk.tell(Led(place, Candidate(lower), (star.least, star.most)))
    value = upper if lower < upper <= star.alpha else lower
    return Candidate(value), False


def ends(a: float, b: float) -> Windows:
    """Return a window whose ends lie between the values of a game, with rounded texts."""
    return Candidate(a, shown=bound(a)), Candidate(b, shown=bound(b))


class _Star:
    """The bounds of a mean and of its outcomes."""

    def __init__(self, walk: Walk, ab: Windows, many: int) -> None:
        bounds = walk.algorithm.rule(walk.game).bounds
        assert bounds is not None
        self.walk, self.low, self.high, self.slack = walk, *bounds, slack(*bounds)
        self.least, self.most = bounds
        self.alpha, self.beta = ab[0].value, ab[1].value
        self.lows, self.highs = [self.low] * many, [self.high] * many

    def window(self, chance: float, lo: float, hi: float) -> tuple[float, float]:
        """Return the window of an outcome that lies in [lo, hi]."""
        return outcome_window(
            self.alpha, self.beta, self.least, self.most, chance, lo, hi, self.slack
        )

    def narrow(self, n: int, chance: float, lo: float, hi: float) -> None:
        """Note that outcome n lies in [lo, hi]."""
        was = self.lows[n], self.highs[n]
        self.least, self.most = narrowed(self.least, self.most, chance, *was, lo, hi)
        self.lows[n], self.highs[n] = lo, hi

    def probe(self, outcomes: Sequence[Outcome]) -> None:
        """Search the first branch of each outcome, which bounds it on the mover's side."""
        game, walk = self.walk.game, self.walk
        for n, o in enumerate(outcomes):
            maximises = kind_of(game, o.state) == "max"
            narrower = self.beta < self.high if maximises else self.alpha > self.low
            inner = game.player(o.state) != CHANCE and game.status(o.state) == Status.IN_PLAY
            if not narrower or not inner:
                continue
            a, b = self.window(o.chance, self.low, self.high)
            if a >= b:
                return
            window = ends(a, b)
            place = walk.place(o.path, o.state)
            walk.tell(Entered(place, window))
            child = expand(game, o.state)[1][0][2]
            path = (*o.path, 0)
            found = walk.node(path, child, o.strategy, o.depth - 1, window, o.reach).value
            walk.tell(Returned(place, Candidate(found, 0, o.path), True))
            if maximises and found > a:
                self.narrow(n, o.chance, min(max(found, self.low), self.high), self.high)
            elif not maximises and found < b:
                self.narrow(n, o.chance, self.low, max(min(found, self.high), self.low))
