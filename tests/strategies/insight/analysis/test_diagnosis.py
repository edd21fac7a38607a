"""Diagnoses: each fault is found in a run built to have it, and none in a run without faults.

Runs are simulated with fixed durations for each node, so that nothing depends on the clock.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from time import sleep
from typing import Any
from unittest.mock import patch

import pytest
from attrs import evolve, frozen
from hypothesis import example, given
from hypothesis import strategies as st

from games import MAXIE, ConnectFour, ExplicitGame, Game, Othello, Status, TicTacToe
from strategies import (
    Driver,
    Result,
    StrategyError,
    abdada,
    alphabeta,
    budget,
    by_kind,
    by_type,
    critical,
    eval_list,
    jamboree,
    minimax,
    par_buffer,
    par_list,
    par_list_chunk,
    pv_split,
    pvs,
    scout,
    search,
    seq,
    simulate,
    split_at,
    young_brothers_wait,
)
from strategies.algebra.strategy import Strategy
from strategies.algebra.wording import plural
from strategies.algorithms.algorithm import Algorithm
from strategies.insight.analysis.diagnosis.advice import width
from strategies.insight.analysis.diagnosis.diagnose import OPPOSITE, agreeing, diagnose
from strategies.insight.analysis.diagnosis.facts import IDLE, LONG, Facts
from strategies.insight.analysis.diagnosis.faults import Finding
from strategies.insight.analysis.simulation import FREE, Burden, replay
from strategies.insight.analysis.utilisation import wall
from strategies.running.records.record import HOST, Record
from strategies.running.records.wording import seconds
from tests.properties import examples
from tests.strategies.given import searches, trees

MILD = Burden(task=20e-6)
CONNECT_FOUR = ConnectFour()


@cache
def searched(
    game: Game[Any, Any], algorithm: Algorithm, using: Strategy, engine: str = "auto"
) -> Result:
    return search(game, algorithm, using=using, engine=engine).compute(num_workers=1)


def run(
    game: Game[Any, Any], algorithm: Algorithm, using: Strategy, workers: int = 2,
    burden: Burden = MILD, node: float = 1e-6, engine: str = "auto",
) -> Result:  # fmt: skip
    """Return a run on virtual workers in which a node takes `node` seconds and a task 2 µs."""
    once = searched(game, algorithm, using, engine)
    timed = tuple(r._replace(start=0.0, end=2e-6 + node * r.nodes) for r in once.records)
    return replay(evolve(once, records=timed), workers, burden).result


def names(result: Result, sequential: Result | None = None) -> list[str]:
    return [finding.name for finding in diagnose(result, sequential)]


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_run_without_faults_has_no_findings(workers: int) -> None:
    algorithm = minimax(depth=6)
    sequential = run(CONNECT_FOUR, algorithm, seq, 1, FREE)
    result = run(CONNECT_FOUR, algorithm, par_list.to_ply(2), workers)
    diagnosis = diagnose(result, sequential if workers > 1 else None)
    assert not diagnosis, str(diagnosis)
    assert str(diagnosis) == "no fault was found"


def test_a_sequential_run_has_no_findings() -> None:
    assert names(run(CONNECT_FOUR, alphabeta(depth=9), seq)) == []


def test_a_short_run_has_no_findings() -> None:
    result = run(CONNECT_FOUR, alphabeta(depth=6), par_list.to_ply(2), node=1e-9)
    assert Facts.of(result).seconds < 0.02
    assert names(result) == []


def test_too_few_sparks() -> None:
    using = split_at(5, eval_list, par_list)
    diagnosis = diagnose(run(CONNECT_FOUR, alphabeta(depth=9), using, workers=8))
    (finding,) = diagnosis
    assert finding.name == "too few sparks"
    assert "8 workers idle 8" in finding.says
    assert "2 sparks searched" in finding.says


def test_the_share_of_waiting_time_is_printed() -> None:
    (finding,) = diagnose(run(CONNECT_FOUR, alphabeta(depth=9), jamboree(0.8), workers=8))
    assert finding.name == "too few sparks"
    assert "the p of jamboree(p)" in finding.advice


def test_unbalanced_sparks() -> None:
    small: Any = [[1, 2], [3, 4]]
    large: Any = [[[[i, j, 5] for i in range(9)] for j in range(9)] for _ in range(9)]
    game = ExplicitGame.from_nested([small] * 9 + [large])
    result = run(game, minimax(depth=9), par_list, workers=4, burden=FREE, node=1e-4,
                 engine="interpreted")  # fmt: skip
    (finding,) = diagnose(result)
    assert finding.name == "unbalanced sparks"
    assert finding.says.startswith("the spark of 9 ran")
    assert finding.lost > 0.5


ENDS: list[Any] = list(range(8))
DUDS: list[tuple[list[Any], Strategy, str]] = [
    (ENDS, par_list, "Search with seq"),
    ([ENDS] * 2, eval_list(par_list), "Spark at an earlier ply"),
    ([ENDS] * 2, par_list.to_ply(2), "Spark one ply less"),
    ([ENDS] * 8, par_list.to_ply(2), ""),
]


@pytest.mark.parametrize(("tree", "using", "advice"), DUDS)
def test_sparks_that_are_all_duds(tree: list[Any], using: Strategy, advice: str) -> None:
    """Those below opened nodes run in parallel, and no run is told that it had too few."""
    game = ExplicitGame.from_nested(tree)
    sequential = run(game, minimax(3), seq, 1, FREE, 1e-2, "interpreted")
    result = run(game, minimax(3), using, 8, FREE, 1e-2, "interpreted")
    assert result.sparks.dud == result.sparks.attempts > 0
    assert ("slower than sequential" in names(result, sequential)) == (
        result.seconds > sequential.seconds
    )
    found = {f.name: f for f in diagnose(result)}
    assert set(found) == ({"only duds"} if advice else set())
    if advice:
        assert found["only duds"].advice.startswith(advice)
        assert f"all {result.sparks.dud} sparks were duds" in found["only duds"].says


NUMBERS = itertools.count()


def even(*widths: int) -> Any:
    """Return a tree with nodes of these widths, a width for each ply."""
    return [even(*widths[1:]) for _ in range(widths[0])] if widths else next(NUMBERS) * 7919 % 101


TREES = {
    "wide": even(16, 2, 2, 2, 2, 2), "narrow": even(*[2] * 8), "forced": even(1, 1, 8, 4, 4),
    "one long branch": [even(2, 2) for _ in range(15)] + [even(3, 3, 3, 3, 3)],
}  # fmt: skip
NARROW = (
    par_list, par_list_chunk(8), par_list_chunk(16), budget(1), budget(2), budget(2).to_ply(2),
    par_buffer(1), par_buffer(2), par_buffer(3).to_ply(2), eval_list(par_list), jamboree(0.5),
    eval_list.to_ply(3), jamboree(0.9), jamboree(1).to_ply(2), split_at(15, eval_list, par_list),
    by_kind(min=par_list), by_type(cut=par_list), scout, pv_split, pv_split.everywhere, critical,
    young_brothers_wait, jamboree(0.9).everywhere.grain(plies=2),
)  # fmt: skip


def simulated(tree: Any, using: Strategy, workers: int, kind: Any = minimax) -> Result:
    answer = search(ExplicitGame.from_nested(tree), kind(40), using=using, engine="interpreted")
    return simulate(answer, workers, Burden(task=1e-5), node=1e-3).result


@given(st.sampled_from(sorted(TREES)), st.sampled_from(NARROW), st.sampled_from([2, 4, 8]))
@example("wide", par_buffer(2), 8)
@example("wide", eval_list(par_list), 8)
@example("one long branch", pv_split, 4)
@examples(40)
def test_the_first_advice_makes_a_run_faster(name: str, using: Strategy, workers: int) -> None:
    """Without windows, so that every strategy visits the same nodes."""
    try:
        result = simulated(TREES[name], using, workers)
    except StrategyError:  # minimax has no windows to test with
        return
    first = next(iter(diagnose(result)), None)
    if Facts.of(result).idle >= IDLE:
        assert first is not None
        assert first.using is not None, first
        assert wall(simulated(TREES[name], first.using, workers)) < wall(result), first


@given(trees(), searches(live=False, scouts=False))
def test_no_more_tasks_run_at_once_than_the_width_of_the_plan(
    game: ExplicitGame, using: Strategy
) -> None:
    answer = search(game, minimax(9), using=using, engine="interpreted")
    bars = simulate(answer, 500, FREE, node=1.0).result.records
    running = [r for r in bars if r.role in ("spark", "step")]
    most = max((sum(r.start <= one.start < r.end for r in running) for one in running), default=0)
    assert most <= width(answer.plan.root)


def test_where_no_position_has_two_moves_no_order_helps() -> None:
    for using in par_list.everywhere, jamboree(0.5).to_ply(3), par_list:
        (finding,) = diagnose(simulated(even(*[1] * 20), using, 4))
        assert finding.name == "no sparks"
        assert "No order helps" in finding.advice


def test_an_order_that_lets_few_branches_run_at_once_is_told() -> None:
    for using in par_buffer(2), eval_list(par_list):
        (finding,) = diagnose(simulated(TREES["wide"], using, 8))
        assert finding.name == "waiting sparks"
        assert "at most 2 tasks run at once" in finding.says


def test_a_long_spark_is_split_where_it_is() -> None:
    """Deeper sparks elsewhere, as of `pv_split`, do not split it."""
    for using in par_list, pv_split, pv_split.everywhere:
        found = {f.name: f for f in diagnose(simulated(TREES["one long branch"], using, 4))}
        long = found["unbalanced sparks"]
        assert long.says.startswith("the spark of 15 ran")
        assert long.using == par_list.to_ply(2)


def test_live_windows_are_not_advised_where_there_is_nothing_to_read() -> None:
    """Where all sparks start at once, and where they are tests with null windows."""
    tree = even(8, 8, 8)
    sequential = simulated(tree, seq, 1, alphabeta)
    for using, workers, live in ((par_list, 8, False), (par_list, 2, True), (scout, 2, False)):
        more = evolve(simulated(tree, using, workers, alphabeta), nodes=9 * sequential.nodes)
        (told,) = [f for f in diagnose(more, sequential) if f.name == "stale windows"]
        assert (".live()" in told.advice) == live


def test_sparks_too_small() -> None:
    slow = Burden(task=80e-6)
    result = run(TicTacToe(), minimax(depth=4), par_list.to_ply(3), burden=slow,
                 engine="interpreted")  # fmt: skip
    assert result.sparks.created < 1000
    assert "sparks too small" in names(result)


def test_too_many_sparks() -> None:
    result = run(ConnectFour(6, 4), minimax(depth=5), par_list.to_ply(4), burden=MILD,
                 engine="interpreted")  # fmt: skip
    found = {f.name: f for f in diagnose(result)}
    assert "too many sparks" in found
    assert "1,296 sparks for 2 workers" in found["too many sparks"].says
    assert "sparks too small" not in found


@pytest.mark.parametrize("python", [0.0, 60e-6])
def test_python_around_brief_searches_is_overhead_not_search(python: float) -> None:
    game, algorithm = ConnectFour(6, 4), minimax(depth=5)
    sequential = run(game, algorithm, seq, 1, FREE, node=2e-6, engine="interpreted")
    result = run(game, algorithm, par_list.to_ply(4), 2, FREE, node=2e-6, engine="interpreted")
    records = [r._replace(start=0.0, end=r.seconds + python * (r.role == "spark"))
               for r in result.records]  # fmt: skip
    slower = replay(evolve(result, records=tuple(records)), 2, FREE).result
    found = names(slower, sequential)
    assert ("too many sparks" in found) == (python > 0), found


@pytest.mark.parametrize("using", [par_list.to_ply(1), young_brothers_wait.to_ply(1)], ids=str)
def test_more_sparks_are_advised_only_if_the_search_takes_long_in_order(using: Strategy) -> None:
    for node, longer in (1e-7, False), (1e-5, True):
        sequential = run(CONNECT_FOUR, alphabeta(9), seq, 1, FREE, node)
        result = run(CONNECT_FOUR, alphabeta(9), using, 16, Burden(task=0.02), node)
        found = names(result, sequential)
        assert ("slower than sequential" in found) != longer
        assert ("too few sparks" in found) == longer, found


def test_fizzled_sparks() -> None:
    result = run(CONNECT_FOUR, alphabeta(depth=8), jamboree(0.5).to_ply(4))
    assert result.sparks.fizzled > result.sparks.converted
    found = {f.name: f for f in diagnose(result)}
    assert f"({result.sparks.fizzled:,} window closed)" in found["fizzled sparks"].says


def test_stale_windows_and_slower_than_sequential() -> None:
    algorithm = alphabeta(depth=9)
    sequential = run(CONNECT_FOUR, algorithm, seq, 1, FREE)
    result = run(CONNECT_FOUR, algorithm, par_list.to_ply(2))
    assert result.nodes > 2 * sequential.nodes
    found = {f.name: f for f in diagnose(result, sequential)}
    assert set(found) == {"stale windows", "slower than sequential"}
    assert ".live()" in found["stale windows"].advice
    assert names(result) == []  # nothing to compare with


def test_live_windows_are_not_advised_if_already_used() -> None:
    algorithm = alphabeta(depth=9)
    sequential = run(CONNECT_FOUR, algorithm, seq, 1, FREE)
    result = run(CONNECT_FOUR, algorithm, par_list.live().to_ply(2))
    more = evolve(result, nodes=2 * sequential.nodes)
    found = {f.name: f for f in diagnose(more, sequential)}
    assert ".live()" not in found["stale windows"].advice


def test_a_slow_driver_is_reported() -> None:
    def took(using: Strategy | Driver, seconds: float) -> Result:
        found = search(TicTacToe(), alphabeta(depth=3), using=using).compute(num_workers=1)
        times = {"start": 0, "end": seconds, "cpu": seconds}
        return evolve(found, records=tuple(r._replace(**times) for r in found.records))

    sequential = took(seq, 0.1)
    (finding,) = diagnose(took(abdada(2), 0.4), sequential)
    assert finding.name == "slower than sequential"
    assert "400 ms on 2 workers, against 100 ms in order" in finding.says
    assert not diagnose(took(abdada(2), 0.05), sequential)
    short = diagnose(took(abdada(2), 0.01), sequential)
    assert str(short) == "a run of less than 20 ms is too short to diagnose"


def test_dispatcher_bound() -> None:
    slow = Burden(dispatch=400e-6, task=400e-6)
    result = run(CONNECT_FOUR, minimax(depth=5), par_list.to_ply(3), workers=8, burden=slow)
    found = {f.name: f for f in diagnose(result)}
    assert "dispatcher-bound" in found


def taking_turns(result: Result, part: float = 0.5) -> tuple[Record, ...]:
    """Return the records of threads of one process that have a processor a part of their time."""
    return tuple(
        r._replace(worker=r.worker.replace("virtual ", "7/"), cpu=part * r.seconds)
        for r in result.records
    )


def test_interpreted_rules_on_threads() -> None:
    result = run(TicTacToe(), minimax(depth=5), par_list, node=1e-4, engine="interpreted")
    records = taking_turns(result)
    found = {f.name: f for f in diagnose(evolve(result, records=records))}
    assert "one thread at a time" in found["interpreted rules"].says
    assert "interpreted rules" not in names(result)  # virtual workers share no interpreter
    apart = tuple(r._replace(worker=r.worker.replace("virtual ", "host/7") + "/1")
                  for r in result.records)  # fmt: skip
    assert "interpreted rules" not in names(evolve(result, records=apart))


def test_a_trial_by_interpreted_rules_is_told_to_compile_them() -> None:
    """To search again is no advice: each call of the command line is a first search."""
    result = run(TicTacToe(), minimax(depth=5), par_list, node=1e-4, engine="interpreted")
    records = taking_turns(result)
    assert result.request is not None
    tried = evolve(result.request, engine="auto", trial=True)
    (found,) = diagnose(evolve(result, records=records, request=tried))
    assert "engine='native'" in found.advice
    assert "again" not in found.advice
    followed = evolve(result.request, engine="native")
    assert "interpreted rules" not in names(evolve(result, records=records, request=followed))


@given(st.integers(2, 8), st.floats(0, 1), st.sampled_from([par_list, jamboree(0.5)]))
@examples(30)
def test_pythons_lock_costs_no_more_than_was_waited_for(
    workers: int, part: float, using: Strategy
) -> None:
    """Tasks that wait for a server, or run alone, do not wait for the lock."""
    result = run(TicTacToe(), minimax(4), using, workers, FREE, 1e-3, "interpreted")
    records = taking_turns(result, part)
    found = [f for f in diagnose(evolve(result, records=records)) if f.name == "interpreted rules"]
    held, wall = sum(r.cpu for r in records), Facts.of(result).seconds
    waited = sum(r.seconds - r.cpu for r in records)
    costs = min(waited, held * (workers - 1)) / (workers * wall)
    if held < wall * 0.499 or costs < 0.099:
        assert not found
    elif held > wall * 0.501 and costs > 0.101:
        assert found[0].lost == pytest.approx(costs)


@frozen
class Waits(Game[int, int]):
    """A game whose positions are estimated by a server."""

    native = False

    def start(self) -> int:
        return 0

    def status(self, state: int) -> Status:
        return Status.IN_PLAY

    def player(self, state: int) -> int:
        return MAXIE

    def moves(self, state: int) -> Iterator[int]:
        yield from range(1, 9)

    def make_move(self, state: int, move: int) -> int:
        return 10 * state + move

    def estimate(self, state: int) -> int:
        sleep(2e-3)
        return state * 7919 % 101

    def utility(self, state: int) -> int:
        return 0


def test_rules_that_wait_are_not_told_of_pythons_lock() -> None:
    result = search(Waits(), minimax(2), using=par_list).compute(num_workers=4)
    assert result.cpu < 0.5 * result.seconds
    assert not {"interpreted rules", "busy machine", "too many workers"} & set(names(result))


def test_findings_on_rules_that_wait_rest_on_the_time_of_the_clock() -> None:
    """By processor time, which may be a hundredth of it, splitting would not pay."""
    sequential, result = (
        run(TicTacToe(), minimax(4), using, workers, FREE, 1e-3, "interpreted")
        for using, workers in ((seq, 1), (par_list, 3))
    )
    waiting, alone = (
        evolve(r, records=taking_turns(r, part)) for r, part in ((result, 0.02), (sequential, 1e-4))
    )
    first, *others = diagnose(waiting, alone)
    assert "they waited, for Python's lock or something else" in first.says
    assert "slower than sequential" not in {f.name for f in others}


def test_a_run_of_another_process_is_not_diagnosed_as_interpreted() -> None:
    class Unseen(TicTacToe):
        """A game that was searched in another process; its rules are not compiled in this one."""

    result = run(Unseen(), minimax(depth=5), par_list, node=1e-4, engine="interpreted")
    records = taking_turns(result)
    assert result.request is not None
    native = evolve(result, records=records, request=evolve(result.request, engine="auto"))
    assert "interpreted rules" not in names(native)


def test_findings_are_sorted_by_cost_and_shown_in_notebooks() -> None:
    algorithm = alphabeta(depth=9)
    sequential = run(CONNECT_FOUR, algorithm, seq, 1, FREE)
    diagnosis = diagnose(run(CONNECT_FOUR, algorithm, par_list.to_ply(2)), sequential)
    lost = [f.lost for f in diagnosis]
    assert lost == sorted(lost, reverse=True)
    assert diagnosis._repr_html_().count("<li>") == len(lost) == len(str(diagnosis).splitlines())


def finding(name: str, lost: float, pull: int, instead: str = "") -> Finding:
    return Finding(name, f"{name} is so.", f"Mend {name}.", lost, pull, instead)


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from([-1, 0, 1]), st.booleans())))
def test_advice_is_not_contradictory(faults: list[tuple[float, int, bool]]) -> None:
    """Advice that contradicts the advice for the costliest fault is left out."""
    found = [
        finding(str(i), lost, pull, "Else." if instead else "")
        for i, (lost, pull, instead) in enumerate(sorted(faults, reverse=True))
    ]
    told = agreeing(found)
    assert [f.says for f in told] == [f.says for f in found]
    given = [f.pull for f in told if f.advice == f"Mend {f.name}." and f.pull]
    ways = [f.pull for f in found if f.pull]
    assert given == [pull for pull in ways if pull == ways[0]]
    assert {f.advice for f in told if f.advice not in {x.advice for x in found}} <= {
        "Else.", OPPOSITE,
    }  # fmt: skip


SPARKED = st.sampled_from(
    [par_list, jamboree(0.3), par_list.live(), split_at(1, eval_list, par_list)]
)


@given(SPARKED, st.integers(1, 3), st.integers(1, 4), st.integers(2, 40), st.sampled_from([1, 100]))
@examples(40)
def test_advice_can_be_followed(
    body: Strategy, depth: int, plies: int, workers: int, cost: float
) -> None:
    """No spark is deeper than the leaves, none is above ply 1, and no advice names what is done."""
    using = body.to_ply(plies)
    node, burden = 1e-3, Burden(task=cost * 1e-3, dispatch=cost * 1e-4)
    algorithm = alphabeta(depth)
    result = run(CONNECT_FOUR, algorithm, using, workers, burden, node, engine="interpreted")
    deepest = min(depth, plies)
    for finding in diagnose(result, run(CONNECT_FOUR, algorithm, seq, 1, FREE, node)):
        assert deepest < depth or "ply deeper" not in finding.advice
        assert deepest > 1 or "ply less" not in finding.advice
        assert deepest > 2 or "fewer plies: .to_ply(2)" not in finding.advice


def test_live_windows_are_not_advised_where_they_are_fixed() -> None:
    """Workers in several processes share no memory."""
    algorithm = alphabeta(depth=7)
    result = run(CONNECT_FOUR, algorithm, par_list.to_ply(2), node=1e-5)
    names_of = {worker: f"host/{n}/1" for n, worker in enumerate(result.timeline)}
    apart = evolve(result, records=tuple(r._replace(worker=names_of[r.worker])
                                         for r in result.records))  # fmt: skip
    sequential = run(CONNECT_FOUR, algorithm, seq, 1, FREE, 1e-5)
    for found, advised in ((result, True), (apart, False)):
        (stale,) = [f for f in diagnose(found, sequential) if f.name == "stale windows"]
        assert (".live()" in stale.advice) is advised
        assert "young_brothers_wait" in stale.advice


def test_findings_below_their_threshold_are_left_out() -> None:
    """Sparks that fizzle at no cost are not a fault, even if workers are idle."""
    result = run(CONNECT_FOUR, alphabeta(depth=9), jamboree(0.8).to_ply(2), workers=8, burden=FREE)
    facts = Facts.of(result)
    assert facts.idle > IDLE
    assert result.sparks.fizzled > result.sparks.converted
    assert names(result) == ["too few sparks"]


@given(
    st.sampled_from([par_list.to_ply(1), jamboree(0.5).to_ply(2), split_at(5, eval_list, par_list)])
    | st.just(par_list.to_ply(2)),
    st.integers(2, 8), st.floats(2, 9),
)  # fmt: skip
@examples(15)
def test_a_busy_neighbour_changes_no_advice(using: Strategy, workers: int, times: float) -> None:
    """Each task waits for a processor most of its time, and the advice is that of a quiet run."""
    quiet = on_own_processors(using, workers)
    wait = [r._replace(start=r.start * times, end=r.end * times) for r in quiet.records]
    first, *others = diagnose(evolve(quiet, records=tuple(wait)))
    assert first.name == "busy machine"
    assert f"{1 / times:.0%} of the time" in first.says
    assert "they waited" not in first.says, "machine code does not wait"
    took, waited = Facts.of(quiet).seconds, Facts.of(evolve(quiet, records=tuple(wait))).seconds
    assert f"the run would take {seconds(took)}, not {seconds(waited)}." in first.advice
    assert [f.advice for f in others] == [f.advice for f in diagnose(quiet)]


@given(st.integers(2, 8), st.integers(1, 8))
@examples(15)
def test_more_threads_than_processors_are_not_other_programs(threads: int, processors: int) -> None:
    quiet = on_own_processors(par_list.to_ply(1), threads)
    wait = [
        r._replace(start=2 * r.start, end=2 * r.end, worker=f"{HOST}/1/{r.worker}")
        for r in quiet.records
    ]
    shared = evolve(quiet, records=tuple(wait))
    with patch("os.cpu_count", return_value=processors):
        first, *_ = diagnose(shared)
        at_best = Facts.of(shared).when_quiet()
    more = len({r.worker for r in wait}) > processors
    assert first.name == ("too many workers" if more else "busy machine")
    assert ("other programs" in first.says) == (not more)
    with_so_many = f" with {plural(processors, 'worker')}" if more else ""
    assert f"would take {seconds(at_best.seconds)}{with_so_many}, not" in first.advice
    assert at_best.seconds >= 0.999 * sum(r.cpu for r in wait) / min(threads, processors)


@pytest.mark.parametrize("using", [jamboree(0.99), split_at(9, eval_list, par_list)])
def test_a_strategy_without_sparks_leaves_workers_idle(using: Strategy) -> None:
    result = run(CONNECT_FOUR, alphabeta(depth=9), using, workers=4, node=1e-5)
    assert result.sparks.created == 0
    (finding,) = diagnose(result)
    assert finding.name == "no sparks"
    assert "4 workers were idle 75% of the time" in finding.says
    assert names(evolve(result, request=evolve(result.request, workers=1))) == []


def test_subtrees_too_small_to_spark_are_the_reason_for_no_sparks() -> None:
    once = search(TicTacToe(), pvs(5), using=par_list.to_size(10**9), engine="interpreted").compute(
        num_workers=2
    )
    slow = tuple(r._replace(start=0.0, end=1.0, cpu=1.0) for r in once.records)
    (finding,) = diagnose(evolve(once, records=slow))
    assert (finding.name, ".to_size()" in finding.advice) == ("no sparks", True)


@given(st.integers(2, 8), st.floats(1, 9))
@examples(15)
def test_tasks_that_wait_for_python_are_no_sign_of_other_programs(
    workers: int, times: float
) -> None:
    """Tasks of less than 2 ms wait for the interpreter's lock on a quiet machine, too."""
    quick = on_own_processors(par_list.to_ply(3), workers, node=1e-7)
    assert max(r.cpu for r in quick.records) < LONG
    wait = [r._replace(start=r.start * times, end=r.end * times) for r in quick.records]
    assert "busy machine" not in names(evolve(quick, records=tuple(wait)))


