"""Every game of the package keeps the laws."""

from __future__ import annotations

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
    TicTacToe,
    Tree,
)
from games.laws import law_suite

MIXED = ExplicitGame.from_tree(
    Tree(
        "root",
        MAXIE,
        (
            Tree("again", MAXIE, (Tree("win", value=WIN), Tree("low", value=-3)), value=1),
            Tree(
                "dice",
                CHANCE,
                (
                    Tree("good", MINNIE, (Tree("a", value=2), Tree("b", value=7)), value=4),
                    Tree("bad", value=-WIN),
                    Tree("even", value=0.5),
                ),
                value=0,
                chances=(0.5, 0.25, 0.25),
            ),
        ),
        value=0,
    )
)
"""Players who do not alternate, chance, wins, floats, leaves at different depths."""

TestHandoutFirst = law_suite(HANDOUT_FIRST)
TestHandoutSmall = law_suite(HANDOUT_SMALL)
TestHandoutBig = law_suite(HANDOUT_BIG)
TestMixedTree = law_suite(MIXED)
TestSingleLeaf = law_suite(ExplicitGame.from_nested(5))
TestTicTacToe = law_suite(TicTacToe())
TestConnectFour = law_suite(ConnectFour())
TestSmallConnectFour = law_suite(ConnectFour(width=4, height=3, connect=3, pairs=2))
