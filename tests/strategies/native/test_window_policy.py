"""Window policies inside one task: machine code and Python visit the same nodes."""

from __future__ import annotations

from typing import Any

import pytest

from games import ConnectFour, Game, Riskless, Twenty48
from strategies import alphabeta, expectimax, parse_strategy, search

CASES: list[Any] = [
    (ConnectFour(), alphabeta(4)),
    pytest.param(Twenty48(), expectimax(3), marks=pytest.mark.long),
    pytest.param(Riskless.on("islands"), alphabeta(3), marks=pytest.mark.long),
]
"""Games that define `children`; trees with chance are in `test_star`."""


@pytest.mark.parametrize(("game", "algorithm"), CASES)
@pytest.mark.parametrize("text", ["par_list.everywhere", "jamboree(0.5).everywhere"])
def test_both_engines_agree_on_games_with_children(
    game: Game[Any, Any], algorithm: Any, text: str
) -> None:
    assert hasattr(game, "children")
    using = parse_strategy(f"{text}.grain(plies=0)")
    native, slow = (
        search(game, algorithm, using=using, engine=engine).compute(num_workers=1)
        for engine in ("native", "interpreted")
    )
    assert (native.value, native.line, native.nodes) == (slow.value, slow.line, slow.nodes)
    assert (native.leaves, native.sparks) == (slow.leaves, slow.sparks)
