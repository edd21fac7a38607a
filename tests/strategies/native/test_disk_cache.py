"""The cache across processes: hits, misses, and code that is never stored."""

import itertools
import os
import subprocess
import sys
from pathlib import Path
from time import time_ns

import pytest

from strategies.native.compiler.disk_cache import Files

RULES = """
from attrs import frozen
from games.game import Game, Status
from numbers_here import STEP

@frozen
class At:
    a: int

@frozen
class Counting(Game):
    n: int = 2
    def start(self):
        return At(0)
    def status(self, state):
        return Status.IN_PLAY
    def player(self, state):
        return "xo".index("xo"[state.a % 1])
    def moves(self, state):
        for move in range(self.n):
            yield move
    def make_move(self, state, move):
        return At(state.a + move)
    def estimate(self, state):
        return state.a * STEP
"""
SEARCHED = "engine.call(most, engine.game.start(), 3)"
"""A call of a kernel that takes less time to compile than a search."""
MAIN = f"""
from kernels_here import most
from strategies.native import engine_for, on_compile
with on_compile(lambda name: print("compiling", name)):
    engine = engine_for(Counting({{n}}), "native")
    print({SEARCHED})
"""
PERFT = "print(engine.perft(engine.game.start(), 2))"
AFRESH = """
import importlib, linecache
import counting_here, numbers_here
for rules, step in {sources!r}:
    open(counting_here.__file__, "w").write(rules)
    open(numbers_here.__file__, "w").write(f"STEP = {{step}}")
    linecache.clearcache()
    importlib.reload(numbers_here)
    importlib.reload(counting_here)
    exec({main!r})
"""
"""A program that runs `main` with other sources of rules and helpers, like a new process."""
KERNELS = """
from strategies.native.kernels.control import kernel

@kernel
def most(game, state, depth: int) -> int:
    if depth == 0:
        return game.estimate(state)
    found = -9
    for move in game.moves(state):
        found = max(found, most(game, game.make_move(state, move), depth - 1))
    return found

@kernel
def count(game, state, depth: int) -> int:
    found = 0
    for move in game.moves(state):
        found += count(game, game.make_move(state, move), depth - 1) if depth > 1 else 1
    return found

@kernel
def twice(game, state, depth: int) -> int:
    return 2 * count(game, state, depth)

def checked(depth):
    if depth > 1:
        raise ValueError(depth, "is too deep")
    return depth

@kernel
def failing(game, state, depth: int) -> int:
    known = {0: state, 1: state}
    return checked(depth) if depth > 0 else int(game.estimate(known[depth]))

@kernel
def named(game, state, depth: int) -> int:
    return depth + (hash(("even", "odd")[depth % 2]) == 12345)
"""
READY = """
import sys
print("numba.np.linalg" in sys.modules)
"""
"""An expression: whether Numba has initialised its compiler, which takes half a second."""


