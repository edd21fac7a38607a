"""Riskless, 12 territories, alpha-beta: does the kernel reach C++ on the same representation?"""

from __future__ import annotations

import ctypes

from benchmarks import cpp
from benchmarks.finding import Finding, a_node
from benchmarks.measure import interleaved, ratio


def run(quick: bool) -> list[Finding]:
    from games import Riskless
    from strategies.native.kept_engines import engine_for

    depth = 3 if quick else 9
    game = Riskless.on("continents")
    s = game.start()
    engine = engine_for(game)
    loop = cpp.build(
        "riskless", ctypes.c_long, CAP=game.cap, TARGET=game.target, PLIES=game.max_plies
    )
    size = len(game.roads)
    words = (ctypes.c_uint64 * 7)(*map(int, (s.maxies, s.minnies, s.a0, s.a1, s.a2, s.a3, s.a4)))
    roads = (ctypes.c_uint64 * size)(*map(int, game.roads))
    count = ctypes.c_long()

    def theirs() -> int:
        value: int = loop(words, s.ply, roads, size, depth, ctypes.byref(count))
        return value

    found = engine.search(s, depth, nearer=False)
    assert (theirs(), count.value) == (found.value, found.nodes)
    ours, anchor = interleaved(
        lambda: engine.search(s, depth, nearer=False), theirs, rounds=3 if quick else 7
    )
    return [
        Finding(
            f"Riskless alpha-beta, {size} territories, depth {depth}", ratio(ours, anchor), 0.85,
            cpp.ANCHOR, f"{found.nodes:,} nodes, value {found.value}",
            a_node(min(ours), found.nodes), a_node(min(anchor), found.nodes),
        )
    ]  # fmt: skip
