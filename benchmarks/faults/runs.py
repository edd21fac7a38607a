"""The runs for faults: about a second each, mostly sleeping, the same every time."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import frozen

from games import ConnectFour
from games.connect_four import Discs
from games.problems import Queens
from strategies import (
    alphabeta,
    jamboree,
    mcts,
    minimax,
    par_list,
    pvs,
    search,
    solve,
    tournament,
    young_brothers_wait,
)
from strategies.running.plans import on_cluster
from strategies.searches.local_search.climb import climb


@frozen
class Asleep(ConnectFour):
    """A game whose searches take time, but no processor time."""

    seconds: float = 0.005

    def estimate(self, state: Discs) -> int:
        time.sleep(self.seconds)
        return super().estimate(state)


@frozen
class Drowsy(Queens):
    """Queens whose starts take time; an attempt then takes some steps."""

    def start(self, seed: int) -> tuple[int, ...]:
        time.sleep(0.03)
        return super().start(seed)


def tasks(scheduler: Any) -> Any:
    """Search independent branches, in bundles."""
    found: Any = search(
        Asleep(4, 4), minimax(4), using=par_list.to_ply(2), engine="interpreted"
    ).compute(scheduler=scheduler)
    assert found.sparks.balanced()
    return found.value, found.move, found.nodes, found.sparks


def waits(scheduler: Any) -> Any:
    """Search branches that wait for each other."""
    found: Any = search(
        Asleep(4, 4, seconds=0.01), alphabeta(4), using=jamboree(0.5).to_ply(2),
        engine="interpreted",
    ).compute(scheduler=scheduler)  # fmt: skip
    assert found.sparks.balanced()
    return found.value, found.move, found.nodes, found.sparks


def trees(scheduler: Any) -> Any:
    """Grow the trees of a Monte Carlo search.

    Raises: UserWarning if the answer is partial because the client was cut off.
    """
    lazy: Any = search(ConnectFour(4, 4), mcts(1600, trees=8), using=par_list, engine="interpreted")
    with warnings.catch_warnings():
        warnings.filterwarnings("error", on_cluster.CUT_OFF, UserWarning)
        found = lazy.compute(scheduler=scheduler)
    return found.move, found.value, found.simulations, found.moves


def games(scheduler: Any) -> Any:
    """Play a tournament with a journal."""
    with TemporaryDirectory() as folder:
        record = Path(folder) / "games.jsonl"
        found = tournament(
            Asleep(4, 4, seconds=0.002), ["alphabeta(depth=2)", "random"], rounds=6, plies=2,
            scheduler=scheduler, record=record,
        )  # fmt: skip
        return str(found), sorted(record.read_text().splitlines())


def climbs(scheduler: Any) -> Any:
    """Run a local search of many starts, without a goal."""
    found = climb(Drowsy(3), restarts=60, using=par_list, scheduler=scheduler, engine="interpreted")
    return found.value, found.state, found.steps, found.attempts


def rows(scheduler: Any) -> Any:
    """Run a search that deepens: a row of graphs, with tables kept by workers."""
    found: Any = search(
        Asleep(5, 4, pairs=1, seconds=0.0005), pvs(6, table="64kB"),
        using=young_brothers_wait.to_size(100), engine="interpreted",
    ).compute(scheduler=scheduler)  # fmt: skip
    assert found.sparks.balanced()
    return found.value, found.move


def proofs(scheduler: Any) -> Any:
    """Answer the questions of a solver."""
    game = ConnectFour(4, 4)
    found = solve(
        game, game.parse_state("12341"), using=young_brothers_wait.to_size(200), line=2,
        scheduler=scheduler, engine="interpreted",
    )  # fmt: skip
    return found.value, found.line


def lasting() -> Any:
    """Return a search of some minutes, which was not computed yet."""
    game = Asleep(4, 4, seconds=0.001)
    return search(game, minimax(10), using=par_list, engine="interpreted")


RUNS: dict[str, Callable[[Any], Any]] = {
    run.__name__: run for run in (tasks, waits, trees, games, climbs, rows, proofs)
}
