"""Trees as data, from which explicit games are made, and checks of trees."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import isfinite
from string import ascii_lowercase
from typing import Any, Final

from attrs import frozen

from games.game import CHANCE, LONGEST, MAXIE, WIN
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
        if ply == LONGEST:
            raise MalformedError(f"lists are nested more than {LONGEST} deep")
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
        if place.count(".") == LONGEST:
            raise MalformedError(f"a tree is at most {LONGEST} plies deep, and this one is deeper")
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
