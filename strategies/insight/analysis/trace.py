"""Traces: a log of the search with a strategy's fixed windows, line by line.

The wording and its convention are those of the handout from which Jamboree(p) comes: a node starts
from its own bound, a move beats a bare bound of equal value, and a cut is reported where a branch
searched in order closes the window.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from attrs import evolve, frozen

from games import Estimate, Status
from graphs.arguments import check_functions, check_integers
from graphs.errors import ArgumentError
from strategies.algebra.strategy import Strategy, unfolded
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.positions import at_chance, children, expand, kind_of
from strategies.algorithms.visit import visit
from strategies.native.failures import check_numbers
from strategies.running.plans.plan import Plan
from strategies.support.recursion import room_for

WHO = {"max": ("F", "Maxie"), "min": ("G", "Minnie"), "chance": ("H", "Chance")}


@frozen
class Candidate:
    """A candidate value, with the number of the branch that reaches it, if there is one."""

    value: float
    move: int | None = None

    def __str__(self) -> str:
        guess = Estimate(self.value)
        return f"Leaf({guess})" if self.move is None else f"Step({self.move}, {guess})"


Windows = tuple[Candidate, Candidate]
Step = tuple[int, Candidate]
"""A branch, and the candidate of its position."""
OPEN: Windows = (Candidate(-inf), Candidate(inf))


def _worst(maximises: bool) -> Candidate:
    return Candidate(-inf if maximises else inf)


@frozen
class _Node:
    """A node after some of its branches, with the best candidate so far; at first, its bound."""

    ab: Windows
    maximises: bool
    narrows: bool
    best: Candidate

    def with_child(self, found: Step) -> _Node:
        i, candidate = found
        gain = candidate.value - self.best.value
        gain = gain if self.maximises else -gain
        leads = gain > 0 or (self.best.move is None and gain >= 0)
        return evolve(self, best=Candidate(candidate.value, i)) if leads else self

    def settled(self, test: Step) -> bool:
        return self.with_child(test) == self

    def window(self) -> Windows:
        if not self.narrows:
            return OPEN
        return (self.best, self.ab[1]) if self.maximises else (self.ab[0], self.best)

    def null(self) -> Windows:
        zero = Candidate(self.best.value + (1 if self.maximises else -1))
        return (self.best, zero) if self.maximises else (zero, self.best)


def trace(plan: Plan, most: int, tell: Callable[[str], object]) -> None:
    """Pass each line of the trace to `tell`, as soon as it is found.

    Raises: AlgorithmError for searches that the lines cannot describe: with windows that pass
    through chance nodes, values of several players, or a limit; ArgumentError if the search visits
    more than `most` positions.
    """
    check_integers(1, most=most)
    check_functions(tell=tell)
    if plan.algorithm.pruning:
        raise AlgorithmError("a trace cannot show pruning at chance nodes: trace without pruning=")
    if plan.algorithm.tuples:
        raise AlgorithmError("a trace shows one value per position, but maxn has one per player")
    if plan.limits:
        raise AlgorithmError("a trace goes to the full depth: trace without a limit")
    walk = _Walk(plan, most, tell)
    try:
        with room_for(plan.algorithm.depth):
            best, _ = walk.node(plan.state, plan.strategy, plan.algorithm.depth, OPEN)
    except ArgumentError:
        raise
    except TypeError:
        check_numbers(plan.game, plan.state, plan.algorithm.depth)  # rules may give none
        raise
    who = WHO[kind_of(plan.game, plan.state)][1]
    therefore = f"Therefore value of ({who},{plan.game.label(plan.state)}) is "
    if best.move is not None:
        tell(f"{therefore}{Estimate(best.value)}, and best move is {best.move}.")
    elif at_chance(plan.game, plan.state):
        tell(f"{therefore}{Estimate(best.value)}; chance moves.")
    tell(f"Terminals visited: {walk.leaves}")
    if best.move is not None:
        tell(f"Overall choice: move {best.move}{_name(plan, best.move)}")


def _name(plan: Plan, index: int) -> str:
    move = children(plan.game, plan.state, kind_of(plan.game, plan.state))[index][0]
    text = plan.game.move_text(plan.state, move)
    return "" if text == str(index) else f"[{text}]"


class _Walk:
    def __init__(self, plan: Plan, most: int, tell: Callable[[str], object]) -> None:
        self.game, self.algorithm = plan.game, plan.algorithm
        self.most, self.tell = most, tell
        self.positions = self.leaves = 0

    def node(
        self, state: Any, strategy: Strategy, depth: int, ab: Windows, reach: float = 1.0
    ) -> tuple[Candidate, bool]:
        """Return the candidate of a position, and whether its last branches were cut."""
        self.positions += 1
        if self.positions > self.most:
            raise ArgumentError(
                f"the trace has more than {self.most} positions: search fewer plies to trace it, "
                "or give trace() a larger most=, with tell=print to read lines as they are found"
            )
        over = self.game.status(state) != Status.IN_PLAY
        letter, who = WHO[kind_of(self.game, state)]
        place = f"({who},{self.game.label(state)})"
        self.tell(f"{letter}: state {place} with ab=({ab[0]},{ab[1]})")
        if over or depth == 0 or self.algorithm.cuts(self.game, state, reach):
            self.tell(f"Estimating state {self.game.show(state)}")
            self.leaves += 1
            result, cut = Candidate(self.algorithm.leaf_value(self.game, state, depth)), False
        else:
            result, cut = self.interior(state, strategy, depth, ab, reach)
        self.tell(f"Result of {place} is {result}" + (" (* Pruned *)" if cut else ""))
        return result, cut

    def interior(
        self, state: Any, strategy: Strategy, depth: int, ab: Windows, reach: float
    ) -> tuple[Candidate, bool]:
        kind, below = expand(self.game, state)
        layer = unfolded(strategy, kind, len(below))
        if kind == "chance":
            mean: float = 0
            for (_, p, child), inner in zip(below, layer.inner, strict=True):
                share = p * self.node(child, inner, depth - 1, OPEN, reach * p)[0].value
                mean += round(share) if self.algorithm.rounded else share
            return Candidate(mean), False
        own = (ab[0] if kind == "max" else ab[1]) if self.algorithm.narrows else None
        node = _Node(ab, kind == "max", self.algorithm.narrows, own or _worst(kind == "max"))

        def search(i: int, node: _Node, _: Step | None) -> Step:
            return i, self.node(below[i][2], layer.inner[i], depth - 1, node.window(), reach)[0]

        def test(i: int, node: _Node) -> Step:
            return i, self.node(below[i][2], layer.inner[i], depth - 1, node.null(), reach)[0]

        cut = []

        def closed(node: _Node) -> bool:
            a, b = node.window()
            cut.append(node.narrows and a.value >= b.value)
            return cut[-1]

        last = visit(layer.groups, node, search, test, closed)
        return last.best, any(cut)
