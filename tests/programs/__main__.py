"""The command: ``python -m tests.programs``."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

from strategies.support.journal import Journal, JournalError
from tests.programs.coverage import Table
from tests.programs.engines import ENGINES
from tests.programs.known import known
from tests.programs.meant import meant, missing
from tests.programs.program import TEMPLATES, Program, numbered
from tests.programs.reducing import reduced
from tests.programs.templates import Template
from tests.programs.worker import Worker

BATCH: Final = 50
"""How many programs are one entry of the record."""
FAULTS: Final = ("differs", "crashes", "hangs")


def chosen(construct: str | None) -> tuple[Template, ...]:
    """Return the templates whose text contains a construct."""
    if construct is None:
        return TEMPLATES
    return tuple(one for one in TEMPLATES if construct in one.text)


def batch(worker: Worker, programs: list[tuple[int, Program]], shrink: bool) -> dict[str, Any]:
    """Judge some programs; return an entry of the record."""
    ended, reasons, faults, skipped = [], Counter[str](), [], Counter[str]()
    for number, program in programs:
        verdicts = worker.judge(program)
        ended.append([one.ended for one in verdicts])
        reasons.update({one.engine for one in verdicts if one.ended in ("refused", "meant")})
        skipped.update({one.python for one in verdicts if one.ended == "left out"})
        if any(one.ended in FAULTS for one in verdicts):
            smallest = reduced(worker, program, verdicts) if shrink else program
            last = next((v for v in worker.judge(smallest) if v.ended in FAULTS), verdicts[0])
            faults.append(
                {"number": number, "source": str(smallest), "ended": last.ended,
                 "python": last.python, "engine": last.engine}
            )  # fmt: skip
    return {"first": programs[0][0], "ended": ended, "reasons": dict(reasons), "faults": faults,
            "left out": dict(skipped)}  # fmt: skip


def report(entries: list[dict[str, Any]], table: Table) -> str:
    """Return the table and the counts of all entries."""
    ended = Counter(end for entry in entries for ends in entry["ended"] for end in ends)
    reasons = sum((Counter(entry["reasons"]) for entry in entries), Counter[str]())
    faults = [fault for entry in entries for fault in entry["faults"]]
    left = missing(set(table.total()))
    lines = [str(table), "", f"{len(meant()) - len(left)} of {len(meant())} meant cells reached"]
    lines += [f"not reached: {name} {where}" for name, where in left[:20]]
    programs = sum(len(entry["ended"]) for entry in entries)
    lines.append(f"{programs} programs, {ended.total()} calls: "
                 + ", ".join(f"{n} {name}" for name, n in ended.most_common()))  # fmt: skip
    tried = max(1, ended.total() - ended["left out"])
    lines.append(f"{100 * ended['refused'] / tried:.1f} % refused, "
                 f"{100 * ended['meant'] / tried:.1f} % refused as it is meant to be")  # fmt: skip
    lines += [f"refused {n:6}  {reason}" for reason, n in reasons.most_common(40)]
    lines.append(f"{len(faults)} programs differ, crash or hang")
    return "\n".join(lines)


def told(fault: dict[str, Any]) -> str:
    """Return a fault for people."""
    return (f"--- program {fault['number']} {fault['ended']}\n{fault['source']}"
            f"# python: {fault['python']}\n# engine: {fault['engine']}")  # fmt: skip


def program_of(number: int, seed: int, only: tuple[Template, ...], few: bool) -> Program:
    """Return a program; those with negative numbers are the known ones."""
    return known()[-number - 1] if number < 0 else numbered(seed, number, only, few=few)


def main(arguments: list[str]) -> int:
    """Judge programs, print progress, the table and each fault; return 0 without faults."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.programs",
        description="Run programs generated from the grammar, and the known ones, as Python and in "
        "an engine, and print what differs, and which constructs occurred in which positions.",
    )
    parser.add_argument("--count", type=int, default=20_000, help="how many programs (20000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--engine", choices=list(ENGINES), default="native")
    parser.add_argument(
        "--only", metavar="CONSTRUCT", help="text of the templates to try, as .pop("
    )
    parser.add_argument("--no-known", action="store_true", help="leave the known programs out")
    parser.add_argument("--no-shrink", action="store_true", help="print faults as generated")
    parser.add_argument("--record", type=Path, help="a file with a line for each batch")
    parser.add_argument("--resume", action="store_true", help="continue the file")
    parser.add_argument("--show", type=int, metavar="NUMBER", help="print this program and end")
    given = parser.parse_args(arguments)
    only, few = chosen(given.only), given.engine == "today"
    if not only:
        parser.error(f"no template contains {given.only!r}")
    if given.show is not None:
        print(program_of(given.show, given.seed, only, few))
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    header = {"journal": "programs", "engine": given.engine, "seed": given.seed,
              "only": given.only or ""}  # fmt: skip
    known_numbers = [] if given.no_known or given.only else [-n - 1 for n in range(len(known()))]
    numbers = [*known_numbers, *range(given.count)]
    table = Table()
    try:
        with Journal(given.record, header, resume=given.resume) as journal:
            done = {entry["first"] for entry in journal.entries}
            for entry in journal.entries:
                start = numbers.index(entry["first"])
                for number, ends in zip(numbers[start:], entry["ended"], strict=False):
                    table.add(program_of(number, given.seed, only, few).source, ends)
            try:
                with Worker(given.engine) as worker:
                    for start in range(0, len(numbers), BATCH):
                        if numbers[start] in done:
                            continue
                        began = time.monotonic()
                        programs = [
                            (number, program_of(number, given.seed, only, few))
                            for number in numbers[start : start + BATCH]
                        ]
                        entry = batch(worker, programs, not given.no_shrink)
                        journal.add(entry)
                        for (_, program), ends in zip(programs, entry["ended"], strict=True):
                            table.add(program.source, ends)
                        for fault in entry["faults"]:
                            print(told(fault), flush=True)
                        ended = Counter(end for ends in entry["ended"] for end in ends)
                        counts = ", ".join(f"{n} {name}" for name, n in ended.most_common())
                        print(f"{start + len(programs):6} of {len(numbers)}: {counts} "
                              f"({time.monotonic() - began:.1f} s)", flush=True)  # fmt: skip
            except KeyboardInterrupt:
                print("interrupted; --record and --resume continue from here")
            print(report(journal.entries, table))
            return 1 if any(entry["faults"] for entry in journal.entries) else 0
    except JournalError as error:
        parser.error(str(error))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
