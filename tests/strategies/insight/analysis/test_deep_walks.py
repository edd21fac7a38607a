"""Walks of long, narrow trees, and of trees that are too large to print."""

import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from games import MAXIE, MINNIE, Game, Status, TicTacToe
from graphs.errors import ArgumentError
from strategies import alphabeta, jamboree, par_list, search, seq
from strategies.support.stacks import room_for


@frozen
class Corridor(Game[int, int]):
    """A long game: a step, or the end."""

    def start(self) -> int:
        return 0

    def status(self, state: int) -> Status:
        return Status.IN_PLAY if state >= 0 else Status.DRAW

    def player(self, state: int) -> int:
        return MINNIE if state % 2 else MAXIE

    def moves(self, state: int) -> Any:
        if state >= 0:
            yield from (0, 1) if state % 100 == 0 else (0,)

    def make_move(self, state: int, move: int) -> int:
        return -1 if move else state + 1

    def estimate(self, state: int) -> int:
        return 0


@pytest.mark.parametrize("depth", [pytest.param(400, marks=pytest.mark.long), 1010])
@pytest.mark.parametrize(
    "using",
    [
        jamboree(0.5).everywhere,
        *(
            pytest.param(using, marks=pytest.mark.long)
            for using in (seq, par_list.everywhere.grain(0), par_list.to_ply(400))
        ),
    ],
)
def test_every_view_of_a_search_walks_long_trees(using: Any, depth: int, tmp_path: Path) -> None:
    limit = sys.getrecursionlimit()
    answer = search(Corridor(), alphabeta(depth), using=using, engine="interpreted")
    result = answer.compute(num_workers=1)
    lines = answer.trace()
    assert sum(": state " in line for line in lines) == len(lines[:-3]) - result.leaves - (
        sum(line.startswith("Result of ") for line in lines)
    )
    positions = result.draw("tree", most=2000).svg.count('class="mark ')
    assert positions == depth + 1 + -(-depth // 100)  # every 100 plies the game may end
    assert answer.replay(tmp_path / "replay.html").exists()
    assert result.against().exact
    assert sys.getrecursionlimit() == limit


def test_the_limit_of_calls_is_restored_when_the_last_walk_ends() -> None:
    limit, inside, leave = sys.getrecursionlimit(), threading.Event(), threading.Event()

    def other() -> None:
        with room_for(300):
            inside.set()
            leave.wait(30)

    thread = threading.Thread(target=other)
    with room_for(100):
        thread.start()
        inside.wait(30)
    assert sys.getrecursionlimit() > limit + 300
    leave.set()
    thread.join()
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize("most", [1, 10, 700])
def test_a_trace_of_more_positions_is_refused_as_soon_as_it_is_known(most: int) -> None:
    told: list[str] = []
    with pytest.raises(ArgumentError, match=f"the trace has more than {most:,} positions: search"):
        search(TicTacToe(), alphabeta(9), engine="interpreted").trace(most=most, tell=told.append)
    assert sum(": state " in line for line in told) == most
    with pytest.raises(ArgumentError, match="more than 700 positions"):
        search(TicTacToe(), alphabeta(9), engine="interpreted").trace(most=700)


def test_lines_are_told_as_they_are_found_or_returned() -> None:
    answer, told = search(TicTacToe(), alphabeta(3)), list[str]()
    assert answer.trace(tell=told.append) == []
    assert told == answer.trace()


@pytest.mark.parametrize("wrong", [{"most": 0}, {"most": 1.5}, {"most": True}, {"tell": "print"}])
def test_wrong_arguments_of_a_trace_are_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match=f"^{next(iter(wrong))} must be"):
        search(TicTacToe(), alphabeta(1)).trace(**wrong)
