"""Every result is a run: its records add up, and are shown in the same ways."""

import json
from typing import Any

import pytest
from dask import delayed

from games import ConnectFour, TicTacToe
from games.problems import Queens
from strategies import abdada, alphabeta, jamboree, mcts, par_list, pvs, search, seq, solve, using
from strategies.running.records.run import Run
from strategies.searches.local_search.climb import climb

DIVIDED = par_list.to_ply(2)
BOARD = ConnectFour(6, 4)
LATER = BOARD.parse_state("333")
RUNS = {
    "search": lambda: search(TicTacToe(), alphabeta(4), using=DIVIDED, engine="interpreted"),
    "deepening": lambda: search(
        ConnectFour(5, 4, pairs=1), pvs(8), using=jamboree(0.5).to_size(1_000)
    ),
    "trees": lambda: search(TicTacToe(), mcts(90, trees=3), using=par_list, engine="interpreted"),
    "attempts": lambda: climb(
        Queens(6), restarts=9, using=par_list, workers=2, engine="interpreted"
    ),
    "proofs": lambda: solve(BOARD, LATER, using=par_list.to_size(300), workers=2),
    "joined proofs": lambda: solve(BOARD, using=seq.joined(), workers=2),
    "threads": lambda: solve(BOARD, LATER, using=abdada(workers=2)),
    "one proof": lambda: solve(TicTacToe(), engine="interpreted"),
    "values": lambda: using([delayed(pow)(i, 2) for i in range(5)], par_list),
}


@pytest.fixture(scope="module", params=RUNS)
def run(request: pytest.FixtureRequest) -> Any:
    made: Any = RUNS[request.param]()
    if request.param == "values":
        return made.run(scheduler="threads", num_workers=2)
    return made if isinstance(made, Run) else made.compute(num_workers=2)


def test_its_times_add_up(run: Any) -> None:
    assert isinstance(run, Run)
    longest = max(r.seconds for r in run.records)
    assert run.work == pytest.approx(sum(r.seconds for r in run.records))
    assert longest <= run.span <= run.work
    assert run.span <= run.seconds
    assert run.parallelism == run.work / run.span >= 1


def test_it_knows_its_workers(run: Any) -> None:
    assert run.workers == (1 if run.tasks == 1 else 2)


def test_it_has_a_row_for_every_record(run: Any) -> None:
    rows = run.rows()
    assert len(rows) == len(run.records) == run.tasks + len(run.joins)
    assert sum(map(len, run.timeline.values())) == len(rows)
    assert {r.name for r in rows} == set(run.timeline)
    assert run.tasks == 1 or any(r.move for r in rows)
    assert [r.move for r in run.sparks.records()] == [
        r.move for r in rows if r.role in ("spark", "dud")
    ]


def test_its_trace_has_a_bar_for_every_record(run: Any) -> None:
    trace = json.loads(run.to_trace())
    bars = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert len(bars) == len(run.records)
    assert trace["otherData"]["sparks"] == run.sparks.line


def test_it_draws_its_timeline(run: Any) -> None:
    assert f"{len(run.sparks.records())} spark" in run.draw().svg
    with pytest.raises(ValueError, match=r"^what must be one of timeline\b.*, not 'sea'$"):
        run.draw("sea")


def test_threads_are_named_by_their_numbers() -> None:
    found = search(TicTacToe(), alphabeta(5, table="1MB"), using=abdada(workers=2)).compute()
    assert [r.move for r in found.rows()] == ["thread 1", "thread 2"]


def test_attempts_after_a_goal_fizzle() -> None:
    found = climb(Queens(6), restarts=99, using=par_list, workers=1, engine="interpreted")
    assert found.solved
    assert found.sparks.attempts == found.tasks == 100
    assert found.sparks.converted == len(found.attempts)
    assert found.sparks.reasons == (("a goal was found", 100 - len(found.attempts)),)
    assert sum(r.nodes for r in found.records) == found.evaluations
