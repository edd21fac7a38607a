"""The command: ``python -m tests.breaker``."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from pathlib import Path

from strategies.support.journal import Journal, JournalError
from tests.breaker.rounds import KINDS, attack, rounds, table


def main(arguments: list[str]) -> int:
    """Attack until the time is up, and print each round as it ends; return 0 without faults."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.breaker",
        description="Attack in random ways, a process for each round of 20 seconds, and print "
        "how many cases ended right, with a sentence, or with a fault.",
    )
    parser.add_argument("--seconds", type=float, default=7200, help="how long (7200)")
    parser.add_argument("--first", type=int, default=0, help="number of the first round (0)")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--record", type=Path, help="a file with a line for each round")
    parser.add_argument("--resume", action="store_true", help="continue the file")
    parser.add_argument("--one", nargs=2, metavar=("KIND", "NUMBER"), help="only this round, here")
    chosen = parser.parse_args(arguments)
    if chosen.one:
        print(json.dumps(attack(chosen.one[0], int(chosen.one[1]), chosen.seconds)))
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    header = {"journal": "breaker", "kinds": chosen.kinds}
    try:
        with Journal(chosen.record, header, resume=chosen.resume) as journal:
            first = max([chosen.first, *(entry["number"] + 1 for entry in journal.entries)])
            try:
                for one in rounds(tuple(chosen.kinds), first, chosen.seconds):
                    journal.add(one)
                    counts = ", ".join(f"{n} {name}" for name, n in one["ended"].items())
                    print(f"{one['number']:4}  {one['kind']}: {counts}  {one['fault']}", flush=True)
            except KeyboardInterrupt:
                print("interrupted; --record and --resume continue from here")
            print("", table(journal.entries), sep="\n")
            return 1 if any(entry["fault"] for entry in journal.entries) else 0
    except JournalError as error:
        parser.error(str(error))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
