"""Games defined by an explicit tree: for golden tests, for laws over random trees, for teaching.

The tree is stored in rows (one entry per node, numbered in move order from the root), so that a
state is one index and the rules compile like those of any other game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from math import isfinite
from string import ascii_lowercase
from typing import Any, Final

from attrs import frozen

from games.game import CHANCE, MAXIE, WIN, WIN_PLIES, Game, NoEstimate, Status
from games.tuples import put, zeros_of
from graphs.arguments import excerpt, shown
from graphs.errors import MalformedError

Number = int | float
Value = Number | tuple[Number, ...]

WANTED: Final = "a number, a tuple of three numbers or more, or None if it must not be read"


@frozen
class Tree:
    """A node of a tree; a leaf has no branches.

    The value of a leaf is its utility, that of an inner node its estimate: a number or, in a game
    of three players or more, a tuple with a number for each.  A node with the value None must not
    be evaluated: estimating it raises.  Only a chance node has `chances`.
    """

    label: str = ""
    player: int = MAXIE
    branches: tuple[Tree, ...] = ()
    value: Value | None = None
    chances: tuple[float, ...] = ()


def nested(shape: Any) -> Tree:
    """Return the tree of nested lists: an inner node is a list, a leaf a number, a tuple or None.

    Player 0 moves at the root, and the players move in turn: two, or as many as the tuples have
    numbers.  Nodes are labelled a, b, c, … in the order in which a search enters them.

    Raises: ValueError for an invalid leaf, and for a list that is empty or nested too deep.

    >>> nested([3, (1, 2, 6)]).branches
    (Tree(label='b', player=1, branches=(), value=3, chances=()),
     Tree(label='c', player=1, branches=(), value=(1, 2, 6), chances=()))
    """
    letters = (a + (str(n) if n else "") for n in count() for a in ascii_lowercase)
    many = len(next((leaf for leaf in leaves(shape) if isinstance(leaf, tuple)), (0, 0)))

    def build(shape: Any, ply: int) -> Tree:
        label = next(letters)
        if not isinstance(shape, list):
            return Tree(label, ply % many, value=shape)
        branches = []
        for branch in shape:  # a comprehension would take two frames per ply
            branches.append(build(branch, ply + 1))
        return Tree(label, ply % many, tuple(branches))

    return build(shape, 0)


def leaves(shape: Any, ply: int = 0) -> Iterator[Any]:
    """Yield the leaves of nested lists, after checking each."""
    if isinstance(shape, list):
        if not shape:
            raise MalformedError("a list is empty: an inner node has a branch or more")
        if ply == WIN_PLIES:
            raise MalformedError(f"lists are nested more than {WIN_PLIES} deep")
        for branch in shape:
            yield from leaves(branch, ply + 1)
    elif shape is not None and not is_value(shape):
        raise MalformedError(f"a leaf must be {WANTED}, not {shown(shape)}")
    else:
        yield shape


def is_number(value: Any) -> bool:
    """Return whether a value is a number that fits into a float."""
    try:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
    except OverflowError:
        return False


def is_value(value: Any) -> bool:
    """Return whether a value is a number, or a number for each of three players or more."""
    if isinstance(value, tuple):
        return len(value) > 2 and all(map(is_number, value))
    return is_number(value)


def rows_of(root: Tree) -> tuple[tuple[Tree, ...], int]:
    """Return the nodes of a tree, level by level from the root, and the number of its players.

    Raises: ValueError, which names the first malformed node by its label, or by the branches that
    lead to it.

    >>> row, players = rows_of(nested([[(1, 2, 6)], [(5, 2, 5)]]))
    >>> [node.label for node in row], players
    (['a', 'b', 'd', 'c', 'e'], 3)
    >>> rows_of(Tree("root", MAXIE, (Tree(value=3), Tree("low", -7, value=2))))
    Traceback (most recent call last):
        ...
    graphs.errors.MalformedError: node low: a player must be 0, 1, …, or CHANCE, not -7
    """
    row, names = [root], ["root"]
    for node, place in zip(row, names, strict=True):
        if not isinstance(node, Tree):
            raise MalformedError(f"node {place}: a node must be a Tree, not {shown(node)}")
        if not isinstance(node.branches, tuple):
            raise MalformedError(
                f"node {place}: branches must be a tuple, not {shown(node.branches)}"
            )
        if place.count(".") == WIN_PLIES:
            raise MalformedError(
                f"a tree is at most {WIN_PLIES} plies deep, and this one is deeper"
            )
        row += node.branches
        names += (f"{place}.{branch}" for branch in range(len(node.branches)))
    names = [node.label or name for node, name in zip(row, names, strict=True)]
    first = next((node.value for node in row if node.value is not None), 0)
    players = len(first) if isinstance(first, tuple) else 2
    for node, name in zip(row, names, strict=True):
        fault = fault_of(node, players)
        if fault:
            raise MalformedError(f"node {excerpt(name)}: {fault}")
    return tuple(row), players


def fault_of(node: Tree, players: int) -> str:
    """Return what is wrong with a node of a game for `players` players; empty if nothing is."""
    if not is_player(node.player):
        return f"a player must be 0, 1, …, or CHANCE, not {shown(node.player)}"
    if node.player >= players:
        why = "values are numbers: 0 or 1" if players == 2 else f"values have {players} numbers"
        return f"there is no player {node.player}, as {why}"
    value = node.value
    if value is not None:
        if not is_value(value):
            return f"a value must be {WANTED}, not {shown(value)}"
        many = len(value) if isinstance(value, tuple) else 2
        if many != players:
            numbers = "one number" if players == 2 else f"{players} numbers"
            return f"a value must be {numbers}, as in the nodes above, not {shown(value)}"
        if node.branches and max(map(abs, value if isinstance(value, tuple) else (value,))) >= WIN:
            return "the estimate of an inner node is never a win"
    if node.player != CHANCE or not node.branches:
        return "chances belong to a node where chance moves" if node.chances else ""
    if len(node.chances) != len(node.branches) or not all(p > 0 for p in node.chances):
        return "each branch of chance needs a probability above 0"
    total = sum(node.chances)
    return "" if abs(total - 1) <= 1e-9 else f"probabilities sum to {total}, not to 1"


def is_player(player: Any) -> bool:
    """Return whether a value is the number of a player, or `CHANCE`."""
    return isinstance(player, int) and not isinstance(player, bool) and player >= CHANCE


@frozen
class Place:
    """A position of an explicit game: the number of a node."""

    index: int


@frozen
class ExplicitGame(Game[Place, int]):
    """A game defined by an explicit tree.

    Requires: built by `from_tree` or `from_nested`.
    Ensures: a leaf is terminal and its value is its utility; estimating a node without a value
    raises NoEstimate.

    >>> game = ExplicitGame.from_nested([[3, 5], [2, 9]])
    >>> [game.label(game.make_move(game.start(), m)) for m in game.moves(game.start())]
    ['b', 'e']
    """

    movers: tuple[int, ...]
    first: tuple[int, ...]
    many: tuple[int, ...]
    known: tuple[int, ...]
    values: tuple[Any, ...]
    odds: tuple[float, ...]
    labels: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    value_range: tuple[float, float] | None = None

    @classmethod
    def from_tree(cls, root: Tree, names: Sequence[str] = ()) -> ExplicitGame:
        """Make the game of a tree; `names` are the names of the moves at the root, for traces.

        Ensures: an `ExplicitForMany` if the values are tuples.
        Raises: ValueError, which names the malformed node and says why; or for more or fewer names
        than moves.
        """
        row, players = rows_of(root)
        if names and len(names) != len(root.branches):
            raise MalformedError(
                f"{len(names)} names for the {len(root.branches)} moves at the root"
            )
        first, odds = [], [1.0]
        for node in row:
            first.append(len(odds))
            odds += node.chances or (1.0,) * len(node.branches)
        known = [n.value for n in row if n.value is not None]
        numbers = [number for value in known for number in numbers_of(value)]
        nothing = 0 if players == 2 else (0,) * players
        values: Any = [nothing if n.value is None else n.value for n in row]
        if players > 2:
            values = [tuple(map(float, value)) for value in values]
        parts: dict[str, Any] = {
            "movers": tuple(int(n.player) for n in row),
            "first": tuple(first),
            "many": tuple(len(n.branches) for n in row),
            "known": tuple(int(n.value is not None) for n in row),
            "values": tuple(values),
            "odds": tuple(odds),
            "labels": tuple(n.label for n in row),
            "names": tuple(names),
            "value_range": (min(numbers), max(numbers)) if numbers else None,
        }
        if players == 2:
            return cls(**parts)
        return ExplicitForMany(**parts, players=players, value_sum=max(map(sum, values)))

    @classmethod
    def from_nested(cls, shape: Any, names: Sequence[str] = ()) -> ExplicitGame:
        """Make the game of nested lists: Maxie moves first, players alternate, numbers are leaves.

        A leaf of None must not be evaluated.  If leaves are tuples of three numbers or more, the
        game has that many players, who move in turn.  Nodes are labelled a, b, c, … in the order in
        which a search enters them.

        Raises: as `from_tree`.

        >>> game = ExplicitGame.from_nested([[(1, 2, 6), (4, 3, 2)], [(5, 2, 5)]])
        >>> game.players, game.show(game.parse_state("0 1"))
        (3, 'd(4, 3, 2)')
        """
        return cls.from_tree(nested(shape), names)

    @property
    def has_chance(self) -> bool:
        """Return whether chance moves in the game."""
        return CHANCE in self.movers

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
            yield from range(self.many[state.index])

    def make_move(self, state: Place, move: int) -> Place:
        return Place(self.first[state.index] + move)

    def outcomes(self, state: Place) -> Iterator[tuple[float, Place]]:
        for k in range(self.many[state.index]):
            child = self.first[state.index] + k
            yield self.odds[child], Place(child)

    def estimate(self, state: Place) -> Number:
        if self.known[state.index] == 0:
            raise NoEstimate("this node has no value to estimate; search to another depth")
        value: Number = self.values[state.index]
        return value

    def utility(self, state: Place) -> Number:
        return self.estimate(state)

    def label(self, state: Place) -> str:
        return self.labels[state.index]

    def show(self, state: Place) -> str:
        known = self.known[state.index]
        return self.label(state) + (f"[{self.values[state.index]}]" if known else "")

    def move_text(self, state: Place, move: int) -> str:
        return self.names[move] if self.names and state.index == 0 else str(move)


def numbers_of(value: Any) -> tuple[Number, ...]:
    """Return the numbers of a value: the value itself, or one for each player."""
    return value if isinstance(value, tuple) else (value,)


@frozen
class ExplicitForMany(ExplicitGame):
    """A game of three players or more, defined by an explicit tree whose values are tuples.

    Requires: built by `ExplicitGame.from_tree` or `from_nested`.
    Ensures: as `ExplicitGame`; a terminal position is `Status.OVER`, whoever has most.

    >>> game = ExplicitGame.from_nested([[(1, 2, 6), (4, 3, 2)], [(5, 2, 5)]])
    >>> game.utility(game.parse_state("1 0"))
    (5.0, 2.0, 5.0)
    """

    players: int = 3  # type: ignore[misc]
    value_sum: float | None = None  # type: ignore[misc]

    def status(self, state: Place) -> Status:
        return Status.IN_PLAY if self.many[state.index] > 0 else Status.OVER

    def estimate(self, state: Place) -> Any:
        if self.known[state.index] == 0:
            raise NoEstimate("this node has no value to estimate; search to another depth")
        found = zeros_of(self)
        for player in range(self.players):
            found = put(found, player, self.values[state.index][player])
        return found

    def show(self, state: Place) -> str:
        value = ", ".join(f"{number:.12g}" for number in self.values[state.index])
        return self.label(state) + (f"({value})" if self.known[state.index] else "")


HANDOUT_FIRST = ExplicitGame.from_nested([[3, 5], [2, None]])
"""Seven nodes; Maxie gets 3 by the left move, and alpha-beta never evaluates the last leaf."""

HANDOUT_BIG = ExplicitGame.from_nested(
    [[[[3, 5], [2, 7]], [[10, 4]]], [[[2, 7]], [[8, 2], [4, 6]]]]
)
"""Four plies, leaves e to y: alpha-beta reads e, f, h, l, m, q."""

HANDOUT_SMALL = ExplicitGame.from_nested(
    [[3, 6, -2], [6, 4, 10], [1, 30, 9]], names=("left", "middle", "right")
)
"""Two plies, three branches each: alpha-beta reads 7 leaves, ``jamboree(0.5)`` reads 9."""
