"""2048, expectimax over three moves: does the kernel reach hand-written C++?"""

from __future__ import annotations

import ctypes
from typing import Any

from benchmarks import cpp
from benchmarks.finding import Finding, a_node
from benchmarks.measure import interleaved, ratio

BOARD = "2 4 . .  8 4 . .  16 . 4 2  64 32 8 ."


def run(quick: bool) -> list[Finding]:
    from games import Twenty48
    from strategies.native.kept_engines import engine_for

    plies, rounds = (3, 3) if quick else (5, 21)
    game = Twenty48(target=None)
    state = game.parse_state(BOARD)
    engine = engine_for(game)
    loop, count = cpp.build("twenty48", ctypes.c_double), ctypes.c_long()
    tables = [ctypes.c_void_p(t.ctypes.data) for t in (game.left, game.right, game.worth)]

    def theirs() -> float:
        cells = ctypes.c_uint64(int(state.cells))
        value: float = loop(cells, plies, *tables, ctypes.byref(count))
        return value

    def ours() -> Any:
        return engine.search(state, plies)

    seen = ours()
    assert abs(theirs() - seen.value) <= 1e-9 * abs(seen.value)
    assert count.value == seen.nodes
    a, b = interleaved(ours, theirs, rounds=rounds)
    return [
        Finding(
            f"2048 expectimax, {plies} plies", ratio(a, b), 0.95, cpp.ANCHOR,
            f"{seen.nodes:,} nodes, leaf by row tables",
            a_node(min(a), seen.nodes), a_node(min(b), seen.nodes),
        )
    ]  # fmt: skip
