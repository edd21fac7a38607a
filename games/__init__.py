"""Games: the signature, the rules, the players and the referee, the law kit."""

from games.estimate import Estimate
from games.explicit import HANDOUT_BIG, HANDOUT_FIRST, HANDOUT_SMALL, ExplicitGame, Tree
from games.game import CHANCE, MAXIE, MINNIE, WIN, Game, IllegalMove, Player, Status
from games.words import U64, put

__all__ = [
    "CHANCE",
    "HANDOUT_BIG",
    "HANDOUT_FIRST",
    "HANDOUT_SMALL",
    "MAXIE",
    "MINNIE",
    "U64",
    "WIN",
    "Estimate",
    "ExplicitGame",
    "Game",
    "IllegalMove",
    "Player",
    "Status",
    "Tree",
    "put",
]
