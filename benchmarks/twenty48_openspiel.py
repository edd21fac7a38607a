"""2048, expectimax over three moves: how many times as fast as OpenSpiel's in Python?

The ratio is of times per node, because OpenSpiel treats a move that merges tiles but slides none as
illegal, so its tree is smaller by about one node in a hundred.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from benchmarks.finding import Finding, a_node
from benchmarks.measure import interleaved, ratio
from benchmarks.openspiel import openspiel, visited
from games import Twenty48
from games.twenty48.rules import Tiles


@frozen
class Level(Twenty48):
    """2048 whose positions all look alike, as a search in OpenSpiel can be told to see them."""

    def estimate(self, state: Tiles) -> int:
        return 0


def run(quick: bool) -> list[Finding]:
    from strategies.native.kept_engines import engine_for

    spiel, minimax = openspiel()
    moves = 2 if quick else 3
    plies = 2 * moves - 1
    root = spiel.load_game("2048").new_initial_state()
    for outcome in (0, 6):  # a 2 in cell 0, a 2 in cell 3
        root.apply_action(outcome)
    game = Level()
    state = game.parse_state(str(root))
    engine = engine_for(game)

    def theirs() -> Any:
        return minimax.expectiminimax(root, moves, lambda _: 0, 0)

    def ours() -> Any:
        return engine.search(state, plies)

    nodes, other = ours().nodes, visited(minimax, "expectiminimax", theirs)
    assert abs(nodes / other - 1) < 0.05
    a, b = interleaved(ours, theirs, rounds=3 if quick else 5)
    return [
        Finding(
            f"2048 expectimax, {plies} plies", ratio(a, b) * nodes / other, 200,
            "OpenSpiel, `expectiminimax` in Python", f"{nodes:,} and {other:,} nodes, leaf 0",
            a_node(min(a), nodes), a_node(min(b), other),
        )
    ]  # fmt: skip
