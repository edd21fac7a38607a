"""The laws that hold everywhere: on a cluster, with any hash seed, on any scheduler."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import ExplicitGame
from strategies import alphabeta, parse_strategy, search
from strategies.algebra.strategy import Strategy
from strategies.running.plans.opening import plan
from strategies.searches.search import Search
from tests.properties import DEEP, examples
from tests.strategies.clusters import cluster
from tests.strategies.given import brute, searches, trees

ENGINE = "native" if DEEP else "interpreted"
"""The engine of these searches: no law depends on it, and each process compiles its own code."""


@pytest.fixture(scope="module")
def threads() -> Iterator[Any]:
    with cluster(threads=2, set_as_default=False) as client:
        yield client


def holds_on(client: Any, game: ExplicitGame, strategy: Strategy) -> None:
    """Check laws 1, 3 and 15, and with fixed windows the same nodes as in any other run."""
    answer = search(game, alphabeta(9), using=strategy, engine=ENGINE)
    found = client.compute(answer).result()
    value, move = brute(game, game.start(), 9)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.move == move
    assert found.sparks.balanced()
    assert len(found.records) == len(answer.tasks())
    if not any(word in repr(strategy) for word in ("live", "young_brothers_wait", "pv_split")):
        here = answer.compute(num_workers=1)
        assert (found.nodes, found.leaves, found.line) == (here.nodes, here.leaves, here.line)


@given(game=trees(chance=True, floats=True), strategy=searches())
@examples(10, times=50)
def test_on_a_cluster_of_threads(threads: Any, game: ExplicitGame, strategy: Strategy) -> None:
    holds_on(threads, game, strategy)


TEXTS = (
    "seq", "par_list.everywhere", "jamboree(0.5).everywhere", "par_buffer(2).to_ply(3)", "scout",
    "scout.everywhere", "par_list_chunk(2)(jamboree(0.3)).to_ply(2)", "budget(threads=7)",
    "critical.everywhere", "by_type(pv=scout).everywhere", "young_brothers_wait.everywhere",
    "par_list.live().everywhere", "pv_split.everywhere",
)  # fmt: skip
LIVE = TEXTS[-3:]
PROGRAM = f"""
import json, random
from games import ExplicitGame
from strategies import alphabeta, parse_strategy, search
deal = random.Random(7)
def tree(depth):
    if depth == 0 or deal.random() < 0.1:
        return deal.randint(-4, 4)
    return [tree(depth - 1) for _ in range(deal.randint(1, 4))]
game = ExplicitGame.from_nested([tree(3) for _ in range(4)])
runs = dict(scheduler="sync"), dict(scheduler="threads", num_workers=2), dict(num_workers=4)
for text in {TEXTS!r}:
    for run in runs:
        answer = search(game, alphabeta(6), using=parse_strategy(text), engine={ENGINE!r})
        r = answer.compute(**run)
        nodes = None if text in {LIVE!r} else [r.nodes, r.leaves, r.line]
        print(json.dumps([text, r.value, r.move, nodes]))
"""


def test_hash_seeds_and_schedulers_do_not_change_the_result() -> None:
    with redirect_stdout(StringIO()) as here:
        exec(PROGRAM, {})
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    there = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = here.getvalue().splitlines(), there.stdout.splitlines()
    assert told[0] == told[1]
    assert len(told[0]) == 3 * len(TEXTS)
    assert len(set(told[0])) == len(TEXTS)  # the three schedulers agree
    assert len({tuple(json.loads(line)[1:3]) for line in told[0]}) == 1  # and so do all strategies


@given(
    trees(depth=3, floats=True), searches(), st.integers(-30, 30), st.integers(1, 20),
    st.sampled_from([{"scheduler": "sync"}, {"scheduler": "threads", "num_workers": 2}]),
)  # fmt: skip
@examples(25, times=100)
def test_windows_of_floats_bound_values_on_the_right_side(
    game: ExplicitGame, strategy: Strategy, low: int, width: int, run: dict[str, Any]
) -> None:
    a, b = low / 10, (low + width) / 10
    v, _ = brute(game, game.start(), 9)
    r = (
        Search(plan(game, alphabeta(9), strategy, window=(a, b), engine=ENGINE))
        .compute(**run)
        .value
    )
    assert r == v if a < v < b else v <= r <= a if v <= a else b <= r <= v


@pytest.mark.parametrize("text", TEXTS)
def test_a_legal_move_is_returned_even_if_every_move_loses(text: str) -> None:
    from games import WIN

    lost = [[-WIN, -WIN], [-WIN], [[-WIN, -WIN], -WIN, -WIN]]
    game = ExplicitGame.from_nested(lost)
    found = search(game, alphabeta(4), using=parse_strategy(text)).compute(num_workers=2)
    assert found.move == brute(game, game.start(), 4)[1] is not None
    assert found.value <= -WIN
