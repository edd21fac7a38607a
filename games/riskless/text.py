"""The text of a map of Riskless, read line by line."""

from __future__ import annotations

LIMITS = ("cap", "target", "plies")
OWNERS = ("maxie", "minnie")
EXPECTED = (
    "'cap 10', 'target 40', 'plies 60', 'territory alba maxie 3', 'territory alba empty' "
    "or 'road alba borea'"
)


def read_map(
    text: str,
) -> tuple[dict[str, int], dict[str, tuple[str, int]], list[tuple[str, str]]]:
    """The limits, the territories (owner and armies by name, in order) and the roads of a map.

    Raises: ValueError, with the number of the line, for a line that does not read, a name or a
    limit given twice, a road that ends nowhere or is there already, armies above the cap, a target
    out of reach; and for a missing limit.
    """
    limits: dict[str, int] = {}
    territories: dict[str, tuple[str, int]] = {}
    roads: list[tuple[str, str]] = []
    at: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        match line.partition("#")[0].split():
            case []:
                pass
            case [limit, count] if limit in LIMITS and is_count(count):
                refuse(limit in limits, number, f"{limit} is given twice")
                limits[limit], at[limit] = int(count), number
            case ["territory", name, owner, count] if owner in OWNERS and is_count(count):
                refuse(name in territories, number, f"there are two territories {name}")
                territories[name], at[name] = (owner, int(count)), number
            case ["territory", name, "empty"]:
                refuse(name in territories, number, f"there are two territories {name}")
                territories[name], at[name] = ("empty", 0), number
            case ["road", one, other]:
                for end in (one, other):
                    refuse(end not in territories, number, f"there is no territory {end} above")
                refuse(one == other, number, f"a road leads from {one} to itself")
                known = (one, other) in roads or (other, one) in roads
                refuse(known, number, f"there is a road from {one} to {other} already")
                roads.append((one, other))
            case _:
                raise ValueError(f"line {number}: expected {EXPECTED}, not {line.strip()!r}")
    for limit in LIMITS:
        if limit not in limits:
            raise ValueError(f"the map has no line '{limit} …'")
        refuse(limits[limit] < 1, at[limit], f"{limit} is 1 or more")
    for name, (_, armies) in territories.items():
        refuse(armies > limits["cap"], at[name], f"{armies} armies, above the cap {limits['cap']}")
    most = limits["cap"] * len(territories)
    refuse(limits["target"] > most, at["target"], f"never reached: the map holds {most} armies")
    return limits, territories, roads


def refuse(wrong: bool, line: int, why: str) -> None:
    if wrong:
        raise ValueError(f"line {line}: {why}")


def is_count(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10
