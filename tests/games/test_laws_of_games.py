"""Every game of the package keeps the laws."""

from __future__ import annotations

from functools import partial

import pytest

from games import (
    CHANCE,
    HANDOUT_BIG,
    HANDOUT_FIRST,
    HANDOUT_SMALL,
    MAXIE,
    MINNIE,
    WIN,
    ConnectFour,
    ExplicitGame,
    Featured2048,
    Nim,
    NimForMany,
    Othello,
    Pacman,
    Pessimistic2048,
    Pig,
    PigForMany,
    Pursuit,
    Riskless,
    TicTacToe,
    Tree,
    Twenty48,
    with_chance,
    with_repetition,
)
from games.laws import installed_laws
from games.laws import law_suite as suite
from tests.games.cyclic import Cycle

law_suite = partial(
    suite, skip={law.name: "test_native_games compares the engines" for law in installed_laws()}
)


def mixed(even: float) -> ExplicitGame:
    """Return a tree with players who do not alternate, chance, wins, leaves at different depths."""
    good = Tree("good", MINNIE, (Tree("a", value=2), Tree("b", value=7)), value=4)
    outcomes = good, Tree("bad", value=-WIN), Tree("even", value=even)
    again = Tree("again", MAXIE, (Tree("win", value=WIN), Tree("low", value=-3)), value=1)
    dice = Tree("dice", CHANCE, outcomes, value=0, chances=(0.5, 0.25, 0.25))
    return ExplicitGame.from_tree(Tree("root", MAXIE, (again, dice), value=0))


MIXED = mixed(0.5)
"""A tree with a value that is not whole."""

FOR_MANY = ExplicitGame.from_tree(
    Tree(
        "root",
        2,
        (
            Tree("leaf", value=(1, 2, 6)),
            Tree(
                "dice",
                CHANCE,
                (Tree("a", value=(5, 2, 5)), Tree("b", 1, (Tree("c", value=(0, 0.5, 9)),))),
                chances=(0.25, 0.75),
            ),
        ),
        value=(3, 1, 3),
    )
)
"""Three players and chance; two nodes without an estimate."""

TestHandoutFirst = law_suite(HANDOUT_FIRST)
TestHandoutSmall = pytest.mark.long(law_suite(HANDOUT_SMALL))
TestHandoutBig = pytest.mark.long(law_suite(HANDOUT_BIG))
TestMixedTree = law_suite(MIXED)
TestTreeForMany = law_suite(FOR_MANY)
TestSingleLeaf = law_suite(ExplicitGame.from_nested(5))
TestTicTacToe = law_suite(TicTacToe())
TestConnectFour = pytest.mark.long(law_suite(ConnectFour()))
TestSmallConnectFour = law_suite(ConnectFour(width=4, height=3, connect=3, pairs=2))
TestOthello = law_suite(Othello(4), max_plies=24)
TestOthelloOfEightRows = pytest.mark.long(law_suite(Othello(), max_plies=60))
TestNim = law_suite(Nim((2, 3, 1)))
TestMisereNim = law_suite(Nim((1, 3), misere=True))
TestNimForMany = law_suite(NimForMany((2, 1, 1)))
TestMisereNimForMany = law_suite(NimForMany((1, 2), misere=True, players=4))
TestPacman = law_suite(Pacman.on("mixed", rounds=6))
TestPacmanWithCapsules = law_suite(Pacman.on("capsules", rounds=8, scared_time=5))
TestPacmanInAWideMaze = pytest.mark.long(law_suite(Pacman.on("wide", rounds=6, scared_time=5)))
TestRepetition = law_suite(with_repetition(Cycle(((1, 2), (0, 2), (1, 0, 2)), (2,)), 3))
TestRepetitionOfAGameThatReadsPictures = law_suite(with_repetition(TicTacToe(), 4))
TestPig = law_suite(Pig(10))
TestPigForMany = law_suite(PigForMany(6))
TestTwenty48 = law_suite(Twenty48(target=8))
TestFeatured2048 = pytest.mark.long(law_suite(Featured2048(target=8)))
TestPessimistic2048 = law_suite(Pessimistic2048(target=8))
TestRisklessDuel = law_suite(Riskless.on("duel"))
TestRisklessSquare = pytest.mark.long(law_suite(Riskless.on("square"), max_plies=60))
TestRisklessStrategic = law_suite(Riskless.on("duel", estimate="strategic"))
TestRisklessSquareStrategic = pytest.mark.long(
    law_suite(Riskless.on("square", estimate="strategic"))
)
TestRisklessEarth = pytest.mark.long(law_suite(Riskless.on("earth"), max_plies=8))
TestRisklessIslands = pytest.mark.long(law_suite(Riskless.on("islands"), max_plies=60))
TestPursuit = law_suite(Pursuit())
TestPursuitLine = pytest.mark.long(law_suite(Pursuit.line()))
TestTicTacToeAgainstChance = pytest.mark.long(law_suite(with_chance(TicTacToe(), MINNIE)))
TestConnectFourByAPolicy = law_suite(with_chance(ConnectFour(3, 3, 3), MINNIE, (1, 2, 2)))
TestPursuitByChance = law_suite(with_chance(Pursuit.line(), MINNIE))
"""Games of long runs share their rules with a game above or below them that takes less time."""
