"""Traces: a sequential walk of a strategy's fixed windows, line by line.

The wording and its convention are those of the handout that Jamboree(p) comes from: a node starts
from its own bound, a move beats a bare bound of equal value, and a cut is reported where a branch
searched in order closes the window.
"""

from __future__ import annotations

from math import inf
from typing import Any

from attrs import frozen

from games import WIN, Estimate, Status
from strategies.algebra.groups import Window, sparks
from strategies.algebra.strategy import Strategy, unfolded
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.positions import children, kind_of, look
from strategies.running.execution.node import entry
from strategies.running.plans.plan import Plan

WHO = {"max": ("F", "Maxie"), "min": ("G", "Minnie"), "chance": ("H", "Chance")}


@frozen
class Candidate:
    """A candidate value, with the number of the branch that reaches it, if one does."""

    value: float
    move: int | None = None

    def __str__(self) -> str:
        guess = Estimate(self.value)
        return f"Leaf({guess})" if self.move is None else f"Step({self.move}, {guess})"


Windows = tuple[Candidate, Candidate]
OPEN: Windows = (Candidate(-inf), Candidate(inf))


def trace(plan: Plan) -> list[str]:
    """The lines of the walk.

    Raises: AlgorithmError for what the lines have no way to tell: windows that pass through chance
    nodes, values of several players, searches that end at a limit.
    """
    if plan.algorithm.pruning:
        raise AlgorithmError("a trace shows no pruning at chance nodes: trace it without")
    if plan.algorithm.name == "maxn":
        raise AlgorithmError("a trace tells of one number a position, and maxn of one a player")
    if plan.limits:
        raise AlgorithmError("a trace walks to the full depth: trace it without a limit")
    walk = _Walk(plan)
    best, _ = walk.node(plan.state, plan.strategy, plan.algorithm.depth, OPEN)
    who = WHO[kind_of(plan.game, plan.state)][1]
    lines = [*walk.lines]
    if best.move is not None:
        lines.append(
            f"Therefore value of ({who},{plan.game.label(plan.state)}) is {Estimate(best.value)}, "
            f"and best move is {best.move}."
        )
    lines.append(f"Terminals visited: {walk.leaves}")
    if best.move is not None:
        lines.append(f"Overall choice: move {best.move}{_name(plan, best.move)}")
    return lines


def _name(plan: Plan, index: int) -> str:
    move = children(plan.game, plan.state, kind_of(plan.game, plan.state))[index][0]
    text = plan.game.move_text(plan.state, move)
    return "" if text == str(index) else f"[{text}]"


class _Walk:
    def __init__(self, plan: Plan) -> None:
        self.game, self.algorithm = plan.game, plan.algorithm
        self.lines: list[str] = []
        self.leaves = 0

    def node(
        self, state: Any, strategy: Strategy, depth: int, ab: Windows, reach: float = 1.0
    ) -> tuple[Candidate, bool]:
        """The candidate of a position, and whether its last branches were cut."""
        over = self.game.status(state) != Status.IN_PLAY
        letter, who = WHO[kind_of(self.game, state)]
        place = f"({who},{self.game.label(state)})"
        self.lines.append(f"{letter}: state {place} with ab=({ab[0]},{ab[1]})")
        if over or depth == 0 or self.algorithm.cuts(self.game, state, reach):
            self.lines.append(f"Estimating state {self.game.show(state)}")
            self.leaves += 1
            result, cut = Candidate(self.leaf(state, over, depth)), False
        else:
            result, cut = self.inside(state, strategy, depth, ab, reach)
        self.lines.append(f"Result of {place} is {result}" + (" (* Pruned *)" if cut else ""))
        return result, cut

    def leaf(self, state: Any, over: bool, depth: int) -> float:
        if not over:
            return self.game.estimate(state)
        value = self.game.utility(state)
        nearer = depth if self.algorithm.nearer_wins else 0
        return value + nearer if value >= WIN else value - nearer if value <= -WIN else value

    def inside(
        self, state: Any, strategy: Strategy, depth: int, ab: Windows, reach: float
    ) -> tuple[Candidate, bool]:
        kind, below = look(self.game, state)
        layer = unfolded(strategy, kind, len(below))
        if kind == "chance":
            mean: float = 0
            for (_, p, child), inner in zip(below, layer.inner, strict=True):
                share = p * self.node(child, inner, depth - 1, OPEN, reach * p)[0].value
                mean += round(share) if self.algorithm.rounded else share
            return Candidate(mean), False
        narrows, sign = self.algorithm.narrows, 1 if kind == "max" else -1
        own = [(ab[0] if kind == "max" else ab[1]) if narrows else Candidate(-sign * inf)]

        def window(bound: Candidate) -> Windows:
            return OPEN if not narrows else (bound, ab[1]) if kind == "max" else (ab[0], bound)

        def better(best: Candidate, i: int, found: Candidate) -> Candidate:
            gain = sign * (found.value - best.value)
            first = best.move is None and gain >= 0
            return Candidate(found.value, i) if gain > 0 or first else best

        for g, spark in zip(layer.groups, sparks(layer.groups), strict=True):
            local = own[entry(g)]
            for i in range(g.start, g.stop):
                child, inner = below[i][2], layer.inner[i]
                if g.window is Window.ZERO:
                    zero = Candidate(local.value + sign)
                    ab0 = (local, zero) if kind == "max" else (zero, local)
                    found, _ = self.node(child, inner, depth - 1, ab0, reach)
                    if better(own[i], i, found) != own[i]:
                        found, _ = self.node(child, inner, depth - 1, window(own[i]), reach)
                else:
                    found, _ = self.node(child, inner, depth - 1, window(local), reach)
                    local = better(local, i, found)
                own.append(better(own[i], i, found))
                a, b = window(local)
                if narrows and not spark and g.after == g.start and a.value >= b.value:
                    return local, True
        return own[-1], False
