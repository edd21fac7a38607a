"""A cutoff stops the kernels of siblings that are still running."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from games import MAXIE, MINNIE, Game, Status
from strategies import alphabeta, eval_list, par_list, search, split_at


@frozen
class Where:
    path: int
    ply: int


@frozen
class Trap(Game[Where, int]):
    """A game with a subtree that only a cutoff can avoid.

    Maxie gets 5 with her first move. After her second, Minnie's first reply leads to a tree of 2^60
    positions in which alpha-beta finds no cutoff, and her second reply to 3, so that the tree does
    not matter.
    """

    value_range = (0, 9)

    def start(self) -> Where:
        return Where(1, 0)

    def status(self, state: Where) -> Status:
        return Status.IN_PLAY

    def player(self, state: Where) -> int:
        return MAXIE if state.ply != 1 else MINNIE

    def moves(self, state: Where) -> Iterator[int]:
        yield 0
        if state.ply < 2 or state.path == 6:
            yield 1

    def make_move(self, state: Where, move: int) -> Where:
        path = state.path * 2 + move if state.ply < 2 else state.path
        return Where(path, state.ply + 1)

    def estimate(self, state: Where) -> int:
        return 3 if state.path == 7 else 5 if state.path < 6 else state.ply % 2


def test_a_branch_that_no_longer_matters_is_abandoned() -> None:
    game = Trap()
    using = split_at(1, eval_list, par_list(par_list).live())
    found = search(game, alphabeta(60), using=using, engine="native").compute(num_workers=2)
    assert (found.move, found.value) == (0, 5)
    assert found.sparks.aborted == 1
    assert found.sparks.balanced()
    assert "1 aborted" in str(found.sparks)
