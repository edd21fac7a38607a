"""Monte Carlo tree search: how often is its move the best, and what do its options gain?

The positions are solved, and each has exactly one best move.  *Best* means by outcome, not by the
number of plies: if two moves win, neither is the only best one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from attrs import frozen

from benchmarks.finding import Finding


@frozen
class Puzzle:
    """A position in which one move is better than all others."""

    state: Any
    best: Any


def run(quick: bool) -> list[Finding]:
    """Compare, with equal simulations, UCB1 to uniform allocation, and options to none."""
    from games import ConnectFour
    from strategies import mcts

    game = ConnectFour()
    seeds, each = (1, 3) if quick else (8, 100)
    asked = [p for seed in range(1, seeds + 1) for p in islice(puzzles(game, seed), each)]
    name = f"Connect Four: the only best move is found, of {len(asked)}"
    found = []
    for simulations in (100, 1_000, 10_000):
        work = f"{simulations:,} simulations"
        ucb = right(game, asked, mcts(simulations))
        uniform = right(game, asked, mcts(simulations, allocate="uniform"))
        policy = right(game, asked, mcts(simulations, rollout="policy"))
        puct = right(game, asked, mcts(simulations, allocate="puct"))
        rave = right(game, asked, mcts(simulations, rave=300))
        fpu = right(game, asked, mcts(simulations, fpu=1))
        bar = 0.95 * len(asked) if simulations == 10_000 else uniform
        rows = (
            (name, ucb, bar, '`allocate="uniform"`', uniform),
            (f'{name}, `rollout="policy"`', policy, ucb, '`rollout="random"`', ucb),
            (f'{name}, `allocate="puct"`', puct, ucb, '`allocate="ucb"`', ucb),
            (f"{name}, `rave=300`", rave, ucb, "`rave=0`", ucb),
            (f"{name}, `fpu=1`", fpu, ucb, "`fpu=None`", ucb),
        )
        found += [
            Finding(what, ours, least, anchor, work, str(ours), str(theirs))
            for what, ours, least, anchor, theirs in rows
        ]
    return found


def puzzles(game: Any, seed: int, least: int = 12, most: int = 30) -> Iterator[Puzzle]:
    """Return positions after `least` to `most` random moves, each with a single best move."""
    from games import MAXIE, Status
    from strategies import solve
    from strategies.native.memory.transposition_table import Table

    random, table = Random(seed), Table(1 << 26)
    while True:
        state = game.start()
        for _ in range(random.randint(least, most)):
            if game.status(state) != Status.IN_PLAY:
                break
            state = game.make_move(state, random.choice(list(game.moves(state))))
        if game.status(state) != Status.IN_PLAY:
            continue
        side = 1 if game.player(state) == MAXIE else -1
        ends = {
            move: side * outcome(solve(game, child, memory=table, line=0).value)
            for move, child in ((m, game.make_move(state, m)) for m in game.moves(state))
        }
        best = [move for move in ends if ends[move] == max(ends.values())]
        if len(best) == 1:
            yield Puzzle(state, best[0])


def outcome(value: float) -> int:
    """Return who wins: 1 Maxie, -1 Minnie, 0 nobody."""
    return (value > 0) - (value < 0)


def right(game: Any, asked: list[Puzzle], algorithm: Any) -> int:
    """Return the number of positions in which the search chooses the best move."""
    from strategies import search

    answers = (search(game, algorithm, state=p.state).compute(num_workers=1) for p in asked)
    return sum(answer.move == p.best for answer, p in zip(answers, asked, strict=True))