@pytest.fixture
def run(tmp_path: Path):  # type: ignore[no-untyped-def]
    root = Path(__file__).parents[3]
    env = os.environ | {
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": f"{root}:{tmp_path}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    numbers = itertools.count()
    (tmp_path / "numbers_here.py").write_text("STEP = 5\n")
    (tmp_path / "kernels_here.py").write_text(KERNELS)

    def start(source: str, **more: str) -> subprocess.Popen[str]:
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        file = tmp_path / f"main_{next(numbers)}.py"  # rules are read from files
        file.write_text(source)
        return subprocess.Popen([sys.executable, str(file)], env=env | more, **pipes)  # type: ignore[call-overload, no-any-return]

    def finish(source: str, **more: str) -> list[str]:
        process = start(source, **more)
        out, error = process.communicate()
        assert process.returncode == 0, error
        return out.split("\n")[:-1]

    finish.start = start  # type: ignore[attr-defined]
    return finish


def test_hits_and_misses_in_a_module(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    module = tmp_path / "counting_here.py"
    main = "from counting_here import Counting" + MAIN.format(n=2)
    module.write_text(RULES)
    assert run(main) == ["compiling Counting", "15"]
    sources = [
        ("# a comment\n" + RULES, 5),
        (RULES.replace("state.a + move", "state.a + move + 1"), 5),
        (RULES, 7),
        (RULES, 5),
    ]
    changed = AFRESH.format(sources=sources, main=main + PERFT)
    assert run(main + READY + changed + READY) == [
        *("15", "False"),
        *("15", "4"),
        *("compiling Counting", "30", "4"),
        *("compiling Counting", "21", "4"),
        *("15", "4"),
        "True",
    ]


def test_rules_in_main_concurrent_processes_and_a_read_only_folder(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    both = [run.start(RULES + MAIN.format(n=n)) for n in (2, 3)]
    assert [p.communicate()[0].split() for p in both] == [
        ["compiling", "Counting", "15"],
        ["compiling", "Counting", "30"],
    ]
    assert run(RULES + MAIN.format(n=2) + MAIN.format(n=3)) == ["15", "30"]
    (tmp_path / "blocked").write_text("a file, where a folder should be")
    blocked = {"NUMBA_CACHE_DIR": str(tmp_path / "blocked")}
    # Numba then uses the folder of the kernel, where an earlier run has left its code.
    rules = RULES.replace("state.a * STEP", f"state.a * STEP + {time_ns()}")
    counted = MAIN.format(n=2).replace(SEARCHED, "engine.perft(engine.game.start(), 2)")
    assert run(rules + counted, **blocked) == ["compiling Counting", "4"]


def test_a_file_is_used_only_for_its_own_key(tmp_path: Path) -> None:
    files = Files(str(tmp_path), "kernel")
    files.save("one", 1)
    assert (files.load("one"), files.load("two")) == (1, None)
    files.path("one").replace(files.path("two"))
    assert files.load("two") is None
    files.save("one", 1)
    files.path("one").unlink()
    assert files.load("one") is None
    Files(str(tmp_path / "missing"), "kernel").save("one", 1)


def test_a_damaged_file_is_ignored(tmp_path: Path) -> None:
    files = Files(str(tmp_path), "kernel")
    files.save("one", b"code" * 500)
    file = files.path("one")
    whole = file.read_bytes()
    middle = len(whole) // 2
    for damaged in (
        whole[:100],
        whole[:10],
        b"",
        whole[:middle] + bytes(512) + whole[middle + 512 :],  # as after a power failure
    ):
        file.write_bytes(damaged)
        assert files.load("one") is None
    file.write_bytes(whole)
    assert files.load("one") == b"code" * 500


def test_the_least_recently_used_files_are_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from strategies.native.compiler import disk_cache as cache

    monkeypatch.setattr(cache, "KERNEL_FILES", 2)
    files = cache.Files(str(tmp_path), "kernel")
    for number, key in enumerate("abc"):
        files.save(key, key)
        os.utime(files.path(key), (number, number))
    assert [files.load(key) for key in "abc"] == [None, "b", "c"]
    os.utime(files.path("b"), (9, 9))
    os.utime(files.path("c"), (8, 8))
    files.save("d", "d")
    assert [files.load(key) for key in "bcd"] == ["b", None, "d"]


def test_every_kernel_can_be_cached_and_made_again_of_its_template(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """Except one with the secrets of `hash`, which each process makes again, and one whose module
    has another name.  Errors have the values of Python, compiled and loaded."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "others_here.py").write_text(KERNELS)
    main = f"""
from kernels_here import count, failing, named, twice
{RULES}
@frozen
class Doubled(Counting):
    def make_move(self, state, move):
        return At(state.a + 2 * move)

from strategies.native import Engine
from strategies.native.kernels import fixed_depth as kernels
from strategies.native.compiler import build
made = dict(filled=[], kept=[])
for name in made:
    def noted(*args, call=getattr(build, name), name=name):
        made[name].append(args[0].about.qualname if name == "filled" else args[0].fndesc.qualname)
        return call(*args)
    setattr(build, name, noted)
engine = Engine(Counting(), "native")
state = engine.game.start()
engine.search(state, 3), engine.perft(state, 3), engine.complete_games(state, 3)
engine.playout(state, 1, 5), engine.branch(state, 1)
print([engine.call(kernel, state, 3) for kernel in (count, twice, named)])
for one in engine, Engine(Counting(), "interpreted"):
    for depth in 1, 7, -1:
        try:
            print(one.call(failing, state, depth))
        except (ValueError, KeyError) as error:
            print(type(error).__name__, error.args)
OTHER
print(sorted(made["filled"]))
print(sorted(made["kept"]))
"""
    every = ["branch", "complete_games", "count", "failing", "most", "named", "perft", "playout"]
    every += ["search", "twice"]
    first = f"""
import sys
sys.path.append({str(tmp_path / "inner")!r})
from others_here import most
print(engine.call(most, state, 3))
"""
    again = """
from inner.others_here import most
print(Engine(Doubled(), "native").call(most, state, 3))
"""
    found = ["[8, 16, 3]", *["1", "ValueError (7, 'is too deep')", "KeyError (-1,)"] * 2]
    said = run(main.replace("OTHER", first), PYTHONHASHSEED="1")
    assert said == [*found, "15", str(every), str(every)]
    callers = list((tmp_path / "cache").rglob("kernels_here.twice-*.nbc"))
    assert len(callers) == 1
    callers[0].unlink()
    remade = ["['most', 'named', 'twice']", "['most', 'named']"]
    said = run(main.replace("OTHER", again), PYTHONHASHSEED="2")
    assert said == [*found, "30", *remade]
