"""Run the benchmarks: all, or those named.

    python -m benchmarks [name …] [--quick] [--write FOLDER]

--quick measures tiny cases, to check that each file runs; --write writes results.md and
results.json to a folder.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path

from attrs import asdict

from benchmarks import cpp
from benchmarks.finding import HEADER, Finding, Skipped
from benchmarks.measure import commit, kernel, machine, scaling
from benchmarks.usage import asked_for_help

QUESTIONS = (
    "connect_four_openspiel",
    "connect_four_cpp",
    "solver",
    "riskless_cpp",
    "riskless_estimates",
    "twenty48_cpp",
    "twenty48_openspiel",
    "twenty48_games",
    "learning",
    "learned_connect_four",
    "batches",
    "trees",
    "fforum",
    "pursuit",
    "easyai",
    "speedup",
    "sharing",
    "deepened",
    "sets",
    "virtual",
    "positions",
    "auto",
    "abort",
    "tasks",
    "tables",
    "endgame_tables",
    "cluster",
    "cluster_abort",
    "recording",
    "simulation",
    "published",
    "mcts",
    "mcts_moves",
    "mcts_play",
    "startup",
    "first_written",
    "perfts",
    "scale",
)


def _page(name: str) -> str:
    """Return the question of a benchmark and its arguments, from its docstring."""
    how = f"python -m benchmarks {name} [--quick] [--write FOLDER]"
    return f"{how}\n\n{(import_module(f'benchmarks.{name}').__doc__ or '').strip()}"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=(__doc__ or "").split("\n")[0],
        epilog="python -m benchmarks NAME --help tells what one benchmark asks and takes.",
    )  # fmt: skip
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(QUESTIONS))
    parser.add_argument("--quick", action="store_true", help="tiny questions; the figures are void")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="write results.md and .json")
    asked = [name for name in QUESTIONS if name in arguments]
    if asked and asked_for_help(arguments):
        print(*(_page(name) for name in asked), sep="\n\n")
        return 0
    chosen = parser.parse_args(arguments)
    unknown = set(chosen.names) - set(QUESTIONS)
    if unknown:
        parser.error(f"no benchmark {min(unknown)}; there are {', '.join(QUESTIONS)}")
    if chosen.write:
        try:
            chosen.write.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            parser.error(f"cannot write to {chosen.write}: {error.strerror}")
    heading = f"Commit {commit()}; {machine()}; {cpp.version()}."
    print(heading, HEADER, sep="\n\n")
    calibrate = kernel(chosen.quick)
    calibrate()
    found: list[Finding] = []
    scaled: dict[str, float] = {}
    notes: list[str] = []
    for name in chosen.names or QUESTIONS:
        scaled[name] = scaling(calibrate)
        try:
            mine = import_module(f"benchmarks.{name}").run(chosen.quick)
        except Skipped as reason:
            notes.append(f"{name}: skipped, {reason}.")
            continue
        found += mine
        print(*(f.row(void=chosen.quick) for f in mine), sep="\n", flush=True)
    each = ", ".join(f"{name} {c:.2f}" for name, c in scaled.items())
    notes.append(f"Two independent kernels scaled, in the minute of each question: {each}.")
    print("", *notes, sep="\n")
    if chosen.write:
        table = [heading, "", HEADER, *(f.row(void=chosen.quick) for f in found), "", *notes, ""]
        (chosen.write / "results.md").write_text("\n".join(table), encoding="utf-8")
        data = {
            "commit": commit(),
            "machine": machine(),
            "scaling": scaled,
            "findings": [{**asdict(f), "met": None if chosen.quick else f.met} for f in found],
        }
        (chosen.write / "results.json").write_text(json.dumps(data, indent=2), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
