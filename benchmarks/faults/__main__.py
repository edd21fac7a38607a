"""The command: ``python -m benchmarks.faults``."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from benchmarks.faults.rounds import GOOD, rounds, table
from benchmarks.faults.runs import RUNS
from strategies.support.journal import Journal, JournalError


def main(arguments: list[str]) -> int:
    """Run the rounds, and print each as it ends; return 0 if all ended well."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.faults",
        description="Plant faults at random moments of runs on a cluster of this machine, and "
        "print how each run ends. About four seconds each.",
    )
    parser.add_argument("--count", type=int, default=20, help="how many rounds (20)")
    parser.add_argument("--seed", type=int, default=0, help="seed of runs, faults and moments (0)")
    parser.add_argument("--kills", type=float, default=0.67, help="the share of kills (0.67)")
    parser.add_argument(
        "--runs", nargs="+", choices=list(RUNS), default=list(RUNS), help="which runs (all)"
    )
    parser.add_argument("--record", type=Path, help="a file with a line for each round")
    parser.add_argument("--resume", action="store_true", help="continue the file")
    chosen = parser.parse_args(arguments)
    header = {"journal": "faults", "seed": chosen.seed, "kills": chosen.kills, "runs": chosen.runs}
    for ending in (signal.SIGINT, signal.SIGTERM):  # in the background, too
        signal.signal(ending, signal.default_int_handler)
    try:
        with Journal(chosen.record, header, resume=chosen.resume) as journal:
            done = {entry["number"] for entry in journal.entries}
            left = [number for number in range(chosen.count) if number not in done]
            for one in rounds(chosen.seed, left, chosen.kills, tuple(chosen.runs)) if left else ():
                journal.add(one._asdict())
                good = "" if one.ended in GOOD else "   <<<"
                print(
                    f"{one.number:4}  {one.run:7} {one.fault:7} after {one.moment:5.2f} s: "
                    f"{one.ended}, {one.seconds:5.1f} s later  {one.said}{good}",
                    flush=True,
                )
            print("", table(journal.entries), sep="\n")
            return 0 if all(entry["ended"] in GOOD for entry in journal.entries) else 1
    except JournalError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("interrupted; --record and --resume continue from here")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
