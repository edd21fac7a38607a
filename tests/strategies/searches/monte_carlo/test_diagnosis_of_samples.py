"""The diagnosis of a Monte Carlo search: advice, and why a search is impossible."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve, frozen

from games import Game, Status, TicTacToe
from strategies import AlgorithmError, mcts, search

FOUND: Any = search(TicTacToe(), mcts(300), engine="interpreted").compute()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "no fault was found"),
        ({"full": True}, r"full memory: .* mcts\(memory='1GB'\)"),
        ({"simulations": 100}, "too few simulations: 100 for 9 moves, 11 each: .* 270 or more"),
        ({"plies": 600_000}, r"long plays: 2,000 random plies .* mcts\(rollout=100\)"),
        ({"full": True, "proven": True}, "no fault was found"),
    ],
)
def test_advice_follows_from_the_counts(changes: dict[str, Any], told: str) -> None:
    diagnosis = evolve(FOUND, **changes).diagnosis()
    assert len(diagnosis.findings) == (told != "no fault was found")
    assert re.match(told, str(diagnosis))


def test_waiting_workers_are_reported() -> None:
    (one,) = FOUND.records
    two = one._replace(worker="here/1", start=0.0, end=0.2), one._replace(start=0.0, end=1.0)
    (finding,) = evolve(FOUND, records=two).diagnosis()
    assert str(finding).startswith("idle workers: 2 workers had no tree to grow 40% of the time.")


@frozen
class Place:
    at: int


@frozen
class Still(Game[Place, int]):
    """A game that never ends."""

    native = False

    def start(self) -> Place:
        return Place(0)

    def status(self, state: Place) -> Status:
        return Status.IN_PLAY

    def player(self, state: Place) -> int:
        return 0

    def moves(self, state: Place) -> Iterator[int]:
        yield 0

    def make_move(self, state: Place, move: int) -> Place:
        return state

    def estimate(self, state: Place) -> float:
        return 0


def test_the_error_for_endless_plays_says_what_to_define() -> None:
    with pytest.raises(AlgorithmError, match=r"do not end within 10,000 plies; .*rollout=100"):
        search(Still(), mcts(1000)).compute()
    assert search(Still(), mcts(20, rollout=5)).compute().simulations == 20
