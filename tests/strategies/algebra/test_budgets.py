"""Budgets of threads against the program whose threads they deal, by C++ and OpenMP."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import Pursuit
from strategies import Strategy, budget, expectimax, explain, par_list, parse_strategy, search

ACTIONS = 4
FAR = Pursuit(goal_x=30, antagonist_x=20)


def tasks(threads: int, maxie: bool) -> int:
    """Count the tasks of the program that start no others, below a node with so many threads.

    A parallel loop takes up to four threads.  Minnie's nodes pass on the others, Maxie's all.
    """
    taken = min(threads, ACTIONS)
    if taken <= 1:
        return 0
    passed = threads if maxie else threads - taken
    below = tasks(passed, not maxie)
    return ACTIONS * below if below else taken


def program(threads: int) -> int:
    """Count the same in the whole program, whose root passes on the rest, as Minnie's nodes do."""
    taken = min(threads, ACTIONS)
    below = tasks(threads - taken, False)
    return ACTIONS * below if below else taken


@pytest.mark.parametrize("threads", range(5, 14))
def test_the_mix_of_deals_has_the_tasks_of_the_program(threads: int) -> None:
    mixed = par_list(budget(threads - ACTIONS, "rest", at_max="whole"))
    plan = search(FAR, expectimax(7), using=mixed, engine="interpreted").plan
    assert plan.attempts == program(threads)


def test_the_mix_of_deals_is_an_expression_of_128_tasks() -> None:
    mixed = par_list(budget(6, "rest", at_max="whole"))
    assert program(10) == 128
    text = "par_list(budget(threads=6, deal='rest', at_max='whole'))"
    assert repr(mixed) == text
    assert parse_strategy(text) == mixed
    assert hash(parse_strategy(text)) == hash(mixed)
    search_of_it = search(FAR, expectimax(7), using=mixed, engine="interpreted")
    assert search_of_it.plan.attempts == 128
    assert search_of_it.compute().sparks.created == 128


def test_the_deal_is_explained_in_words() -> None:
    rest, every = "the threads that are left when every branch has one", "all threads"
    said = explain(par_list(budget(6, "rest", at_max="whole")), branches=4)
    assert said.endswith(f"each branch gets {rest}; where Maxie moves, {every}.")
    said = explain(budget(6, "rest", at_max="whole"), branches=4)
    assert "where Maxie moves:" in said
    assert "where chance decides:" in said
    even = "each branch gets an equal part of the threads"
    assert explain(budget(8), branches=4).endswith(f"{even}.")
    assert f"budget(threads=2), where {even}\n" in explain(budget(8), branches=6)


@given(st.integers(2, 40), st.integers(1, 3))
def test_even_threads_are_as_many_tasks_and_each_ply_more_deals_them_again(
    threads: int, plies: int
) -> None:
    def attempts(using: Strategy) -> int:
        return search(FAR, expectimax(7), using=using, engine="interpreted").plan.attempts

    assert attempts(budget(threads)) == threads
    assert attempts(budget(2).to_ply(plies)) == (2 if plies == 1 else 2 * ACTIONS ** (plies - 1))
