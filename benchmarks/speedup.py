"""Minimax in parallel on two workers: how much of what two independent kernels reach?"""

from __future__ import annotations

from statistics import median
from typing import Any

from benchmarks.finding import Finding, seconds
from benchmarks.measure import interleaved, kernel, scaling


def run(quick: bool) -> list[Finding]:
    from games import ConnectFour
    from strategies import minimax, par_list, search
    from strategies.native import engine_for

    depth = 5 if quick else 10
    game = ConnectFour()
    engine_for(game).warm()
    using = par_list.to_ply(2)
    plan = search(game, minimax(depth), using=using)
    two_kernels: list[float] = []
    calibrate = kernel(5 if quick else 12)

    def one() -> Any:
        two_kernels.append(scaling(calibrate))
        return None

    alone, _, both = interleaved(
        lambda: plan.compute(num_workers=1), one, lambda: plan.compute(num_workers=2),
        rounds=3 if quick else 5,
    )  # fmt: skip
    shares = [a / b / c for a, b, c in zip(alone, both, two_kernels[-len(both) :], strict=True)]
    nodes = plan.compute(num_workers=2).nodes
    ceiling = median(two_kernels)
    return [
        Finding(
            f"Connect Four minimax, depth {depth}, `{using!r}`, 2 workers : 1",
            median(shares), 0.9, f"two independent kernels, which scaled {ceiling:.2f}",
            f"{nodes:,} nodes", seconds(median(both)), seconds(median(alone)),
        )
    ]  # fmt: skip
