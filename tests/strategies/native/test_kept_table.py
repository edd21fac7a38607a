"""Tables in files: an analysis can be resumed, even after a kill; other files are refused."""

from __future__ import annotations

import copy
import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import ConnectFour, ExplicitGame, Game, TicTacToe
from strategies import KeptTable, TableError, alphabeta, engine_for, mtdf, pvs, search, solve
from strategies.algorithms.algorithm import Algorithm
from strategies.native.calls.alphabeta import search_alphabeta
from strategies.native.kept_table import FORM, HEADER, MAGIC
from strategies.native.memory.saved_blocks import saved_bytes
from tests.properties import examples
from tests.strategies.given import trees

GAME = TicTacToe()
LATE = GAME.parse_state("1 2 3 4")
"""A position that is solved in a moment."""


@given(trees(wins=True), st.integers(1, 3))
def test_a_kept_table_changes_no_result(game: ExplicitGame, times: int) -> None:
    known = solve(game, engine="interpreted", memory="4kB", line=3)
    with TemporaryDirectory() as folder:
        for _ in range(times):
            with KeptTable(f"{folder}/kept.table", "4kB") as table:
                found = solve(game, engine="interpreted", memory=table, line=3)
            assert (found.value, found.line) == (known.value, known.line)


def test_proved_values_are_known_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "kept.table"
    found = []
    for size in ("1MB", None):
        with KeptTable(path, size) as table:
            found.append(solve(GAME, memory=table, engine="interpreted"))
    assert found[0].value == found[1].value == solve(GAME, engine="interpreted").value
    assert found[0].move == found[1].move
    assert found[1].nodes < found[0].nodes / 10
    assert [p.name for p in tmp_path.iterdir()] == ["kept.table"]
    assert path.stat().st_size == HEADER + saved_bytes(1 << 20)


def test_wide_entries_stay_wide(tmp_path: Path) -> None:
    values = [[[2.5, 9.25], [7.5, 1.125]], [[-2.5, 6.75], [3.5, 0.5]]]
    game = ExplicitGame.from_nested(values)
    found = []
    for _ in range(2):
        with KeptTable(tmp_path / "kept.table", "4kB") as table:
            found.append(solve(game, memory=table, engine="interpreted"))
    assert found[0].value == found[1].value == 7.5
    assert found[1].nodes < found[0].nodes


ANALYSIS = """
import sys
from games import TicTacToe
from strategies import KeptTable, solve
with KeptTable(sys.argv[1], "64kB") as table:
    solve(TicTacToe(), memory=table, engine="interpreted")
    sys.stdin.read()
"""


