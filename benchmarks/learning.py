"""Learning 2048 with four 6-tuples: is the kernel as fast as C++, for the same games?"""

from __future__ import annotations

import ctypes
from time import perf_counter
from typing import Any

from benchmarks import cpp
from benchmarks.finding import Finding
from benchmarks.measure import ratio

GAMES = 300
SEED, RATE = 1, 0.1


def run(quick: bool) -> list[Finding]:
    import numpy as np

    from games import Twenty48
    from games.networks.learned import network_of
    from games.networks.trainee import Rows, trainee
    from strategies.native.calls.learning import Schedule, compile_learning, learn_from_games
    from strategies.native.engine import Engine
    from strategies.native.memory.cells import Stop

    game = Twenty48(target=None)
    network = network_of(game)
    mine, theirs = Rows.new(network), Rows.new(network)
    engine = Engine(trainee(game, network, mine), "native")
    compile_learning(engine)
    loop, results = cpp.build("ntuples", ctypes.c_long), ctypes.c_double()
    tables = [ctypes.c_void_p(t.ctypes.data) for t in (game.left, game.right, game.paid)]
    weights = ctypes.c_void_p(theirs.values.ctypes.data)

    def ours(first: int, count: int, rate: float) -> tuple[int, float]:
        found = learn_from_games(engine, Schedule(SEED, rate), first, count, Stop())
        return found.moves, found.results

    def other(first: int, count: int, rate: float) -> tuple[int, float]:
        numbers = ctypes.c_long(first), ctypes.c_long(count), ctypes.c_uint64(SEED)
        moves = loop(*tables, weights, *numbers, ctypes.c_double(rate), ctypes.byref(results))
        return int(moves), results.value

    def timed(rate: float, rounds: int, first: int, count: int) -> tuple[list[float], Any, int]:
        """Return the time of a move, ours and theirs, for the same games, round by round."""
        times: list[tuple[float, float]] = []
        total = 0
        for k in range(first, first + rounds):
            spent = []
            for play in (ours, other) if k % 2 else (other, ours):
                begun = perf_counter()
                found = play(k * count, count, rate)
                spent.append((perf_counter() - begun, play is ours, found))
            assert spent[0][2] == spent[1][2]
            (a,), (b,) = ([t for t, own, _ in spent if own is mine] for mine in (True, False))
            moves = spent[0][2][0]
            total += moves
            times.append((a / moves, b / moves))
        return [a for a, _ in times], [b for _, b in times], total

    rounds, count = (2, 2) if quick else (15, GAMES)
    timed(RATE, 1 if quick else 3, 0, count)  # the first pages of memory
    learned = timed(RATE, rounds, 3, count)
    assert np.array_equal(mine.values, theirs.values)
    played = timed(0.0, rounds, 100, count)
    names = "TD(0), four 6-tuples, a move", "play by what was learned, a move"
    return [
        Finding(
            f"2048 learned: {name}", ratio(a, b), 0.8 + 0.1 * k, cpp.ANCHOR,
            f"{total:,} moves, weights equal to the last bit",
            f"{1 / min(a):,.0f} moves/s", f"{1 / min(b):,.0f} moves/s",
        )
        for k, (name, (a, b, total)) in enumerate(zip(names, (learned, played), strict=True))
    ]  # fmt: skip