@cache
def on_own_processors(using: Strategy, workers: int, node: float = 10e-6) -> Result:
    """Return a run on virtual workers whose tasks never wait for a processor."""
    once = searched(CONNECT_FOUR, alphabeta(depth=9), using)
    timed = [r._replace(start=0.0, end=node * r.nodes, cpu=node * r.nodes) for r in once.records]
    placed = replay(evolve(once, records=tuple(timed)), workers, FREE).result
    real = [r._replace(worker=r.worker.replace("virtual", "worker")) for r in placed.records]
    return evolve(placed, records=tuple(real))


def test_a_slower_run_without_other_faults_is_to_be_given_up() -> None:
    algorithm = alphabeta(depth=9)
    sequential = run(CONNECT_FOUR, algorithm, seq, 1, FREE)
    slow = run(CONNECT_FOUR, algorithm, jamboree(0.5).to_ply(1), 2)
    fast = evolve(sequential, records=tuple(r._replace(end=r.end / 9) for r in sequential.records))
    found = [f for f in diagnose(slow, fast) if f.name == "slower than sequential"]
    for f in found:
        alone = len(list(diagnose(slow, fast))) == 1
        assert f.advice.startswith("Search with seq" if alone else "Fix the other faults first")
    assert found


@pytest.mark.long
@pytest.mark.parametrize("using", [par_list.to_ply(2), split_at(5, eval_list, par_list)])
def test_twenty_runs_get_one_advice(using: Strategy) -> None:
    """Ten on this machine as it is, ten beside two programs that never wait.

    Neither strategy is near a threshold: `par_list.to_ply(1)` is 0.93 times as fast as `seq`, and a
    slow moment of `seq` alone would turn that.
    """
    sequential = search(Othello(), alphabeta(depth=11)).compute(num_workers=1)
    advice = []
    for count in (0, 2):
        loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
        try:
            for _ in range(10):
                found = search(Othello(), alphabeta(depth=11), using=using).compute(num_workers=2)
                told = diagnose(found, sequential)
                advice.append(tuple(f.name for f in told if f.name != "busy machine"))
        finally:
            for loop in loops:
                loop.kill()
                loop.wait()
    assert len(set(advice)) == 1, advice