@pytest.mark.slow
def test_a_killed_analysis_is_resumed(tmp_path: Path) -> None:
    path, game = tmp_path / "kept.table", TicTacToe()
    fresh = solve(game, memory="64kB", engine="interpreted")
    command = [sys.executable, "-c", ANALYSIS, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as run:
        while not path.exists() or used(path) < 0.05:
            assert run.poll() is None
            time.sleep(0.001)
        run.send_signal(signal.SIGKILL)
    assert run.returncode == -signal.SIGKILL
    with KeptTable(path) as table:
        found = solve(game, memory=table, engine="interpreted")
    assert (found.value, found.move) == (fresh.value, fresh.move)
    assert found.nodes < fresh.nodes - 100


def used(path: Path) -> float:
    """Return the share of the first cells of a file that are used."""
    with path.open("rb") as file:
        file.seek(HEADER)
        cells = file.read(8 * 4096)
    return sum(cells[k : k + 8] != bytes(8) for k in range(0, len(cells), 8)) / 4096


def test_a_table_in_use_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.table"
    with KeptTable(path, "4kB") as table:
        solve(GAME, LATE, memory=table, engine="interpreted")
        with pytest.raises(TableError, match="is in use by another search"):
            KeptTable(path)
    with KeptTable(path) as again:
        assert solve(GAME, LATE, memory=again, engine="interpreted").nodes > 0


def test_two_processes_that_start_together_do_not_overwrite_each_other(tmp_path: Path) -> None:
    path = tmp_path / "kept.table"
    with KeptTable(path, "4kB") as one, KeptTable(path, "4kB") as two:
        solve(GAME, LATE, memory=one, engine="interpreted")
        with pytest.raises(TableError, match="was just created by another process"):
            solve(GAME, LATE, memory=two, engine="interpreted")
    assert [p.name for p in tmp_path.iterdir()] == ["kept.table"]


@frozen
class Misere(TicTacToe):
    """Tic-tac-toe in which three in line lose."""

    def utility(self, state: Any) -> float:
        return -super().utility(state)


def test_a_table_of_another_game_is_refused_and_stays_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "kept.table"
    with KeptTable(path, "4kB") as table:
        solve(GAME, LATE, memory=table, engine="interpreted")
    before = path.read_bytes()
    for game in (ConnectFour(4, 4), ConnectFour(4, 5), Misere()):
        with KeptTable(path) as table, pytest.raises(TableError, match="name another file"):
            solve(game, memory=table, engine="interpreted")
    engine = engine_for(TicTacToe(), "interpreted")
    with (
        KeptTable(path) as table,
        pytest.raises(TableError, match="not to alphabeta, pvs and"),
    ):
        search_alphabeta(engine, table, TicTacToe().start(), 2)
    assert path.read_bytes() == before


@pytest.mark.parametrize("algorithm", [alphabeta(3), pvs(3), mtdf(3)], ids=repr)
def test_the_refusal_names_the_algorithm_that_made_the_table(
    tmp_path: Path, algorithm: Algorithm
) -> None:
    path = tmp_path / "kept.table"

    def searched(game: Game[Any, Any]) -> None:
        with KeptTable(path, "4kB") as table:
            search(game, algorithm, engine="interpreted").compute(num_workers=1, memory=table)

    searched(TicTacToe())
    with pytest.raises(TableError, match=rf"belongs to .*\b{algorithm.name}\b.* searches of TicTa"):
        searched(Misere())


def test_changed_rules_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "kept.table"
    rules = []
    for sign in (1, -1):

        @frozen
        class Changing(TicTacToe):
            def utility(self, state: Any, sign: int = sign) -> float:
                return sign * super().utility(state)

        rules.append(Changing())
    with KeptTable(path, "4kB") as table:
        solve(rules[0], LATE, memory=table, engine="interpreted")
    with (
        KeptTable(path) as table,
        pytest.raises(TableError, match="created with other rules of the game"),
    ):
        solve(rules[1], memory=table, engine="interpreted")


def test_searched_depths_are_stored_too(tmp_path: Path) -> None:
    engine, state, found = engine_for(TicTacToe(), "interpreted"), TicTacToe().start(), []
    for _ in range(2):
        with KeptTable(tmp_path / "kept.table", "64kB") as table:
            found.append(search_alphabeta(engine, table, state, 5))
    assert found[0].value == found[1].value
    assert found[1].nodes < found[0].nodes


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not a table file of this version"),
        (b"some notes\n" * 1000, "is not a table file of this version"),
        (b"jamboree table 1", "is damaged"),
        (b"jamboree table 1".ljust(10_000, b"\0"), "is damaged"),
        (b"jamboree table 1".ljust(10_000, b"\xff"), "is damaged"),
        (b"jamboree table 2".ljust(10_000, b"\0"), "is not a table file of this version"),
    ],
)
def test_files_that_are_no_tables_are_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "kept.table"
    path.write_bytes(content)
    with pytest.raises(TableError, match=said):
        KeptTable(path)
    assert path.read_bytes() == content


