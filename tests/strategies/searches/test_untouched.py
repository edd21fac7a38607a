"""Searching changes nothing in the caller's program, and uses redefined rules."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

RULES = """
from attrs import frozen
from games import Game, Status
from strategies.algebra.strategy import ListStrategy

def bonus(n):
    return n + 1

SCALE = 1

@frozen
class State:
    n: int
    who: int

    @property
    def rest(self):
        return bonus(self.n)

@frozen
class Pile(Game):
    n: int = 5

    def start(self):
        return State(self.n, 0)

    def status(self, s):
        if s.n:
            return Status.IN_PLAY
        return Status.MAXIE_WINS if s.who else Status.MINNIE_WINS

    def player(self, s):
        return s.who

    def moves(self, s):
        for k in range(1, 3):
            if k <= s.n:
                yield k

    def make_move(self, s, m):
        return State(s.n - m, 1 - s.who)

    def estimate(self, s):
        return SCALE * s.rest
"""

WATCHED = """
import sys

def looked_at():
    # Every class and function of this module, with all that it is made of.
    found = {}
    for name, value in dict(vars(sys.modules["__main__"])).items():
        if name in ("before", "after"):
            continue
        found[name] = id(value)
        if getattr(value, "__module__", None) == "__main__" and isinstance(value, type):
            for part, inside in vars(value).items():
                function = getattr(inside, "fget", getattr(inside, "__func__", inside))
                found[name, part] = id(inside), id(getattr(function, "__globals__", None))
    return found
"""

EVERYTHING = """
import pickle
from concurrent.futures import ProcessPoolExecutor
import cloudpickle
import dask
from dask import delayed
from dask.multiprocessing import get_context
from games.problems import Problem
from strategies import *
from strategies.searches.local_search import climb
from strategies.algebra.strategy import ListStrategy

@frozen
class Waves(ListStrategy):
    def groups(self, n):
        return tuple(par_list.unfold("max", n).groups)

@frozen
class Box:
    inside: object

@frozen
class Near(Problem):
    goal: int = 5

    def start(self, seed):
        return seed % 3

    def neighbors(self, s):
        yield from (s + 1, s - 1)

    def value(self, s):
        return abs(s - self.goal)

E = "interpreted"

def run():
    unpickle()
    for how in (seq, Waves(), par_list.to_ply(2)):
        answer = search(Pile(6), alphabeta(3), using=how, engine=E)
        result = answer.compute()
        answer.compute(scheduler="sync")
        dask.compute(answer, [answer])
        dask.persist(answer), dask.optimize(answer)
        str(result), repr(answer), result.search()
    trees = search(Pile(6), mcts(20, trees=2), using=par_list, engine=E)
    trees.compute(), trees.compute(scheduler="sync"), dask.compute(trees)
    solve(Pile(6), engine=E)
    climb(Near(), engine=E, restarts=1, using=par_list, neighbors=par_list)
    value = using([Box(delayed(bonus)(1)), Pile(3), State(1, 0)], par_list(rdeepseq))
    value.compute(), dask.compute(value)
    agent = SearchAgent(alphabeta(2), engine=E)
    tournament(Pile(4), [agent, "random"], rounds=1, plies=0, scheduler="threads")

def run_elsewhere():
    with ProcessPoolExecutor(1, get_context()) as pool:
        for how in (alphabeta(2), mcts(20)):
            answer = search(Pile(6), how, engine=E)
            result = answer.compute(scheduler="processes", pool=pool)
            assert result.move in (1, 2), result

def unpickle():
    # As the scheduler of a local cluster does with every graph.  Once this replaced methods by
    # copies, which later changes of constants did not reach.
    answer = search(Pile(), alphabeta(2), using=par_list, engine=E)
    trees = search(Pile(), mcts(20, trees=2), using=par_list, engine=E)
    (kept,) = dask.persist(answer, scheduler="sync")
    for sent in answer.expr, trees.expr, kept.expr, answer.dask, kept.dask:
        pickle.loads(cloudpickle.dumps(sent))

if __name__ == "__main__":
    before = looked_at()
    run()
    run_elsewhere()
    after = looked_at()
    import json
    print(json.dumps(sorted(str(k) for k in before.keys() | after.keys()
                            if before.get(k) != after.get(k))))
"""


def run_script(source: str, folder: Path) -> Any:
    """Run a program, and return the last line of its output."""
    script = folder / "script.py"
    script.write_text(source)
    ran = subprocess.run(
        [sys.executable, str(script)], env=os.environ.copy(), capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


def test_searching_does_not_change_a_script(tmp_path: Path) -> None:
    """Nor does a result from another process."""
    assert run_script(RULES + WATCHED + EVERYTHING, tmp_path) == []


AGAIN = """
import json
from strategies import alphabeta, engine_for, par_list, search
from strategies.native.kernels.control import kernel
from strategies.native.memory.cells import cells

@kernel
def guess(game, state, control):
    return game.estimate(state)

def value(how):
    found = search(Pile(9), alphabeta(2), engine="{engine}", using=par_list).compute().value
    game = Pile(9)  # the smallest kernel, because compiling a search takes long
    return found, engine_for(game, "native").call(guess, game.start(), cells(1))

found = [value(0), value(0)]

def bonus(n):
    return n + 100

found.append(value(1))
SCALE = 2
found.append(value(2))
if "{engine}" == "interpreted":
    Pile.estimate = lambda self, s: 7
    found.append(value(3))
print(json.dumps(found))
"""


@pytest.mark.parametrize("engine", ["interpreted", pytest.param("native", marks=pytest.mark.long)])
def test_redefined_rules_are_used_and_compiled_again(tmp_path: Path, engine: str) -> None:
    found = run_script(RULES + AGAIN.replace("{engine}", engine), tmp_path)
    assert found == [[7, 10], [7, 10], [106, 109], [212, 218], [7, 7]][: len(found)]
    assert len(found) >= 4


CONSOLE = """
import json
from code import InteractiveConsole

console = InteractiveConsole(vars(__import__("__main__")))
cells = RULES, CELL, "def bonus(n): return n + 100", CELL
for cell in cells:
    exec(compile(cell, "<cell>", "exec"), console.locals)
print(json.dumps(found))
"""

CELL = """
from strategies import alphabeta, search
found = globals().get("found", [])
found.append(search(Pile(9), alphabeta(2), engine="interpreted").compute().value)
"""


def test_a_cell_that_is_run_again_redefines_its_rules(tmp_path: Path) -> None:
    source = f"RULES = {RULES!r}\nCELL = {CELL!r}\n{CONSOLE}"
    assert run_script(source, tmp_path) == [7, 106]
