"""Connect Four, alpha-beta, depth 8: how many times as fast as OpenSpiel's search in Python?"""

from __future__ import annotations

from typing import Any

from benchmarks.finding import Finding, a_node, seconds
from benchmarks.measure import interleaved, ratio
from benchmarks.openspiel import openspiel, visited


def run(quick: bool) -> list[Finding]:
    from games import ConnectFour
    from strategies import alphabeta, search
    from strategies.native.kept_engines import engine_for

    spiel, minimax = openspiel()
    depth = 3 if quick else 8
    game, other = ConnectFour(), spiel.load_game("connect_four")
    engine, state = engine_for(game), game.start()

    def theirs() -> Any:
        return minimax.alpha_beta_search(other, value_function=lambda _: 0, maximum_depth=depth)

    def whole() -> Any:
        return search(game, alphabeta(depth, nearer_wins=False)).compute()

    def kernel() -> Any:
        return engine.search(state, depth, nearer=False)

    nodes = visited(minimax, "_alpha_beta", theirs)
    assert nodes == whole().nodes == kernel().nodes
    a, b, c = interleaved(whole, kernel, theirs, rounds=3 if quick else 7)

    def finding(what: str, ours: list[float], bar: float) -> Finding:
        name = f"Connect Four alpha-beta, depth {depth}: {what}"
        anchor = "OpenSpiel, `alpha_beta_search` in Python"
        times = seconds(min(ours)), a_node(min(c), nodes)
        return Finding(name, ratio(ours, c), bar, anchor, f"{nodes:,} nodes, leaf 0", *times)

    return [finding("`search(…).compute()`", a, 25), finding("the kernel", b, 300)]
