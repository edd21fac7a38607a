"""Dispatch: every algorithm has its own kernel and call; unknown algorithms are refused by name."""

from __future__ import annotations

import pytest

from games import HANDOUT_SMALL
from strategies import alphabeta, expectimax, maxn, minimax, mtdf, paranoid, pvs
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.fold import OPEN
from strategies.native.kept_engines import engine_for
from strategies.native.kernels import alphabeta as by_alphabeta
from strategies.native.kernels import expectimax as by_expectimax
from strategies.native.kernels import fixed_depth, star
from strategies.native.kernels import maxn as by_maxn
from strategies.running.execution.dispatch import kernel_of, search_position

KERNELS = [
    (minimax(3), fixed_depth.search),
    (alphabeta(3), fixed_depth.search),
    (expectimax(3), fixed_depth.search),
    (paranoid(3), fixed_depth.search),
    (alphabeta(3, table="4kB"), by_alphabeta.alphabeta),
    (pvs(3), by_alphabeta.alphabeta),
    (mtdf(3), by_alphabeta.alphabeta),
    (expectimax(3, table="4kB"), by_expectimax.expectimax),
    (expectimax(3, cutoff=0.1), by_expectimax.expectimax),
    (expectimax(3, pruning="star1"), star.star),
    (expectimax(3, pruning="star2", table="4kB"), star.star),
    (maxn(3), by_maxn.maxn),
]


@pytest.mark.parametrize(("algorithm", "kernel"), KERNELS)
def test_each_algorithm_has_its_kernel(algorithm: Algorithm, kernel: object) -> None:
    assert kernel_of(algorithm, False) is kernel


@pytest.mark.parametrize("algorithm", [alphabeta(2, table="4kB"), pvs(2), mtdf(2)])
def test_its_call_finds_the_value(algorithm: Algorithm) -> None:
    engine = engine_for(HANDOUT_SMALL, "interpreted")
    found = search_position(algorithm, engine, HANDOUT_SMALL.start(), 2, OPEN)
    assert (found.value, found.line[:1]) == (4, (1,))
