"""All functions with many pieces of work can use a cluster, with the same results and journals."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from games import HANDOUT_SMALL, ConnectFour, ExplicitGame, TicTacToe
from games.problems import Queens
from strategies import (
    alphabeta,
    jamboree,
    mcts,
    par_list,
    parse_strategy,
    pvs,
    search,
    solve,
    study,
    tournament,
    young_brothers_wait,
)
from strategies.algebra.strategy import Strategy
from strategies.native.memory.cells import Stop, Stopped
from strategies.players.search_agent import SearchAgent
from strategies.players.weights import tune_weights
from strategies.running.plans import row_on_cluster
from strategies.running.plans.row_on_cluster import RowOnCluster
from strategies.running.runtime import machine_memory
from strategies.running.runtime.batch import run_batch, run_on
from strategies.running.runtime.shipping import ClusterError
from strategies.running.runtime.worker_side import scope_of
from strategies.searches.local_search.climb import climb
from strategies.studies.places import machine
from tests.properties import examples
from tests.strategies.asleep import working
from tests.strategies.clusters import cluster, until
from tests.strategies.given import searches, trees
from tests.strategies.patience import patiently
from tests.strategies.running.test_search_graph import TEXTS, answer, right
from tests.strategies.searches.test_laws_anywhere import holds_on

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

AGENT = SearchAgent(alphabeta(2), engine="interpreted")


@pytest.fixture
def sent(client: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the keys of the tasks that were sent."""
    keys, submit = [], client.submit

    def noted(*args: Any, key: Any, **kwargs: Any) -> Any:
        keys.extend(key[0].split("-"))
        return submit(*args, key=key, **kwargs)

    monkeypatch.setattr(client, "submit", noted)
    return keys


@given(game=trees(chance=True, floats=True), strategy=searches())
@examples(10, times=50)
def test_the_laws_hold_on_a_cluster_of_processes(
    client: Any, game: ExplicitGame, strategy: Strategy
) -> None:
    holds_on(client, game, strategy)


@pytest.mark.parametrize("text", TEXTS)
def test_a_search_is_computed_by_other_processes(client: Any, text: str) -> None:
    right(client.compute(answer(text)).result(), text)
    with client.as_current():
        right(answer(text).compute(), text)


def square(x: int) -> int:
    return x * x


def test_pieces_are_bundled_and_each_is_reported_once(client: Any, sent: list[str]) -> None:
    told = list[tuple[Any, int]]()
    todo = ((n, (n,)) for n in range(1000))
    run_on(client, square, todo, lambda n, made: told.append((n, made)), shared=("",))
    assert sorted(told) == [(n, n * n) for n in range(1000)]
    assert 2 <= sent.count("work") == len(sent) / 2 < 50


def test_the_error_of_a_piece_is_raised_and_the_others_are_cancelled(client: Any) -> None:
    todo = ((n, (n,)) for n in range(10**9))
    with pytest.raises(TypeError, match="int"):
        run_on(client, len, todo, print, shared=("",))  # type: ignore[arg-type]
    assert not any(client.processing().values())


def test_a_run_that_is_stopped_ends(client: Any) -> None:
    stop = Stop()
    todo = ((n, (n,)) for n in range(10**9))
    with pytest.raises(Stopped):
        run_on(client, square, todo, lambda *_: stop.set(), shared=("",), stop=stop)


def test_a_tournament(client: Any, sent: list[str], tmp_path: Path) -> None:
    def played(scheduler: Any, name: str) -> tuple[Any, list[str]]:
        record = tmp_path / name
        found = tournament(
            TicTacToe(), [AGENT, "random"], rounds=3, plies=1, scheduler=scheduler, record=record
        )
        return found, sorted(record.read_text().splitlines())

    assert played(client, "there") == played("threads", "here")
    assert sent.count("work")
    entries = [json.loads(line) for line in (tmp_path / "there").read_text().splitlines()]
    assert len(entries) == 1 + 6


@pytest.mark.parametrize("workers", [-1, 0, True, 2.0, "two"])
def test_numbers_of_workers_must_be_numbers(client: Any, workers: Any) -> None:
    for scheduler in (client, "threads", "processes"):
        why = "num_workers must be a whole number, 1 to 1000000, not "
        with pytest.raises(ValueError, match=why):
            run_batch(square, {1: (1,)}, print, workers=workers, scheduler=scheduler)
        for algorithm in alphabeta(2), mcts(60, trees=3), pvs(2):
            lazy = search(ConnectFour(4, 4), algorithm, using=par_list, engine="interpreted")
            with pytest.raises(ValueError, match=why):
                lazy.compute(scheduler=scheduler, num_workers=workers)


@pytest.mark.parametrize("scheduler", ["nonsense", "sync", 3])
def test_the_error_for_an_unknown_scheduler_lists_the_known_ones(
    client: Any, scheduler: Any
) -> None:
    with pytest.raises(
        ValueError, match="work runs in threads, processes or on a client's cluster"
    ):
        tournament(TicTacToe(), ["random", "random"], rounds=1, scheduler=scheduler)


