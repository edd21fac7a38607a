"""A damaged file of any kind gives the same answer as before, or one sentence that names it."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from attrs import frozen
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from games import ConnectFour, Dense, TicTacToe
from games.catalogue import find_game
from graphs.errors import JamboreeError, MalformedError, printable
from graphs.json_text import json_in
from strategies import KeptTable, alphabeta, solve, study, tournament, with_estimate
from strategies.cli.group import jamboree
from strategies.players.learned_file import LearnedFileError, write_learned
from strategies.players.learning.self_play import learn
from strategies.players.weights.tune_weights import tune_weights
from strategies.studies.measure import Measurement
from strategies.studies.store import NotResults, Store
from tests.learned_files import parts_of
from tests.properties import examples

GAME = TicTacToe()
LATE = GAME.parse_state("1 2 3 4")


@frozen
class Kind:
    """A kind of file: how it is named, written and read; `exact` if damage never goes unnoticed."""

    name: str
    write: Callable[[Path], object]
    read: Callable[[Path], Any]
    exact: bool = True
    unchanged: bool = True
    """Whether only reads the file; else the work that is missing is done and written again."""

    def __repr__(self) -> str:
        return self.name


def run(*words: object) -> tuple[int, str]:
    """Run a command; fail if it shows a traceback."""
    found = CliRunner().invoke(jamboree, [str(word) for word in words], standalone_mode=True)
    assert found.exit_code in (0, 2), found.output
    assert "Traceback" not in found.output
    assert found.exit_code == 0 or "JAMBOREE_TRACEBACK" not in found.output, found.output
    if found.exit_code:
        raise Refused(found.output)
    return found.exit_code, found.stdout


class Refused(JamboreeError):
    """A command ended with status 2."""


def round_robin(path: Path) -> Any:
    players = ["random", "other: random"]
    return tournament(GAME, players, rounds=3, plies=2, record=path, resume=True).to_json()


def tuned(path: Path) -> Any:
    return tune_weights(
        ConnectFour(4, 4), alphabeta(1), names=["pairs"], generations=1, trials_each=1, match=0,
        workers=1, population=2, record=path, resume=True,
    ).to_dict()  # fmt: skip


def learned(path: Path, games: int = 3) -> Any:
    network = Dense(3, 9, 2)
    return learn(GAME, network, games=games, file=path, resume=True, engine="interpreted").weights


def solved(path: Path) -> Any:
    with KeptTable(path, None if path.exists() else "4kB") as table:
        return solve(GAME, LATE, memory=table, engine="interpreted").value


def studied(path: Path) -> Any:
    found = study(GAME, alphabeta(1), [], workers=[1], repeat=2, engine="interpreted", results=path)
    return found.found


def maze(path: Path) -> None:
    path.write_bytes(Path("games/pacman/mazes/small.txt").read_bytes())


def duel(path: Path) -> None:
    path.write_bytes(Path("games/riskless/maps/duel.txt").read_bytes())


PLAY = "play", "tictactoe", "--maxie", "random", "--minnie", "random"
GAMES = *PLAY, "--games", "2", "--results"
KINDS = [
    Kind("games.jsonl", round_robin, round_robin, unchanged=False),
    Kind("tuning.jsonl", tuned, tuned, unchanged=False),
    Kind("weights.npz", learned, lambda path: with_estimate(GAME, path).estimate(GAME.start())),
    Kind("resumed.npz", learned, learned, unchanged=False),
    Kind("kept.table", solved, solved, unchanged=False),
    Kind("study.db", studied, studied, unchanged=False),
    Kind(
        "game.json",
        lambda path: run(*PLAY, "--record", path),
        lambda path: run("play", "tictactoe", "--replay", path),
        exact=False,
    ),
    Kind(
        "before.json",
        lambda path: path.write_text(
            study(GAME, alphabeta(1), [], workers=[1], repeat=2, engine="interpreted").to_json()
        ),
        lambda path: run(
            "study", "tictactoe", "--algorithm", "alphabeta(depth=1)", "--using", "seq",
            "--workers", "1", "--repeat", "1", "--engine", "interpreted", "--before", path,
        )[0],
        exact=False,
    ),
    Kind(
        "rows.csv", lambda path: run(*GAMES, path), lambda path: run(*GAMES, path),
        exact=False, unchanged=False,
    ),
    Kind("maze.txt", maze, lambda path: find_game(f"pacman:{path}"), exact=False),
    Kind("map.txt", duel, lambda path: find_game(f"riskless:{path}"), exact=False),
]  # fmt: skip


@cache
def whole(kind: Kind) -> tuple[bytes, Any]:
    """Return the content of an undamaged file, and what is read from it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / kind.name
        kind.write(path)
        content = path.read_bytes()
        return content, kind.read(path)


def damage(content: bytes, seed: int, how: str) -> bytes:
    """Damage a file at random."""
    random, raw = Random(seed), bytearray(content)
    if how == "flip":
        raw[random.randrange(len(raw))] ^= 1 << random.randrange(8)
    elif how == "cut":
        del raw[random.randrange(len(raw)) :]
    elif how == "grow":
        raw += random.randbytes(random.randrange(1, 100))
    elif how == "insert":
        at = random.randrange(len(raw))
        raw[at:at] = random.randbytes(random.randrange(1, 9))
    elif how == "swap":
        lines = bytes(raw).split(b"\n")
        i, j = random.randrange(len(lines)), random.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
        return b"\n".join(lines)
    return bytes(raw)


OUR_WORDS = re.compile(
    r"is damaged|line \d+ is not an entry|not a table file|without results|of another version"
)
"""What is said of a flipped bit in a file that is exact."""


