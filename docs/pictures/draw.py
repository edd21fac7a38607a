"""Draw the pictures of the documentation: ``./run python docs/pictures/draw.py``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from games import HANDOUT_BIG, HANDOUT_SMALL, ConnectFour
from strategies import alphabeta, jamboree, par_list, search, seq
from strategies.insight.analysis.calibration import measured_burden
from strategies.insight.analysis.simulation import replay
from strategies.insight.analysis.utilisation import utilisation
from strategies.insight.pictures.search_tree import draw_tree
from strategies.insight.pictures.speedup_bounds import draw_bounds
from strategies.insight.report.replay.page import replay_picture

HERE = Path(__file__).parent


def best(answer: Any, workers: int) -> Any:
    """Return the fastest of five runs, because the first loads code and others may be disturbed."""
    runs = [answer.compute(num_workers=workers) for _ in range(5)]
    return min(runs, key=lambda run: utilisation(run).seconds)


def tree() -> Any:
    return draw_tree(search(HANDOUT_BIG, alphabeta(depth=4)))


def replays() -> Any:
    return replay_picture(search(HANDOUT_SMALL, alphabeta(depth=2)), jamboree(0.5))


def graph() -> Any:
    answer = search(ConnectFour(5, 4, pairs=1), alphabeta(depth=6), using=jamboree(0.5).to_ply(2))
    return answer.compute(num_workers=1).draw("graph")


def timeline() -> Any:
    answer = search(ConnectFour(pairs=1), alphabeta(depth=12), using=jamboree(0.5).to_ply(2))
    return best(answer, 2).draw("timeline")


def bounds() -> Any:
    answer = search(ConnectFour(pairs=1), alphabeta(depth=12), using=par_list.to_ply(2))
    runs = [best(answer, workers) for workers in (1, 2)]
    burden, sequential = measured_burden(ConnectFour(pairs=1)), runs[0].search(seq).compute()
    simulated = [replay(runs[0], workers, burden) for workers in (4, 8, 16, 32, 64)]
    return draw_bounds(*runs, burden=burden, sequential=sequential, simulated=simulated)


if __name__ == "__main__":
    for draw in (replays, tree, graph, timeline, bounds):
        print(draw().write(HERE / f"{draw.__name__}.svg"))
