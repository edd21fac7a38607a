"""The code on a report repeats the search, whatever its game and position."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games import CATALOGUE, CHANCE, ExplicitGame, Status, find_game
from strategies import search
from strategies.insight.report.run_sections import code_of
from strategies.insight.selection.usual import usual_kind


def later(game: Any, turns: int) -> Any:
    """Return a position in play after some random turns."""
    draw, state = Random(turns), game.start()
    for _ in range(turns):
        if game.player(state) == CHANCE:
            _, after = draw.choice(list(game.outcomes(state)))
        else:
            after = game.make_move(state, draw.choice(list(game.moves(state))))
        state = after if game.status(after) == Status.IN_PLAY else state
    return state


@pytest.mark.parametrize("name", [*CATALOGUE, "nim:3-4(players=3)"])
@pytest.mark.parametrize("turns", [0, 3])
def test_the_code_of_a_search_repeats_it(name: str, turns: int) -> None:
    try:
        game: Any = find_game(name)
    except ValueError as error:
        pytest.skip(str(error))
    state = later(game, turns)
    kind, _ = usual_kind(game, state)
    algorithm = kind.at_depth(9 if isinstance(game, ExplicitGame) else 1)  # no inner estimates
    result = search(game, algorithm, state=state, engine="interpreted").compute(num_workers=1)
    assert result.request is not None
    found: dict[str, Any] = {}
    exec(code_of(result.request), found)
    again = found["result"]
    assert (again.value, again.move, again.request.state) == (result.value, result.move, state)