def test_a_cluster_or_its_address_in_place_of_a_client_is_told_what_to_write(client: Any) -> None:
    lazy = search(TicTacToe(), alphabeta(2), using=par_list, engine="interpreted")
    for wrong, told in (
        (client.cluster, r": write scheduler=Client\(cluster\)$"),
        (address := client.scheduler.address, rf": write scheduler=Client\('{address}'\)$"),
    ):
        with pytest.raises(ValueError, match=told):
            lazy.compute(scheduler=wrong)
        with pytest.raises(ValueError, match=told):
            tournament(TicTacToe(), ["random", "random"], rounds=1, scheduler=wrong)


@pytest.mark.parametrize("scheduler", ["processes", "nonsense", "sync", 3])
def test_functions_that_run_in_threads_only_refuse_processes(client: Any, scheduler: Any) -> None:
    told = "work runs in threads or on a client's cluster, not in "
    with pytest.raises(ValueError, match=told):
        solve(TicTacToe(), using=par_list, scheduler=scheduler, engine="interpreted")
    with pytest.raises(ValueError, match=told):
        study(TicTacToe(), alphabeta(2), [par_list], scheduler=scheduler, engine="interpreted")
    if scheduler != "processes":  # which has its own message
        with pytest.raises(ValueError, match=told):
            climb(Queens(4), using=par_list, scheduler=scheduler)


def test_a_tournament_continues_on_a_cluster(client: Any, tmp_path: Path) -> None:
    """A cluster finishes a tournament that one machine started, with the same journal."""
    record = tmp_path / "games"
    common: dict[str, Any] = {"plies": 1, "record": record}
    players = [AGENT, "random"]
    tournament(TicTacToe(), players, rounds=1, scheduler="threads", **common)
    there = tournament(TicTacToe(), players, rounds=2, scheduler=client, resume=True, **common)
    here = tournament(TicTacToe(), players, rounds=2, plies=1, scheduler="threads")
    assert there == here


def test_weights_are_tuned(client: Any, sent: list[str]) -> None:
    pytest.importorskip("cma")
    common: dict[str, Any] = {
        "names": ["pairs"], "generations": 2, "trials_each": 2, "population": 3, "match": 2,
    }  # fmt: skip
    here, there = (
        tune_weights(ConnectFour(4, 4), AGENT, scheduler=scheduler, **common)
        for scheduler in ("threads", client)
    )
    assert here == there
    assert sent.count("work")


@pytest.mark.parametrize("restarts", [20, 2])
def test_a_local_search(client: Any, sent: list[str], restarts: int) -> None:
    """One search ends at a goal, one has none."""
    common: dict[str, Any] = {"restarts": restarts, "using": par_list, "engine": "interpreted"}
    here, there = (climb(Queens(8), scheduler=s, **common) for s in ("threads", client))
    assert there == here
    assert here.solved == (restarts == 20)
    assert sent.count("work")


def test_a_monte_carlo_search(client: Any) -> None:
    lazy = search(ConnectFour(4, 4), mcts(60, trees=3), using=par_list, engine="interpreted")
    here, there = lazy.compute(), lazy.compute(scheduler=client)
    assert (there.move, there.value, there.simulations) == (here.move, here.value, here.simulations)
    assert there.moves == here.moves


def test_a_study(client: Any, sent: list[str], tmp_path: Path) -> None:
    def counts(scheduler: Any) -> list[Any]:
        found = study(
            HANDOUT_SMALL, alphabeta(2), [jamboree(0.5)], workers=[1], repeat=2,
            engine="interpreted", scheduler=scheduler, results=tmp_path / "results",
        )  # fmt: skip
        assert found.complete
        return [(r.strategy, r.workers, r.leaves, r.created, len(r.runs)) for r in found.rows]

    there = counts(client)
    asked = len(sent)
    assert asked
    assert there == counts(client)  # read from the file
    assert len(sent) == asked
    assert there == counts("threads")
    with closing(sqlite3.connect(tmp_path / "results")) as db:
        kept = db.execute("SELECT machine, count(*) FROM measurements GROUP BY machine").fetchall()
    assert sorted(kept) == [(machine(), 4), (f"{machine()}, in a cluster", 4)], "two places"


def test_a_study_says_which_workers_it_needs(client: Any) -> None:
    with pytest.raises(ClusterError, match="a study of 2 workers needs that many threads"):
        study(HANDOUT_SMALL, alphabeta(2), workers=[2], engine="interpreted", scheduler=client)


