"""Games that are a given tree: for goldens, for laws over random trees, for teaching.

The tree is held in rows (one entry a node, numbered in move order from the root), so that a state
is one index and the rules compile like those of any other game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from string import ascii_lowercase
from typing import Any

from attrs import frozen

from games.game import CHANCE, MAXIE, MINNIE, WIN, Game, NoEstimate, Status

Number = int | float


@frozen
class Tree:
    """A node of a given tree: a leaf has no branches.

    The value of a leaf is its utility, that of an inner node its estimate; a node whose value is
    None may not be looked at: estimating it raises.  `chances` belong to a node where chance moves.
    """

    label: str = ""
    player: int = MAXIE
    branches: tuple[Tree, ...] = ()
    value: Number | None = None
    chances: tuple[float, ...] = ()


@frozen
class Place:
    """A position of an explicit game: the number of a node."""

    index: int


@frozen
class ExplicitGame(Game[Place, int]):
    """A game that is a given tree.

    Requires: built by `from_tree` or `from_nested`.
    Ensures: a leaf is over and its value is its utility; estimating a node whose value is not given
    raises NoEstimate.

    >>> game = ExplicitGame.from_nested([[3, 5], [2, 9]])
    >>> [game.label(game.make_move(game.start(), m)) for m in game.moves(game.start())]
    ['b', 'e']
    """

    movers: tuple[int, ...]
    first: tuple[int, ...]
    many: tuple[int, ...]
    known: tuple[int, ...]
    values: tuple[Number, ...]
    odds: tuple[float, ...]
    labels: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    value_range: tuple[float, float] | None = None

    @classmethod
    def from_tree(cls, root: Tree, names: Sequence[str] = ()) -> ExplicitGame:
        """The game of a tree; `names` are those of the moves at the root, for traces."""
        row, chances, first = [root], [1.0], []
        for node in row:
            first.append(len(row))
            if node.player == CHANCE and node.branches:
                if len(node.chances) != len(node.branches) or min(node.chances) <= 0:
                    raise ValueError(
                        f"node {node.label}: each branch of chance needs a probability above 0"
                    )
                if abs(sum(node.chances) - 1) > 1e-9:
                    raise ValueError(
                        f"node {node.label}: probabilities sum to {sum(node.chances)}, not to 1"
                    )
            if node.value is not None and node.branches and abs(node.value) >= WIN:
                raise ValueError(f"node {node.label}: the estimate of an inner node is never a win")
            row += node.branches
            chances += node.chances or (1.0,) * len(node.branches)
        leaves = [n.value for n in row if n.value is not None]
        return cls(
            movers=tuple(int(n.player) for n in row),
            first=tuple(first),
            many=tuple(len(n.branches) for n in row),
            known=tuple(int(n.value is not None) for n in row),
            values=tuple(0 if n.value is None else n.value for n in row),
            odds=tuple(chances),
            labels=tuple(n.label for n in row),
            names=tuple(names),
            value_range=(min(leaves), max(leaves)) if leaves else None,
        )

    @classmethod
    def from_nested(cls, shape: Any, names: Sequence[str] = ()) -> ExplicitGame:
        """The game of nested lists: Maxie moves at the root, players alternate, numbers are leaves.

        Nodes are labelled a, b, c, … in the order in which a search enters them.
        """
        letters = (a + (str(n) if n else "") for n in count() for a in ascii_lowercase)

        def build(shape: Any, player: int) -> Tree:
            label = next(letters)
            if isinstance(shape, (list, tuple)):
                other = MINNIE if player == MAXIE else MAXIE
                return Tree(label, player, tuple(build(s, other) for s in shape))
            if shape is not None and (
                isinstance(shape, bool) or not isinstance(shape, (int, float))
            ):
                raise ValueError(
                    f"a leaf is a number, or None if it may not be read, not {shape!r}"
                )
            return Tree(label, player, value=shape)

        return cls.from_tree(build(shape, MAXIE), names)

    def start(self) -> Place:
        return Place(0)

    def status(self, state: Place) -> Status:
        if self.many[state.index] > 0:
            return Status.IN_PLAY
        if self.values[state.index] >= WIN:
            return Status.MAXIE_WINS
        if self.values[state.index] <= -WIN:
            return Status.MINNIE_WINS
        return Status.OVER

    def player(self, state: Place) -> int:
        return self.movers[state.index]

    def moves(self, state: Place) -> Iterator[int]:
        if self.movers[state.index] != CHANCE:
            for k in range(self.many[state.index]):  # noqa: UP028 - `yield from` does not compile
                yield k

    def make_move(self, state: Place, move: int) -> Place:
        return Place(self.first[state.index] + move)

    def outcomes(self, state: Place) -> Iterator[tuple[float, Place]]:
        for k in range(self.many[state.index]):
            child = self.first[state.index] + k
            yield self.odds[child], Place(child)

    def estimate(self, state: Place) -> Number:
        if self.known[state.index] == 0:
            raise NoEstimate("a node without a value is estimated: search deeper or not so deep")
        return self.values[state.index]

    def utility(self, state: Place) -> Number:
        return self.estimate(state)

    def label(self, state: Place) -> str:
        return self.labels[state.index]

    def show(self, state: Place) -> str:
        known = self.known[state.index]
        return self.label(state) + (f"[{self.values[state.index]}]" if known else "")

    def move_text(self, state: Place, move: int) -> str:
        return self.names[move] if self.names and state.index == 0 else str(move)


HANDOUT_FIRST = ExplicitGame.from_nested([[3, 5], [2, None]])
"""Seven nodes; Maxie gets 3 by the left move, and alpha-beta never looks at the last leaf."""

HANDOUT_BIG = ExplicitGame.from_nested(
    [[[[3, 5], [2, 7]], [[10, 4]]], [[[2, 7]], [[8, 2], [4, 6]]]]
)
"""Four plies, leaves e to y: alpha-beta reads e, f, h, l, m, q."""

HANDOUT_SMALL = ExplicitGame.from_nested(
    [[3, 6, -2], [6, 4, 10], [1, 30, 9]], names=("left", "middle", "right")
)
"""Two plies, three branches each: alpha-beta reads 7 leaves, ``jamboree(0.5)`` reads 9."""
