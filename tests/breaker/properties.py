"""Attacks in which Hypothesis draws the input: each is a property that must always hold."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from games import WIN, ExplicitGame
from strategies import (
    abdada,
    alphabeta,
    auto,
    expectimax,
    lazy_smp,
    mcts,
    minimax,
    mtdf,
    pvs,
    search,
    seq,
    solve,
)
from strategies.algebra.strategy import Strategy
from tests.breaker.counted import answered, right
from tests.strategies.given import RUNS, brute, searches, trees

DEEP = 9
"""Plies that reach the end of every tree."""
ENGINES = st.sampled_from(["interpreted", "interpreted", "native"])
FULL: list[Callable[[], Any]] = [
    lambda: minimax(DEEP), lambda: alphabeta(DEEP), lambda: alphabeta(DEEP, table="1MB"),
    lambda: pvs(DEEP), lambda: mtdf(DEEP), lambda: expectimax(DEEP),
    lambda: expectimax(DEEP, pruning="star1"), lambda: expectimax(DEEP, pruning="star2"),
]  # fmt: skip
"""Algorithms whose value at this depth is that of the whole tree."""
HOW = st.one_of(
    searches(), searches(),
    st.sampled_from([seq, seq.joined(), abdada(), abdada(3), lazy_smp(2), auto(2)]),
)  # fmt: skip


@given(trees(chance=True, floats=True, wins=True), st.sampled_from(FULL), HOW,
       st.sampled_from(RUNS), ENGINES)  # fmt: skip
def search_of_random_trees(
    game: ExplicitGame, algorithm: Any, using: Any, run: dict[str, Any], engine: str
) -> None:
    """Search whole trees in every way; the value is that of plain expectimax."""
    lazy = answered(lambda: search(game, algorithm(), using=using, engine=engine))
    found = lazy and answered(lambda: lazy.compute(**run))
    if found:
        value, move = brute(game, game.start(), DEEP)
        near = found.value == value or abs(found.value - value) < 1e-9
        # A deepened search may end early at a win, whose distance it then knows.
        won = abs(value) >= WIN and math.copysign(1, value) * found.value >= WIN
        right((near or won) and (found.move == move or algorithm not in FULL[:2]))


@given(trees(chance=False, wins=True, floats=True), HOW, ENGINES)
def solve_random_trees(game: ExplicitGame, using: Strategy, engine: str) -> None:
    """Solve trees under every strategy; the result has the sign of minimax's value."""
    found = answered(lambda: solve(game, using=using, engine=engine, memory="1MB", workers=2))
    if found:
        value, _ = brute(game, game.start(), DEEP)
        won = abs(value) >= WIN
        same_win = won and abs(found.value) >= WIN and (found.value > 0) == (value > 0)
        right(found.exact and (found.value == value or same_win))


BAD = st.sampled_from([math.nan, math.inf, -math.inf, 1e308, -1e308, 10**17, -(10**17)])


@given(trees(depth=3), BAD, st.integers(0, 10**6), st.sampled_from([*FULL, lambda: mcts(40)]),
       st.sampled_from(RUNS), ENGINES)  # fmt: skip
def bad_values(
    game: ExplicitGame, bad: float, where: int, algorithm: Any, run: dict[str, Any], engine: str
) -> None:
    """Search trees with one value that no search can use: refused, or not met and right."""
    from attrs import evolve

    leaves = [i for i, n in enumerate(game.many) if n == 0]
    chosen = leaves[where % len(leaves)]
    values = list(game.values)
    values[chosen] = bad
    made = answered(lambda: evolve(game, values=tuple(values)))
    found = made and answered(
        lambda: search(made, algorithm(), using=seq, engine=engine).compute(**run)
    )
    if found:
        right(-1e300 < found.value < 1e300)


@given(st.data(), st.integers(2, 4))
def many_threads_at_once(data: st.DataObject, threads: int) -> None:
    """Search in several threads of one process at once."""
    game = data.draw(trees(depth=3))
    using = [data.draw(searches()) for _ in range(threads)]
    found: list[Any] = []

    def one(how: Strategy) -> None:
        try:
            found.append(search(game, alphabeta(DEEP), using=how).compute(num_workers=2).value)
        except Exception as error:
            found.append(error)

    running = [threading.Thread(target=one, args=(how,)) for how in using]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    right(found == [brute(game, game.start(), DEEP)[0]] * threads)


EXAMPLES = settings(
    max_examples=40, database=None, deadline=None, suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)  # fmt: skip
PROPERTIES: dict[str, Callable[[], None]] = {
    "searches": EXAMPLES(search_of_random_trees),
    "solving": EXAMPLES(solve_random_trees),
    "bad values": EXAMPLES(bad_values),
    "threads": EXAMPLES(many_threads_at_once),
}
