"""Parallel minimax on two workers: what share of the speed-up of two independent kernels?"""

from __future__ import annotations

from statistics import median

from benchmarks.finding import Finding, seconds
from benchmarks.measure import kernel, scaling, timed


def run(quick: bool) -> list[Finding]:
    from games import ConnectFour
    from strategies import minimax, par_list, search

    depth, rounds = (5, 1) if quick else (11, 3)
    using = par_list.to_ply(2)
    answer = search(ConnectFour(), minimax(depth), using=using)
    calibrate = kernel(quick)
    calibrate()
    ceilings, alone, both = [], [], []
    for _ in range(rounds):
        ceilings.append(scaling(calibrate))
        alone.append(timed(lambda: answer.compute(num_workers=1)))
        both.append(timed(lambda: answer.compute(num_workers=2)))
    share = median(a / b / c for a, b, c in zip(alone, both, ceilings, strict=True))
    return [
        Finding(
            f"Connect Four minimax, depth {depth}, `{using!r}`: 2 workers against 1, as a share",
            share, 0.9, f"two independent kernels, which scaled {median(ceilings):.2f}",
            f"minimax of {depth} plies", seconds(median(both)), seconds(median(alone)),
        )
    ]  # fmt: skip
