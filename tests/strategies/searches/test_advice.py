"""What a refused search is advised to do instead is itself accepted, or leads to what is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from games import MINNIE, Nim, Pig, SearchTree, Status, TicTacToe, with_chance
from games.pig import ROLL
from graphs.errors import JamboreeError
from strategies import (
    AlgorithmError,
    KeptTable,
    PlanError,
    abdada,
    alphabeta,
    decision,
    enumeration,
    expectimax,
    maxn,
    minimax,
    mtdf,
    optimisation,
    par_list,
    paranoid,
    parse_strategy,
    pvs,
    scout,
    search,
    seq,
    solve,
)
from strategies.algebra.strategy import alone
from strategies.algorithms.names import ALGORITHMS


@frozen
class Bits(SearchTree[str, int]):
    """All texts of two bits; a text is worth its number."""

    value_range = (0, 3)

    def start(self) -> str:
        return ""

    def status(self, state: str) -> Status:
        return Status.IN_PLAY if len(state) < 2 else Status.OVER

    def moves(self, state: str) -> Iterator[int]:
        if len(state) < 2:
            yield from (0, 1)

    def make_move(self, state: str, move: int) -> str:
        return f"{state}{move}"

    def utility(self, state: str) -> int:
        return int(state, 2)

    def estimate(self, state: str) -> int:
        return 0


ROLLED = Pig(4).make_move(Pig(4).start(), ROLL)
PLACES: dict[str, tuple[Any, Any]] = {
    "two players": (TicTacToe(), None), "chance": (Pig(4), None), "chance moves": (Pig(4), ROLLED),
    "three players": (Nim.of("1-1-1", players=3), None), "a tree": (Bits(), None),
}  # fmt: skip
DEEP: tuple[Any, ...] = (
    minimax(2), alphabeta(2), alphabeta(2, table="4kB"), pvs(2), mtdf(2), expectimax(2),
    expectimax(2, table="4kB", cutoff=0.1), expectimax(2, pruning="star1"), maxn(2), paranoid(2),
    optimisation(), decision(1), enumeration(),
)  # fmt: skip
USING: tuple[Any, ...] = (
    seq, seq.joined(), par_list.joined(), par_list.to_size(5), par_list, scout, abdada(2),
)  # fmt: skip
LIMITS: tuple[Any, ...] = ((), (("time", 60),), (("nodes", 1000),))
ADVICE = re.compile(r"\b(use|give|leave out|write)\b.*")


@cache
def refusal(place: Any, algorithm: Any, using: Any, limits: Any) -> str:
    """Return why a search is refused, at once or when it runs; "" if it is accepted."""
    try:
        game, state = place
        answer = search(
            game, algorithm, state=state, using=using, engine="interpreted", **dict(limits)
        )
        answer.compute(num_workers=1)
    except JamboreeError as error:
        return str(error)
    return ""


def others(advice: str, algorithm: Any, using: Any, limits: Any) -> Iterator[tuple[Any, ...]]:
    """Yield each search that a piece of advice names."""
    names = set(re.findall(r"\w+", advice)) & set(ALGORITHMS)
    for name in sorted(names):
        yield ALGORITHMS[name](2), using, limits
    if "limit of time" in advice:
        yield algorithm, using, LIMITS[1]
    if "leave out .joined()" in advice:
        yield algorithm, alone(using), limits
    elif "leave out time" in advice:
        yield algorithm, using, LIMITS[0]
    elif "leave out" in advice and using is not seq:
        yield algorithm, seq, limits
    if such := re.search(r"a strategy such as (.*)", advice):
        yield algorithm, parse_strategy(such[1]), limits
    if "as in .to_ply(2)" in advice:
        yield algorithm, par_list.to_ply(2), limits


def follow(place: Any, asked: tuple[Any, ...], before: tuple[str, ...] = ()) -> bool:
    """Follow all advice, from one refusal to the next; return whether there was any.

    One search may be wrong in several ways, but no advice leads back to what was refused.
    """
    why = refusal(place, *asked)
    assert why not in before, f"{asked} is what was advised, and is refused as before: {why}"
    advice = ADVICE.search(why)
    ways = list(others(advice[0], *asked)) if advice else []
    assert ways or not why, f"no advice for {asked}: {why}"
    for other in ways:
        follow(place, other, (*before, why))
    return bool(why)


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_advice_can_be_followed(place: Any) -> None:
    assert sum(follow(place, asked) for asked in product(DEEP, USING, LIMITS)) > 10


@pytest.mark.parametrize("using", [seq.joined(), par_list.joined(), par_list.to_ply(1).joined()])
def test_a_game_of_chance_is_solved_by_any_strategy(using: Any) -> None:
    game = with_chance(Nim.of("1-2"), MINNIE)
    plain = solve(game, engine="interpreted")
    found = solve(game, using=using, engine="interpreted")
    assert (found.value, found.move) == (plain.value, plain.move)


@frozen
class Wide(SearchTree[int, int]):
    """A tree of so many branches below each node, and four plies."""

    width: int

    def start(self) -> int:
        return 0

    def moves(self, state: int) -> Iterator[int]:
        yield from range(self.width if state < 4 else 0)

    def make_move(self, state: int, move: int) -> int:
        return state + 1


@pytest.mark.parametrize("width", [3, 9, 40, 300])
@pytest.mark.parametrize("written", ["", ".to_ply(1)", ".to_ply(2)", ".to_ply(3)", ".everywhere"])
def test_a_strategy_of_too_many_tasks_is_advised_one_of_fewer(width: int, written: str) -> None:
    """What is advised differs from what was written, and ends in a strategy that is accepted."""
    using, tried = f"par_list{written}", list[str]()
    while using not in tried:
        tried.append(using)
        try:
            search(Wide(width), optimisation(), using=parse_strategy(using), most_tasks=100)
            return
        except PlanError as error:
            plies = re.search(r"\.to_ply\(\d\)", str(error).partition("here: ")[2])
            using = f"par_list{plies[0]}" if plies else "par_list_chunk(100)"
    raise AssertionError(f"{tried} leads back to {using}")


@pytest.mark.parametrize("algorithm", [optimisation(), decision(3), enumeration()], ids=repr)
def test_a_tree_is_advised_no_strategy_for_a_table(algorithm: Any, tmp_path: Path) -> None:
    with KeptTable(tmp_path / "kept.table", "64kB") as table:
        for using in seq, par_list.live().to_ply(2) if algorithm.narrows else par_list.to_ply(2):
            lazy = search(Wide(2), algorithm, using=using, engine="interpreted")
            with pytest.raises(AlgorithmError, match="keeps no table: leave out the table") as told:
                lazy.compute(memory=table)
            assert ("use solve" in str(told.value)) == (algorithm != enumeration())
            assert lazy.compute(num_workers=1).nodes > 0
        if algorithm != enumeration():
            assert solve(Wide(2), engine="interpreted", memory=table).value == 0
