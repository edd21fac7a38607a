"""Maps of Riskless and their text: territories, roads, first owners and armies, limits of games."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from attrs import field, frozen

from games.game import MAXIE, MINNIE
from games.text_places import end_of, placed_words
from graphs import (
    Graph,
    from_edge_seq,
    is_connected,
    is_simple,
    is_undirected,
    reachable,
    undirected,
)
from graphs.arguments import excerpt, shown
from graphs.errors import MalformedError
from graphs.limits import MOST_ARMIES

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


LIMITS = ("cap", "target", "plies")
PLAYERS = ("maxie", "minnie")
MOST_CAP = 31
EXPECTED = (
    "'cap 10', 'target 40', 'plies 60', 'territory alba maxie 3', 'territory alba empty' "
    "or 'road alba borea'"
)


def read_map(text: str) -> tuple[dict[str, int], dict[str, tuple[str, int]], list[tuple[str, str]]]:
    """Read the limits, territories (owner and armies by name, in order) and roads of a map.

    Raises: ValueError, with line and column, for a malformed line, a duplicate name or limit, a
    road without an end or given twice, a limit or armies out of range, an unreachable target, a
    territory without roads; and, at the end, for missing lines.
    """
    limits: dict[str, int] = {}
    territories: dict[str, tuple[str, int]] = {}
    roads: dict[tuple[str, str], None] = {}
    at: dict[str, str] = {}
    stands: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        found = [
            (word, place.replace("line 1", f"line {number}"))
            for word, place in placed_words(line.partition("#")[0])
        ]
        places = [place for _, place in found]
        match [word for word, _ in found]:
            case []:
                pass
            case [limit, count] if limit in LIMITS and is_count(count):
                refuse(limit in limits, places[0], f"{limit} is given twice")
                limits[limit], at[limit] = int(count), places[1]
            case ["territory", name, owner, count] if owner in PLAYERS and is_count(count):
                refuse(name in territories, places[1], f"there are two territories {excerpt(name)}")
                territories[name], stands[name] = (owner, int(count)), places
            case ["territory", name, "empty"]:
                refuse(name in territories, places[1], f"there are two territories {excerpt(name)}")
                territories[name], stands[name] = ("empty", 0), places
            case ["road", one, other]:
                for end, place in zip((one, other), places[1:], strict=True):
                    refuse(
                        end not in territories, place, f"there is no territory {excerpt(end)} above"
                    )
                refuse(one == other, places[2], f"a road leads from {excerpt(one)} to itself")
                known = (one, other) in roads or (other, one) in roads
                refuse(
                    known,
                    places[0],
                    f"there is a road from {excerpt(one)} to {excerpt(other)} already",
                )
                roads[one, other] = None
            case _:
                refuse(True, places[0], f"expected {EXPECTED}, not {shown(line.strip())}")
    _check_limits(text, limits, at)
    _check_territories(text, territories, limits["cap"], stands)
    _check_roads(list(territories), list(roads), stands)
    most = limits["cap"] * len(territories)
    refuse(limits["target"] > most, at["target"], f"never reached: the map holds {most} armies")
    return limits, territories, list(roads)


def _check_limits(text: str, limits: dict[str, int], at: dict[str, str]) -> None:
    """Raise the errors of `read_map` for its limits; `at` has the place of each."""
    for limit in LIMITS:
        refuse(limit not in limits, end_of(text), f"the map has no line '{limit} …'")
        refuse(limits[limit] < 1, at[limit], f"{limit} is 1 or more")
    why = f"cap must be 1 to {MOST_CAP} armies on a territory"
    refuse(limits["cap"] > MOST_CAP, at["cap"], why)


def _check_territories(
    text: str, territories: dict[str, tuple[str, int]], cap: int, stands: dict[str, list[str]]
) -> None:
    """Raise the errors of `read_map` for its territories; `stands` has the places of each."""
    for name, (_, armies) in territories.items():
        refuse(armies > cap, stands[name][-1], f"{armies} armies, above the cap {cap}")
    nobody = all(owner == "empty" for owner, _ in territories.values())
    refuse(nobody, end_of(text), "nobody owns a territory")
    for number, name in enumerate(territories):
        refuse(
            number >= MOST_ARMIES, stands[name][1], f"a map has at most {MOST_ARMIES} territories"
        )


def _check_roads(
    names: list[str], roads: list[tuple[str, str]], stands: dict[str, list[str]]
) -> None:
    """Raise the errors of `read_map` for territories that no roads lead to."""
    numbers = {name: number for number, name in enumerate(names)}
    edges = [(numbers[one], numbers[other]) for one, other in roads]
    reached = reachable(undirected(from_edge_seq(edges, len(names))), 0)
    for v, name in enumerate(names):
        refuse(
            v not in reached,
            stands[name][1],
            f"no roads lead from {excerpt(names[0])} to {excerpt(name)}",
        )


def refuse(wrong: bool, place: str, why: str) -> None:
    """Raise a ValueError with the place and the reason, if `wrong`."""
    if wrong:
        raise MalformedError(f"{place}: {why}")


def is_count(word: str) -> bool:
    """Return whether a word is a number of at most nine digits."""
    return word.isascii() and word.isdigit() and len(word) < 10
