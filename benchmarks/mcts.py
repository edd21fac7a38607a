"""Monte Carlo tree search: simulations per second, against OpenSpiel's and with two threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.finding import Finding
from benchmarks.openspiel import openspiel


def run(quick: bool) -> list[Finding]:
    """Both count a simulation alike: a way down the tree, one new position, one random play to the
    end, the way back up.  The anchor's count is that of its root; both begin at the start of the
    game, with c = 1.4 and rewards from -1 to 1, in one thread."""
    from games import ConnectFour, Othello

    spiel, _ = openspiel()
    rounds = 1 if quick else 5
    cases = (
        ("Connect Four", ConnectFour(), "connect_four", 100_000, 10_000, 10),
        ("Othello", Othello(), "othello", 20_000, 800, 60),
    )
    found = []
    for name, game, theirs, many, few, bar in cases:
        if quick:
            many, few = 200, 10
        _ours(game, 10)
        pairs = [(_ours(game, many), _theirs(spiel, theirs, few)) for _ in range(rounds)]
        found.append(
            Finding(
                f"{name}: simulations a second",
                median(a / b for a, b in pairs),
                bar,
                "OpenSpiel, `MCTSBot` in C++, one random rollout",
                f"{many:,} simulations of ours, {few:,} of theirs",
                f"{median(a for a, _ in pairs):,.0f} /s",
                f"{median(b for _, b in pairs):,.0f} /s",
            )
        )  # fmt: skip
    return [*found, _threads(ConnectFour(), 1_000 if quick else 150_000, 1 if quick else 9)]


def _ours(game: Any, simulations: int, **more: Any) -> float:
    """Return the simulations per second."""
    from strategies import mcts, search

    rate: float = search(game, mcts(simulations, **more)).compute(num_workers=1).rate
    return rate


def _theirs(spiel: Any, name: str, simulations: int) -> float:
    """Return the simulations per second."""
    game = spiel.load_game(name)
    rollouts = spiel.RandomRolloutEvaluator(1, 7)
    uct = spiel.ChildSelectionPolicy.UCT
    bot = spiel.MCTSBot(game, rollouts, 1.4, simulations, 1000, True, 7, False, uct)
    start = perf_counter()
    root = bot.mcts_search(game.new_initial_state())
    return float(root.explore_count / (perf_counter() - start))


def _threads(game: Any, simulations: int, rounds: int) -> Finding:
    """Measure one tree grown by two threads against two trees, with equal simulations each."""
    _ours(game, 10, threads=2)
    pairs = []
    for _ in range(rounds):
        with ThreadPoolExecutor(2) as pool:
            apart = list(pool.map(lambda _: _ours(game, simulations), range(2)))
        pairs.append((_ours(game, simulations, threads=2), sum(apart)))
    return Finding(
        "Connect Four: one tree, two threads", median(a / b for a, b in pairs), 0.85,
        "two trees, one thread each, at the same time", f"{simulations:,} simulations a tree",
        f"{median(a for a, _ in pairs):,.0f} /s", f"{median(b for _, b in pairs):,.0f} /s",
    )  # fmt: skip
