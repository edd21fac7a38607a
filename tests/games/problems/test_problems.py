"""Problems of local search keep their laws, and the laws find faults."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games.problems import Coloring, Queens, broken_laws, find_problem

EDGES = st.sets(
    st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda e: e[0] < e[1]), min_size=1
)


@given(n=st.integers(1, 9), seed=st.integers(0, 2**64))
def test_queens_keep_the_laws(n: int, seed: int) -> None:
    assert broken_laws(Queens(n), seed, steps=3, most=20) == []


@given(edges=EDGES, colors=st.integers(2, 4), seed=st.integers(0, 2**64))
def test_coloring_keeps_the_laws(edges: set[tuple[int, int]], colors: int, seed: int) -> None:
    assert broken_laws(Coloring.of_edges(edges, colors), seed, steps=3, most=20) == []


@given(rows=st.lists(st.integers(0, 7), min_size=8, max_size=8))
def test_the_value_of_queens_counts_attacking_pairs(rows: list[int]) -> None:
    places = combinations(enumerate(rows), 2)
    attacks = sum(r == s or abs(r - s) == abs(x - y) for (x, r), (y, s) in places)
    assert Queens(8).value(tuple(rows)) == attacks


@pytest.mark.parametrize(("n", "goals"), [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4)])
def test_goals_are_the_known_solutions(n: int, goals: int) -> None:
    board = Queens(n)
    assert sum(board.value(rows) == 0 for rows in product(range(n), repeat=n)) == goals


@given(edges=EDGES)
def test_the_value_of_a_coloring_counts_edges(edges: set[tuple[int, int]]) -> None:
    graph = Coloring.of_edges(edges)
    state = graph.start(1)
    assert graph.value(state) == sum(state[v] == state[w] for v, w in edges)


@frozen
class Careless(Queens):
    """A fault: a diagonal is not updated when a queen leaves it."""

    def assign(self, cells, variable, choice):  # type: ignore[no-untyped-def]
        self.count(cells, variable, choice, 1)
        cells[variable] = choice


@frozen
class Blind(Queens):
    """A fault: every board has the same value."""

    def value(self, state: tuple[int, ...]) -> int:
        return -1


@pytest.mark.parametrize(("problem", "law"), [(Careless(6), "change or assign"), (Blind(6), "val")])
def test_broken_problems_are_found(problem: Queens, law: str) -> None:
    assert any(line.startswith(law) for line in broken_laws(problem))


@pytest.mark.parametrize(
    ("text", "problem"),
    [("queens", Queens(8)), (" queens:20 ", Queens(20)), ("queens(n=9)", Queens(9))],
)
def test_texts_name_problems(text: str, problem: Queens) -> None:
    assert find_problem(text) == problem


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("knights", "no problem 'knights'; problems: queens"),
        ("queens:", "the number of queens must be a whole number"),
        ("queens:x", "the number of queens must be a whole number"),
        ("queens:5)", "the number of queens must be a whole number"),
        ("queens(n=5", "the number of queens must be a whole number"),
        ("queens(n=)", "the number of queens must be a whole number"),
        ("queens:\u0663", "the number of queens must be a whole number"),
        ("queens:9999999999", "the number of queens must be a whole number"),
        ("queens:0", "n must be a whole number, 1 to 10000000, not 0"),
        ("queens:10000001", "n must be a whole number, 1 to 10000000, not 10000001"),
    ],
)
def test_bad_texts_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        find_problem(text)


@pytest.mark.parametrize(
    ("adjacent", "colors"), [((), 3), (((1,), (0,)), 1), (((0,),), 3), (((1,), ()), 3)]
)
def test_bad_graphs_are_refused(adjacent: tuple[tuple[int, ...], ...], colors: int) -> None:
    with pytest.raises(ValueError, match=r"vert|edge"):
        Coloring(adjacent, colors)


@pytest.mark.parametrize("edge", [(0, 0), (0, -1), (0, 1, 2), ("a", 1), 3, (0, 10**8), (0, 1.5)])
def test_wrong_edges_are_refused(edge: Any) -> None:
    with pytest.raises(ValueError, match=r"edge 2: .* is not two different vertices"):
        Coloring.of_edges([(0, 1), edge])


def test_repeated_edges_and_isolated_vertices_are_accepted() -> None:
    assert Coloring.of_edges([(1, 3), (3, 1), (1, 3)]).adjacent == ((), (3,), (), (1,))
