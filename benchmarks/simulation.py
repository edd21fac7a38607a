"""How well does the simulation predict two workers?  Virtual time against that of real runs."""

from __future__ import annotations

from statistics import median
from typing import Any

from benchmarks.finding import Finding, seconds
from benchmarks.measure import timed

BAR = 0.87
"""The smaller of the two times, of the larger: within 15%."""


def run(quick: bool) -> list[Finding]:
    from games import ConnectFour, Riskless, Twenty48
    from strategies import alphabeta, expectimax, parse_strategy
    from strategies.insight.analysis.calibration import measured_burden

    four, map12, tiles = ConnectFour(), Riskless.on("continents"), Twenty48()
    cases: list[tuple[str, Any, Any, str]] = [
        ("Connect Four", four, alphabeta(13), "jamboree(0.5).to_ply(2)"),
        ("Connect Four", four, alphabeta(14), "young_brothers_wait.to_ply(3)"),
        ("Connect Four", four, alphabeta(14), "pv_split.everywhere"),
        ("Connect Four", four, alphabeta(14), "scout.to_ply(2)"),
        ("Connect Four", four, alphabeta(14), "par_list.live().to_ply(2)"),
        ("Riskless", map12, alphabeta(11), "young_brothers_wait.to_ply(2)"),
        ("Riskless", map12, alphabeta(11), "jamboree(0.5).to_ply(2)"),
        ("2048", tiles, expectimax(7), "par_list.to_ply(1)"),
        ("2048", tiles, expectimax(7), "jamboree(0.5).to_ply(1)"),
    ]
    found = []
    for name, game, algorithm, text in cases:
        depth = 4 if quick else algorithm.depth
        burden = measured_burden(game)
        found.append(
            _case(name, game, algorithm.at_depth(depth), parse_strategy(text), burden, quick)
        )
    return found


def _case(name: str, game: Any, algorithm: Any, using: Any, burden: Any, quick: bool) -> Finding:
    """Return the median of simulations and of runs, in turns."""
    from strategies import search
    from strategies.insight.analysis.simulate import simulate

    answer = search(game, algorithm, using=using)
    answer.compute(num_workers=2)
    simulated, real = [], []
    for _ in range(1 if quick else 3):
        simulated.append(simulate(answer, 2, burden).seconds)
        real.append(timed(lambda: answer.compute(num_workers=2)))
    s, r = median(simulated), median(real)
    nodes = answer.compute(num_workers=2).nodes
    return Finding(
        f"{name}, {algorithm!r}, {using!r}", min(s, r) / max(s, r), BAR, "a run on two workers",
        f"{nodes:,} nodes", seconds(s), seconds(r),
    )  # fmt: skip
