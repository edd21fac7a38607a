"""Old names work for one more release, and each use of one warns."""

from __future__ import annotations

import importlib
import subprocess
import sys
from typing import Any

import pytest
from attrs import frozen

from games import Game, Twenty48
from games.twenty48 import Tiles

MOVED = {
    "games.against.against_all": "games.transforms.coalition",
    "games.chance.Uniform": "games.transforms.chance",
    "games.pig_optimum.win_probabilities": "games.pig.optimum",
    "games.twenty48_features.Featured2048": "games.twenty48.features",
    "games.words.U64": "games.u64",
    "games.words.put": "games.tuples",
}


@pytest.mark.parametrize(("old", "home"), MOVED.items())
def test_an_old_name_warns_and_is_the_same_object(old: str, home: str) -> None:
    module, _, name = old.rpartition(".")
    with pytest.warns(DeprecationWarning, match=f"^{old} is now {home}.{name}$") as told:
        found = getattr(importlib.import_module(module), name)
    assert found is getattr(importlib.import_module(home), name)
    assert told[0].filename == __file__
    with pytest.raises(AttributeError, match=f"'{module}' has no attribute 'nothing'"):
        _ = importlib.import_module(module).nothing


def test_jamboree_itself_uses_no_old_name() -> None:
    code = (
        "import sys, games, strategies, strategies.cli\n"
        "for package in (games, strategies): [getattr(package, name) for name in package.__all__]\n"
        f"assert not set(sys.modules) & { ({name.rpartition('.')[0] for name in MOVED})!r}\n"
    )
    subprocess.run([sys.executable, "-W", "error::DeprecationWarning", "-c", code], check=True)


def test_metrics_of_a_game_that_defines_measures() -> None:
    with pytest.warns(DeprecationWarning, match="Counting.measures: the hook") as told:

        @frozen
        class Counting(Twenty48):
            def measures(self, first: Tiles, last: Tiles, drawn: int) -> dict[str, float]:
                more: dict[str, Any] = super().measures(first, last, drawn)
                return {**more, "drawn": drawn}

    assert len(told) == 1
    game = Counting()
    start = game.start()
    with pytest.warns(DeprecationWarning, match=r"Game\.measures is now Game\.metrics"):
        assert game.metrics(start, start, 0) == {"best tile": 0, "score": 0, "drawn": 0}


@pytest.mark.parametrize("kind", [Game, Twenty48])
def test_measures_returns_the_metrics(kind: type[Game[Any, Any]]) -> None:
    game = kind()
    first = last = Tiles(0, 0)  # type: ignore[arg-type]
    with pytest.warns(DeprecationWarning, match=r"Game\.measures is now Game\.metrics"):
        assert game.measures(first, last, 0) == game.metrics(first, last, 0)
