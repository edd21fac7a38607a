"""Wrong numbers are refused with the name of the argument, before anything is computed."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import Any

import pytest

from games import HANDOUT_SMALL, ConnectFour, Pig, TicTacToe
from games.problems import Queens
from strategies import (
    AlgorithmError,
    SearchAgent,
    abdada,
    alphabeta,
    expectimax,
    explain,
    first_better,
    mcts,
    minimax,
    par_list,
    parse_algorithm,
    search,
    seq,
    solve,
    study,
    tournament,
    tune,
    tune_weights,
)
from strategies.searches.local_search.climb import climb

GAME, TREE = TicTacToe(), HANDOUT_SMALL
PLAYERS = [SearchAgent(alphabeta(1)), SearchAgent(alphabeta(2))]

WHOLE: dict[str, Callable[[Any], object]] = {
    "width": lambda n: ConnectFour(n, 4),
    "connect": lambda n: ConnectFour(connect=n),
    "target": lambda n: Pig(target=n),
    "simulations": lambda n: mcts(n),
    "nodes": lambda n: search(GAME, alphabeta(4), nodes=n),
    "most_tasks": lambda n: search(GAME, alphabeta(4), most_tasks=n),
    "line": lambda n: solve(GAME, line=n),
    "branches": lambda n: explain(seq, n),
    "rounds": lambda n: tournament(GAME, PLAYERS, rounds=n),
    "plies": lambda n: tournament(GAME, PLAYERS, plies=n),
    "repeat": lambda n: study(TREE, minimax(2), repeat=n),
    "games": lambda n: study(TREE, minimax(2), games=n),
    "moves": lambda n: study(TREE, minimax(2), moves=n),
    "workers": lambda n: study(TREE, minimax(2), workers=[1, n]),
    "workers ": lambda n: tune(TREE, minimax(2), workers=n),
    "workers  ": lambda n: climb(Queens(6), workers=n),
    "restarts": lambda n: climb(Queens(6), restarts=n),
    "generations": lambda n: tune_weights(
        ConnectFour(), PLAYERS[0], names=["pairs"], generations=n
    ),
    "num_workers": lambda n: search(TREE, alphabeta(2), using=abdada()).compute(num_workers=n),
    "num_workers ": lambda n: search(TREE, alphabeta(2), using=par_list).compute(num_workers=n),
}

SECONDS: dict[str, Callable[[Any], object]] = {
    "of a search": lambda s: search(GAME, alphabeta(4), time=s),
    "of simulations": lambda s: search(GAME, mcts(), time=s),
    "of an agent": lambda s: SearchAgent(alphabeta(4), time=s),
    "of a solver": lambda s: solve(GAME, time=s),
    "of a climb": lambda s: climb(Queens(6), time=s),
}


@pytest.mark.parametrize("number", [nan, inf, -1, True, 1.5, "1"], ids=repr)
@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers(name: str, number: Any) -> None:
    with pytest.raises(ValueError, match=f"{name.strip()} must be (a|1)"):
        WHOLE[name](number)


@pytest.mark.parametrize("seconds", [nan, inf, -1, 0, True, "1"], ids=repr)
@pytest.mark.parametrize("name", SECONDS)
def test_seconds(name: str, seconds: Any) -> None:
    with pytest.raises(AlgorithmError, match="time must be a number of seconds above 0"):
        SECONDS[name](seconds)


@pytest.mark.parametrize("seconds", [2**63, 1e300, 10**400], ids=["2**63", "1e300", "10**400"])
@pytest.mark.parametrize("name", SECONDS)
def test_too_many_seconds(name: str, seconds: Any) -> None:
    with pytest.raises(AlgorithmError, match=r"time must be a number of seconds below 2\*\*63"):
        SECONDS[name](seconds)


@pytest.mark.parametrize("number", [nan, inf, -1, True, "1"], ids=repr)
def test_constants(number: Any) -> None:
    with pytest.raises(AlgorithmError, match="c must be a number of 0 or more"):
        mcts(c=number)
    with pytest.raises(AlgorithmError, match="cutoff must be a probability from 0 to 1"):
        expectimax(4, cutoff=number)
    if number not in (inf, -1, True):
        with pytest.raises(ValueError, match="last must be the value to beat, a number or None"):
            first_better(TREE, minimax(2), number)
    with pytest.raises(ValueError, match="sigma must be a number above 0"):
        tune_weights(
            ConnectFour(), PLAYERS[0], names=["pairs"], sigma=-1 if number is True else number
        )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("mcts(c=nan)", r"c: nan is neither a number nor a text in quotes; mcts takes simulations"),
        ("mcts(1 + x)", r"1 \+ x is neither a number"),
        ("alphabeta(depth=deep)", r"depth: deep is neither a number .*; alphabeta takes a depth"),
    ],
)
def test_texts_of_numbers(text: str, why: str) -> None:
    with pytest.raises(AlgorithmError, match=why):
        parse_algorithm(text)