def test_a_link_is_kept_and_its_target_created(tmp_path: Path) -> None:
    link, target = tmp_path / "link.table", tmp_path / "other" / "kept.table"
    target.parent.mkdir()
    link.symlink_to(target)
    for _ in range(2):
        with KeptTable(link, "4kB") as table:
            solve(GAME, LATE, memory=table, engine="interpreted")
    assert link.is_symlink()
    assert [p.name for p in target.parent.iterdir()] == ["kept.table"]


def test_files_that_cannot_be_opened_are_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for name in ("x" * 300, "loop", ""):
        with pytest.raises(TableError, match="cannot be opened: "):
            KeptTable(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    command = "import sys; from strategies import KeptTable; KeptTable(sys.argv[1])"
    run = subprocess.run(
        [sys.executable, "-c", command, str(tmp_path / "pipe")],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "is not a regular file: name another" in run.stderr


@examples(20)
@given(st.integers(0, HEADER - 1), st.integers(1, 255))
def test_damaged_headers_are_refused(place: int, change: int) -> None:
    game = TicTacToe()
    late = game.parse_state("1 2 3 4 5")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "kept.table"
        with KeptTable(path, "4kB") as table:
            solve(game, late, memory=table, engine="interpreted")
        raw = bytearray(path.read_bytes())
        raw[place] ^= change
        path.write_bytes(raw)
        with pytest.raises(TableError, match="delete it"):
            KeptTable(path)
        path.write_bytes(raw[: -1 - place])
        with pytest.raises(TableError, match="delete it"):
            KeptTable(path)


def test_another_size_and_a_missing_folder_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.table"
    with KeptTable(path, "4kB") as table:
        solve(GAME, LATE, memory=table, engine="interpreted")
    with pytest.raises(TableError, match="is a table of 4kB, not 8kB: leave out the size"):
        KeptTable(path, "8kB")
    with pytest.raises(TableError, match="cannot be opened"):
        KeptTable(tmp_path)
    with pytest.raises(TableError, match=r"null (byte|character)"):
        KeptTable("kept\0.table")
    table = KeptTable(tmp_path / "missing" / "kept.table", "4kB")
    with pytest.raises(TableError, match="cannot be created"):
        solve(TicTacToe(), memory=table, engine="interpreted")


def test_an_unused_table_leaves_no_file(tmp_path: Path) -> None:
    with KeptTable(tmp_path / "kept.table", "4kB") as table:
        assert repr(table) == f"KeptTable({str(tmp_path / 'kept.table')!r}, '4kB')"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_pickled_table_opens_the_file_instead_of_copying_it(tmp_path: Path, copied: Any) -> None:
    table = KeptTable(tmp_path / "a.table", "1MB")
    with pytest.raises(TableError, match=r"sent to another one: create KeptTable\('"):
        copied(table)


def flipped(content: bytes, random: Random, count: int) -> bytes:
    """Flip bits of used cells at random, often those that say what bound an entry is, because a
    look-up compares all others."""
    raw = bytearray(content)
    used = HEADER + 8 * np.flatnonzero(np.frombuffer(content[HEADER:], np.int64))
    for _ in range(count):
        bit = random.choice((7, 8, random.randrange(64)))
        raw[random.choice(used) + bit // 8] ^= 1 << bit % 8
    return bytes(raw)


WIDE = ExplicitGame.from_nested([
    [[[a + b / 8 - c * d for d in range(3)] for c in range(3)] for b in range(3)] for a in range(3)
])  # fmt: skip
"""A game whose values need two cells each."""


@cache
def proof(game: Any, state: Any) -> tuple[bytes, float]:
    """Return the content of a table with the proof of a position, and its value."""
    with TemporaryDirectory() as folder:
        with KeptTable(f"{folder}/kept.table", "64kB") as table:
            value = solve(game, state, memory=table, engine="interpreted").value
        return Path(f"{folder}/kept.table").read_bytes(), value


@pytest.mark.parametrize(("game", "state"), [(GAME, LATE), (WIDE, WIDE.start())])
@examples(20)
@given(seed=st.integers(0, 2**32), count=st.sampled_from([1, 10, 100]))
def test_flipped_bits_never_change_a_value(game: Any, state: Any, seed: int, count: int) -> None:
    whole, value = proof(game, state)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "kept.table"
        damaged = flipped(whole, Random(seed), count)
        path.write_bytes(damaged)
        KeptTable(path).close()
        assert path.read_bytes() == damaged
        with KeptTable(path) as table:
            assert solve(game, state, memory=table, engine="interpreted").value == value


@cache
def one_table() -> bytes:
    """Return the content of a small table."""
    with TemporaryDirectory() as folder:
        with KeptTable(f"{folder}/kept.table", "4kB") as table:
            solve(GAME, LATE, memory=table, engine="interpreted")
        return Path(f"{folder}/kept.table").read_bytes()


@examples(20)
@given(st.dictionaries(st.sampled_from(sorted(FORM)), st.integers() | st.text() | st.none()))
def test_headers_of_wrong_types_are_refused(changes: dict[str, Any]) -> None:
    with TemporaryDirectory() as folder:
        path, raw = Path(folder) / "kept.table", one_table()
        start = len(MAGIC) + 4
        header = json.loads(raw[start:HEADER].rstrip(b"\0"))
        for wrong in ({**header, **changes}, [header], 5, {}):
            text = json.dumps(wrong).encode().ljust(HEADER - start, b"\0")
            content = MAGIC + crc32(text).to_bytes(4, "big") + text + raw[HEADER:]
            path.write_bytes(content)
            with suppress(TableError):
                KeptTable(path).close()
                assert all(type(wrong[name]) is kind for name, kind in FORM.items())
            assert path.read_bytes() == content


CUT = """
import os, sys
from games import TicTacToe
from strategies import KeptTable, TableError, solve
game, path = TicTacToe(), sys.argv[1]
with KeptTable(path, "64kB") as table:
    solve(game, game.parse_state("1 2 3 4"), memory=table, engine="interpreted")
    os.truncate(path, int(sys.argv[2]))
    table.cells[0:8000]
    try:
        solve(game, game.parse_state("1 2 3"), memory=table, engine="interpreted")
    except TableError as error:
        print(error)
"""


@pytest.mark.parametrize("size", [0, HEADER, HEADER + 5000])
def test_a_file_that_another_program_cuts_off_gives_an_error(tmp_path: Path, size: int) -> None:
    path = tmp_path / "kept.table"
    command = [sys.executable, "-c", CUT, str(path), str(size)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    assert "kept.table cannot be saved: another program has changed its size" in run.stdout
    assert path.stat().st_size == size


def test_a_file_that_cannot_be_saved_is_reported_at_the_end(tmp_path: Path) -> None:
    table = KeptTable(tmp_path / "kept.table", "4kB")
    solve(GAME, LATE, memory=table, engine="interpreted")
    os.truncate(tmp_path / "kept.table", 100)
    with pytest.raises(TableError, match="cannot be saved"):
        table.close()
    table.close()


def test_a_table_does_not_follow_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    table = KeptTable("kept.table", "4kB")
    monkeypatch.chdir("other")
    with table:
        solve(GAME, LATE, memory=table, engine="interpreted")
    assert [p.name for p in tmp_path.rglob("*.table")] == ["kept.table"]
    assert (tmp_path / "kept.table").exists()


@pytest.mark.usefixtures("only_new_garbage")
def test_a_table_that_is_collected_is_saved(tmp_path: Path) -> None:
    table = KeptTable(tmp_path / "kept.table", "64kB")
    nodes = solve(GAME, LATE, memory=table, engine="interpreted").nodes
    del table
    gc.collect()
    with KeptTable(tmp_path / "kept.table") as again:
        assert solve(GAME, LATE, memory=again, engine="interpreted").nodes < nodes
