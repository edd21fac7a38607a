"""Every argument that is a number of workers on this machine has the same limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games import TicTacToe
from games.problems import Queens
from graphs.arguments import MOST_THREADS, MOST_WORKERS
from strategies import SearchAgent, abdada, alphabeta, lazy_smp, mcts, par_list, pvs, search, solve
from strategies.searches.local_search.climb import climb

GAME, HOW = TicTacToe(), {"engine": "interpreted"}
RUNS: list[Callable[[Any], Any]] = [
    lambda n: search(GAME, alphabeta(2), **HOW).compute(num_workers=n),
    lambda n: search(GAME, alphabeta(2), using=par_list, **HOW).compute(num_workers=n),
    lambda n: search(GAME, pvs(2), using=abdada(), **HOW).compute(num_workers=n),
    lambda n: search(GAME, mcts(9, trees=2), using=par_list, **HOW).compute(num_workers=n),
    lambda n: solve(GAME, workers=n, memory="64kB", **HOW),
    lambda n: climb(Queens(4), workers=n, **HOW),
    lambda n: SearchAgent(alphabeta(2), workers=n),
    lambda n: lazy_smp(workers=n),
]


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("number", [MOST_THREADS + 1, 10**12])
def test_too_many_workers_are_refused(run: Callable[[Any], Any], number: int) -> None:
    most = MOST_THREADS if number == MOST_THREADS + 1 else f"({MOST_THREADS}|{MOST_WORKERS})"
    with pytest.raises(ValueError, match=f"workers must be a whole number.* {most}, not"):
        run(number)
