"""Useful and wasted visits, against sets of positions that are computed independently."""

from __future__ import annotations

from functools import partial

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from games import ExplicitGame
from strategies import alphabeta, lazy_smp, minimax, par_list, scout, search, seq
from strategies.algebra.strategy import Strategy
from tests.properties import examples
from tests.strategies.given import searches, trees

interpreted = partial(search, engine="interpreted")


@examples(12)
@given(trees(chance=True, wins=True), searches(scouts=False), st.integers(1, 4))
def test_visits_add_up(game: ExplicitGame, strategy: Strategy, depth: int) -> None:
    run = interpreted(game, alphabeta(depth), using=strategy).compute(num_workers=1)
    found = run.against(seq)
    plain = interpreted(game, alphabeta(depth)).compute()
    assert (found.nodes, found.theirs) == (run.nodes, plain.nodes)
    assert found.useful + found.wasted == run.nodes
    assert found.useful + found.missed == plain.nodes
    if found.exact and found.useful_paths is not None and found.wasted_paths is not None:
        assert len(found.useful_paths) == found.useful
        assert not found.useful_paths & found.wasted_paths


@examples(12)
@given(trees(), searches(live=False, scouts=False), st.integers(1, 4))
def test_with_fixed_windows_no_position_is_missing(
    game: ExplicitGame, strategy: Strategy, depth: int
) -> None:
    found = interpreted(game, alphabeta(depth), using=strategy).compute(num_workers=2).against()
    assert found.exact
    assert found.missed == 0


@examples(12)
@given(trees(), st.integers(1, 4))
def test_a_run_compared_with_itself_wastes_nothing(game: ExplicitGame, depth: int) -> None:
    for using in (seq, par_list.to_ply(2)):
        found = interpreted(game, alphabeta(depth), using=using).compute().against(using)
        assert (found.wasted, found.missed, found.overhead) == (0, 0, 1)
    every = interpreted(game, minimax(depth), using=par_list.to_ply(2)).compute().against(seq)
    assert every.wasted == 0


def test_by_hand() -> None:
    """max(min(3, 5), min(2, 9)): sequentially the 9 is pruned, in parallel it is not."""
    game = ExplicitGame.from_nested([[3, 5], [2, 9]])
    found = search(game, alphabeta(2), using=par_list).compute().against(seq)
    assert (found.nodes, found.theirs, found.useful, found.wasted) == (7, 6, 6, 1)
    assert found.wasted_paths == {(1, 1)}
    assert str(found) == "7 nodes, 1.17 times the 6 of seq: 6 useful, 1 wasted"


def test_a_second_visit_is_wasted() -> None:
    """A branch that passes its test is searched again for its value."""
    game = ExplicitGame.from_nested([[3, 5], [7, 9]])
    found = search(game, alphabeta(2), using=scout).compute(num_workers=1).against(seq)
    assert (found.nodes, found.theirs, found.useful) == (10, 7, 7)
    assert found.wasted == 3
    assert found.wasted_paths == frozenset()


def test_visits_of_large_runs_are_only_counted() -> None:
    game = ExplicitGame.from_nested([[3, 5], [2, 9]])
    run = search(game, alphabeta(2), using=par_list).compute()
    assert (run.against(seq, most=0).exact, run.against(seq, most=0).wasted) == (True, 1)
    assert run.against(seq, most=0).wasted_paths is None
    tested = search(game, alphabeta(2), using=scout).compute().against(seq, most=0)
    assert not tested.exact
    assert "at most" in str(tested)


def test_runs_by_a_driver_are_refused() -> None:
    game = ExplicitGame.from_nested([[3, 5], [2, 9]])
    run = search(game, alphabeta(2, table="64kB"), using=par_list, engine="interpreted").compute()
    driven = evolve(run, request=evolve(run.request, strategy=lazy_smp(workers=1)))
    with pytest.raises(ValueError, match="under a strategy"):
        driven.against(seq)
