"""Diagnose a Monte Carlo search: see `diagnose_sampling`."""

from __future__ import annotations

from typing import Any, Final

from strategies.insight.analysis.diagnosis.diagnose import Diagnosis
from strategies.insight.analysis.diagnosis.faults import Finding
from strategies.insight.analysis.diagnosis.thresholds import IDLE, SHORTEST

FEW: Final = 30
"""Simulations per move. With fewer, noise hides which move is better: the standard error of the
mean of so many results of 1 and -1 is almost 0.2."""
LONG: Final = 1_000
"""Random plies per simulation. With more, the game's estimate would say more in the same time."""


def diagnose_sampling(result: Any) -> Diagnosis:
    """Return what to change about a Monte Carlo search, with numbers.

    Full memory, too few simulations for the moves, plays that are long, and workers that wait.
    Nothing is said of a position that is proven.

    >>> from games import TicTacToe
    >>> from strategies import mcts, search
    >>> print(search(TicTacToe(), mcts(90)).compute().diagnosis())
    too few simulations: 90 for 9 moves, 10 each: noise hides the best move. Use 270 or more.
    """
    if result.proven:
        return Diagnosis()
    found = (check(result) for check in (_full, _few, _long, _idle))
    return Diagnosis(tuple(finding for finding in found if finding))


def _full(r: Any) -> Finding | None:
    if not r.full:
        return None
    return Finding(
        "full memory",
        f"the tree was full at {r.nodes:,} nodes.",
        "Give it more memory: mcts(memory='1GB').",
        0.0,
    )


def _few(r: Any) -> Finding | None:
    moves = len(r.moves)
    if moves < 2 or r.simulations >= FEW * moves:
        return None
    each = r.simulations // moves
    says = f"{r.simulations:,} for {moves} moves, {each:,} each: noise hides the best move."
    return Finding("too few simulations", says, f"Use {FEW * moves:,} or more.", 0.0)


def _long(r: Any) -> Finding | None:
    each = r.plies / r.simulations if r.simulations else 0
    if each <= LONG:
        return None
    return Finding(
        "long plays",
        f"{each:,.0f} random plies per simulation.",
        "Estimate the position after fewer plies: mcts(rollout=100).",
        0.0,
    )


def _idle(r: Any) -> Finding | None:
    lanes = {record.worker for record in r.records}
    if len(lanes) < 2 or r.seconds < SHORTEST:
        return None
    idle = 1 - sum(record.seconds for record in r.records) / (len(lanes) * r.seconds)
    if idle < IDLE:
        return None
    return Finding(
        "idle workers",
        f"{len(lanes)} workers had no tree to grow {idle:.0%} of the time.",
        "Grow as many trees as there are workers, or a multiple of that.",
        idle,
    )
