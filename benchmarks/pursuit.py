"""Pursuit against a random antagonist: a game without tables or pruning, on one and two threads."""

from __future__ import annotations

import ctypes
from typing import Any

from benchmarks import cpp
from benchmarks.finding import Finding, a_node
from benchmarks.measure import Work, at_once, interleaved, ratio

FAR = 30
"""Too far off for any line of play to end early."""


def run(quick: bool) -> list[Finding]:
    from games import MINNIE, Pursuit, with_chance
    from strategies.native.kept_engines import engine_for

    depth, rounds = (5, 3) if quick else (13, 5)
    pursuit = Pursuit(goal_x=FAR, goal_y=FAR, antagonist_x=FAR, antagonist_y=-FAR)
    game = with_chance(pursuit, MINNIE)
    engine = engine_for(game)
    root = game.start()
    branches = [game.make_move(root, move) for move in game.moves(root)]
    macros = {"GOAL_X": FAR, "GOAL_Y": FAR, "ACTIONS": 4, "PLIES": pursuit.max_plies}
    lean = cpp.build("pursuit", ctypes.c_double, **macros)
    virtual = cpp.build("pursuit_virtual", ctypes.c_double, **macros)

    def loop(run: Any, action: int = -1, plies: int = depth) -> tuple[float, int]:
        count = ctypes.c_long()
        return run(FAR, -FAR, action, plies, ctypes.byref(count)), count.value

    def halves(run: Any) -> Work:
        """Return the root's branches, two and two on two threads."""

        def half(actions: tuple[int, int]) -> Work:
            return lambda: [run(action) for action in actions]

        return lambda: at_once(half((0, 1)), half((2, 3)))

    found = engine.search(root, depth)
    for source in (lean, virtual):
        value, count = loop(source)
        assert (count, round(value, 6)) == (found.nodes, round(found.value, 6))
    rows = interleaved(
        lambda: engine.search(root, depth),
        lambda: loop(lean),
        lambda: loop(virtual),
        halves(lambda action: engine.search(branches[action], depth - 1)),
        halves(lambda action: loop(lean, action, depth - 1)),
        rounds=rounds,
    )
    one, lean_one, virtual_one, two, lean_two = rows

    def finding(what: str, bar: float, a: list[float], b: list[float], how: str) -> Finding:
        times = a_node(min(a), found.nodes), a_node(min(b), found.nodes)
        work = f"{found.nodes - 1:,} nodes below the root"
        name = f"pursuit, {depth} plies, {what}"
        return Finding(name, ratio(a, b), bar, f"{cpp.ANCHOR}, {how}", work, *times)

    return [
        finding("1 thread", 0.9, one, lean_one, "states by value"),
        finding("2 threads", 0.9, two, lean_two, "states by value"),
        finding("1 thread", 2, one, virtual_one, "virtual calls, copied states"),
    ]
