"""Connect Four, alpha-beta: does the kernel reach hand-written C++ on the same tree?"""

from __future__ import annotations

import ctypes

from benchmarks import cpp
from benchmarks.finding import Finding, a_node
from benchmarks.measure import interleaved, ratio


def run(quick: bool) -> list[Finding]:
    from games import ConnectFour
    from strategies.native.kept_engines import engine_for

    depth = 6 if quick else 14
    loop, count = cpp.build("connect_four", ctypes.c_long), ctypes.c_long()
    game = ConnectFour()
    state = game.start()
    engine = engine_for(game)

    def theirs() -> None:
        words = map(ctypes.c_uint64, (int(state.mover), int(state.all)))
        loop(*words, depth, ctypes.byref(count))

    nodes = engine.search(state, depth, nearer=False).nodes
    theirs()
    assert nodes == count.value
    ours, anchor = interleaved(
        lambda: engine.search(state, depth, nearer=False), theirs, rounds=3 if quick else 7
    )
    return [
        Finding(
            f"Connect Four alpha-beta, depth {depth}", ratio(ours, anchor), 0.95, cpp.ANCHOR,
            f"{nodes:,} nodes, leaf 0", a_node(min(ours), nodes), a_node(min(anchor), nodes),
        )
    ]  # fmt: skip
