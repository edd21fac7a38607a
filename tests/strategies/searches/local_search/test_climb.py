"""Local search is the same on every engine and by every strategy, and leaves every plateau."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import pytest
from attrs import frozen
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from games.problems import Assignment, Coloring, Problem, Queens
from graphs.errors import ArgumentError
from strategies import par_buffer, par_list, par_list_chunk, seq
from strategies.algorithms.errors import AlgorithmError
from strategies.cli.group import jamboree
from strategies.native.memory.cells import Stop
from strategies.searches.local_search import acceptable
from strategies.searches.local_search.algorithms import (
    Climber,
    first_improvement,
    min_conflicts,
    parse_climber,
    simulated_annealing,
    steepest_descent,
)
from strategies.searches.local_search.attempts import seed_of, walk
from strategies.searches.local_search.climb import climb
from tests.properties import DEEP, examples
from tests.strategies.patience import patiently

PETERSEN = Coloring.of_edges(
    [(v, (v + 1) % 5) for v in range(5)]
    + [(v, v + 5) for v in range(5)]
    + [(5 + v, 5 + (v + 2) % 5) for v in range(5)]
)
UNSOLVABLE = Coloring.of_edges(
    [(v, w) for v in range(4) for w in range(v)] + [(v, v + 1) for v in range(3, 9)]
)
"""A problem with as many variables as `PETERSEN`, so that both share the compiled code."""
CLIMBERS = st.builds(
    lambda make, tolerance: make(tolerance, steps=30),
    st.sampled_from([steepest_descent, first_improvement]),
    st.sampled_from([None, 0, 1, 3]),
) | st.sampled_from([min_conflicts(steps=30), simulated_annealing(2.0, 0.9, steps=60)])
PROBLEMS = st.sampled_from([Queens(6), PETERSEN])


@examples(20)
@given(
    problem=PROBLEMS if DEEP else st.just(PETERSEN),  # each kind of problem has four kernels
    climber=CLIMBERS,
    seed=st.integers(0, 2**63),
)
def test_engines_agree_on_every_step(problem: Assignment, climber: Climber, seed: int) -> None:
    native = climb(problem, climber, seed=seed, restarts=2, engine="native")
    assert climb(problem, climber, seed=seed, restarts=2, engine="interpreted") == native
    if native.value is not None:
        assert problem.value(native.state) == native.value


@examples(10)
@given(
    problem=PROBLEMS,
    climber=CLIMBERS.filter(lambda c: c.name != "min_conflicts"),
    seed=st.integers(0, 2**63),
    using=st.sampled_from([seq, par_list, par_list_chunk(2), par_buffer(2)]),
    neighbors=st.sampled_from([None, seq, par_list_chunk(12)]),
)
def test_a_strategy_does_not_change_the_result(problem, climber, seed, using, neighbors):  # type: ignore[no-untyped-def]
    """Nor does running attempts together, or updating values instead of recomputing them."""
    how: Any = {"seed": seed, "restarts": 3, "engine": "interpreted"}
    wanted = climb(problem, climber, **how)
    found = climb(problem, climber, using=using, neighbors=neighbors, workers=2, **how)
    assert found == wanted


@examples(20)
@given(
    problem=PROBLEMS,
    climber=CLIMBERS.filter(lambda c: c.name != "min_conflicts"),
    seed=st.integers(0, 2**63),
)
def test_a_walk_goes_where_a_climb_does(problem: Assignment, climber: Climber, seed: int) -> None:
    start = problem.start(seed_of(seed, 0))
    path = list(walk(problem, start, climber, seed=seed))
    found = climb(problem, climber, seed=seed, engine="interpreted")
    assert path[0] == (start, problem.value(start))
    assert len(path) - 1 == found.steps
    assert found.value == min(value for _, value in path)
    for (before, _), (after, value) in pairwise(path):
        assert value == problem.value(after)
        assert after == before or after in set(problem.neighbors(before))


def test_annealing_cools_down_to_descent() -> None:
    """Cold, no step is worse; hot, some are."""
    start = (0,) * 8
    cold = [v for _, v in walk(Queens(8), start, simulated_annealing(1e-9, steps=200))]
    assert cold == sorted(cold, reverse=True)
    hot = [v for _, v in walk(Queens(8), start, simulated_annealing(100, 1, steps=200))]
    assert any(a < b for a, b in pairwise(hot))
    for wrong in ("simulated_annealing(0)", "simulated_annealing(1, cooling=2)"):
        with pytest.raises(AlgorithmError):
            parse_climber(wrong)
    with pytest.raises(AlgorithmError, match="has no walk"):
        walk(Queens(4), (0,) * 4, min_conflicts())


@frozen
class From(Queens):
    """Queens with a fixed start."""

    rows: tuple[int, ...] = ()

    def start(self, seed: int) -> tuple[int, ...]:
        return self.rows


NO_STATES: list[Any] = [(0, 1, 2), (0,) * 5, (0, 1, 2, 4), (0, 1, 2, -1), (0, 1, 2, 0.5), "0123", 3]


@pytest.mark.parametrize("rows", NO_STATES, ids=repr)
def test_a_start_that_is_no_state_is_refused(rows: Any) -> None:
    whole = r"is a tuple of 4 whole numbers from 0 to 3, not "
    for asked in (
        lambda: walk(Queens(4), rows),
        lambda: acceptable(Queens(4), rows),
        lambda: climb(From(4, rows), min_conflicts(), engine="native"),
        lambda: climb(From(4, rows), min_conflicts(), engine="interpreted"),
        lambda: climb(From(4, rows), using=par_list, engine="interpreted"),
    ):
        with pytest.raises(ArgumentError, match=whole):
            asked()


def test_a_seed_and_a_tolerance_are_whole_numbers() -> None:
    with pytest.raises(ArgumentError, match="seed must be a whole number, not 'x'"):
        walk(Queens(4), (0,) * 4, seed="x")  # type: ignore[arg-type]
    for tolerance in (-1, 1.5):
        with pytest.raises(ArgumentError, match="tolerance must be a whole number, 0 or more"):
            acceptable(Queens(4), (0,) * 4, tolerance)  # type: ignore[arg-type]


BOARD = Queens(4)
STUCK = [
    rows
    for rows in product(range(4), repeat=4)
    if 0 < BOARD.value(rows) <= min(map(BOARD.value, BOARD.neighbors(rows)))
]


def test_sixteen_boards_of_four_queens_are_local_minima() -> None:
    assert len(STUCK) == 16
    for rows in STUCK:
        found = climb(From(4, rows), steepest_descent(), engine="interpreted")
        assert found.state == rows
        assert (found.steps, found.attempts[0].stuck, found.solved) == (0, True, False)


@pytest.mark.parametrize("rows", STUCK)
def test_a_tolerance_leads_out_of_each_local_minimum(rows: tuple[int, ...]) -> None:
    least = min(map(BOARD.value, BOARD.neighbors(rows)))
    found = climb(From(4, rows), steepest_descent(1), engine="interpreted")
    assert found.solved == (least <= BOARD.value(rows) + 1)
    assert climb(From(4, rows), steepest_descent(2), engine="interpreted").solved


@given(st.sampled_from(list(product(range(4), repeat=4))), st.integers(0, 3))
def test_neighbours_within_the_tolerance_are_acceptable(rows: Any, tolerance: int) -> None:
    near = list(BOARD.neighbors(rows))
    best = min([BOARD.value(rows), *map(BOARD.value, near)])
    wanted = [each for each in near if BOARD.value(each) - best <= tolerance]
    assert acceptable(BOARD, rows, tolerance) == wanted
    reached = {
        climb(From(4, rows), steepest_descent(tolerance, steps=1), seed=seed,
              engine="interpreted").attempts[0].state
        for seed in range(6)
    }  # fmt: skip
    assert reached <= {rows, *wanted}


@frozen
class Line(Problem[int]):
    """A row of places with values; an attempt starts at the left."""

    heights: tuple[int, ...]

    def start(self, seed: int) -> int:
        return 0

    def neighbors(self, state: int) -> Iterator[int]:
        yield from (x for x in (state - 1, state + 1) if 0 <= x < len(self.heights))

    def value(self, state: int) -> int:
        return self.heights[state]


@pytest.mark.parametrize("make", [steepest_descent, first_improvement])
def test_a_tolerance_bounds_each_step(make) -> None:  # type: ignore[no-untyped-def]
    hill = Line((3, 5, 4, 1, 0))
    assert climb(hill, make(None)).state == 0
    assert climb(hill, make(1)).steps == 0
    assert climb(hill, make(2)).state == 4


def test_steepest_descent_takes_the_first_of_the_best_neighbours() -> None:
    rows = (0, 0, 0, 0)
    best = min(BOARD.neighbors(rows), key=BOARD.value)
    found = climb(From(4, rows), steepest_descent(steps=1), engine="interpreted")
    assert (found.state, found.steps, found.evaluations) == (best, 1, 12)


@pytest.mark.parametrize(
    ("n", "climber"),
    [
        pytest.param(300, steepest_descent(0), marks=pytest.mark.long),
        (2000, min_conflicts()),
    ],
)
def test_large_boards_are_solved(n: int, climber: Climber) -> None:
    found = climb(Queens(n), climber, seed=1, engine="native")
    assert found.solved
    assert Queens(n).value(found.state) == 0


def test_restarts_end_at_the_first_goal() -> None:
    given = {"seed": 3, "restarts": 50, "using": par_list, "engine": "interpreted"}
    found = climb(Queens(8), steepest_descent(), **given)
    assert found.solved
    assert [a.value == 0 for a in found.attempts] == [False] * found.restarts + [True]
    assert [a.number for a in found.attempts] == list(range(found.restarts + 1))


@frozen
class Slow(Problem[int]):
    """An endless descent that signals when it is evaluated."""

    looked: threading.Event
    stop: Stop

    def start(self, seed: int) -> int:
        return 10**9

    def neighbors(self, state: int) -> Iterator[int]:
        if self.looked.is_set():
            self.stop.set()
        self.looked.set()
        yield state - 1

    def value(self, state: int) -> int:
        return state


@pytest.mark.parametrize("using", [seq, par_list])
def test_a_stop_returns_the_best_so_far(using) -> None:  # type: ignore[no-untyped-def]
    stop = Stop()
    found = climb(Slow(threading.Event(), stop), restarts=3, using=using, stop=stop, workers=2)
    assert found.interrupted
    assert not found.solved
    assert found.value < 10**9
    assert "value 999,999" in str(found).replace("999999", "999,999")


def test_attempts_planned_in_batches_agree_with_one_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.modules[climb.__module__], "AT_ONCE", 2)
    for seed in range(8):
        alone = climb(Queens(6), restarts=8, seed=seed, engine="interpreted")
        found = climb(Queens(6), restarts=8, seed=seed, using=par_list, engine="interpreted")
        assert found == alone


def test_a_time_limit_ends_compiled_code_and_progress_is_reported() -> None:
    told = []

    def found_in(seconds):  # type: ignore[no-untyped-def]
        return climb(UNSOLVABLE, min_conflicts(steps=10**12), time=seconds, progress=told.append)

    found = patiently(found_in, lambda _: told)
    assert found.interrupted
    assert found.value == 1
    assert told[0].value == 1


@frozen
class Failing(Problem[int]):
    """A problem whose rules raise an error at the second state."""

    def start(self, seed: int) -> int:
        return 1

    def neighbors(self, state: int) -> Iterator[int]:
        raise ZeroDivisionError("oh")

    def value(self, state: int) -> int:
        return state


@pytest.mark.parametrize("using", [seq, par_list])
def test_errors_of_a_problem_are_raised(using) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ZeroDivisionError, match="oh"):
        climb(Failing(), restarts=3, using=using)


@frozen
class Slope(Problem[int]):
    """A problem of two states, with these values."""

    values: tuple[Any, ...]

    def start(self, seed: int) -> int:
        return 0

    def neighbors(self, state: int) -> Iterator[int]:
        yield 1 - state

    def value(self, state: int) -> Any:
        return self.values[state]


@pytest.mark.parametrize("climber", [steepest_descent(), first_improvement(1, steps=20)])
@given(values=st.tuples(st.integers(1, 2**70), st.integers(1, 2**70)))
@examples(30)
def test_a_value_is_found_as_it_is_or_refused(climber: Climber, values: tuple[int, int]) -> None:
    if max(values) < 2**60:
        assert climb(Slope(values), climber, engine="interpreted").value in values
    else:
        with pytest.raises(AlgorithmError, match="must lie between -2"):
            climb(Slope(values), climber, engine="interpreted")


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: climb(Failing(), min_conflicts()), "needs an Assignment, which Failing is not"),
        (lambda: climb(Queens(4), restarts=-1), "restarts must be a whole number"),
        (lambda: climb(Queens(4), min_conflicts(), neighbors=par_list), "leave out neighbors"),
        (lambda: steepest_descent(-1), "tolerance must be a whole number, 0 or more, not -1"),
        (lambda: steepest_descent(steps=2.5), "steps must be a whole number"),  # type: ignore[arg-type]
        (lambda: parse_climber("climb"), "no algorithm is called 'climb'; choose from steepest"),
        (lambda: parse_climber("min_conflicts(0)"), "write it as in steepest"),
        (lambda: parse_climber("1 +"), "write it as in steepest"),
        (
            lambda: parse_climber("steepest_descent(tolerance=-1)"),
            "tolerance must be a whole number",
        ),
    ],
)
def test_bad_input_is_refused_in_one_line(call, complaint: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(AlgorithmError, match=complaint) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("n", [1, 2])
def test_the_smallest_boards(n: int) -> None:
    for climber in (steepest_descent(1), first_improvement(0), min_conflicts(steps=100)):
        assert climb(Queens(n), climber, engine="interpreted").value == n - 1


@given(CLIMBERS)
def test_the_repr_of_an_algorithm_recreates_it(climber: Climber) -> None:
    assert parse_climber(repr(climber)) == climber


# The command ------------------------------------------------------------------------------------


def run(*args: str):  # type: ignore[no-untyped-def]
    return CliRunner().invoke(jamboree, ["climb", *args])


def test_the_command_draws_a_goal() -> None:
    done = run("queens:6", "--show", "--seed", "2", "--engine", "interpreted")
    assert done.exit_code == 0
    assert done.stdout.startswith("result       a goal\n")
    assert done.stdout.count("Q") == 6


def test_the_command_prints_json() -> None:
    words = "queens:6", "--json", "--restarts", "50", "--using", "par_list"
    done = run(*words, "--engine", "interpreted")
    data = json.loads(done.stdout)
    assert data["solved"]
    assert Queens(6).value(tuple(data["state"])) == data["value"] == 0


def test_the_command_reads_a_problem_from_a_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "mine_of_problems.py"
    path.write_text(
        "from games.problems import Queens\nclass Mine(Queens):\n    pass\nfive = Queens(5)\n"
    )
    assert "a goal" in run(f"{path}:five", "--engine", "interpreted").stdout
    assert f"write {path}:Mine" in run(str(path)).stderr


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["knights"], "there is no problem 'knights'; problems: queens"),
        (["queens", "--algorithm", "luck"], "no algorithm is called 'luck'"),
        (["queens", "--using", "luck"], "no strategy is called 'luck'"),
    ],
)
def test_the_command_refuses_bad_input_in_one_line(args: list[str], complaint: str) -> None:
    done = run(*args)
    assert done.exit_code == 2
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
