"""Learning 2048 with four 6-tuples: is the kernel as fast as C++, and do two threads help?

The first two findings play the same games as a loop in C++, to the last bit.  Both programs read
all tuples from the board as its symmetries show it, and fetch the weights of all next positions
before they read them.  The third compares two threads that learn into one array with two learners
at once that share nothing.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from statistics import median
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

    def speed(engines: Sequence[Engine], first: int) -> float:
        """Return the moves per second of one thread for each engine."""

        def work(k: int) -> int:
            schedule = Schedule(SEED, RATE)
            return learn_from_games(engines[k], schedule, first + k * part, part, Stop()).moves

        began = perf_counter()
        with ThreadPoolExecutor(len(engines)) as pool:
            return sum(pool.map(work, range(len(engines)))) / (perf_counter() - began)

    part = 2 if quick else 3000
    both = [engine, engine]
    apart = [engine, Engine(trainee(game, network, Rows.new(network)), "native")]
    speed(apart, 0)  # the first pages of memory
    alone, shared, ceiling = list[float](), list[float](), list[float]()
    for k in range(2 if quick else 9):
        first = 10**6 + 2 * part * k
        alone.append(speed([engine], first))
        for engines, speeds in ((both, shared), (apart, ceiling))[:: 1 - 2 * (k % 2)]:
            speeds.append(speed(engines, first))
    return [
        Finding(
            f"2048 learned: {name}", ratio(a, b), 0.8 + 0.1 * k, cpp.ANCHOR,
            f"{total:,} moves, weights equal to the last bit",
            f"{1 / min(a):,.0f} moves/s", f"{1 / min(b):,.0f} moves/s",
        )
        for k, (name, (a, b, total)) in enumerate(zip(names, (learned, played), strict=True))
    ] + [
        Finding(
            "2048 learned: two threads on one array", ratio(ceiling, shared), 0.85,
            "two learners at once that share nothing",
            f"{part:,} games a thread; one thread alone {median(alone):,.0f} moves/s",
            f"{median(shared):,.0f} moves/s", f"{median(ceiling):,.0f} moves/s",
        )
    ]  # fmt: skip
