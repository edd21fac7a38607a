"""2048, whole games by expectimax with a cutoff and a table: how long does a move take?

The anchor is R. Xiao's 2048-ai in C++ with its depth limit set to 3, which is 7 plies here, its
cutoff 1e-4 and its own row tables; it is not part of this repository, and was measured separately.
"""

from __future__ import annotations

from benchmarks.finding import Finding

SEEDS = range(4)
ANCHORS = "0.54 to 0.61 ms"


def run(quick: bool) -> list[Finding]:
    from games import Twenty48
    from strategies import expectimax
    from strategies.players.game_loop import play_out, row
    from strategies.players.search_agent import SearchAgent

    game = Twenty48(target=None)
    agents = [SearchAgent(expectimax(3 if quick else 7, cutoff=1e-4, table="1MB"))]
    play_out(game, agents, moves=20)
    played = [play_out(game, agents, seed, moves=20 if quick else None) for seed in SEEDS]
    moves = sum(p.moves for p in played)
    busy = sum(p.busy for p in played)
    leaves, nodes = sum(p.leaves for p in played), sum(p.nodes for p in played)
    scores = ", ".join(f"{row(game, agents, p)['score']:,}" for p in played)
    return [
        Finding(
            f"2048, whole games of seeds {SEEDS.start} to {SEEDS.stop - 1}: a move",
            1e3 * busy / moves, 0.45, "2048-ai in C++, depth limit 3, cut-off 1e-4",
            f"{moves:,} moves; {leaves // moves:,} evaluations, {nodes // moves:,} nodes a move; "
            f"{leaves / busy / 1e6:.0f} M evaluations a second; scores {scores}",
            f"{1e9 * busy / nodes:.1f} ns a node", ANCHORS, at_most=True, unit=" ms",
        )
    ]  # fmt: skip
