"""Riskless: does the estimate `strategic` play better than the one that counts armies?

Games in pairs: the same opening of random moves, each estimate once on each side, both searched to
the same fixed depth.  A win counts one, a draw one half.
"""

from __future__ import annotations

from random import Random
from statistics import mean, stdev
from typing import Any

from benchmarks.finding import Finding

MAPS = ("islands", "continents", "earth")
DEPTH = 3
OPENING = 4


def run(quick: bool) -> list[Finding]:
    found = []
    for name in ("square",) if quick else MAPS:
        pairs = paired(name, 2 if quick else 200, 2028, "interpreted" if quick else "auto")
        share, wide = interval(pairs)
        found.append(
            Finding(
                f"Riskless, {name}: points of the estimate `strategic`", share, 0.6,
                "the estimate `armies`", f"{2 * len(pairs)} games, depth {DEPTH}, sides swapped",
                f"{share:.3f} ± {wide:.3f}", f"{1 - share:.3f}",
            )
        )  # fmt: skip
    return found


def interval(pairs: list[float]) -> tuple[float, float]:
    """Return the mean, and the half width of its 95% interval."""
    return mean(pairs), 1.96 * stdev(pairs) / len(pairs) ** 0.5


def paired(name: str, pairs: int, seed: int, rules: str = "auto") -> list[float]:
    """Return the points of `strategic` in each pair of games: 0 to 1."""
    from games import Riskless
    from strategies.native.kept_engines import engine_for

    random = Random(seed)
    games = Riskless.on(name, "strategic"), Riskless.on(name)
    engines = [engine_for(game, rules) for game in games]
    found = []
    for _ in range(pairs):
        start = opening(engines[0].game, random)
        found.append((points(engines, start) + 1 - points(engines[::-1], start)) / 2)
    return found


def opening(game: Any, random: Random) -> Any:
    """Return a position in play after some random moves."""
    from games import Status

    while True:
        state = game.start()
        for _ in range(OPENING):
            if game.status(state) == Status.IN_PLAY:
                state = game.make_move(state, random.choice(list(game.moves(state))))
        if game.status(state) == Status.IN_PLAY:
            return state


def points(engines: list[Any], state: Any) -> float:
    """Return what the first engine, as Maxie, has of a game against the second."""
    from games import Status

    game = engines[0].game
    while game.status(state) == Status.IN_PLAY:
        engine = engines[game.player(state)]
        state = engine.branch(state, engine.search(state, DEPTH).line[0])
    return {Status.MAXIE_WINS: 1.0, Status.MINNIE_WINS: 0.0}.get(game.status(state), 0.5)
