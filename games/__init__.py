"""Games: the signature, the rules, the players and the referee, the law kit.

Names are loaded when they are first used, so that ``import games`` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.against import AgainstAll, against_all
    from games.agents import Agent, HumanAgent, RandomAgent
    from games.catalogue import CATALOGUE, find_game
    from games.chance import WithChance, with_chance
    from games.connect_four import ConnectFour
    from games.estimate import Estimate
    from games.explicit import HANDOUT_BIG, HANDOUT_FIRST, HANDOUT_SMALL, ExplicitGame
    from games.features import Weighted, weights_of, with_weights
    from games.game import (
        CHANCE,
        MAXIE,
        MINNIE,
        WIN,
        Game,
        IllegalMove,
        NoEstimate,
        Player,
        Status,
        win_in,
    )
    from games.nim import Nim, NimForMany
    from games.othello import Othello
    from games.pacman import Maze, Pacman
    from games.pig import Pig, PigForMany
    from games.pursuit import Pursuit
    from games.referee import Record, play
    from games.riskless import Map, Riskless
    from games.tictactoe import TicTacToe
    from games.trees import Tree
    from games.twenty48 import Twenty48
    from games.twenty48_features import Featured2048, Pessimistic2048
    from games.words import U64, put

_HOMES = {
    "agents": ["Agent", "HumanAgent", "RandomAgent"],
    "catalogue": ["CATALOGUE", "find_game"],
    "against": ["AgainstAll", "against_all"],
    "chance": ["WithChance", "with_chance"],
    "connect_four": ["ConnectFour"],
    "estimate": ["Estimate"],
    "explicit": ["HANDOUT_BIG", "HANDOUT_FIRST", "HANDOUT_SMALL", "ExplicitGame"],
    "features": ["Weighted", "weights_of", "with_weights"],
    "game": [
        "CHANCE",
        "MAXIE",
        "MINNIE",
        "WIN",
        "Game",
        "IllegalMove",
        "NoEstimate",
        "Player",
        "Status",
        "win_in",
    ],
    "nim": ["Nim", "NimForMany"],
    "othello": ["Othello"],
    "pacman": ["Maze", "Pacman"],
    "pig": ["Pig", "PigForMany"],
    "pursuit": ["Pursuit"],
    "referee": ["Record", "play"],
    "riskless": ["Map", "Riskless"],
    "tictactoe": ["TicTacToe"],
    "trees": ["Tree"],
    "twenty48": ["Twenty48"],
    "twenty48_features": ["Featured2048", "Pessimistic2048"],
    "words": ["U64", "put"],
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CATALOGUE",
    "CHANCE",
    "HANDOUT_BIG",
    "HANDOUT_FIRST",
    "HANDOUT_SMALL",
    "MAXIE",
    "MINNIE",
    "U64",
    "WIN",
    "AgainstAll",
    "Agent",
    "ConnectFour",
    "Estimate",
    "ExplicitGame",
    "Featured2048",
    "Game",
    "HumanAgent",
    "IllegalMove",
    "Map",
    "Maze",
    "Nim",
    "NimForMany",
    "NoEstimate",
    "Othello",
    "Pacman",
    "Pessimistic2048",
    "Pig",
    "PigForMany",
    "Player",
    "Pursuit",
    "RandomAgent",
    "Record",
    "Riskless",
    "Status",
    "TicTacToe",
    "Tree",
    "Twenty48",
    "Weighted",
    "WithChance",
    "against_all",
    "find_game",
    "play",
    "put",
    "weights_of",
    "win_in",
    "with_chance",
    "with_weights",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'games' has no attribute {name!r}")
    value = getattr(import_module(f"games.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
