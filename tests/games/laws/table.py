"""Write the table of planted faults in docs/law-kit.md, when run as a program."""

from __future__ import annotations

import re
from pathlib import Path
from time import process_time
from typing import Any

from games import Game
from games.laws import LAWS, Broken, Law
from games.laws.examine import examine
from games.laws.plays import Plays, put_to_the_test, put_together
from tests.games.laws import faults_of_networks, faults_of_purity, faults_of_trees, faults_of_values
from tests.games.laws.faults import FAULTS

assert faults_of_purity  # because their games are among the faults
assert faults_of_networks
assert faults_of_trees
assert faults_of_values

PAGE = Path(__file__).parents[3] / "docs" / "law-kit.md"
HEAD = "| planted fault | the law that finds it | plays | seconds |\n|---|---|---|---|\n"
AFTER = (1, 2, 5, 10, 20, 60)
"""The number of plays whose positions are checked by a law of all positions together."""


def chosen() -> list[tuple[type[Game[Any, Any]], str]]:
    """Return the first fault for each law."""
    first = {law: game for game, law, _ in reversed(FAULTS)}
    return [(first[law.name], law.name) for law in LAWS]


def in_words(game: type[Game[Any, Any]]) -> str:
    """Split the name of a faulty game into words."""
    words = re.findall(r"NaN|[A-Z][a-z]+|[A-Z]+(?![a-z])", game.__name__)
    return " ".join(word if word == "NaN" else word.lower() for word in words)


def plays_needed(law: Law, plays: Plays) -> int:
    """Count the different plays that were drawn until the law was broken."""
    if law.check_together is None:
        for number, play in enumerate(plays.different, 1):
            try:
                put_to_the_test(law, play)
            except Broken:
                return number
        return len(plays.different)
    for number in AFTER:
        traces = [play.trace.up_to(ply) for play in plays.different[:number] for ply in play.new]
        try:
            put_together(law, plays.game, sorted(traces, key=lambda trace: trace.plies))
        except Broken:
            return number
    return len(plays.different)


def row(game: type[Game[Any, Any]], name: str) -> str:
    """Measure a fault, and return its row of the table."""
    (law,) = [law for law in LAWS if law.name == name]
    began = process_time()
    try:
        plays = Plays(game(), "dev", seed=0, max_plies=40)
        assert examine(law, plays).result == "broken", game
        seconds = process_time() - began
        needed = plays_needed(law, Plays(game(), "dev", seed=0, max_plies=40))
    except Broken:  # the game has no start
        needed, seconds = 0, process_time() - began
    return f"| {in_words(game)} | `{name}` | {needed} | {seconds:.2f} |\n"


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(HEAD)
    _, _, after = rest.partition("\n\n")
    PAGE.write_text(before + HEAD + "".join(row(*fault) for fault in chosen()) + "\n" + after)


if __name__ == "__main__":
    main()
