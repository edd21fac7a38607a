"""The text of a map of Riskless, read line by line."""

from __future__ import annotations

from games.text_places import end_of, placed_words
from graphs import from_edge_seq, reachable, undirected
from graphs.arguments import excerpt, shown
from graphs.errors import MalformedError
from graphs.limits import MOST_ARMIES

LIMITS = ("cap", "target", "plies")
OWNERS = ("maxie", "minnie")
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
            case ["territory", name, owner, count] if owner in OWNERS and is_count(count):
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
