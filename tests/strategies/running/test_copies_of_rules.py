"""A copy of a game by value, in another process, has the fingerprint of the original there."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from strategies.native.fingerprint import copied_fingerprint, fingerprint, reached_modules
from strategies.running.runtime.shipping import Parcel, own_modules

HELPER = "FACTOR = 3\ndef helped(x):\n    return x * FACTOR\nclass Base:\n    BONUS = 2\n"
GAMES = """
import abc, collections, dataclasses, enum, functools, random, typing
import attrs
import copied_helper
from copied_helper import helped
from games import ConnectFour, Game
from strategies import Algorithm
RANDOM, MEMO = random.Random(3), {"a": []}
class Kind(enum.Enum):
    ONE = 1
class Pair(typing.NamedTuple):
    a: int
class Plain(ConnectFour):
    TABLE = collections.defaultdict(list, {1: [2]})
    part = functools.partial(helped, 3)
    def estimate(self, state):
        return helped(copied_helper.FACTOR) + Kind.ONE.value + Pair(1).a + RANDOM.random()
    def drawn(self):
        import no_such_module_here
@attrs.frozen
class Slotted(ConnectFour):
    weight: int = 5
@attrs.frozen
class Below(Slotted):
    pass
@attrs.frozen
class Direct(Game):
    weight: int = 7
@attrs.frozen(cache_hash=True)
class Hashed(ConnectFour):
    weight: int = 5
@dataclasses.dataclass(frozen=True)
class Data(Game):
    weight: int = 3
    def estimate(self, state):
        return self.weight
class Abstract(ConnectFour, abc.ABC):
    def estimate(self, state):
        return len(MEMO)
class Mixed(copied_helper.Base, ConnectFour):
    def estimate(self, state):
        return self.BONUS
def made(bonus):
    class Local(ConnectFour):
        def estimate(self, state):
            return bonus
    return Local
Local = made(4)
def fold(game, state, depth, control):
    return helped(depth)
class Own(Algorithm):
    name = "own"
    kernel = staticmethod(fold)
    extra: int = 6
"""
NAMES = "Plain", "Slotted", "Below", "Direct", "Hashed", "Data", "Abstract", "Mixed", "Local"
THERE = """
import pickle, sys
from strategies.native.fingerprint import copied_fingerprint, fingerprint
for content in pickle.load(sys.stdin.buffer):
    game = content.values[0]
    print(copied_fingerprint(game)[0], fingerprint(game))
"""

EDITED = """
from games import ConnectFour
class Edited(ConnectFour):
    def estimate(self, state):
        return BONUS
"""
VERSIONS = """
import pickle, sys
from strategies.support import by_value
contents = pickle.load(sys.stdin.buffer)
found = [content.values[0].estimate(None) for content in contents * 2]
back = [by_value.dumps(content.values[0]) for content in contents]
sys.stdout.buffer.write(pickle.dumps((found, back)))
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "copied_helper.py").write_text(HELPER)
    (tmp_path / "copied_games.py").write_text(GAMES)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("copied_games")
    del sys.modules["copied_games"], sys.modules["copied_helper"]


def test_a_copy_has_the_fingerprint_of_the_original(module: Any) -> None:
    made = {name: getattr(module, name)() for name in NAMES} | {"Own": module.Own(3)}
    modules = own_modules(*map(reached_modules, made.values()))
    assert [m.__name__ for m in modules] == ["copied_games", "copied_helper"]
    hash(made["Hashed"])
    sent = pickle.dumps([Parcel((game,), modules).content for game in made.values()])
    there = subprocess.run([sys.executable, "-c", THERE], input=sent, stdout=-1, check=True)
    found = [line.split() for line in there.stdout.decode().splitlines()]
    here = [[copied_fingerprint(game)[0], fingerprint(game)] for game in made.values()]
    assert [copied for copied, _ in found] == [copied for copied, _ in here]
    same = dict(zip(made, map(list.__eq__, found, here), strict=True))
    assert same == dict.fromkeys(made, True) | {"Local": False}  # its name has that of its function
    assert len({copied for copied, _ in here}) == len(here)


def test_what_rules_reach_counts_and_imports_that_fail_are_told(module: Any) -> None:
    game, helper = module.Plain(), sys.modules["copied_helper"]
    before, failed = copied_fingerprint(game)
    assert failed == {"no_such_module_here"}
    assert copied_fingerprint(game, failed) == (before, set())
    vars(helper)["FACTOR"] = 4
    assert copied_fingerprint(game)[0] != before
    assert fingerprint(game) == fingerprint(game)


def test_each_version_of_a_class_keeps_its_code_and_comes_back_as_the_class_it_was() -> None:
    scope: dict[str, Any] = {"__name__": "__main__"}
    exec(EDITED, scope)
    cls, contents = scope["Edited"], []
    fingerprint(cls())  # as each search does first
    for bonus in range(3):
        scope["BONUS"] = bonus
        contents.append(Parcel((cls(),)).content)
    given = pickle.dumps(contents)
    there = subprocess.run([sys.executable, "-c", VERSIONS], input=given, stdout=-1, check=True)
    found, back = pickle.loads(there.stdout)
    assert found == [*range(3)] * 2
    before = dict(vars(cls))
    here = [content.values[0] for content in contents]
    assert dict(vars(cls)) == before
    assert {type(game) for game in (*here, *map(pickle.loads, back))} == {cls}
