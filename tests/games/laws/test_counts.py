"""The law of published counts finds a planted fault, and names the first move that differs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from games import TicTacToe
from games.laws import LAWS, PublishedCounts, Verdict, check_laws, installed_laws, law_suite
from games.laws.of_counts import NAME, count_by_rules, counter
from games.position_text import read_position
from games.published_counts import Published, first_difference, of_table, published
from graphs.errors import ArgumentError, MalformedError
from strategies.cli.group import jamboree as command
from strategies.searches.counting import count_by_move
from tests.games.laws.given import Heap, Pile, WindyPile
from tests.properties import examples

SKIP = {law.name: "not this time" for law in (*LAWS, *installed_laws())}
MOVES = (1, 2, 3)
LONG = Pile(40)
"""A pile from which three moves are possible for many plies, and no two orders of three moves lead
to one position."""


@frozen
class Faulty(Pile):
    """The pile with one fault: after the moves `path`, one move is dropped, or added."""

    native = False

    size: int = 40
    path: tuple[int, ...] = ()
    odd: int = 4
    again: bool = False

    def moves(self, state: Heap) -> Iterator[int]:
        played = tuple(move for move in state.past if move)
        if played != self.path or self.size - state.left != sum(self.path):
            yield from MOVES
        elif self.again:
            yield from (*MOVES, self.odd)
        elif self.odd in MOVES:
            yield from (move for move in MOVES if move != self.odd)
        else:
            yield from (*MOVES, self.odd)


def verdict(game: Any, counts: Any) -> Verdict:
    return check_laws(game, skip=SKIP, counts=counts).verdicts[-1]


def table(depth: int) -> list[tuple[str, int, int, str]]:
    """Return the counts by first move of each position, by calculation: three times as many."""
    paths = [path for plies in range(depth) for path in product(MOVES, repeat=plies)]
    return [
        (" ".join(map(str, path)), depth - len(path), 3 ** (depth - len(path) - 1), str(move))
        for path in paths
        for move in MOVES
    ]


faults = st.tuples(
    st.lists(st.sampled_from(MOVES), max_size=2).map(tuple),
    st.sampled_from([(1, False), (2, False), (3, False), (4, False), (1, True), (3, True)]),
    st.integers(0, 1),
)


@given(faults)
@examples(40)
def test_a_fault_is_followed_to_the_first_move_that_differs(fault: Any) -> None:
    path, (odd, again), more = fault
    depth = len(path) + 1 + more
    game = Faulty(path=path, odd=odd, again=again)
    found = verdict(game, PublishedCounts([("", depth, 3**depth)], LONG))
    what = "is listed twice" if again else "is missing" if odd in MOVES else "is superfluous"
    assert found.result == "broken"
    assert found.expected == f"{3**depth:,}"
    assert found.position == f"start, depth {depth} (row 1)"
    assert found.moves == tuple(map(str, (*path, odd)))
    assert found.got.endswith(f"move {odd} {what}")
    assert found.replay == f"read_position({game!r}, '{' '.join(map(str, path))}')"
    by_table = of_table((row, read_position(LONG, row.position)) for row in published(table(depth)))
    divide = partial(count_by_rules, seconds=60)
    first = first_difference(game, game.start(), depth, divide, by_table)
    assert (first.turns, first.depth) == (found.moves, 1 + more) if first else False
    found = verdict(game, table(depth))
    assert (found.position.partition(",")[0] or "start", found.moves) == (
        " ".join(map(str, path)) or "start",
        (str(odd),),
    )


def test_right_counts_are_kept() -> None:
    found = verdict(LONG, table(4))
    assert (found.result, found.positions) == ("pass", 40)
    assert found.reason == "40 counts checked"
    assert verdict(TicTacToe(), [("", 0, 1), ("", 4, 3024), ("", 9, 127_872)]).result == "pass"
    ended = PublishedCounts([("", 9, 255_168)], ended=True)
    assert verdict(TicTacToe(), ended).result == "pass"
    assert verdict(TicTacToe(), [("1 4 2 5 3", 2, 0)]).result == "pass"


def test_a_wrong_count_without_moves_is_told_by_numbers() -> None:
    found = verdict(TicTacToe(), [("1 5", 1, 7), ("1 5", 2, 43)])
    assert (found.result, found.expected, found.got) == ("broken", "43", "42")
    assert (found.moves, found.position) == (("unknown",), "1 5, depth 2 (row 2)")
    found = verdict(TicTacToe(), [("nowhere", 1, 1), ("", 1, 9)])
    assert found.got.startswith("no such position: row 1: 'nowhere': ")
    both = PublishedCounts([("", 2, 73)], TicTacToe())
    assert verdict(TicTacToe(), both).got == "72"


def test_counts_beyond_the_limits_are_told() -> None:
    counts = PublishedCounts([("", 2, 9), ("", 30, 3**30), ("", 3, 27)], most=100)
    found = verdict(LONG, counts)
    assert found.reason == (
        "2 counts checked; not checked within 100 positions: start, depth 30 (205,891,132,094,649)"
    )
    counts = PublishedCounts([("", 30, 3**30), ("", 29, 3**29)], most=3**31, seconds=0.05)
    found = verdict(LONG, counts)
    assert found.result == "not met"
    assert found.reason.startswith(
        "0 counts checked; not checked within 0.05 seconds: start, depth"
    )
    assert found.reason.count("depth") == 2


@given(st.sampled_from([Pile(9), WindyPile(9), TicTacToe()]), st.integers(0, 4), st.booleans())
@examples(20)
def test_rules_in_python_count_what_machine_code_counts(game: Any, depth: int, ended: bool) -> None:
    assert counter() is count_by_move
    how: dict[str, Any] = {"ended": ended, "seconds": 60.0}
    slow = count_by_rules(game, game.start(), depth, **how)
    assert tuple(slow) == count_by_move(game, game.start(), depth, **how)


def test_a_suite_has_a_test_of_the_counts() -> None:
    suite = law_suite(Pile(9), counts=[("", 2, 9)], skip=SKIP)
    getattr(suite(), f"test_{NAME}")()
    with pytest.raises(pytest.fail.Exception, match="expected  8"):
        getattr(law_suite(Pile(9), counts=[("", 2, 8)])(), f"test_{NAME}")()


# Tables -------------------------------------------------------------------------------------------

RIGHT = 'position,depth,count,move\n,1,3,\n,2,3,1\n,2,3,2\n,2,3,3\n"1, 2",1,3,\n'


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "counts.csv"
    file.write_text(RIGHT)
    rows = published(file)
    assert rows == (
        Published("", 1, 3), Published("", 2, 9, (("1", 3), ("2", 3), ("3", 3))),
        Published("1, 2", 1, 3),
    )  # fmt: skip
    assert [row.place for row in rows] == [f"{file}, line {line}" for line in (2, 3, 6)]


@given(st.data())
@examples(200)
def test_a_damaged_file_gives_one_line_with_file_and_line(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = tmp_path_factory.getbasetemp() / "damaged.csv"
    whole = bytearray(RIGHT.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(whole) - 1))
        put = data.draw(st.sampled_from([b"", b'"', b",", b"\n", b"x", b"-", b"\xff", b"\0", b"9"]))
        whole[at : at + data.draw(st.integers(0, 2))] = put
    file.write_bytes(bytes(whole))
    said = _refusal(file)  # some are right still
    assert "\n" not in said
    assert said.startswith((f"{file}, line ", f"{file} needs the columns position")) or not said


def _refusal(file: Path) -> str:
    """Return the message with which a file is refused; empty if it is not."""
    try:
        published(file)
    except MalformedError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("a,b", "needs the columns position, depth and count, each once"),
        ("position,depth,count\n,x,1", "line 2: depth must be a whole number, 0 or more, not 'x'"),
        (
            "position,depth,count\n,1,-4",
            "count must be a whole number, 0 or more, not '-4'",
        ),
        ("position,depth,count\n\n,1", "line 3: there must be 3 cells"),
        ("position,depth,count\n,501,1", "line 2: depth must be 500 or less"),
        ("position,depth,count\n,1,9\n,1,9", "line 3: the count of start, depth 1 is repeated"),
        (
            "position,depth,count,move\n,1,9,\n,1,1,a\n",
            "line 2: the counts by first move of start, depth 1 add up to 1, not 9",
        ),
    ],
)
def test_a_wrong_table_is_refused_in_one_line(tmp_path: Path, lines: str, said: str) -> None:
    file = tmp_path / "counts.csv"
    file.write_text(lines + "\n")
    with pytest.raises((MalformedError, ArgumentError)) as error:
        check_laws(TicTacToe(), counts=file)
    assert said in str(error.value)
    for arguments in (["check", "tictactoe", "--counts"], ["perft", "tictactoe", "--expect"]):
        run = CliRunner().invoke(command, [*arguments, str(file)])
        assert (run.exit_code, run.stderr.count("\n")) == (2, 1)
        assert said in run.stderr


@pytest.mark.parametrize("counts", [3, [("", 1)], [(1, 1, 1)], [("", -1, 1)], [("", 1, 0.5)]])
def test_wrong_rows_are_refused(counts: Any) -> None:
    with pytest.raises(ArgumentError):
        check_laws(TicTacToe(), counts=counts)


# The commands -------------------------------------------------------------------------------------

FAULTY = """\
from games import TicTacToe
class Faulty(TicTacToe):
    native = False
    def moves(self, state):
        for move in super().moves(state):
            if move != 4 or sum(1 for _ in super().moves(state)) != 8:
                yield move
"""


def test_the_commands_name_the_first_move_that_differs(tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY)
    file = tmp_path / "counts.csv"
    file.write_text("position,depth,count\n,1,9\n,3,504\n")
    game, other = f"{tmp_path}/faulty.py:Faulty", ["--reference", "tictactoe"]
    run = CliRunner().invoke(command, ["perft", game, "--expect", str(file), *other])
    assert run.exit_code == 1
    assert "differs: after 1, move 5 is missing" in run.stdout
    run = CliRunner().invoke(command, ["perft", game, "--expect", str(file), "--json"])
    assert [row["first"] for row in json.loads(run.stdout)["rows"]] == [None, None]
    few = ["--profile", "dev", "--max-plies", "1"]
    run = CliRunner().invoke(command, ["check", game, "--counts", str(file), *other, *few])
    assert run.exit_code == 1
    assert f"broken          {NAME}" in run.stdout
    assert "448; after 1, move 5 is missing" in run.stdout
    for arguments in (["check", game], ["perft", game, "--depth", "1"]):
        refused = CliRunner().invoke(command, [*arguments, *other])
        assert "--reference has no effect without --" in refused.stderr
