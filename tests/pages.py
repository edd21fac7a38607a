"""Pages that tests open in a browser: a report of each kind, and pages of the site."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import dask
import pytest

from games import HANDOUT_SMALL, STOPPED_SHORT, ConnectFour, TicTacToe
from strategies import (
    alphabeta,
    jamboree,
    learn,
    mcts,
    par_list,
    par_list_chunk,
    pvs,
    search,
    study,
    tournament,
    using,
    young_brothers_wait,
)  # fmt: skip

SITE = Path(os.environ.get("JAMBOREE_SITE", "missing"))
"""The folder of the built site, if there is one."""
needs_site = pytest.mark.skipif(
    not SITE.exists(), reason="NO SITE: set JAMBOREE_SITE to the folder of the built site"
)
PAGES = (
    "index", "tournaments", "pictures", "spark-depth", "search", "genindex",
    "api/graphs", "api/graphs.Seq-class", "_modules/graphs/errors", "executed/first-search",
)  # fmt: skip
"""A short page of the site for each kind of page."""
SMALL = ConnectFour(5, 4)


def a_search(path: Path) -> None:
    answer = search(HANDOUT_SMALL, alphabeta(2), using=jamboree(0.5), engine="interpreted")
    answer.compute(num_workers=2).report(path)


def a_search_that_deepens(path: Path) -> None:
    answer = search(TicTacToe(), pvs(4), using=jamboree(0.5).to_size(300), time=60)
    answer.compute(num_workers=2).report(path, sequential=False)


def a_monte_carlo_search(path: Path) -> None:
    answer = search(TicTacToe(), mcts(120, trees=3), using=par_list, engine="interpreted")
    answer.compute(num_workers=2).report(path)


def a_tournament(path: Path) -> None:
    tournament(SMALL, ["alphabeta(depth=1)", "random(seed=4)"], rounds=2).report(path)


def a_training(path: Path) -> None:
    learn(SMALL, games=10, engine="interpreted").report(path)


def a_study(path: Path) -> None:
    tried = [jamboree(0.5), young_brothers_wait.to_ply(2)]
    found = study(HANDOUT_SMALL, alphabeta(2), tried, workers=[1, 2], repeat=3,
                  engine="interpreted")  # fmt: skip
    found.report(path)


def a_replay(path: Path) -> None:
    answer = search(STOPPED_SHORT, alphabeta(4), using=par_list.live().to_ply(2))
    answer.replay(path)


def a_replay_of_two(path: Path) -> None:
    search(HANDOUT_SMALL, alphabeta(2)).replay(path, other=jamboree(0.5))


def values_evaluated(path: Path) -> None:
    slow = [dask.delayed(sum)([n, n + 1]) for n in range(12)]
    using(slow, par_list_chunk(2)).run(num_workers=2).report(path)


REPORTS: dict[str, Callable[[Path], None]] = {
    "a search": a_search,
    "a search that deepens": a_search_that_deepens,
    "a Monte Carlo search": a_monte_carlo_search,
    "a tournament": a_tournament,
    "a training": a_training,
    "a study": a_study,
    "a replay": a_replay,
    "a replay of two": a_replay_of_two,
    "values": values_evaluated,
}
"""The functions that write a report, by its name."""
