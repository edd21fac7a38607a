"""What do games cost as one writes them first: to compile, and for each node?

    python -m benchmarks.first_written ROUNDS [GAME …]

prints the whole table: processor seconds until the rules and two kernels are compiled, with nothing
kept and with code kept, and nodes a second of `perft` and of a search. Each figure is a median over
rounds, in each of which every way runs in a new process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from attrs import frozen

from benchmarks.finding import Finding, a_node
from benchmarks.finding import seconds as duration
from benchmarks.usage import own_arguments

LIMIT = 60
"""The seconds that a compiler gets for one game."""
LEAST = 0.3
"""The processor seconds for which a kernel is called again and again."""
WAYS = {"native": "machine code", "python": "Python"}


@frozen
class Case:
    """A game with the depths to which positions are counted and a search looks ahead."""

    module: str
    name: str
    perft: int
    search: int

    def game(self) -> Any:
        return getattr(import_module(self.module), self.name)()


HERE = "benchmarks.as_written."
CASES = (
    Case(HERE + "draughts", "Draughts", 4, 4),
    Case(HERE + "chess", "Chess", 3, 3),
    Case(HERE + "backgammon", "Backgammon", 2, 2),
    Case(HERE + "oware", "Oware", 5, 5),
    Case(HERE + "quoridor", "Quoridor", 2, 2),
    Case(HERE + "go", "Go", 3, 2),
    Case(HERE + "cant_stop", "CantStop", 4, 3),
    Case(HERE + "yahtzee", "Yahtzee", 3, 2),
    Case("games", "ConnectFour", 5, 6),
    Case("games", "Othello", 5, 5),
    Case("games", "Nim", 4, 6),
    Case("games", "TicTacToe", 6, 6),
)


# In a process of its own


def measure(case: Case, way: str, quick: bool) -> dict[str, float]:
    """Compile a game in one way, and return seconds and nodes a second."""
    from strategies import engine_for
    from strategies.native.compiling import compiler
    from strategies.native.kernels import fixed_depth

    game = case.game()
    engine = engine_for(game, "interpreted" if way == "python" else "native")
    found: dict[str, float] = {}
    start = game.start()
    if way != "python":
        with compiler() as (_, bind):
            began = process_time()
            engine._rules = bind(game, start)
        found["rules"] = process_time() - began
        coding = _timed(engine._rules)
        began = process_time()
        engine.prepare(start, fixed_depth.perft, fixed_depth.search)
        found["kernels"] = process_time() - began - sum(coding)
        found["rules"] += sum(coding)
    depths = (1, 1) if quick else (case.perft, case.search)
    found["perft"] = _rate(lambda: engine.perft(start, depths[0]))
    found["search"] = _rate(lambda: engine.search(start, depths[1]).nodes)
    return found


def _timed(block: Any) -> list[float]:
    """Return the list of seconds for which rules will be made machine code, amid the kernels."""
    plain, found = block.prepare, []

    def prepare(folder: Path | None) -> None:
        began = process_time()
        plain(folder)
        found.append(process_time() - began)

    block.prepare = prepare
    return found


def _rate(call: Any) -> float:
    call()
    count, began = 0, process_time()
    while process_time() - began < LEAST:
        count += call()
    return count / (process_time() - began)


# Here


@frozen
class Result:
    """The figures of one way; `why` says why there are none."""

    figures: dict[str, float]
    why: str = ""


def result(case: Case, way: str, quick: bool) -> Result:
    """Measure one way in two processes: with nothing kept, and with what the first one kept."""
    told = json.dumps([case.module, case.name, case.perft, case.search, way, quick])
    command = [sys.executable, "-m", "benchmarks.first_written", "--one", told]
    with TemporaryDirectory() as folder:
        env = {**os.environ, "NUMBA_CACHE_DIR": folder}
        rows = []
        for _ in range(1 if way == "python" else 2):
            try:
                done = subprocess.run(
                    command, env=env, capture_output=True, text=True, timeout=2 * LIMIT, check=False
                )
            except subprocess.TimeoutExpired:
                return Result({}, f"over {LIMIT} s")
            if done.returncode:
                known = "RuleError" in done.stderr or "Refusal" in done.stderr
                return Result({}, "refused" if known else done.stderr.strip().splitlines()[-1])
            rows.append(json.loads(done.stdout.splitlines()[-1]))
    found = rows[0]
    if way != "python":
        found["kept"] = rows[1]["rules"] + rows[1]["kernels"]
    over = found.get("rules", 0.0) + found.get("kernels", 0.0) > LIMIT
    return Result(found, f"over {LIMIT} s" if over else "")


def results(cases: Iterable[Case], rounds: int, quick: bool) -> dict[Case, dict[str, Result]]:
    """Return the medians of all ways, which run in turn."""
    rows: dict[tuple[Case, str], list[Result]] = {}
    cases = list(cases)
    for _ in range(rounds):
        for case in cases:
            for way in WAYS:
                before = rows.setdefault((case, way), [])
                if not (before and before[0].why):
                    before.append(result(case, way, quick))
    return {case: {way: _median(rows[case, way]) for way in WAYS} for case in cases}


def _median(found: list[Result]) -> Result:
    names = found[0].figures
    return Result(
        {n: median(r.figures[n] for r in found if r.figures) for n in names}, found[0].why
    )


def table(found: dict[Case, dict[str, Result]]) -> str:
    """Return all figures as a table."""
    lines = [
        "| game | way | rules | kernels | with code kept | perft, nodes/s | search, nodes/s |",
        "|---|---|---|---|---|---|---|",
    ]
    for case, ways in found.items():
        for way, name in WAYS.items():
            cells = [_cell(ways[way], key) for key in ("rules", "kernels", "kept")]
            cells += [_cell(ways[way], key) for key in ("perft", "search")]
            lines.append(f"| {case.name} | {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(found: Result, key: str) -> str:
    if key not in found.figures:
        return found.why if key == "rules" else ""
    x = found.figures[key]
    return f"{x:,.0f}" if key in ("perft", "search") else f"{x:.2f} s"


def run(quick: bool) -> list[Finding]:
    """Compare machine code with Python."""
    found = []
    cases = [CASES[0], CASES[-1]] if quick else CASES
    for case, ways in results(cases, 1 if quick else 3, quick).items():
        ours = ways["native"].figures
        if not ours:
            raise AssertionError(f"{case.name} is not compiled: {ways['native'].why}")
        took = ours["rules"] + ours["kernels"]
        told = f"rules {duration(ours['rules'])}, kernels {duration(ours['kernels'])}"
        kept = duration(ours["kept"])
        what = f"{case.name}, as first written" if case.module != "games" else case.name
        found.append(
            Finding(
                f"{what}: compiled, nothing kept", took, 5, "with code kept", told, duration(took),
                kept, at_most=True, unit=" s",
            )
        )  # fmt: skip
        for kernel in ("perft", "search"):
            fast, slow = ours[kernel], ways["python"].figures[kernel]
            depth = case.perft if kernel == "perft" else case.search
            work = f"{kernel}, {1 if quick else depth} plies"
            times = a_node(1, round(fast)), a_node(1, round(slow))
            found.append(Finding(what, fast / slow, 10, WAYS["python"], work, *times))
    return found


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        *case, way, quick = json.loads(sys.argv[2])
        print(json.dumps(measure(Case(*case), way, quick)))
        return
    rounds, *names = own_arguments(__doc__, numbers=1)
    chosen = [case for case in CASES if not names or case.name in names]
    print(table(results(chosen, int(rounds), quick=False)))


if __name__ == "__main__":
    main()