def test_the_default_client_is_used_but_not_by_its_workers() -> None:
    """Searches inside a worker's task run in its thread, because otherwise they could deadlock."""
    from distributed import SchedulerPlugin

    class Seen(SchedulerPlugin):  # type: ignore[misc]
        def __init__(self) -> None:
            self.kinds = Counter[str]()

        def transition(self, key: Any, start: str, finish: str, *_: Any, **__: Any) -> None:
            if start == "processing" and finish == "memory":
                self.kinds[str(key[0]).partition("-")[0]] += 1

    agent = SearchAgent(alphabeta(2), using=par_list, engine="interpreted")
    with cluster(workers=1) as client:
        seen = Seen()
        client.cluster.scheduler.add_plugin(seen)
        found = tournament(TicTacToe(), [agent, "random"], rounds=1, plies=1)
    assert found.complete
    assert seen.kinds.keys() == {"warm", "work"}


ROWS = "young_brothers_wait.to_size(100)", "jamboree(0.5).live().to_size(100)"


@pytest.mark.parametrize("using", ROWS)
def test_a_deepening_search(
    client: Any, sent: list[str], using: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Value and move are those of one machine; all results contribute to the next plan."""
    monkeypatch.setattr(row_on_cluster, "GRAIN", 0.0)  # each task is sent individually
    game = ConnectFour(5, 4, pairs=1)
    strategy: Any = parse_strategy(using)
    lazy = search(game, pvs(6, table="64kB"), using=strategy, engine="interpreted")
    here, there = lazy.compute(num_workers=2), lazy.compute(scheduler=client)
    assert (there.value, there.move) == (here.value, here.move)
    assert there.sparks.balanced()
    assert there.nodes == sum(r.nodes for r in there.records)
    assert sum(g.nodes for g in there.graphs) == there.nodes
    assert any(g.tasks > 5 for g in there.graphs)
    assert sent.count("row") > len(there.graphs)


def cells_of(run: str) -> Any:
    return machine_memory._of_runs[scope_of(run)].cells


def mark(run: str) -> None:
    cells_of(run)[0] = 7


def marked(run: str) -> tuple[bool, bool]:
    """Say whether the mark exists, and whether entries do."""
    cells = cells_of(run)
    return cells[0] == 7, any(cells[32:])


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="memory cannot be shared here")
def test_processes_of_one_machine_share_the_table_of_a_deepening_search(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: list[RowOnCluster] = []
    share, leave = RowOnCluster.share, RowOnCluster.__exit__

    def shared(row: RowOnCluster, size: int) -> None:
        share(row, size)
        assert row.memories is not None
        assert set(row.memories) == set(client.nthreads())
        client.run(mark, row.run, workers=[min(row.memories)])
        assert set(client.run(marked, row.run).values()) == {(True, False)}

    def left(row: RowOnCluster, *error: object) -> None:
        rows.append(row)
        assert all(entries for _, entries in client.run(marked, row.run).values())
        leave(row, *error)

    monkeypatch.setattr(RowOnCluster, "share", shared)
    monkeypatch.setattr(RowOnCluster, "__exit__", left)
    lazy = search(
        ConnectFour(5, 4, pairs=1), pvs(6, table="64kB"), using=parse_strategy(ROWS[0]),
        engine="interpreted",
    )  # fmt: skip
    here, there = lazy.compute(num_workers=2), lazy.compute(scheduler=client)
    assert (there.value, there.move) == (here.value, here.move)
    assert len(rows) == 1


def test_a_deepening_search_with_a_time_limit(client: Any) -> None:
    game, using = ConnectFour(5, 4, pairs=1), young_brothers_wait.everywhere

    def found_in(seconds: float) -> Any:
        lazy = search(game, pvs(40, table="64kB"), using=using, time=seconds, engine="interpreted")
        return lazy.compute(scheduler=client)

    there = patiently(found_in, lambda found: found.depth)
    deep = search(game, alphabeta(there.depth), engine="interpreted").compute()
    assert (there.value, there.move) == (deep.value, deep.move)
    until(lambda: not working(client))


def test_workers_keep_the_table_of_a_deepening_search_and_release_it(
    client: Any, sent: list[str]
) -> None:
    lazy = search(
        ConnectFour(4, 4), pvs(4, table="64kB"), using=par_list.to_size(20), engine="interpreted"
    )
    lazy.compute(scheduler=client)
    until(lambda: not any(client.run(keeps, sent[1]).values()))


def test_a_position_is_solved(client: Any, sent: list[str]) -> None:
    game, strategy = ConnectFour(4, 4), young_brothers_wait.to_size(200)
    state = game.parse_state("12341")
    known = solve(game, state, engine="interpreted", line=3, scheduler="threads")
    there = solve(game, state, engine="interpreted", line=3, using=strategy, scheduler=client)
    assert (there.value, there.line) == (known.value, known.line)
    assert there.nodes > 0
    assert there.table.stores > 0
    assert sent.count("row") > 5


def keeps(run: str) -> bool:
    """Say whether a worker has tables of a run."""
    from strategies.running.runtime.worker_side import _runs

    return run in _runs
