"""Games with a network hold what the game holds, however its class makes its objects."""

from __future__ import annotations

import dataclasses
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest
from attrs import field, frozen

from games import Dense, Game, NTuples
from games.attributes import attributes
from games.networks.batches import Batch, batched
from games.networks.learned import plain, with_network
from games.networks.trainee import Rows, trainee
from games.networks.weights import Weights
from graphs import MalformedError
from strategies.players.tournaments.entrants import with_settings


class Cells(Game[int, int]):
    def cell(self, state: int, k: int) -> int:
        return state % 2


@frozen
class Converted(Cells):
    top: int = field(default=4, converter=lambda half: 2 * int(half))
    weight: int = 1


@frozen(slots=False, cache_hash=True)
class Increased(Cells):
    top: int = 4
    weight: int = 1
    twice: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "top", self.top + 1)
        object.__setattr__(self, "twice", 2 * self.top)


@frozen(init=False)
class Read(Cells):
    top: int = 4
    weight: int = 1

    def __init__(self, text: str) -> None:
        self.__attrs_init__(int(text))


@dataclasses.dataclass(frozen=True)
class OfPython(Cells):
    top: int = 4
    weight: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "top", self.top + 1)


GAMES = [Converted(), Increased(), Read("7"), OfPython()]
NETWORK = NTuples(2, ((0,),))
DENSE = Dense(2, 1, 32)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_games_with_a_network_hold_what_the_game_holds(game: Any) -> None:
    learned = with_network(game, NETWORK, Weights([0.0, 0.5]))
    deep = with_network(game, DENSE, Weights(DENSE.settled(DENSE.begun(0.0))))
    others = [
        learned, with_network(learned, NETWORK, Weights([0.0, 0.5])), deep,
        pickle.loads(pickle.dumps(learned)),
        trainee(learned, NETWORK, Rows.new(NETWORK)), batched(deep, Batch.new(DENSE), True),
    ]  # fmt: skip
    held = attributes(game)
    for other in others:
        assert {name: getattr(other, name) for name in held} == held
        assert hash(other) == hash(other)
    assert plain(learned) == game
    assert hash(plain(learned)) == hash(game)
    assert attributes(plain(learned)) == held


@pytest.mark.parametrize("game", [Converted(), Increased(), OfPython()], ids=repr)
def test_settings_that_would_change_another_field_are_refused(game: Any) -> None:
    with pytest.raises(MalformedError, match=rf"would change top from {game.top} to \d+; write"):
        with_settings(game, {"weight": 2})
    assert with_settings(game, {}) is game


def test_settings_change_nothing_else() -> None:
    @frozen
    class Rowed(Cells):
        row: Any = field(converter=np.array, eq=False)
        weight: int = 1

    made = with_settings(Rowed([1, 2]), {"weight": 2})
    assert (made.weight, list(made.row)) == (2, [1, 2])


SCRIPT = """
import sys, cloudpickle
from attrs import frozen
from games import Game, NTuples
from games.networks.learned import with_network
from games.networks.weights import Weights
@frozen
class Mine(Game):
    n: int = 9
    def cell(self, s, k): return 0
game = with_network(Mine(), NTuples(2, ((0,),)), Weights([0.0, 0.0]))
sys.stdout.buffer.write(cloudpickle.dumps(game))
"""


def test_a_learned_game_of_a_script_can_be_sent_to_another_process() -> None:
    root = str(Path(__file__).parents[3])
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, check=True, env={"PYTHONPATH": root}
    )
    found = cloudpickle.loads(ran.stdout)
    assert repr(found) == "LearnedMine(n=9, net_weights=<2 weights af5570f5>)"
