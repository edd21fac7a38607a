"""What is read of a file is that of one whole file, at whatever moment another takes its name."""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from games import TicTacToe
from graphs.errors import MalformedError
from strategies import endgame_table, learn, tournament, with_estimate
from strategies.searches.endgame_file import read_table
from tests.learned_files import about_in
from tests.strategies.searches.test_endgame_resumed import interrupted
from tests.strategies.searches.test_endgame_tables import ROOK
from tests.strategies.searches.test_endgame_threads import few_are_many, same

GAME = TicTacToe()
SLOW: dict[str, Any] = {"engine": "interpreted"}
_before: list[Callable[[str], None]] = []


def _watch(event: str, given: Any) -> None:
    if event == "open" and _before and isinstance(given[0], (str, os.PathLike)):
        _before[-1](os.fspath(given[0]))


sys.addaudithook(_watch)  # it stays for the rest of the process, and does nothing outside the block


@contextmanager
def replaced_each_time(path: Path, contents: list[bytes]) -> Iterator[list[bytes]]:
    """Let another whole file take the name `path` before each time that it is opened, until
    somebody else writes it; yield those that did."""
    met: list[bytes] = []

    def turn(name: str) -> None:
        if name == str(path):
            before = _before.pop()
            if path.read_bytes() == (met or contents)[-1]:
                met.append(contents[len(met) % len(contents)])
                draft = path.with_name("draft")
                draft.write_bytes(met[-1])
                os.replace(draft, path)
            _before.append(before)

    path.write_bytes(contents[-1])
    _before.append(turn)
    try:
        yield met
    finally:
        _before.remove(turn)


def learned(path: Path, games: int) -> bytes:
    learn(GAME, games=games, file=path, resume=True, **SLOW)
    return path.read_bytes()


READS: dict[str, Callable[[Path], Any]] = {
    "estimate": lambda path: with_estimate(GAME, path),
    "resumed": lambda path: learn(GAME, games=50, file=path, resume=True, **SLOW).game,
    "begun": lambda path: learn(GAME, games=3, begin=path, **SLOW).game,
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_learned_weights_are_those_of_one_file(tmp_path: Path, read: Callable[[Path], Any]) -> None:
    path = tmp_path / "a.npz"
    contents = [learned(path, games) for games in (10, 20, 40)]
    wanted = []
    for content in contents:
        path.write_bytes(content)
        wanted.append(read(path))
    for turn in range(len(contents)):
        order = [*contents[turn:], *contents[:turn]]
        with replaced_each_time(path, order) as met:
            found = read(path)
        assert met
        assert found in wanted


def test_a_run_tells_with_which_weights_it_began(tmp_path: Path) -> None:
    path, file = tmp_path / "a.npz", tmp_path / "b.npz"
    contents = [learned(path, games) for games in (10, 20, 40)]
    with replaced_each_time(path, contents):
        found = learn(GAME, games=1, begin=path, file=file, rate=1e-30, **SLOW)
    assert about_in(file)["begin"] == found.weights.digest, "nearly nothing was learned since"


def rows_of(path: Path) -> list[Any]:
    rows, _ = read_table(path, GAME)
    return [None if row is None else row.tolist() for row in rows]


def test_an_endgame_table_is_that_of_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    contents, wanted = [], []
    for moves in ("1 5 9", "1 5 9 2", "2 5 8 1 3"):
        endgame_table(GAME, GAME.parse_state(moves), **SLOW).save(path)
        contents.append(path.read_bytes())
        wanted.append(rows_of(path))
    with replaced_each_time(path, contents) as met:
        found = rows_of(path)
    assert met
    assert found in wanted


def test_an_unfinished_endgame_table_is_that_of_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, contents, whole = tmp_path / "a.npz", list[bytes](), endgame_table(ROOK)
    for at in (5, 20):
        with few_are_many():
            assert interrupted(ROOK, path, at, monkeypatch)
        contents.append(path.read_bytes())
    with replaced_each_time(path, contents) as met:
        assert same(endgame_table(ROOK, resume=path), whole)
    assert len(met) == 1


def test_a_tournament_is_played_with_the_weights_of_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    contents = [learned(path, games) for games in (1, 400)]
    players = [f"alphabeta(depth={depth}) with estimate={path}" for depth in (1, 2)]

    def played() -> str:
        return tournament(GAME, [*players, "random"], rounds=20, plies=1).to_json()

    wanted = []
    for content in contents:
        path.write_bytes(content)
        wanted.append(played())
    assert wanted[0] != wanted[1], "or the test would show nothing"
    with replaced_each_time(path, contents) as met:
        assert played() == wanted[0]
    assert len(met) == 1


def test_a_process_reads_weights_once_and_only_those_that_were_sent(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    contents = [learned(path, games) for games in (20, 40)]
    sent = pickle.dumps(with_estimate(GAME, path))
    with replaced_each_time(path, [contents[1], contents[0]]) as met:
        game = pickle.loads(sent)
        assert pickle.loads(sent).net_weights is game.net_weights
        assert len(met) == 1
        del game
        gc.collect()
        with pytest.raises(MalformedError, match=r"a\.npz has other weights than when it was read"):
            pickle.loads(sent)