def check(kind: Kind, seed: int, how: str) -> None:
    content, answer = whole(kind)
    damaged = damage(content, seed, how)
    with TemporaryDirectory() as folder:
        path = Path(folder) / kind.name
        path.write_bytes(damaged)
        try:
            found = kind.read(path)
        except JamboreeError as error:
            said = str(error)
            assert not kind.exact or how != "flip" or OUR_WORDS.search(said), said
            assert kind.name in said, said
            assert "\n" not in said.strip(), said
            assert path.read_bytes() == damaged
        else:
            assert not kind.exact or found == answer
            assert not kind.unchanged or path.read_bytes() == damaged


HOW = st.sampled_from(["flip", "flip", "flip", "cut", "grow", "insert", "swap"])


@pytest.mark.slow
@pytest.mark.parametrize("kind", [k for k in KINDS if k.name != "tuning.jsonl"], ids=repr)
@examples(4)
@given(seed=st.integers(0, 2**32), how=HOW)
def test_damage_gives_the_same_answer_or_one_sentence(kind: Kind, seed: int, how: str) -> None:
    check(kind, seed, how)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=repr)
@examples(400)
@given(seed=st.integers(0, 2**32), how=HOW)
def test_much_damage_gives_the_same_answer_or_one_sentence(kind: Kind, seed: int, how: str) -> None:
    check(kind, seed, how)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('{"a": 1, "a": 2}', "the name 'a' occurs twice"),
        ("NaN", "NaN is not a finite number"),
        ("[-Infinity]", "-Infinity is not a finite number"),
        ("1e999", "1e999 is not a finite number"),
        ("1" * 10_000, "not JSON"),
        (b"\xff\xfe", "not UTF-8 text"),
        (b"[\x00]", "not JSON"),
        ("", "not JSON"),
    ],
)
def test_json_that_programs_read_in_different_ways_is_refused(text: Any, why: str) -> None:
    with pytest.raises(MalformedError, match=why) as told:
        json_in(text)
    assert len(str(told.value)) < 200
    with TemporaryDirectory() as folder:
        for name in "game.json", "before.json":
            path = Path(folder) / name
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            kind = next(kind for kind in KINDS if kind.name == name)
            with pytest.raises(Refused, match=name):
                kind.read(path)


def test_nothing_compressed_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    parts = {"about.json": " is damaged", "values.npy": ": it has no learned weights"}
    for name, why in parts.items():
        with ZipFile(path, "w", ZIP_DEFLATED) as archive:
            archive.writestr(name, b" " * (1 << 24))
        with (
            patch("zipfile.ZipExtFile.read", side_effect=AssertionError("unpacked")),
            pytest.raises(LearnedFileError, match=r"weights\.npz" + why),
        ):
            with_estimate(GAME, path)


def test_weights_that_do_not_match_their_digest_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    learned(path)
    about, rows = parts_of(path)
    rows["values"][0] += 1
    write_learned(path, about, rows)
    for read in with_estimate, lambda _, path: learned(path, 4):
        with pytest.raises(LearnedFileError, match="its weights do not match their digest"):
            read(GAME, path)


def test_control_characters_of_a_file_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path, evil = tmp_path / "weights.npz", "\x1b[2J\x9b1m\u202eevil"
    learned(path)
    about, rows = parts_of(path)
    write_learned(path, about | {"game": evil}, rows)
    with pytest.raises(LearnedFileError, match=r"was learned in \\x1b\[2J\\x9b1m\\u202eevil") as e:
        with_estimate(GAME, path)
    assert printable(str(e.value)) == str(e.value)
    for kind in KINDS:
        if kind.name in ("game.json", "before.json", "rows.csv", "games.jsonl"):
            text = whole(kind)[0].decode()
            file = tmp_path / kind.name
            for old in set(re.findall(r"[A-Za-z]\w+", text)):
                new = old + (json.dumps(evil)[1:-1] if "json" in kind.name else evil)
                file.write_text(text.replace(old, new, 1), encoding="utf-8")
                found = CliRunner().invoke(jamboree, COMMANDS[kind.name] + [str(file)])
                assert printable(found.output) == found.output


COMMANDS = {
    "game.json": ["play", "tictactoe", "--replay"],
    "before.json": [
        "study", "tictactoe", "--algorithm", "alphabeta(depth=1)", "--using", "seq", "--workers",
        "1", "--repeat", "1", "--engine", "interpreted", "--before",
    ],
    "rows.csv": list(GAMES),
    "games.jsonl": [
        "tournament", "tictactoe", "random", "other: random", "--rounds", "3", "--plies", "2",
        "--resume", "--record",
    ],
}  # fmt: skip


def test_errors_of_a_database_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    Store(path).close()
    store = Store(path)
    for sql, why in (
        ("PRAGMA query_only = 1", "cannot be used: .*; name another file"),
        (
            "PRAGMA query_only = 0; DROP TABLE measurements",
            "is damaged: delete it, and measure again",
        ),
    ):
        store.db.executescript(sql)
        with pytest.raises(NotResults, match=r"study\.db " + why):
            store.keep({"game": "g", "state": "s"}, 0, Measurement())
    store.db.close()
    for version, why in ((1, "another version"), (9, "another version")):
        with closing(sqlite3.connect(path)) as db:
            db.execute(f"PRAGMA user_version = {version}")
        with pytest.raises(NotResults, match=why):
            Store(path)
    with pytest.raises(NotResults, match=r"none/study\.db cannot be used"):
        Store(tmp_path / "none" / "study.db")
    with patch("strategies.studies.store.TIMEOUT", 0.01), closing(sqlite3.connect(path)) as db:
        db.execute("BEGIN EXCLUSIVE")
        with pytest.raises(NotResults, match=r"study\.db cannot be used: database is locked"):
            Store(path)
