"""Maps of Riskless: territories, roads, first owners and armies, and the limits of a game."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from attrs import field, frozen

from games.game import MAXIE, MINNIE
from games.riskless.text import read_map
from graphs import Graph, from_edge_seq, is_connected, is_simple, is_undirected
from graphs.arguments import shown
from graphs.errors import MalformedError

NOBODY = -1
OWNERS = {"maxie": int(MAXIE), "minnie": int(MINNIE), "empty": NOBODY}


def plain(owners: Iterable[int]) -> tuple[int, ...]:
    """Return players as plain numbers, so that the `repr` of a map makes it again."""
    return tuple(int(owner) for owner in owners)


@frozen
class Map:
    """A map: a simple, undirected, connected graph of 1 to 64 territories, and the game's limits.

    Requires: one name, one owner (0 Maxie, 1 Minnie, -1 nobody) and one number of armies (0 to
    `cap`, 0 without an owner) for each vertex of `roads`; a `cap` of 1 to 31 armies on a territory;
    a reachable `target` (1 to ``cap * territories`` armies); `max_plies` of 1 or more, after which
    a game is drawn.  Otherwise ValueError.

    >>> Map.load("square").names
    ('north', 'east', 'south', 'west')
    """

    names: tuple[str, ...]
    owners: tuple[int, ...] = field(converter=plain)
    armies: tuple[int, ...]
    roads: Graph
    cap: int
    target: int
    max_plies: int

    def __attrs_post_init__(self) -> None:
        size = len(self.names)
        if not (
            1 <= size <= 64 and len(self.owners) == len(self.armies) == len(self.roads) == size
        ):
            raise MalformedError(
                "a map has 1 to 64 territories, each with a name, an owner and armies"
            )
        if len(set(self.names)) < size:
            raise MalformedError("two territories have the same name")
        if set(self.owners) - set(OWNERS.values()) or set(self.owners) <= {NOBODY}:
            raise MalformedError(
                "an owner is 0 (Maxie), 1 (Minnie) or -1 (nobody); somebody owns one"
            )
        if not 1 <= self.cap <= 31:
            raise MalformedError(f"cap must be 1 to 31 armies on a territory, not {self.cap}")
        for name, owner, armies in zip(self.names, self.owners, self.armies, strict=True):
            most = self.cap if owner != NOBODY else 0
            if not 0 <= armies <= most:
                raise MalformedError(f"{name} has {armies} armies where it may have 0 to {most}")
        if not 1 <= self.target <= self.cap * size:
            raise MalformedError(
                f"the target of {self.target} armies can never be reached: "
                f"{size} territories hold at most {self.cap} each, {self.cap * size} in all"
            )
        if self.max_plies < 1:
            raise MalformedError(f"a game lasts 1 ply or more, not {self.max_plies}")
        if not (is_simple(self.roads) and is_undirected(self.roads)):
            raise MalformedError(
                "roads lead both ways, one at most between two different territories"
            )
        if not is_connected(self.roads):
            raise MalformedError("the map is not connected: some territory can never be reached")

    @staticmethod
    def from_text(text: str) -> Map:
        """Read a map from text, one line for each limit, territory and road.

        The rest of a line after ``#`` is a comment.

        Raises: ValueError, with line and column, for an invalid map.

        >>> text = '''
        ... cap 5
        ... target 8
        ... plies 20
        ... territory home maxie 2
        ... territory moor empty
        ... territory away minnie 3
        ... road home moor
        ... road moor away
        ... '''
        >>> Map.from_text(text).armies
        (2, 0, 3)
        """
        limits, territories, roads = read_map(text)
        names = tuple(territories)
        edges = [(names.index(a), names.index(b)) for a, b in roads]
        return Map(
            names=names,
            owners=tuple(OWNERS[owner] for owner, _ in territories.values()),
            armies=tuple(armies for _, armies in territories.values()),
            roads=from_edge_seq([*edges, *((v, u) for u, v in edges)], len(names)),
            cap=limits["cap"],
            target=limits["target"],
            max_plies=limits["plies"],
        )

    @staticmethod
    def load(name: str) -> Map:
        """Load a map of the package; `map_names` lists them.

        Raises: ValueError, with the known names, for another name.
        """
        if name not in map_names():
            raise MalformedError(f"there is no map {shown(name)}; maps: {' '.join(map_names())}")
        text = (files("games.riskless") / "maps" / f"{name}.txt").read_text(encoding="utf-8")
        return Map.from_text(text)

    def to_text(self) -> str:
        """Return the map as text for `from_text`."""
        words = {owner: word for word, owner in OWNERS.items()}
        lines = [f"cap {self.cap}", f"target {self.target}", f"plies {self.max_plies}"]
        for name, owner, armies in zip(self.names, self.owners, self.armies, strict=True):
            lines.append(f"territory {name} {words[owner]}" + (f" {armies}" if owner >= 0 else ""))
        lines += [f"road {self.names[u]} {self.names[v]}" for u, v in self.roads.edges if u < v]
        return "\n".join(lines) + "\n"


def map_names() -> list[str]:
    """Return the names of the maps of the package.

    >>> map_names()
    ['continents', 'duel', 'earth', 'islands', 'isthmus', 'square']
    """
    folder = files("games.riskless") / "maps"
    return sorted(f.name.removesuffix(".txt") for f in folder.iterdir() if f.name.endswith(".txt"))
