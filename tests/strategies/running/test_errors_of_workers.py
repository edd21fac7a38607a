"""Errors of workers arrive with a text, whatever they hold."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from attrs import frozen

from games import Game, TicTacToe
from games.failed import RuleFailed
from strategies import mcts, minimax, par_list, pvs, scout, search, solve
from strategies.running.runtime.batch import run_on
from strategies.running.runtime.shipping import ClusterError
from tests.strategies.clusters import LIMIT

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow


class TwoParts(Exception):
    """An error that cannot be made again from its arguments."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} {two}")


class Locked(Exception):
    """An error that holds what cannot be pickled."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.lock = threading.Lock()


ERRORS: dict[str, tuple[Any, str]] = {
    "no text": (ValueError, "without a text"),
    "an assertion": (AssertionError, "without a text"),
    "two parts": (lambda: TwoParts("first", "second"), "first second"),
    "a lock": (lambda: Locked("it is locked"), "it is locked"),
    "a lock without a text": (Locked, "without a text"),
    "a key": (lambda: KeyError("k"), "k"),
    "a long text": (lambda: ValueError("long " * 20_000), "ValueError: long long"),
    "a long state": (lambda: RuleFailed("moves", (), (0,) * 9000, "it broke"), "all.: it broke"),
    "an interrupt": (KeyboardInterrupt, "raised KeyboardInterrupt"),
    "an exit": (lambda: SystemExit(1), "raised SystemExit"),
    "a game": (lambda: RuleFailed("moves", (), threading.Lock(), "it broke"), "it broke"),
}


def fail(kind: str) -> None:
    raise ERRORS[kind][0]()


@frozen
class Failing(TicTacToe):
    """A game whose rules raise an error once some moves are made."""

    kind: str = ""

    def make_move(self, state: Any, move: int) -> Any:
        if len(list(self.moves(state))) < 7:
            fail(self.kind)
        return super().make_move(state, move)


@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_of_a_worker_arrives_with_its_text(client_here: Any, kind: str) -> None:
    with pytest.raises(Exception, match=ERRORS[kind][1]):
        run_on(client_here, fail, [(0, (kind,))], lambda *_: None, shared=(TicTacToe(),), checked=1)


class Interrupting(TicTacToe):
    """A game with a rule that raises KeyboardInterrupt in the threads of workers."""

    def make_move(self, state: Any, move: int) -> Any:
        if "Dask" in threading.current_thread().name:
            raise KeyboardInterrupt
        return super().make_move(state, move)


ASKED = {
    "bundles": lambda g, c: search(g, minimax(5), using=par_list).compute(scheduler=c),
    "rows": lambda g, c: search(g, pvs(5), using=scout.everywhere).compute(scheduler=c),
    "trees": lambda g, c: search(g, mcts(9, trees=2), using=par_list).compute(scheduler=c),
    "proofs": lambda g, c: solve(g, using=par_list, scheduler=c, memory="64kB"),
    "a future": lambda g, c: c.compute(search(g, minimax(5), using=par_list)).result(LIMIT),
}  # fmt: skip


@pytest.mark.parametrize("how", ASKED)
def test_a_rule_that_interrupts_ends_the_run(client_here: Any, how: str) -> None:
    with pytest.raises(ClusterError, match="raised KeyboardInterrupt"):
        ASKED[how](Interrupting(), client_here)


KINDS = "no text", "a lock without a text", "a long text"


@pytest.mark.parametrize(
    ("how", "kind"), [*((how, KINDS[1]) for how in ASKED), *(("rows", k) for k in KINDS[::2])]
)
def test_an_error_of_a_rule_arrives_with_its_text(client_here: Any, how: str, kind: str) -> None:
    game: Game[Any, Any] = Failing(kind)
    with pytest.raises(RuleFailed, match=type(ERRORS[kind][0]()).__name__):
        ASKED[how](game, client_here)
