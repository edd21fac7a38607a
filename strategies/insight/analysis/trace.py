"""Traces: a log of the search with a strategy's fixed windows, line by line.

The wording and its convention are those of the handout from which Jamboree(p) comes: a node starts
from its own bound, a move beats a bare bound of equal value, and a cut is reported where a branch
searched in order closes the window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import frozen

from games import CHANCE, Estimate, Game, Status
from graphs.arguments import check_functions, check_integers
from graphs.errors import ArgumentError
from strategies.algebra.strategy import Kind, Strategy, seq, unfolded
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.fold import visit
from strategies.algorithms.positions import at_chance, children, expand, kind_of
from strategies.insight.analysis.trace_steps import (
    OPEN,
    Bar,
    Branch,
    Candidate,
    Cut,
    Entered,
    Estimated,
    Inlined,
    Led,
    Path,
    Place,
    Returned,
    Step,
    Tested,
    Told,
    Windows,
    entered,
    place_of,
    told,
)
from strategies.native.failures import check_numbers
from strategies.native.hooks import payoffs
from strategies.native.kernels.star import narrowed, outcome_window, slack
from strategies.running.plans.plan import Plan
from strategies.running.records.wording import bound
from strategies.support.stacks import room_for


def trace(plan: Plan, most: int, tell: Callable[[str], object]) -> None:
    """Pass each line of the trace to `tell`, as soon as it is found.

    Raises: AlgorithmError for a search with a limit or of a driver; ArgumentError if the search
    visits more than `most` positions.
    """
    check_integers(1, most=most)
    check_functions(tell=tell)
    if plan.limits:
        raise AlgorithmError("a trace goes to the full depth: trace without a limit")
    if plan.driver is not None:
        raise AlgorithmError(
            f"the threads of {plan.driver!r} share one table, and each run differs: trace a search "
            "under a strategy, such as jamboree(0.5)"
        )
    check_windows(plan.algorithm)
    lines = _Lines(most, tell)
    try:
        with room_for(plan.algorithm.depth):
            best = whole(TraceWalk(plan.game, plan.algorithm, lines.add), plan.state, plan.strategy)
    except ArgumentError:
        raise
    except TypeError:
        check_numbers(plan.game, plan.state, plan.algorithm.depth)  # rules may give none
        raise
    for line in closing(plan, best, lines.leaves):
        tell(line)


def check_windows(algorithm: Algorithm) -> None:
    """Raise AlgorithmError for a fold over all nodes, whose trace would tell nothing.

    >>> from strategies import enumeration
    >>> check_windows(enumeration(3))
    Traceback (most recent call last):
        ...
    strategies.algorithms.errors.AlgorithmError: enumeration visits all nodes, in any order: ...
    """
    if algorithm.tuples and not algorithm.many:
        raise AlgorithmError(
            f"{algorithm.name} visits all nodes, in any order: there is nothing to trace or "
            "replay; result.draw() shows its tasks"
        )


def closing(plan: Plan, best: Candidate, leaves: int) -> Iterator[str]:
    """Yield the last lines of a trace: the value, the number of leaves, the move."""
    place = place_of(plan.game, (), plan.state, plan.algorithm.tuples)
    value = best.value
    guess = told(value)
    low, high = plan.algorithm.window
    none = not plan.algorithm.tuples and value <= low
    if none:
        yield f"Therefore value of {place} is less than {Estimate(high)}."
    elif best.move is not None:
        yield f"Therefore value of {place} is {guess}, and best move is {best.move}."
    elif at_chance(plan.game, plan.state):
        yield f"Therefore value of {place} is {guess}; chance moves."
    yield f"Terminals visited: {leaves}"
    if best.move is not None and not none:
        yield f"Overall choice: move {best.move}{_name(plan, best.move)}"


def _name(plan: Plan, index: int) -> str:
    move = children(plan.game, plan.state, kind_of(plan.game, plan.state))[index][0]
    text = plan.game.move_text(plan.state, move)
    return "" if text == str(index) else f"[{text}]"


class _Lines:
    """Tells the line of each step that has one, and counts."""

    def __init__(self, most: int, tell: Callable[[str], object]) -> None:
        self.most, self.tell = most, tell
        self.positions = self.leaves = 0

    def add(self, step: Step) -> None:
        self.positions += isinstance(step, Entered)
        self.leaves += isinstance(step, Estimated)
        if self.positions > self.most:
            raise ArgumentError(
                f"the trace has more than {self.most:,} positions: search fewer plies to trace it; "
                "in Python, trace(most=…) traces more, and tell=print prints lines once found"
            )
        if isinstance(step, Told):
            self.tell(step.line)


@frozen(eq=False)
class TraceWalk:
    """A walk over the positions of a search that calls `tell` with each step.

    `tell` may raise to end the walk.  A branch whose window is closed when its turn comes is left
    out, as in a task.
    """

    game: Game[Any, Any]
    algorithm: Algorithm
    tell: Callable[[Step], object]

    def node(
        self, path: Path, state: Any, strategy: Strategy, depth: int, ab: Windows,
        reach: float = 1.0,
    ) -> Candidate:  # fmt: skip
        """Search a position; return its candidate."""
        place, over = self.place(path, state), self.game.status(state) != Status.IN_PLAY
        self.tell(Entered(place, None if self.algorithm.tuples else ab))
        if over or depth == 0 or self.algorithm.cuts(self.game, state, reach):
            result, cut = Candidate(self.leaf(state, depth, over)), False
            self.tell(Estimated(place, self.game, state, result.value))
        else:
            result, cut = self.interior(place, state, strategy, depth, ab, reach)
        self.tell(Returned(place, result, cut))
        return result

    def leaf(self, state: Any, depth: int, over: bool) -> Any:
        """Return the value of a leaf; for several players, a tuple."""
        if self.algorithm.tuples:
            found: Any = self.game.utility(state) if over else self.game.estimate(state)
            return payoffs(self.game, found)
        return self.algorithm.leaf_value(self.game, state, depth)

    def place(self, path: Path, state: Any) -> Place:
        """Return a position as lines name it."""
        return place_of(self.game, path, state, self.algorithm.tuples)

    def interior(
        self, place: Place, state: Any, strategy: Strategy, depth: int, ab: Windows, reach: float
    ) -> tuple[Candidate, bool]:
        """Search the branches of a position; return its candidate, and whether some were cut."""
        kind, below = expand(self.game, state)
        layer = unfolded(strategy, kind, len(below))
        ahead = [i for i, s in enumerate(spread(layer.groups, layer.sparks)) if s]
        if ahead:
            self.tell(Inlined(place, tuple(ahead), sum(layer.sparks)))
        path = place.path
        if kind == "chance":
            outcomes = [
                Outcome((*path, i), p, child, layer.inner[i], depth - 1, reach * p)
                for i, (_, p, child) in enumerate(below)
            ]
            if self.algorithm.pruning:
                return pruned_mean(self, place, outcomes, ab)
            return mean(self, place, outcomes), False

        def at(i: int, ab: Windows) -> Branch:
            one = isinstance(ab, tuple)  # a window, not the bar of one of several players
            if one and self.algorithm.bounded(self.game, below[i][2], ab[0].value):
                self.tell(Cut(place, (i,), ab[0], None, bounded=True))
                return i, Candidate(float("-inf"))
            return i, self.node((*path, i), below[i][2], layer.inner[i], depth - 1, ab, reach)

        return self.folded(place, kind, state, layer.groups, ab, len(below), at, strategy == seq)

    def folded(
        self, place: Place, kind: Kind, state: Any, groups: Any, ab: Windows, many: int,
        at: Callable[[int, Windows], Branch], kernel: bool,
    ) -> tuple[Candidate, bool]:  # fmt: skip
        """Fold the branches of a node, which `at` searches, in the order of its groups.

        `kernel` says that a kernel searches it, which for several players has prunings of its own.
        """
        bar = None
        if self.algorithm.tuples and kernel:
            bar = ab if isinstance(ab, Bar) else Bar.of(self.game)
        player = self.game.player(state)
        node: Any = entered(self.algorithm, place.path, kind, player, ab, bar)
        cuts: list[bool] = []
        teller = _Leads(self, place, node)

        def search(i: int, node: Any, tested: Branch | None) -> Branch:
            if node.closed:
                self.tell(Cut(place, (i,), node.best, node.met))
                return i, Candidate(float("-inf") if node.maximises else float("inf"))
            return teller.found(at(i, node.window()))

        def test(i: int, node: Any) -> Branch:
            if node.closed:
                return search(i, node, None)
            window = node.null()
            return Tested.of(teller.found(at(i, window)), window)

        def closed(node: Any) -> bool:
            cuts.append(node.closed)
            if cuts[-1] and teller.last + 1 < many:
                left = tuple(range(teller.last + 1, many))
                self.tell(Cut(place, left, node.best, node.met))
            return cuts[-1]

        last = visit(groups, node, search, test, closed)
        return last.result, any(cuts)


class _Leads:
    """Tells when a branch becomes the best of its node."""

    def __init__(self, walk: TraceWalk, place: Place, node: Any) -> None:
        self.walk, self.place, self.node, self.last = walk, place, node, -1

    def found(self, branch: Branch) -> Branch:
        after = self.node.with_child(branch)
        if after.best != self.node.best:
            self.walk.tell(Led(self.place, after.best))
        self.node, self.last = after, branch[0]
        return branch


def spread(groups: Any, each: Any) -> list[Any]:
    """Return, for each branch of a node, what `each` says of its group."""
    return [x for g, x in zip(groups, each, strict=True) for _ in range(g.start, g.stop)]


def whole(walk: TraceWalk, state: Any, strategy: Strategy) -> Candidate:
    """Walk a whole search from its root; return its candidate."""
    low, high = walk.algorithm.window
    ab = Candidate(low), Candidate(high)
    return walk.node((), state, strategy, walk.algorithm.depth, ab)


@frozen
class Outcome:
    """An outcome of a chance node, with all that its search needs."""

    path: Path
    chance: float
    state: Any
    strategy: Strategy
    depth: int
    reach: float


def mean(walk: TraceWalk, place: Place, outcomes: Sequence[Outcome]) -> Candidate:
    """Search all outcomes, each with an open window; return their mean."""
    total: Any = 0
    for o in outcomes:
        value = walk.node(o.path, o.state, o.strategy, o.depth, OPEN, o.reach).value
        total = plus(total, o.chance, value, walk.algorithm.rounded)
        walk.tell(Led(place, Candidate(total)))
    return Candidate(total)


def plus(total: Any, chance: float, value: Any, rounded: bool) -> Any:
    """Return a mean so far with one more outcome."""
    if isinstance(value, tuple):
        before = total or (0.0,) * len(value)
        return tuple(m + chance * v for m, v in zip(before, value, strict=True))
    return total + (round(chance * value) if rounded else chance * value)


def pruned_mean(
    walk: TraceWalk, place: Place, outcomes: Sequence[Outcome], ab: Windows
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

    def __init__(self, walk: TraceWalk, ab: Windows, many: int) -> None:
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
